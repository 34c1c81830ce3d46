"""The parts on results, whose numbers are those of the games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, get_args

import polars as pl

from engine.rules.termination import FAULT_TERMINATIONS, Termination
from server.report.page.result_parts import END_NAMES, advantage, ends, overview
from server.report.page.words import ReportData, game_name, moment
from server.report.plots import Link, Points, Stacked, Table
from tests.support.report.records import Row, grouped


def by_first(table: Table) -> dict[Any, dict[str, Any]]:
    """The rows of a table by their first cell, each by its heads."""
    return {row[0]: dict(zip(table.head[1:], row[1:], strict=True)) for row in table.rows}


def test_every_end_has_a_name() -> None:
    assert END_NAMES.keys() == {*get_args(Termination)}


def test_games_are_counted_by_game_and_source(data: ReportData, games: list[Row], moves: list[Row]) -> None:
    [table] = overview(data).tables
    found = by_first(table)
    played = Counter((game_name(game["game"]), game["source"]) for game in games)
    made = Counter(game_name(move["game"]) for move in moves)
    sources = sorted({game["source"] for game in games})
    assert [*found] == [game_name(kind) for kind in data.kinds]
    for game, row in found.items():
        assert row == {**{source: played[game, source] for source in sources}, "moves": made[game]}


def test_the_overview_in_sentences(data: ReportData, games: list[Row], moves: list[Row]) -> None:
    first, *rest = overview(data).sentences
    players = {game["x_id"] for game in games} | {game["o_id"] for game in games}
    started = [game["started_ms"] for game in games]
    for said in (
        f"{len(games):,} games", f"{len(moves):,} moves", f"{len(players)} players", moment(min(started)),
        moment(max(started)),
    ):  # fmt: skip
        assert said in first
    assert "Excluded: 2 unfinished, 9 aborted." in rest
    newcomer = ReportData(replace(data.frames, games=data.games.with_columns(x_id=pl.lit(0, pl.Int64))))
    assert f"{len({game['o_id'] for game in games}) + 1} players" in overview(newcomer).sentences[0]


def test_results_of_x_and_who_moves_first(data: ReportData, games: list[Row]) -> None:
    part = advantage(data)
    [table] = part.tables
    found = by_first(table)
    for kind, played in grouped(games, lambda game: game_name(game["game"])).items():
        won = Counter(game["winner"] for game in played)
        row = found[kind]
        assert [row[name] for name in ("games", "X won", "drawn", "O won")] == [
            len(played), won["x"], won[None], won["o"],
        ]  # fmt: skip
    worth, results = (picture.plot for picture in part.pictures)
    assert isinstance(worth, Points)
    assert isinstance(results, Stacked)
    assert worth.labels == results.labels == tuple(found)
    for low, value, high in zip(worth.low, worth.values, worth.high, strict=True):
        assert 0 <= low <= value <= high <= 100
    columns = (found[label][name] for name in ("X won", "drawn", "O won") for label in results.labels)
    assert [*columns] == [count for _, counts in results.parts for count in counts]


def with_ends(data: ReportData, terminations: Sequence[str]) -> ReportData:
    """The same games, ended in these ways in turn, the first one the most often."""
    number = data.games.height
    told = [terminations[min(place % (2 * len(terminations)), len(terminations)) - 1] for place in range(number)]
    return ReportData(replace(data.frames, games=data.games.with_columns(termination=pl.Series(told))))


def test_rare_ends_are_one_bar_and_every_game_is_in_one(data: ReportData) -> None:
    for number in (5, 6, 7, 12):
        told = with_ends(data, get_args(Termination)[:number])
        part = ends(told)
        [picture], table = part.pictures, part.tables[0]
        assert isinstance(picture.plot, Stacked)
        names = [name for name, _ in picture.plot.parts]
        assert len(names) == min(number, 7)
        assert ("others" in names) == (number > 6)
        played = dict(told.games.group_by("game").len().rows())
        for place, kind in enumerate(told.kinds):
            assert sum(counts[place] for _, counts in picture.plot.parts) == played[kind]
            assert sum(row for row in by_first(table)[game_name(kind)].values()) == played[kind]
        totals = [sum(by_first(table)[game_name(kind)][name] for kind in told.kinds) for name in table.head[1:]]
        assert totals == sorted(totals, reverse=True)


def test_faults_are_counted_by_player_and_told_latest_first(data: ReportData, games: list[Row]) -> None:
    part = ends(data)
    _, lost, latest = part.tables
    forfeits = [game for game in games if game["termination"] in FAULT_TERMINATIONS and game["winner"]]
    assert sum(by_first(lost)[row[0]]["faults"] for row in lost.rows) == len(forfeits)
    for row in by_first(lost).values():
        assert row["faults"] == sum(row[END_NAMES[kind]] for kind in FAULT_TERMINATIONS if END_NAMES[kind] in row)
    ids = [row[2].game_id for row in latest.rows if isinstance(row[2], Link)]
    assert ids == sorted((id for id in data.frames.faults["game_id"]), reverse=True)
    assert part.sentences[0].startswith(f"{len(forfeits)} games of {len(games)} lost by a fault")


def test_without_faults_one_sentence_says_so(data: ReportData) -> None:
    part = ends(with_ends(data, ["line"]))
    assert len(part.tables) == 1
    assert part.sentences == ("No game was lost by a crash, a stall, an illegal move or on time.",)
