"""Where the time went, against the same counted in plain Python."""

from __future__ import annotations

from collections import defaultdict

from server.report.page import time_figures
from server.report.page.words import ReportData
from tests.support.report.records import Row, grouped


def test_thinking_by_bot_game_and_phase(data: ReportData, games: list[Row], moves: list[Row]) -> None:
    known = {game["game_id"]: game for game in games}
    expected: dict[tuple[int, str], list[int]] = defaultdict(lambda: [0, 0, 0, 0, 0])
    for move in moves:
        if move["kind"] == "bot":
            game = known[move["game_id"]]
            third = 3 * (move["ply"] - game["start_plies"]) // game["plies"]
            row = expected[move["player_id"], move["game"]]
            row[0] += 1
            row[1] += move["think_us"]
            row[2 + third] += move["think_us"]
    columns = ("moves", "total_us", "opening_us", "middle_us", "end_us")
    found = {(row["player_id"], row["game"]): [row[name] for name in columns] for row in data.thinking.to_dicts()}
    assert found == expected
    assert data.thinking["total_us"].is_sorted(descending=True)


def test_sums_lose_nothing(data: ReportData, moves: list[Row]) -> None:
    thought = sum(move["think_us"] for move in moves if move["kind"] == "bot")
    for by in ("player_id", "game"):
        sums = time_figures.summed(data.thinking, by)
        assert sums["total_us"].sum() == thought
        for row in sums.rows(named=True):
            assert abs(sum(time_figures.phase_shares(row) or (1,)) - 1) < 1e-9


def test_games_of_bots_are_counted_once(data: ReportData, games: list[Row]) -> None:
    bots = [game for game in games if "bot" in (game["x_kind"], game["o_kind"])]
    assert data.games_of_bots == {game: len(rows) for game, rows in grouped(bots, lambda row: row["game"]).items()}


def test_no_time_has_no_phases() -> None:
    assert time_figures.phase_shares({"total_us": 0}) is None
