"""The readings of Pawar and Ren's program as an experiment: every one is a bot, and what their games say."""

from __future__ import annotations

import pytest

from client.lab.experiments.findings import Estimate
from client.lab.experiments.lab import Lab
from client.lab.experiments.pawar_ren import readings
from engine.bots import match
from engine.bots.literature.pawar_ren import CUTS, TABLES
from engine.bots.match import Played
from engine.bots.roster import bot
from engine.rules.position import O, Side, X
from tests.support.lab.experiment import Silent


def test_every_reading_is_a_bot_and_every_word_of_the_bot_is_read() -> None:
    assert {table for table, _ in readings.READINGS.values()} == set(TABLES)
    assert {cut for _, cut in readings.READINGS.values()} == set(CUTS)
    for reading, words in readings.READINGS.items():
        assert bot(readings.name(reading, 2, "coin")).name == f"pawar-ren-reading:2,coin,{','.join(words)}"


def played(reading: str, ply: int, side: Side, tie: str, games: int) -> list[Played]:
    lab = Lab(games, 1, 1, Silent(), "test")
    one = readings.name(reading, ply, tie)
    tasks = lab.fixed("qubic", *((one, "random") if side == X else ("random", one)), a_side=side)
    return [match.play(task) for task in tasks]


@pytest.mark.parametrize(
    "reading",
    ["the cases in their printed order", "nothing", "as printed, and pruning makes all later moves look equal"],
)
def test_a_random_mover_loses_to_the_table_as_printed_and_to_one_that_values_nothing(reading: str) -> None:
    assert all(game.a_points == 1 for side in (X, O) for game in played(reading, 1, side, "last", 3))


def test_the_signs_the_other_way_round_lose() -> None:
    games = played("the signs the other way round", 2, X, "coin", 4)
    assert sum(game.a_points == 0 for game in games) >= 3


def test_the_games_of_a_reading_are_counted_for_the_side_that_it_plays() -> None:
    wins = played("nothing", 1, O, "last", 2)
    key = ("nothing", 1, O, "last")
    figure = readings._of_reading("nothing", {key: wins, ("other", 1, X, "last"): wins})
    assert isinstance(figure.ours, Estimate)
    assert figure.ours.value == 100
    as_x = readings._won(wins, X)
    assert as_x is not None
    assert as_x.value == 0


def test_the_nearest_reading_is_marked_and_played_again() -> None:
    """Of two readings, the one that always loses is further from 76 than the one that always wins."""
    wins, losses = (played(reading, 1, X, "last", 2) for reading in ("nothing", "the signs the other way round"))
    winning, losing = ("nothing", 1, X, "last"), ("the signs the other way round", 1, X, "last")
    found = {winning: wins, losing: losses}
    assert readings._nearest(found, "last", 76) == winning
    assert readings._nearest(found, "last", 30) == losing
    cell = readings._cell(found, winning, [winning])
    assert isinstance(cell, str)
    assert cell.startswith("**100.0 (")
    assert isinstance(readings._cell(found, losing, [winning]), Estimate)
    figure = readings._again(winning, 76, wins)
    assert (figure.what, figure.author, figure.agrees) == (
        "games won by the reading that comes nearest, last",
        "76",
        True,
    )
    assert figure.note.startswith("`pawar-ren-reading:1,last,nothing,apart` as X, 2 games: nothing, which is not what")
