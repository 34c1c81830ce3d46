"""Minimax and alpha-beta for Qubic, after Altekar.

The state is two vectors of 64 marks. Times the 76 x 64 matrix of lines it gives the threat-win matrix: the marks of
each side in each of the 76 lines, blocked lines not excepted. `sum` adds a side's column up, and a position is worth
the own sum minus the other's; `weighted` scores each line by its marks instead, 1 for one and 10 for four. Alpha-beta
cuts when alpha > beta. He gave a move 5 seconds.

Left open: the weights of 2 and 3 marks (here 3 and 6: 1, 3, 6, 10 are the triangular numbers), the score of a won
game (1000, more than any sum), of a drawn one (0), and which of equal moves is played (the first, by cell).

His strict cut is read in the textbook's form, see `Cut.STRICT`: from the empty board at 3 plies it visits 207,447
positions, the root counted, where alpha >= beta visits 4,311. With a node's true value passed up instead of alpha, the
strict cut would visit 19,959. All three choose the same move.
"""

from __future__ import annotations

from random import Random
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.bots.literature.answer import Scale, decision, depth_of, first
from engine.rules.limit import NO_LIMIT, Limit
from engine.rules.lines import cube_lines
from engine.rules.position import O, Position, Side, X
from engine.search.decision import Decision
from engine.search.fixed import Cut, Scoring, Searched, search
from engine.search.watch import NO_WATCH, Watch

MOVE_MS: Final = 5_000
"""His own limit, kept when no other is given."""
WIN: Final = 1_000
LINE_SCORES: Final[dict[str, tuple[int, ...]]] = {"sum": (0, 1, 2, 3, 4), "weighted": (0, 1, 3, 6, 10)}
"""For each evaluation, what 0 to 4 marks of one side in a line score."""
SCORINGS: Final = {
    name: Scoring(lines=tuple(tuple(own - other for other in scores) for own in scores), win=WIN)
    for name, scores in LINE_SCORES.items()
}
_SCALE: Final = Scale(win=WIN)


def minimax(values: tuple[int | str, ...], position: Position, limit: Limit, random: Random, watch: Watch) -> Decision:
    return _decide(position, values, Cut.NONE, limit, watch)


def alphabeta(
    values: tuple[int | str, ...], position: Position, limit: Limit, random: Random, watch: Watch
) -> Decision:
    return _decide(position, values, Cut.STRICT, limit, watch)


def searched(
    position: Position, depth: int, evaluation: str, cut: Cut, limit: Limit = NO_LIMIT, watch: Watch = NO_WATCH
) -> Searched:
    """His search, `depth` plies deep: `Cut.NONE` is his minimax, `Cut.STRICT` his alpha-beta."""
    return search(position, depth, SCORINGS[evaluation], cut=cut, first_only=True, limit=limit, watch=watch)


def _decide(position: Position, values: tuple[int | str, ...], cut: Cut, limit: Limit, watch: Watch) -> Decision:
    ply, evaluation = values
    depth = depth_of(position, int(ply), limit)
    kept = Limit(move_ms=MOVE_MS) if limit == NO_LIMIT else limit
    found = searched(position, depth, str(evaluation), cut, kept, watch)
    return decision(position, found, first(found), depth, _SCALE)


# His threat-win matrix and his two ways to find a win. The search has its own; these are what it is checked against.

LINES: Final = cube_lines(4)
LINE_MATRIX: Final[NDArray[np.int8]] = np.zeros((76, 64), dtype=np.int8)
for _row, _line in enumerate(LINES):
    LINE_MATRIX[_row, list(_line)] = 1


def state_of(position: Position) -> NDArray[np.int8]:
    """A Qubic position as his 64 x 2 state: 1 where a side has a mark, X in the first column."""
    return np.array([[position.mark(cell) == side for side in (X, O)] for cell in range(64)], dtype=np.int8)


def threat_win_matrix(state: NDArray[np.int8]) -> NDArray[np.int8]:
    """The marks of each side in each line, 76 x 2."""
    return LINE_MATRIX @ state


def winner_by_matrix(state: NDArray[np.int8]) -> Side | None:
    """Who has four in a line, by the matrix."""
    full = (threat_win_matrix(state) == 4).any(axis=0)
    return X if full[0] else O if full[1] else None


def winner_by_loops(state: NDArray[np.int8]) -> Side | None:
    """Who has four in a line, cell by cell."""
    for line in LINES:
        for side, column in ((X, 0), (O, 1)):
            if all(state[cell, column] for cell in line):
                return side
    return None


def evaluation_by_matrix(state: NDArray[np.int8], evaluation: str, side: Side) -> int:
    """A position's value for a side, by the matrix."""
    scores = np.array(LINE_SCORES[evaluation])[threat_win_matrix(state)].sum(axis=0)
    return int(scores[0] - scores[1]) if side == X else int(scores[1] - scores[0])
