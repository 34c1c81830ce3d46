"""Positions of nine-board and Ultimate with one good move, for `client.lab.bench.strength.make_tactics`.

The proof-number search of `engine.search.solve.nine_board_solver` says who wins nine-board; Ultimate near its end is
searched to the end of the game, which leaves no move out and does not use the learned weights.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Final, Literal

from engine.rules.limit import Limit
from engine.rules.nested import NestedPosition
from engine.rules.position import Move, Position
from engine.search import negamax
from engine.search.negamax import FULL
from engine.search.solve.nine_board_solver import Solver, Stopped
from engine.search.watch import NO_WATCH

_ENTRIES: Final = 1 << 18
_FIRST_PLY: Final = 18
"""First ply of nine-board whose positions are taken: earlier ones take long."""
_MOST_FREE: Final = 22
"""Most cells of Ultimate that may still be played."""
_NODES: Final = 300_000
"""Nodes for one question; a position with a longer one is left out."""
_LEAST_PLIES: Final = 5

_Value = Callable[[NestedPosition], int | None]
"""1, 0 or -1 for the side to move, None where it was not found."""
_Found = tuple[Literal["win", "save"], tuple[Move, ...], int]


def nine_board(position: Position) -> _Found | None:
    """One move wins, or one move does not lose; plies are not counted."""
    return _judged(position, _nine_board_value) if position.ply >= _FIRST_PLY else None


def ultimate(position: Position) -> _Found | None:
    """See `nine_board`."""
    return _judged(position, _ultimate_value) if free_cells(position) <= _MOST_FREE else None


def free_cells(position: Position) -> int:
    """Cells in which a mark may still be made."""
    assert isinstance(position, NestedPosition)
    return sum(not position.closed >> cell // 9 & 1 and position.mark(cell) is None for cell in range(81))


def _judged(position: Position, value_of: _Value) -> _Found | None:
    moves = position.legal_moves()
    if len(moves) < 2 or _ends_soon(position):
        return None
    values: dict[Move, int] = {}
    for move in moves:
        after = position.play(move)
        assert isinstance(after, NestedPosition)
        if after.outcome is not None:
            values[move] = 0 if after.outcome.winner is None else 1
            continue
        value = value_of(after)
        if value is None:
            return None
        values[move] = -value
    best = max(values.values())
    good = tuple(move for move, value in values.items() if value == best)
    if len(good) > 1 or best < 0:
        return None
    if best == 1:
        return "win", good, 0
    return ("save", good, 0) if all(value < 0 for move, value in values.items() if move not in good) else None


def _ends_soon(position: Position) -> bool:
    """Whether a few plies already show what is to be done."""
    found = negamax.choose(position, _LEAST_PLIES - 1, Limit(), Random(0), NO_WATCH, FULL)
    return found.proven


def _nine_board_value(position: NestedPosition) -> int | None:
    try:
        value = Solver(_ENTRIES, most_nodes=_NODES).solve(position).value
    except Stopped:
        return None
    return 0 if value == "draw" else 1 if value == position.to_move else -1


def _ultimate_value(position: NestedPosition) -> int | None:
    found = negamax.choose(position, position.rules.cells, Limit(nodes=_NODES), Random(0), NO_WATCH, FULL)
    if not found.proven:
        return None
    return 0 if found.win_in is None else 1 if found.win_in > 0 else -1
