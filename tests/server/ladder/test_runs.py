"""Runs by name: which list and which night is meant, and what it held."""

from __future__ import annotations

from pathlib import Path

import pytest

from server.ladder.runs import BotKey, RunUnknown, recorded, runs
from tests.support.database.database_files import new_database
from tests.support.ladder.records import BEGUN_MS, add_list, add_nights

BOTS = ("level:2", "alphabeta:2", "random")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return new_database(tmp_path)


def test_a_night_holds_what_was_played_before_its_end(path: Path) -> None:
    run_id = add_list(path, bots=BOTS, pairs=4)
    add_nights(path)
    [now] = runs(path, "night")
    assert (now.name, now.games, now.list.run_id) == (run_id, 24, run_id), "an aborted game is in no pair"
    for name, night, games in [("@1", 1, 6), ("@2", 2, 12), ("@3", 3, 24), ("@-1", 3, 24), ("@-3", 1, 6)]:
        [run] = runs(path, f"night/small{name}")
        assert (run.name, run.night, run.games) == (f"{run_id}@{night}", night, games)
        assert run.pairs.items() <= now.pairs.items()
    assert {bot.name for pair in now.pairs.values() for bot in (pair.a, pair.b)} == {*BOTS}
    assert isinstance(now.pairs[0].a, BotKey)


def test_a_ladder_is_all_its_lists(path: Path) -> None:
    for name in ("small", "smaller"):
        add_list(path, list=name, bots=BOTS)
    add_list(path, ladder="nightly", bots=BOTS)
    assert [run.list.list for run in runs(path, "night")] == ["small", "smaller"]
    assert [run.list.list for run in runs(path, "night/small")] == ["small"]
    add_nights(path)
    told = list(recorded(path))
    assert [(one.ladder, len(one.lists), len(one.nights)) for one in told] == [("night", 2, 3), ("nightly", 1, 0)]
    assert [tuple(night) for night in told[0].nights[:1]] == [(BEGUN_MS, BEGUN_MS + 6, 6)]


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("night/", "'night/' names no run: write LADDER, LADDER/LIST or LADDER/LIST@NIGHT."),
        ("night@0", "'night@0' names no run: write LADDER, LADDER/LIST or LADDER/LIST@NIGHT."),
        ("night@1/small", "'night@1/small' names no run: write LADDER, LADDER/LIST or LADDER/LIST@NIGHT."),
        ("day", r"There is no run 'day' in \S+: `noughts ladder runs` lists what there is."),
        ("night/sm", r"There is no run 'night/sm' in \S+: `noughts ladder runs` lists what there is."),
        ("night@1", r"There is no night 1 of night in \S+: it has no night."),
        (
            "night",
            r"2 runs are called night/small: night/small/000000000000 \(12 games\) and night/small/000000000007 "
            r"\(12 games\); write one of them whole.",
        ),
    ],
)
def test_what_names_no_run(path: Path, name: str, sentence: str) -> None:
    add_list(path, bots=BOTS)
    if name == "night":
        add_list(path, bots=BOTS, seed=7)
    with pytest.raises(RunUnknown, match=f"^{sentence}$"):
        runs(path, name)


def test_nights_that_there_are_not(path: Path) -> None:
    add_list(path, bots=BOTS)
    add_nights(path)
    for name in ("night@4", "night@-4"):
        with pytest.raises(RunUnknown, match="it has nights 1 to 3"):
            runs(path, name)
