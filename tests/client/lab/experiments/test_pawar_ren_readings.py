"""Readings of Pawar and Ren's table: each is what its name says, searched as a plain minimax searches it."""

from __future__ import annotations

import pytest

from client.lab.experiments import pawar_ren_readings as readings
from engine.rules.position import O, X
from engine.search.fixed import Cut, search
from tests.support.plain_minimax import position_after, values

# Marks of player 1 and of player 2, and the values in the order of READINGS.
CASES = {
    (4, 0): (9999, 9999, 9999, 9999, 9999, 0, -9999, 0),
    (0, 4): (-9999, -9999, 9999, -9999, 0, -9999, 9999, 0),
    (3, 1): (100, 0, 100, 100, 100, 0, -100, 0),
    (0, 3): (-100, -100, 100, 100, 0, -100, 100, 0),
    (1, 2): (-10, 0, 10, 10, 0, -10, 10, 0),
    (2, 0): (10, 10, 10, 10, 10, 0, -10, 0),
    (2, 2): (0, 0, 0, 0, 0, 0, 0, 0),
    (0, 1): (-1, -1, 1, 1, 0, -1, 1, 0),
}


@pytest.mark.parametrize("marks", CASES)
def test_a_line_is_worth_what_the_reading_says(marks: tuple[int, int]) -> None:
    assert tuple(value(*marks) for value in readings.READINGS.values()) == CASES[marks]


@pytest.mark.parametrize("reading", readings.READINGS)
@pytest.mark.parametrize("ply", [1, 2])
def test_the_search_finds_what_a_plain_minimax_finds(reading: str, ply: int) -> None:
    position = position_after("qubic", 50, ply)
    judged = readings.scoring(reading)
    exact = values(position, ply, judged)
    found = search(position, ply, judged, cut=Cut.LOOSE)
    best = max(exact.values())
    assert max(found.values) == best
    chosen = [move for move, value in zip(found.moves, found.values, strict=True) if value == best]
    assert chosen == [move for move, value in exact.items() if value == best]


def test_a_random_mover_loses_to_the_table_as_printed_and_to_one_that_values_nothing() -> None:
    for reading in ("the cases in their printed order", "nothing"):
        assert all(readings.winner(reading, 1, side, "last", seed) == side for side in (X, O) for seed in range(3))


def test_the_signs_the_other_way_round_lose() -> None:
    reading = "the signs the other way round"
    assert sum(readings.winner(reading, 2, X, "coin", seed) == O for seed in range(4)) >= 3
