"""Positions of nine-board near their end, and their values by plain minimax."""

from __future__ import annotations

import random

from engine.rules.nested import ALL_BOARDS, HAS_LINE, NestedPosition
from engine.rules.position import Move, Side, play_all
from engine.rules.registry import rules

EACH_BOARDS = [sum(1 << 9 * board + square for board in range(9)) for square in range(9)]
"""For each square, that of every board."""


def nearly_full(rng: random.Random, empty: int) -> NestedPosition:
    """A position with so many empty cells, on at most two of which a side completes a line, none at once.

    Play need not reach it.
    """
    game = rules("nine-board")
    while True:
        places = [9 * board + square for board in rng.sample(range(9), rng.choice((2, 3, 4))) for square in range(9)]
        if len(places) < empty:
            continue
        left = set(rng.sample(places, empty))
        x, o = _filled(rng, left)
        ply = 81 - empty
        closed = sum(1 << board for board in range(9) if (x | o) >> 9 * board & ALL_BOARDS == ALL_BOARDS)
        if x.bit_count() - o.bit_count() != ply % 2:
            continue
        opened = [board for board in range(9) if not closed >> board & 1]
        forced = rng.choice([None, *opened])
        last = x if ply % 2 else o
        led_to = {None if closed >> square & 1 else square for square in range(9) if last & EACH_BOARDS[square]}
        if forced not in led_to:
            continue
        position = NestedPosition(game, x, o, ply, 0, 0, closed, forced, None, -1)  # type: ignore[arg-type]
        threats = sum(_has_line(side | 1 << cell, cell) for side in (x, o) for cell in left)
        if threats <= 2 and not completing(position):
            return position


def _filled(rng: random.Random, left: set[int]) -> tuple[int, int]:
    """Marks of X and O on all other cells, board by board without a line."""
    x = o = 0
    for board in range(9):
        taken = [9 * board + square for square in range(9) if 9 * board + square not in left]
        while True:
            marks = [rng.random() < 0.5 for _ in taken]
            own = sum(1 << cell for cell, mark in zip(taken, marks, strict=True) if mark)
            others = sum(1 << cell for cell in taken) ^ own
            if not (HAS_LINE[own >> 9 * board] or HAS_LINE[others >> 9 * board]):
                break
        x, o = x | own, o | others
    return x, o


def _has_line(marks: int, cell: int) -> bool:
    return HAS_LINE[marks >> 9 * (cell // 9) & ALL_BOARDS]


def cells(moves: str) -> list[Move]:
    """Of moves such as "5/5 5/1"."""
    return [rules("nine-board").parse_move(text) for text in moves.split()]


def played(moves: str) -> NestedPosition:
    """The position after them."""
    position = play_all(rules("nine-board").initial, cells(moves))
    assert isinstance(position, NestedPosition)
    return position


def can_win(position: NestedPosition, side: Side, known: dict[NestedPosition, bool]) -> bool:
    """Whether a side can force a line, by trying every move."""
    if position.outcome is not None:
        return position.outcome.winner == side
    if position not in known:
        quantifier = any if position.to_move == side else all
        known[position] = quantifier(can_win(position.play(move), side, known) for move in position.legal_moves())
    return known[position]


def completing(position: NestedPosition) -> list[Move]:
    """The moves that complete a line."""
    after = {move: position.play(move).outcome for move in position.legal_moves()}
    return [move for move, outcome in after.items() if outcome is not None and outcome.winner is not None]
