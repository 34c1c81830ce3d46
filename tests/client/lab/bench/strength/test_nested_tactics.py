"""Which positions of nine-board and Ultimate are taken for tactics, against trying everything near the end."""

from __future__ import annotations

from random import Random

import pytest

from client.lab.bench.strength import nested_tactics
from client.lab.bench.strength.nested_tactics import free_cells, nine_board, ultimate
from engine.rules.position import Position
from engine.rules.registry import rules
from tests.support.engine.plain_minimax import position_after


def value(position: Position, known: dict[Position, int]) -> int:
    """1, 0 or -1 for the side to move."""
    if position.outcome is not None:
        return 0 if position.outcome.winner is None else 1 if position.outcome.winner == position.to_move else -1
    if position not in known:
        known[position] = max(-value(position.play(move), known) for move in position.legal_moves())
    return known[position]


def late(game: str, seed: int, free: int) -> Position | None:
    """A position of a random game with few cells left to play."""
    random, position = Random(seed), rules(game).initial
    while position.outcome is None and free_cells(position) > free:
        position = position.play(random.choice(position.legal_moves()))
    return position if position.outcome is None else None


def test_what_is_taken_is_won_or_held_by_one_move(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nested_tactics, "_LEAST_PLIES", 2)
    known: dict[Position, int] = {}
    kinds = set()
    for seed in range(150):
        position = late("ultimate", seed, 8)
        found = ultimate(position) if position is not None else None
        if position is None or found is None:
            continue
        kind, best, _ = found
        values = {move: -value(position.play(move), known) for move in position.legal_moves()}
        assert values.pop(best[0]) == int(kind == "win")
        assert max(values.values()) < (1 if kind == "win" else 0)
        kinds.add(kind)
    assert kinds == {"win", "save"}


def test_cells_of_closed_boards_are_not_free() -> None:
    assert free_cells(rules("ultimate").initial) == 81
    position = late("ultimate", 3, 20)
    assert position is not None
    assert len(position.legal_moves()) <= free_cells(position) <= 20


def test_early_positions_are_left_alone() -> None:
    assert ultimate(position_after("ultimate", 10, 1)) is None
    assert nine_board(position_after("nine-board", 10, 1)) is None


def test_nine_board_is_solved() -> None:
    found = [nine_board(position_after("nine-board", 24, seed)) for seed in range(5)]
    assert any(found)
    assert all(one is None or len(one[1]) == 1 for one in found)
