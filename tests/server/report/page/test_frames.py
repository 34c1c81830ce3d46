"""What a report reads of the database, against what the views say."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import polars as pl
import pytest

from server.report.page import frames
from server.report.page.frames import Choice, Frames, read, start_cells, start_moves
from server.report.page.words import ReportData
from tests.support.database.database_files import execute, new_database
from tests.support.ladder.records import BOTS, add_bot, add_list
from tests.support.report.records import Row


def test_the_games_that_count_are_read(data: ReportData, games: list[Row], moves: list[Row]) -> None:
    assert data.games["game_id"].to_list() == sorted(game["game_id"] for game in games)
    assert (data.frames.running, data.frames.aborted) == (2, 9)
    columns = ("game_id", "cell", "think_ms", "think_us", "nodes", "depth", "limit_ms", "kind", "at")
    expected = [(*(move[name] for name in columns[:-1]), move["ply"]) for move in moves]
    assert data.moves.select(columns).rows() == expected
    assert data.moves["is_coarse"].to_list() == [move["resolution_us"] == 1_000 for move in moves]


def test_players_with_one_name_are_told_apart(data: ReportData) -> None:
    assert len(set(data.players.values())) == len(data.players)
    assert {name for name in data.players.values() if "Ann" in name} == {"Ann #901", "Ann #902"}
    assert "strongest" in data.players.values()


def test_what_is_chosen(path: Path, games: list[Row]) -> None:
    def ids(choice: Choice) -> list[int]:
        found: Frames = read(path, choice)
        assert set(found.moves["game_id"]) <= set(found.games["game_id"])
        return found.games["game_id"].to_list()

    def expected(keep: Callable[[Row], bool]) -> list[int]:
        return sorted(game["game_id"] for game in games if keep(game))

    assert ids(Choice(game="ultimate")) == expected(lambda game: game["game"] == "ultimate")
    middle = sorted(game["started_ms"] for game in games)[len(games) // 2]
    assert ids(Choice(since_ms=middle)) == expected(lambda game: game["started_ms"] >= middle)
    assert ids(Choice(game="qubic")) == []


def test_moves_are_the_same_however_few_are_read_at_a_time(
    path: Path, data: ReportData, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(frames, "PAGE_GAMES", 1)
    assert read(path).moves.equals(data.frames.moves)


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A database with two lists of the same bots."""
    path = new_database(tmp_path)
    for list in ("one", "two"):
        add_list(path, list=list, pairs=1)
    return path


def labels(path: Path) -> dict[int, str]:
    return dict(read(path).players.select("player_id", "player").rows())


def test_versions_of_a_bot_and_whoever_is_called_like_them_are_told_apart(tmp_path: Path) -> None:
    path = new_database(tmp_path)
    add_list(path, bots=("level:1", "level:1", "random", "level:2"), versions=(1, 2, 1, 1), pairs=1)
    first, second, third, fourth = sorted(labels(path))
    assert labels(path) == {first: "level:1 v1", second: "level:1 v2", third: "random", fourth: "level:2"}
    execute(path, "UPDATE players SET name = 'level:1 v1' WHERE id = ?", (third,))
    execute(path, "UPDATE players SET name = ? WHERE id = ?", (f"level:1 v1 #{third}", fourth))
    found = labels(path)
    assert len(set(found.values())) == 4
    assert found[second] == "level:1 v2"


def test_a_bot_without_games_comes_last_without_a_place(small: Path) -> None:
    """Its figures are the prior alone, and older ladders gave a place by them."""
    before = read(small).standings
    with closing(sqlite3.connect(small)) as connection, connection:
        new = add_bot(connection, "alphabeta:9")
        connection.execute("UPDATE ladder_standings SET place = place + 1 WHERE run_id LIKE '%one%'")
        connection.execute(
            "INSERT INTO ladder_standings SELECT run_id, ?, 1, 500, -400, 900, 0.6, 0 FROM ladder_lists "
            "WHERE list = 'one'",
            (new,),
        )
    after = read(small).standings
    assert after.filter(pl.col("player_id") != new).equals(before)
    assert after["player_id"].to_list().index(new) == len(BOTS), "the last of its list"
    [row] = after.filter(player_id=new).rows(named=True)
    assert [row[name] for name in ("place", "rating", "low", "high", "superiority")] == [None] * 5


@pytest.mark.parametrize(
    ("game", "start", "moves", "cells"),
    [
        ("tictactoe", "[]", (), ()),
        ("tictactoe", '["b2","a1"]', ("b2", "a1"), (4, 0)),
        ("tictactoe", '["b2","z9"]', ("b2", "z9"), ()),
        ("no such game", '["b2"]', ("b2",), ()),
        ("tictactoe", '{"b2": 1}', (), ()),
        ("tictactoe", "[4]", (), ()),
    ],
)
def test_a_start_that_is_none_of_its_game_has_no_cells(
    game: str, start: str, moves: tuple[str, ...], cells: tuple[int, ...]
) -> None:
    assert (start_moves(start), start_cells(game, start)) == (moves, cells)
