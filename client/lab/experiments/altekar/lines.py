"""Whole games of Qubic that end in a draw, and what Altekar's searches for O cost along them."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final

import numpy as np

from client.lab.experiments.altekar.matrix import LINE_MATRIX, state_of, threat_win_matrix
from client.lab.experiments.lab import Search
from engine.bots.literature import altekar
from engine.rules.position import Move, O, Position, X
from engine.rules.registry import rules
from engine.search.fixed import Cut

_START: Final = rules("qubic").initial
_CUTS: Final = (Cut.NONE, Cut.LOOSE, Cut.STRICT)

Line = dict[Cut, list[Search]]
"""O's searches along a drawn line."""


def drawn_line(seed: int) -> tuple[Move, ...]:
    """A game of 64 moves that nobody wins and in which O never has a win in hand when it is to move."""
    for attempt in range(1_000_000):
        moves = _drawn_line(Random(f"{seed}/{attempt}"))
        if moves is not None:
            return moves
    raise AssertionError("unreachable: about one try in twenty succeeds")


def _drawn_line(random: Random) -> tuple[Move, ...] | None:
    """Random moves that win nothing; X blocks what O threatens, so O threatens at most one cell at a time."""
    position, moves = _START, []
    while position.outcome is None:
        found = _quiet(position, random)
        if found is None:
            return None
        moves.append(found)
        position = position.play(found)
    return tuple(moves) if position.outcome.winner is None else None


def _quiet(position: Position, random: Random) -> Move | None:
    legal = position.legal_moves()
    for move in random.sample(legal, len(legal)):
        after = position.play(move)
        won = after.outcome is not None and after.outcome.winner is not None
        left = after.to_move == O and _cells_that_win(after)
        if not won and not left and (position.to_move == X or _blockable(after)):
            return move
    return None


def _blockable(position: Position) -> bool:
    """Whether X, to move, can leave O without a winning cell."""
    return position.outcome is not None or len(_cells_that_win(position)) <= 1


def _cells_that_win(position: Position) -> list[Move]:
    """Where O completes a line."""
    state = state_of(position)
    x, o = threat_win_matrix(state).T
    rows = np.flatnonzero((o == 3) & (x == 0))
    free = state.sum(axis=1) == 0
    return sorted({int(cell) for row in rows for cell in np.flatnonzero(LINE_MATRIX[row] * free)})


def along(moves: Sequence[Move]) -> Line:
    """O's 2-ply searches along a game, with each cut."""
    position = _START
    searches: Line = {cut: [] for cut in _CUTS}
    for move in moves:
        if position.to_move == O:
            for cut, found in searches.items():
                s = altekar.searched(position, min(2, 64 - position.ply), "sum", cut)
                found.append(Search(position.ply, cut, s.nodes, s.leaves, s.pruned, s.interior, 0.0))
        position = position.play(move)
    return searches
