"""The part on bots: a row for each, and what its thinking took."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import polars as pl

from server.report.durations import span
from server.report.page.bot_parts import bots, list_link, time_by_game
from server.report.page.words import ReportData, bot_place, game_name
from tests.support.report.records import Row


def test_each_bot_has_a_row_who_thought_most_first(data: ReportData, moves: list[Row], games: list[Row]) -> None:
    [table] = bots(data).tables
    thought: Counter[int] = Counter()
    made: Counter[int] = Counter()
    for move in moves:
        if move["kind"] == "bot":
            thought[move["player_id"]] += move["think_us"]
            made[move["player_id"]] += 1
    order = [id for id, _ in thought.most_common()]
    played = Counter(id for game in games for id in (game["x_id"], game["o_id"]))
    assert list(table.ids) == [bot_place(id) for id in order]
    assert [row[:4] for row in table.rows] == [
        (data.players[id], played[id], made[id], span(thought[id])) for id in order
    ]
    lost = {one.player_id: one.number for one in data.faults}
    assert [row[-2] for row in table.rows] == [lost.get(id, 0) for id in order]


def test_a_bot_that_made_no_move_has_a_row_too(data: ReportData) -> None:
    silent = ReportData(replace(data.frames, moves=data.frames.moves.clear()))
    [table] = bots(silent).tables
    assert set(table.ids) == {bot_place(id) for id in data.bots}
    assert {row[1:3] for row in table.rows} == {(0, 0)}


def test_the_best_places_come_first_and_further_ones_are_counted(data: ReportData) -> None:
    [table] = bots(data).tables
    places = {row[0]: row[-1] for row in table.rows}
    assert places["strongest"] == (
        "1 of 4 in night: big, 1 of 3 in night: nine, 1 of 4 in night: small, 1 of 4 in night: timed"
    )
    standings = data.frames.standings
    more = [standings.with_columns(run_id=pl.col("run_id") + str(number)) for number in range(2)]
    many = ReportData(replace(data.frames, standings=pl.concat([standings, *more])))
    told = str(bots(many).tables[0].rows[0][-1])
    assert (told.count(" of "), told.endswith(", 8 more")) == (4, True)


def test_a_game_of_two_bots_is_one_game_of_its_kind(data: ReportData, games: list[Row]) -> None:
    table = time_by_game(data)
    assert table is not None
    played = Counter(game_name(game["game"]) for game in games if "bot" in (game["x_kind"], game["o_kind"]))
    assert {row[0]: row[1] for row in table.rows} == played
    people = data.frames.players.with_columns(kind=pl.lit("person"))
    assert time_by_game(ReportData(replace(data.frames, players=people))) is None


def test_a_list_has_its_short_name_where_one_ladder_is_reported(data: ReportData) -> None:
    run = data.frames.lists["run_id"][0]
    assert list_link(data, run).text == "big"
    other = data.frames.lists.with_columns(ladder=pl.Series(["day", *["night"] * (data.frames.lists.height - 1)]))
    assert list_link(ReportData(replace(data.frames, lists=other)), run).text == "day: big"
