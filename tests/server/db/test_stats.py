"""The statistics are those of a plain recount."""

from __future__ import annotations

import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import closing

import pytest

from engine.rules.position import Kind
from engine.rules.termination import FAULT_TERMINATIONS
from server.db import stats as rows
from server.db.ladder import TIMES
from tests.support.database.random_records import DAY_MS, KINDS, PLAYERS, Game, Move, RandomRecords, nearest_rank

NEWEST = 40
"""So few games are looked at here."""


@pytest.fixture(params=range(3))
def records(request: pytest.FixtureRequest) -> Iterator[RandomRecords]:
    with closing(sqlite3.connect(":memory:")) as connection:
        yield RandomRecords(connection, request.param)


def cut(sql: str) -> str:
    """The query over the NEWEST games."""
    for bound in (rows.COUNTED, rows.TIMED, rows.TIMED_OF_KIND):
        sql = sql.replace(f"LIMIT {bound})", f"LIMIT {NEWEST})")
    assert f"LIMIT {NEWEST})" in sql
    return sql


def newest(records: RandomRecords, kind: str | None = None) -> list[Game]:
    found = [game for game in records.games if game.counts and not game.private and kind in (None, game.game)]
    return sorted(found, key=lambda game: (game.started_ms, game.id), reverse=True)[:NEWEST]


def moves(games: list[Game], kind: str | None = None) -> list[tuple[Game, Move, int]]:
    """Each with its game and its player, of this kind."""
    found = [(game, move, game.moved(move)) for game in games for move in game.moves]
    return [one for one in found if kind in (None, PLAYERS[one[2]][1])]


def test_results_days_lengths_and_players_are_of_the_newest_public_games_that_count(records: RandomRecords) -> None:
    games = newest(records)
    assert len(games) == NEWEST
    results = Counter((game.game, game.winner, game.termination) for game in games)
    assert {tuple(row[:3]): row[3] for row in records.rows(cut(rows.RESULTS))} == results
    days = Counter(game.started_ms // DAY_MS * DAY_MS for game in games)
    assert records.rows(cut(rows.DAYS_PLAYED)) == sorted(days.items(), reverse=True)
    lengths = Counter((game.game, game.set_up + len(game.moves)) for game in games)
    assert records.rows(cut(rows.LENGTHS)) == [(*key, number) for key, number in sorted(lengths.items())]
    seated = Counter(PLAYERS[id][1] for id in {id for game in games for id in game.players.values()})
    assert dict(records.rows(cut(rows.SEATED))) == seated


def test_a_start_that_is_damaged_costs_no_other_game(records: RandomRecords) -> None:
    before = [sum(row[-1] for row in records.rows(rows.LENGTHS)), len(records.rows(rows.SLOWEST))]
    records.rows("PRAGMA ignore_check_constraints = ON")
    records.rows("UPDATE games SET start = '[nope' WHERE id = ?", newest(records)[0].id)
    assert [sum(row[-1] for row in records.rows(rows.LENGTHS)), len(records.rows(rows.SLOWEST))] == before
    records.rows(TIMES, newest(records)[0].players["x"])


def test_forfeits_are_games_that_bots_lost_by_their_faults(records: RandomRecords) -> None:
    lost: Counter[tuple[int, str]] = Counter()
    for game in newest(records):
        if game.winner is not None and game.termination in FAULT_TERMINATIONS:
            loser = game.players["o" if game.winner == "x" else "x"]
            if PLAYERS[loser][1] == "bot":
                lost[loser, game.termination] += 1
    found = records.rows(cut(rows.FORFEITS))
    assert {(player, termination): number for player, _, termination, number in found} == lost
    assert {(player, name) for player, name, *_ in found} <= {(id, name) for id, (name, _) in PLAYERS.items()}
    order = [(-number, player) for player, _, _, number in found]
    assert order == sorted(order)


def test_the_latest_faults_are_those_of_bots_in_public_games_that_ended(records: RandomRecords) -> None:
    found = [
        (game.id, game.game, game.fault, PLAYERS[game.fault][0], game.termination, "It hung.")
        for game in sorted(records.games, key=lambda game: (-game.started_ms, -game.id))
        if game.fault and PLAYERS[game.fault][1] == "bot" and game.termination and not game.private
    ]
    assert len(found) > rows.LISTED
    assert records.rows(rows.LATEST_FAULTS) == found[: rows.LISTED]


def test_paces_are_by_nearest_rank(records: RandomRecords) -> None:
    expected = []
    for kind in ("bot", "person"):
        taken = [move.think_ms for _, move, _ in moves(newest(records), kind)]
        expected.append((kind, len(taken), nearest_rank(taken, 1, 2), nearest_rank(taken, 9, 10)))
    assert sorted(records.rows(cut(rows.PACES))) == expected


def test_times_by_ply_count_moves_made_beforehand(records: RandomRecords) -> None:
    for game in KINDS:
        taken = defaultdict[tuple[Kind, int], list[int]](list)
        for one, move, player in moves(newest(records, game)):
            taken[PLAYERS[player][1], one.set_up + move.ply + 1].append(move.think_ms)
        assert [rows.PlyRow(*row) for row in records.rows(cut(rows.PLIES), game)] == [
            rows.PlyRow(
                *key,
                moves=len(each),
                median_ms=nearest_rank(each, 1, 2),
                low_ms=nearest_rank(each, 1, 4),
                high_ms=nearest_rank(each, 3, 4),
            )
            for key, each in sorted(taken.items())
        ]


def test_rates_of_bots_are_of_moves_that_took_ten_units_of_their_measurement(records: RandomRecords) -> None:
    expected = []
    for player in (3, 4, 5):
        own = [(game, move) for game, move, by in moves(newest(records)) if by == player]
        taken = [move.think_ms for _, move in own]
        timed = [
            move
            for _, move in own
            if move.nodes is not None
            and (move.think_ms if move.think_us is None else move.think_us) >= rows.TIMED_UNITS
        ]
        expected.append((
            player, PLAYERS[player][0], len({game.id for game, _ in own}), len(own), nearest_rank(taken, 1, 2),
            nearest_rank(taken, 9, 10), max(taken), sum(move.nodes or 0 for _, move in own),
            sum(move.nodes or 0 for move in timed),
            sum(1000 * move.think_ms if move.think_us is None else move.think_us for move in timed),
        ))  # fmt: skip
    slowest_first = sorted(expected, key=lambda row: (-row[4], -row[6], row[0]))
    assert records.rows(cut(rows.MOVERS)) == slowest_first


def test_the_slowest_moves_are_of_bots(records: RandomRecords) -> None:
    found = [
        (game.id, move.ply + 1, player, PLAYERS[player][0], move.think_ms)
        for game, move, player in moves(newest(records), "bot")
    ]
    slowest = sorted(found, key=lambda row: (-row[4], row[0], row[1]))
    assert records.rows(cut(rows.SLOWEST)) == slowest[: rows.LISTED]


def test_of_games_without_a_fault_no_row_is_read(records: RandomRecords) -> None:
    plan = [row[3] for row in records.rows(f"EXPLAIN QUERY PLAN {rows.LATEST_FAULTS}")]
    assert "SEARCH g USING INTEGER PRIMARY KEY (rowid=?)" in plan, plan
