"""What pages read of ladders and of players is what a plain recount finds."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import closing
from random import Random

import pytest

from engine.rules.position import O, X
from engine.rules.termination import FAULT_TERMINATIONS
from server.db import ladder as rows
from tests.support.database.random_records import PLAYERS, RUNS, Game, RandomRecords, nearest_rank


@pytest.fixture(params=range(2))
def records(request: pytest.FixtureRequest) -> Iterator[RandomRecords]:
    """With a list for each run, of which the last was never rated, the others when one of their games ended."""
    with closing(sqlite3.connect(":memory:")) as connection:
        found = RandomRecords(connection, request.param)
        for number, run in enumerate(RUNS):
            ladder, name, _ = run.split("/")
            found.rows(rows.ADD_LIST, run, ladder, name, "tictactoe", "{}", number)
            if run != RUNS[-1]:
                found.rows(rows.SET_RATED, rated_ms(found, run), 0.0, 0.0, run)
        yield found


def played(records: RandomRecords, run: str) -> list[Game]:
    """The games of a list that are over; aborted ones count for nothing."""
    return [game for game in records.games if game.source == "ladder" and game.counts and game.run == run]


def rated_ms(records: RandomRecords, run: str) -> int:
    ends = sorted(game.ended_ms for game in played(records, run) if game.ended_ms is not None)
    return 0 if run == RUNS[-1] else ends[len(ends) // 2]


def test_lists_count_their_games_and_know_when_the_newest_pair_began(records: RandomRecords) -> None:
    found = {row[0]: row for row in records.rows(rows.NEWEST_LISTS)}
    assert list(found) == list(reversed(RUNS))
    for run in RUNS:
        newest = max((game for game in records.games if game.run == run), key=lambda game: game.pair or 0)
        assert found[run][-2:] == (len(played(records, run)), newest.started_ms)
        assert records.rows(rows.LIST, run) == [found[run]]


def test_meetings_are_counted_by_seat(records: RandomRecords) -> None:
    for run in RUNS:
        rated = rated_ms(records, run)
        games = defaultdict[tuple[int, int], list[Game]](list)
        for game in played(records, run):
            games[game.players["x"], game.players["o"]].append(game)

        def faults(each: list[Game], winner: str) -> int:
            return sum(game.winner == winner and game.termination in FAULT_TERMINATIONS for game in each)

        assert sorted(records.rows(rows.MEETINGS, run)) == [
            (
                x, o, len(each), *(sum(game.winner == who for game in each) for who in ("x", None, "o")),
                faults(each, "o"), faults(each, "x"), sum((game.ended_ms or 0) > rated for game in each),
            )
            for (x, o), each in sorted(games.items())
        ]  # fmt: skip


def test_openings_come_most_frequent_first(records: RandomRecords) -> None:
    for run in RUNS:
        counted = Counter(game.opening for game in played(records, run) if game.opening is not None)
        expected = sorted(counted.items(), key=lambda one: (-one[1], one[0]))
        assert records.rows(rows.OPENINGS, run) == expected


def test_points_of_a_player_are_those_of_both_seats(records: RandomRecords) -> None:
    for player in PLAYERS:
        for run in RUNS:
            points = 0.0
            games = 0
            for game in played(records, run):
                for side, holder in game.players.items():
                    if holder == player:
                        games += 1
                        points += 0.5 if game.winner is None else float(game.winner == side)
            found = [row for row in records.rows(rows.PLAYED, player) if row[0] == run]
            assert (sum(row[1] for row in found), sum(row[2] for row in found)) == (games, points)


@pytest.mark.parametrize("bound", [3, 9, 20])
def test_think_times_of_a_player_are_of_their_own_moves_in_their_newest_public_games(
    records: RandomRecords, bound: int
) -> None:
    records.rows("UPDATE games SET started_ms = started_ms + id")  # no two at the same moment
    sql = rows.TIMES.replace(f"LIMIT {rows.TIMED_GAMES})", f"LIMIT {bound})")
    for player in PLAYERS:
        taken = defaultdict[str, list[int]](list)
        games = defaultdict[str, set[int]](set)
        for side in (X, O):
            seated = [game for game in records.games if game.players[side] == player and not game.private]
            for game in sorted(seated, key=lambda game: game.started_ms + game.id, reverse=True)[:bound]:
                own = [move for move in game.moves if (game.set_up + move.ply) % 2 == (side == O)]
                taken[game.game] += [move.think_ms for move in own]
                games[game.game] |= {game.id for _ in own}
        assert sorted(records.rows(sql, player)) == [
            (game, len(games[game]), len(each), nearest_rank(each, 1, 2), nearest_rank(each, 9, 10))
            for game, each in sorted(taken.items())
            if each
        ]


def test_nights_and_the_last_sample_are_found_among_samples(records: RandomRecords) -> None:
    random = Random(1)
    samples = [
        rows.Sample(
            random.choice(("night", "day")), at_ms, at_ms // 10, random.randrange(99), 0, 0, 0, 0, 0, 0, at_ms % 3 == 0
        )
        for at_ms in random.sample(range(100), 40)
    ]
    records.connection.executemany(rows.ADD_SAMPLE, samples)
    last = {ladder: max(one.at_ms for one in samples if one.ladder == ladder) for ladder in ("night", "day")}
    assert sorted(records.rows(rows.SAMPLES)) == sorted((name, at_ms, at_ms % 3 == 0) for name, at_ms in last.items())
    nights = defaultdict[int, list[rows.Sample]](list)
    for one in samples:
        if one.ladder == "night":
            nights[one.begun_ms].append(one)
    assert records.rows(rows.NIGHTS, "night") == [
        (begun_ms, max(one.at_ms for one in each), max(one.games for one in each))
        for begun_ms, each in sorted(nights.items())
    ]


def entrant(name: str, version: int) -> dict[str, object]:
    return {"name": name, "version": version}


@pytest.mark.parametrize(
    ("settings", "present"),
    [
        ({"bots": [entrant("a", 1), entrant("b", 2)]}, {("a", 1), ("b", 2)}),
        ({"entrants": [entrant("a", 1), entrant("a", 2)]}, {("a", 1), ("a", 2)}),
        (
            {"entrants": [entrant("a", 1), entrant("b", 2)], "line_ups": [{"bots": [0, 1]}, {"bots": [1]}]},
            {("b", 2)},
        ),
        ({}, set()),
    ],
)
def test_present_are_the_bots_of_the_last_line_up(settings: dict[str, object], present: set[tuple[str, int]]) -> None:
    assert rows.present_bots(json.dumps(settings)) == present
