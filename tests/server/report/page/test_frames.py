"""What a report reads of the database, against what the views say."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from server.report.page.frames import Choice, Frames, read
from server.report.page.words import ReportData
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
        frames: Frames = read(path, choice)
        assert set(frames.moves["game_id"]) <= set(frames.games["game_id"])
        return frames.games["game_id"].to_list()

    def expected(keep: Callable[[Row], bool]) -> list[int]:
        return sorted(game["game_id"] for game in games if keep(game))

    assert ids(Choice(game="ultimate")) == expected(lambda game: game["game"] == "ultimate")
    middle = sorted(game["started_ms"] for game in games)[len(games) // 2]
    assert ids(Choice(since_ms=middle)) == expected(lambda game: game["started_ms"] >= middle)
    assert ids(Choice(game="qubic")) == []
