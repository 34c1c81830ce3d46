"""Minimax and alpha-beta for Qubic, after Altekar.

The state is two vectors of 64 marks. Times the 76 x 64 matrix of lines it gives the threat-win matrix: the marks of
each side in each of the 76 lines, blocked lines not excepted. `sum` adds a side's column up; `weighted` scores each
line by its marks instead, 1 for one and 10 for four. Alpha-beta cuts when alpha > beta. A move was allotted 5 seconds.

Left open: what MIN's threats take from MAX's (here a position is worth the own sum minus the other's), the weights of 2
and 3 marks (here 3 and 6: 1, 3, 6, 10 are the triangular numbers), the score of a won game (1000, more than any sum),
of a drawn one (0), and which of equal moves is played (the first, by cell).

His strict cut is read in older textbooks' form, see `Cut.STRICT`: from the empty board at 3 plies it visits 207,447
positions, the root counted, where alpha >= beta visits 4,311. With a node's true value passed up instead of alpha, the
strict cut would visit 19,959. All three choose the same move.
"""

from __future__ import annotations

from random import Random
from typing import Final

from engine.bots.literature.answer import Scale, decision, depth_of, first
from engine.rules.limit import NO_LIMIT, Limit
from engine.rules.position import Position
from engine.search.decision import Decision
from engine.search.fixed import Cut, Scoring, Searched, search
from engine.search.watch import NO_WATCH, Watch

MOVE_MS: Final = 5_000
"""His own limit, kept when no other is given."""
WIN: Final = 1_000
LINE_SCORES: Final[dict[str, tuple[int, ...]]] = {"sum": (0, 1, 2, 3, 4), "weighted": (0, 1, 3, 6, 10)}
"""For each evaluation, the score of 0 to 4 marks of one side in a line."""
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
