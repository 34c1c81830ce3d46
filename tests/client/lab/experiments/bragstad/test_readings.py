"""Readings of Bragstad's description: the described one is our bot, and only it and its like fit his figures."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cache

import pytest

from client.lab.experiments.bragstad import experiment as bragstad
from client.lab.experiments.bragstad.readings import (
    DESCRIBED,
    READINGS,
    THREES,
    Reading,
    _chance_of_sum,
    log_likelihood,
    pairing,
    played,
    player,
)
from engine.bots.player import decide
from engine.bots.roster import bot
from engine.rules.position import Move, Position
from engine.rules.registry import rules
from engine.stats.exact import Ends, always, ends, uniform

BY_NAME = {reading.what: reading for reading in READINGS}
START = rules("tictactoe").initial


@pytest.fixture(scope="module")
def described() -> dict[tuple[str, str], Ends]:
    return played(DESCRIBED)


def test_the_described_reading_is_our_bot(described: dict[tuple[str, str], Ends]) -> None:
    for row in THREES:
        _, x, o = row.pair
        assert described[pairing(row)] == ends(START, bragstad.policy(x), bragstad.policy(o)), row.name


def test_one_ply_less_is_our_bot_of_one_ply_less() -> None:
    less = BY_NAME["the root counted as a ply: one less"]
    assert less.more == -1
    for plies in (2, 5, 9):
        ours = ends(START, bragstad.policy("random"), bragstad.policy(f"bragstad-minimax:{plies - 1}"))
        assert ends(START, bragstad.policy("random"), player(less, plies)) == ours


@pytest.mark.parametrize(
    ("what", "fit", "as_printed"),
    [
        ("the root counted as a ply: one less", 0.4, -6.9),
        ("two plies less", -7.6, -math.inf),
        *(
            pytest.param(*each, marks=pytest.mark.slow)
            for each in (
                ("plies counted from the root's moves: one more", -math.inf, -math.inf),
                ("wins tested at the last ply only", -math.inf, -math.inf),
                ("a leaf at the limit counts as won", -0.4, -7.6),
                ("any of equal moves", -58.9, -63.6),
            )
        ),
    ],
)
def test_how_a_reading_fits(described: dict[tuple[str, str], Ends], what: str, fit: float, as_printed: float) -> None:
    best = log_likelihood(described, recounted=True)
    found = played(BY_NAME[what])
    assert round(log_likelihood(found, recounted=True) - best, 1) == fit
    assert round(log_likelihood(found, recounted=False) - best, 1) == as_printed


def test_the_printed_moves_fit_millions_of_times_worse(described: dict[tuple[str, str], Ends]) -> None:
    worse = log_likelihood(described, recounted=True) - log_likelihood(described, recounted=False)
    assert 10**worse == pytest.approx(2.3e6, rel=0.05)


@pytest.mark.parametrize(
    ("reading", "position", "moves"),
    [
        (Reading("", tie="last"), START, [8]),
        (Reading("", tie="any"), START, list(range(9))),
        (Reading("", more=-9), START.play(0), [1]),  # no ply is left: the first cell
        # X has two in a row and O to move: a bot that makes every move itself sees no need to block.
        (Reading("", replies="own"), START.play(1).play(8).play(4), [0]),
        (DESCRIBED, START.play(1).play(8).play(4), [7]),
    ],
)
def test_a_reading_chooses(reading: Reading, position: object, moves: list[int]) -> None:
    chances = player(reading, 9)(position)  # type: ignore[arg-type]
    assert sorted(chances) == moves
    assert sum(chances.values()) == Fraction(1)


def test_chances_of_a_sum() -> None:
    assert _chance_of_sum({3: 0.5, 4: 0.5}, 2, 7) == 0.5
    assert _chance_of_sum({3: 0.5, 4: 0.5}, 2, 9) == 0
    assert _chance_of_sum({}, 0, 0) == 1


@pytest.mark.parametrize(
    ("what", "words"),
    [
        ("as he describes it", "first,even"),
        ("the last of equal moves", "last,even"),
        ("a leaf at the limit is worth a half", "first,half-won"),
        ("a leaf at the limit costs a half", "first,half-lost"),
        ("a leaf at the limit counts as won", "first,won"),
    ],
)
@pytest.mark.parametrize("plies", [1, 2, 3, 5])
def test_the_bot_of_other_readings_plays_as_the_reading_in_plain_python(what: str, words: str, plies: int) -> None:
    """Along every game against random moves, on either side."""

    @cache
    def move(position: Position) -> Move:
        return decide(bot(f"bragstad-reading:{plies},{words}"), position).move

    ours, twin = always(move), player(BY_NAME[what], plies)
    assert ends(START, uniform, ours) == ends(START, uniform, twin)
    assert ends(START, ours, uniform) == ends(START, twin, uniform)


@pytest.mark.slow  # all eighteen
def test_the_readings_that_fit_about_as_well_are_bots(described: dict[tuple[str, str], Ends]) -> None:
    best = log_likelihood(described, recounted=True)
    fitting = {reading.what for reading in READINGS if abs(log_likelihood(played(reading), True) - best) < 0.5}
    assert fitting == {
        "as he describes it",
        "the root counted as a ply: one less",
        "a leaf at the limit is worth a half",
        "a leaf at the limit costs a half",
        "a leaf at the limit counts as won",
        "the last of equal moves",
    }
