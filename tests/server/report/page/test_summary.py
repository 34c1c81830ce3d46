"""The first screen."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import pytest

from engine.rules.termination import FAULT_TERMINATIONS
from server.report.page.changes import key
from server.report.page.frames import read
from server.report.page.key_figures import Key
from server.report.page.summary import summary
from server.report.page.words import ReportData
from server.report.plots import Link, Part
from tests.support.database.database_files import execute, new_database
from tests.support.ladder.records import BOTS, add_list
from tests.support.report.records import Row


def cards(data: ReportData, before: Key | None = None) -> dict[str, Part]:
    found = summary(data, before, key(data, 0, [], "all games"))
    return {part.name.removeprefix("summary-"): part for part in found.parts}


def test_the_leader_of_each_list_with_its_certainty(data: ReportData) -> None:
    best = cards(data)["best"]
    [table] = best.tables
    assert len(table.rows) == data.frames.lists.height
    for row in table.rows:
        assert isinstance(row[1], Link)
        assert row[1].text == "strongest"
        assert str(row[1].place).startswith("bot-")
        assert " to " in str(row[3])
        assert str(row[4]).endswith("%")


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A database with one list, whose leader is the first of BOTS."""
    path = new_database(tmp_path)
    add_list(path, pairs=1)
    return path


def after(path: Path, sql: str, *parameters: object) -> ReportData:
    """What a report reads once this was changed."""
    execute(path, sql, parameters)
    return ReportData(read(path))


RETIRE_THE_LEADER = "UPDATE ladder_standings SET retired = 1 WHERE place = 1"


@pytest.mark.parametrize(
    ("likely", "said"),
    [
        (0.95, "leader of 1 of 1 list"),
        (0.94, "Still open in small: strongest before"),
        (0.5, "Still open in small: strongest and alphabeta:3 are level."),
    ],
)
def test_a_lead_is_sure_or_open(small: Path, likely: float, said: str) -> None:
    data = after(small, "UPDATE ladder_standings SET superiority = ?", likely)
    assert said in " ".join(cards(data)["best"].sentences)


def test_a_figure_about_a_bot_that_is_gone_says_nothing_of_the_next(small: Path) -> None:
    best = cards(after(small, "UPDATE ladder_standings SET superiority = 0.55, retired = (place = 2)"))["best"]
    assert best.sentences == ()
    assert best.tables[0].rows[0][4] == ""


def test_where_the_leader_retires_another_leads(small: Path) -> None:
    before = key(ReportData(read(small)), 0, [], "all games")
    said = " ".join(cards(after(small, RETIRE_THE_LEADER), before)["changes"].sentences)
    assert f"{BOTS[1]} now leads night: small, before {BOTS[0]}." in said


def test_time_and_what_went_wrong(data: ReportData) -> None:
    found = cards(data)
    by_bot, by_game = found["time"].tables
    assert len(by_bot.rows) <= 6
    assert len(by_game.rows) == 4
    said = " ".join(found["time"].sentences)
    assert "Bots thought for" in said
    assert "Ladder games without a fault took" in said
    assert "of processor time" in said
    wrong = found["wrong"]
    assert "lost by a fault" in wrong.sentences[0]
    assert any(isinstance(cell, Link) and cell.game_id for row in wrong.tables[0].rows for cell in row)


def test_what_of_their_time_ladders_waited(small: Path) -> None:
    after(small, "UPDATE games SET ended_ms = started_ms + 1000")
    after(small, "UPDATE games SET termination = 'line' WHERE termination != 'aborted'")
    said = " ".join(cards(after(small, "UPDATE moves SET think_us = 100000 * (ply = 0)"))["time"].sentences)
    assert "90.0 % of it not thinking" in said
    assert "Ladder games took 12.0 s" in said
    lost = "UPDATE games SET termination = 'stall', winner = 'o', ended_ms = started_ms + 600000 WHERE id = 1"
    said = " ".join(cards(after(small, lost))["time"].sentences)
    assert "90.0 % of it not thinking" in said
    assert "Ladder games without a fault took 11.0 s" in said


def test_what_ladders_spent_processor_time_on(small: Path) -> None:
    data = after(small, "INSERT INTO ladder_samples VALUES ('night', 3600000, 0, 10, 1, 1, 400, 600, 100, 20, 1)")
    said = " ".join(cards(data)["time"].sentences)
    assert "10.0 % for scheduling and rating, 2.0 % for writing" in said


def test_the_game_shown_is_the_latest_that_a_player_lost_by_a_fault(data: ReportData, games: list[Row]) -> None:
    lost: dict[int, list[int]] = defaultdict(list)
    for game in games:
        if game["termination"] in FAULT_TERMINATIONS and game["winner"]:
            lost[game["o_id" if game["winner"] == "x" else "x_id"]].append(game["game_id"])
    worst = sorted(lost, key=lambda player: (-len(lost[player]), player))[:5]
    [table] = cards(data)["wrong"].tables
    shown = [row[-1].game_id for row in table.rows if isinstance(row[-1], Link)]
    assert shown == [max(lost[player]) for player in worst]


def test_the_changes_in_sentences(tmp_path: Path) -> None:
    path = new_database(tmp_path)
    add_list(path, pairs=1)
    data = ReportData(read(path))
    before = key(data, 1_800_000_000_000, [], "all games")
    assert cards(data)["changes"].sentences == ("This is the first report here; the next one shows what has changed.",)
    said = " ".join(cards(data, before)["changes"].sentences)
    assert "The leader of 1 list is the same." in said
    execute(
        path,
        "UPDATE ladder_standings SET place = iif(place < 3, 3 - place, place), rating = rating + gain, "
        "low = low + gain, high = high + gain FROM (SELECT run_id AS run, place AS was, iif(place < 3, 900, -900) "
        "AS gain FROM ladder_standings) WHERE run_id = run AND place = was",
    )
    add_list(path, list="new", pairs=1)
    said = " ".join(cards(ReportData(read(path)), before)["changes"].sentences)
    assert "alphabeta:3 now leads night: small, before strongest." in said
    assert "moved by +900 Elo in night: small" in said
    assert "New list: night: new." in said


def test_a_database_without_games(tmp_path: Path) -> None:
    found = cards(ReportData(read(new_database(tmp_path))))
    assert [part.sentences[0] for part in found.values()] == [
        "There is no rated list: `noughts ladder run` plays and rates one.",
        "This is the first report here; the next one shows what has changed.",
        "No thinking of bots is recorded.",
        "No game was lost by a crash, a stall, an illegal move or on time.",
    ]
