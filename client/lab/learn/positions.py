"""The positions of many games at once, as the numbers that weights belong to. Pure numpy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from engine.kernels import nested, weighted
from engine.rules.nested import ALL_BOARDS, NestedRules
from engine.rules.nine_board import NineBoardRules
from engine.search.weights import code_classes

_NO_MOVE = -1


class Positions(NamedTuple):
    """One row for each position, from the view of the side to move, which is side 0."""

    game: Any
    """int32[n]: the game of each position, from 0."""
    codes: Any
    """int16[n, 9]; 0 for a decided board."""
    undecided: Any
    """bool[n, 9]."""
    states: Any
    """int32[n]."""
    closed: Any
    """int16[n]."""
    forced: Any
    """int8[n]; -1 for a free choice."""
    results: Any
    """float32[n]: 1 the side to move won, 1/2 a draw, 0."""
    values: Any
    """float32[n]: the same as a search expected it; NaN where none is known."""


def positions(
    rules: NestedRules,
    games: Sequence[Sequence[int]],
    results: Sequence[float],
    values: Sequence[Sequence[float]],
    first: int,
) -> Positions:
    """Every position with a move to come from ply `first` on. The games must be legal.

    `results` are X's, and so are `values`, which have a number for each move.
    """
    longest = max(map(len, games))
    moves = np.full((len(games), longest), _NO_MOVE, np.int16)
    of_search = np.full((len(games), longest), np.nan, np.float32)
    for row, told, game, of_game in zip(moves, of_search, games, values, strict=True):
        row[: len(game)] = game
        told[: len(game)] = of_game
    table = nested.tables()
    _, swapped, _ = code_classes()
    count = len(games)
    codes, undecided = np.zeros((count, 9), np.int64), np.ones((count, 9), bool)
    states, closed = np.zeros(count, np.int64), np.zeros(count, np.int64)
    forced = np.full(count, -1, np.int64)
    of_x = np.asarray(results, np.float32)
    found: list[Positions] = []
    for ply in range(longest):
        going = np.flatnonzero(moves[:, ply] != _NO_MOVE)
        side = ply & 1
        if ply >= first:
            own = swapped[codes[going]] if side else codes[going]
            seen, value = states[going], of_search[going, ply]
            found.append(
                Positions(
                    going.astype(np.int32),
                    np.where(undecided[going], own, 0).astype(np.int16),
                    undecided[going],
                    (seen >> 9 | (seen & ALL_BOARDS) << 9 if side else seen).astype(np.int32),
                    closed[going].astype(np.int16),
                    forced[going].astype(np.int8),
                    1 - of_x[going] if side else of_x[going],
                    1 - value if side else value,
                )
            )
        board, square = np.divmod(moves[going, ply].astype(np.int64), 9)
        codes[going, board] += table.steps[side, square]
        event = table.events[codes[going, board]]
        line, full = event & 1 != 0, event & 2 != 0
        was_undecided = undecided[going, board]
        bit = 1 << board
        won = line & was_undecided
        dead = full & ~line & was_undecided
        states[going] |= np.where(won, bit << 9 * side, 0) | np.where(dead, bit | bit << 9, 0)
        shut = full | (won & rules.closes_won_boards)
        closed[going] |= np.where(shut, bit, 0)
        undecided[going, board] &= ~(won | dead)
        forced[going] = np.where(closed[going] >> square & 1, -1, square)
    return Positions(*(np.concatenate(parts) for parts in zip(*found, strict=True)))


def threat_sets(found: Positions) -> Any:
    """int32[n]: as `WeightedBoard.threat_sets`."""
    bits = weighted.threatened()[found.codes]
    return np.sum(np.where(found.undecided, bits.astype(np.int64) << np.arange(9), 0), axis=1).astype(np.int32)


def settled_at_once(rules: NestedRules, found: Positions) -> Any:
    """bool[n]: the side to move wins with its next move, which the search sees without weights."""
    table = nested.tables()
    can = (table.winning[0, found.codes] != 0) & found.undecided
    if not isinstance(rules, NineBoardRules):
        in_context = weighted.contexts()[found.states][:, None] >> 4 * np.arange(9) & 15
        can &= in_context >> 2 == 3
    allowed = (found.forced[:, None] < 0) | (found.forced[:, None] == np.arange(9))
    return np.any(can & allowed, axis=1)
