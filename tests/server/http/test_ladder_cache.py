"""Answers about ladders and players, from made-up records that lie in a real database."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from engine.bots.roster import bot as named
from server.db.statements import SQL
from server.db.store import Store, StoreUnavailable
from server.http.answers.ladders import LiveGame
from server.http.answers.players import DAY_MS
from server.http.ladder_cache import (
    KEEP_HISTORY_MS,
    KEEP_LIVE_MS,
    KEEP_MS,
    LATELY_MS,
    LIVE_MS,
    SAMPLED_MS,
    LadderAnswers,
)
from server.http.responses import Missing, NotNow
from tests.support.database.database_files import (
    ANN,
    BOB,
    execute,
    new_database,
    opened,
    people_and_rooms,
)
from tests.support.ladder.records import BEGUN_MS, BOTS, add_bot, add_list, add_live, player_id

NOW_MS = BEGUN_MS + 3_600_000


class Reader:
    """The store's `read`, which counts and can be made to fail."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.queries = 0
        self.broken = False

    async def read(self, row: Any, sql: str, parameters: Any = ()) -> list[Any]:
        self.queries += 1
        if self.broken:
            raise StoreUnavailable("The disk is gone.")
        return await self._store.read(row, sql, parameters)


HISTORY = json.dumps(
    {"lists": [{"run": "night/small/000000000000", "games": [2, 4], "ended_ms": [5, 9],
                "bots": [{"bot": "random", "version": 1, "rating": [None, -3], "low": [None, -9], "high": [None, 3]}]}]}
)  # fmt: skip


class Desk:
    def __init__(self, path: Path, store: Store) -> None:
        self.path = path
        self.read = Reader(store)
        self.now_ms = NOW_MS
        self.histories: list[str] = []
        self.made: str | None = HISTORY
        self.answers = LadderAnswers(self.read, lambda: self.now_ms, self.history)

    async def history(self, run: str) -> str | None:
        self.histories.append(run)
        return self.made

    def sql(self, text: str, *parameters: object) -> None:
        execute(self.path, text, parameters)


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    path = new_database(tmp_path)
    async with opened(path) as store:
        yield Desk(path, store)


async def test_there_is_nothing_at_first(desk: Desk) -> None:
    assert (await desk.answers.ladder()).lists == []
    with pytest.raises(Missing, match=r"^There is no such list; /api/ladder lists them all\.$"):
        await desk.answers.list_page("night/small/0")
    assert (await desk.answers.live(None)).live is None
    with pytest.raises(Missing, match=r"^There is no player 7\.$"):
        await desk.answers.player(7)


async def test_every_list_the_newest_first(desk: Desk) -> None:
    small = add_list(desk.path, pairs=3)
    deep = add_list(desk.path, list="deep", limit={"depth": 4}, rated=False, seed=1, begun_ms=BEGUN_MS + 1)
    first, second = (await desk.answers.ladder()).lists
    assert (first.run, first.ladder, first.list, first.game) == (deep, "night", "deep", "tictactoe")
    assert (first.rated_ms, first.advantage, first.drawing, first.running) == (None, None, None, False)
    assert first.limit is not None
    assert (first.limit.depth, first.limit.nodes) == (4, None)
    # Six pairs of bots, three pairs of games each; the aborted game is not counted.
    assert (second.run, second.games, second.rated_ms) == (small, 36, BEGUN_MS + 1)
    assert (second.advantage, second.drawing) == (31.5, 0.4)


async def test_a_list_with_standings_crosstable_and_openings(desk: Desk) -> None:
    run = add_list(desk.path, pairs=5)
    page = await desk.answers.list_page(run)
    assert [standing.bot for standing in page.standings] == [*BOTS]
    assert [standing.place for standing in page.standings] == [1, 2, 3, 4]
    first, *_, last = page.standings
    assert (first.rating, first.low, first.high, first.superiority) == (180.0, 140.0, 225.0, 0.97)
    assert (last.superiority, last.retired, last.faults) == (None, True, 1)
    assert (first.retired, first.faults) == (False, 0)
    assert page.games == 60 == page.x_won + page.drawn + page.o_won
    assert sum(opening.games for opening in page.openings) == page.games
    assert len(page.openings) == 5
    for standing in page.standings:
        assert standing.games == standing.won + standing.drawn + standing.lost == 30
        assert standing.points == standing.won + standing.drawn / 2
    assert page.crosstable.bots == [standing.player for standing in page.standings]
    for row, standing in enumerate(page.standings):
        cells = page.crosstable.cells[row]
        assert cells[row] is None
        assert sum(cell.points for cell in cells if cell) == standing.points
        assert sum(cell.games for cell in cells if cell) == standing.games
    for row, column in ((0, 1), (2, 3)):
        there, back = page.crosstable.cells[row][column], page.crosstable.cells[column][row]
        assert there is not None
        assert back is not None
        assert there.points + back.points == there.games == back.games == 10


async def test_the_counts_are_those_of_the_documented_view(desk: Desk) -> None:
    run = add_list(desk.path, pairs=4)
    page = await desk.answers.list_page(run)
    documented = execute(
        desk.path,
        "SELECT place, bot, version, games, won, drawn, lost, points, faults, retired FROM v_standings "
        "WHERE run_id = ? ORDER BY place",
        (run,),
    )
    told = [
        (one.place, one.bot, one.version, one.games, one.won, one.drawn, one.lost, one.points, one.faults, one.retired)
        for one in page.standings
    ]
    assert told == documented


async def test_games_that_the_ratings_do_not_count_yet(desk: Desk) -> None:
    run = add_list(desk.path, pairs=1)
    unrated = add_list(desk.path, list="unrated", seed=1, pairs=1, rated=False)
    last = "SELECT max(ended_ms) FROM games WHERE run_id = ?1 AND termination != 'aborted'"
    desk.sql(f"UPDATE ladder_lists SET rated_ms = ({last}) WHERE run_id = ?1", run)
    assert (await desk.answers.list_page(run)).unrated == 0
    desk.sql(
        "UPDATE games SET ended_ms = ended_ms + 3600000 WHERE run_id = ? AND termination != 'aborted' AND pair_id = 2",
        run,
    )
    desk.now_ms += KEEP_MS
    assert (await desk.answers.list_page(run)).unrated == 2
    page = await desk.answers.list_page(unrated)
    assert page.unrated == page.games == 12


async def test_before_the_first_ratings_bots_stand_by_their_share(desk: Desk) -> None:
    with closing(sqlite3.connect(desk.path)) as connection, connection:
        for name in reversed(BOTS):  # so that their ids are in the other order
            add_bot(connection, name)
    page = await desk.answers.list_page(add_list(desk.path, pairs=9, rated=False))
    assert {(one.place, one.rating, one.low, one.high, one.superiority) for one in page.standings} == {(None,) * 5}
    shares = [one.points / one.games for one in page.standings]
    assert shares == sorted(shares, reverse=True)
    assert page.rated_ms is None


async def test_a_list_that_has_only_begun(desk: Desk) -> None:
    run = add_list(desk.path, pairs=0, rated=False, moves=False)
    page = await desk.answers.list_page(run)
    assert (page.games, page.standings, page.openings, page.crosstable.cells) == (0, [], [], [])


async def test_versions_of_a_bot_are_told_apart(desk: Desk) -> None:
    run = add_list(desk.path, bots=["random", "random", "strongest"], versions=[1, 9])
    page = await desk.answers.list_page(run)
    assert [(one.bot, one.version, one.versions) for one in page.standings] == [
        ("random", 1, 2),
        ("random", 9, 2),
        ("strongest", named("strongest").entry.version, 1),
    ]


async def test_the_game_that_a_ladder_plays(desk: Desk) -> None:
    async def watched(ladder: str | None = None) -> LiveGame | None:
        return (await desk.answers.live(ladder)).live

    run = add_list(desk.path)
    other = add_list(desk.path, ladder="day", list="qubic", game="qubic", seed=2)
    add_live(desk.path, run, moves=["b2", "a1"], updated_ms=NOW_MS - 1000)
    add_live(desk.path, other, moves=[], updated_ms=NOW_MS - 10)
    game = await watched("night")
    assert game is not None
    assert (game.run, game.game, game.x.name, game.o.name) == (run, "tictactoe", BOTS[0], BOTS[1])
    assert (game.start, game.moves, game.updated_ms) == ([], ["b2", "a1"], NOW_MS - 1000)
    asked = desk.read.queries
    newest = await watched()
    assert newest is not None
    assert newest.run == other
    assert desk.read.queries == asked
    add_live(desk.path, other, moves=["a1.1"], updated_ms=NOW_MS)
    desk.now_ms += KEEP_LIVE_MS
    newest = await watched()
    assert newest is not None
    assert newest.moves == ["a1.1"]
    assert await watched("dusk") is None
    desk.now_ms += LIVE_MS
    assert await watched() is None


async def test_lists_run_while_their_ladder_shows_a_game(desk: Desk) -> None:
    shown = add_list(desk.path, begun_ms=NOW_MS - 60_000)
    lately = add_list(desk.path, list="other", seed=1, begun_ms=NOW_MS - 60_000)
    before = add_list(desk.path, list="before", seed=2, begun_ms=NOW_MS - 60_000 - 2 * LATELY_MS)
    elsewhere = add_list(desk.path, ladder="day", seed=3, begun_ms=NOW_MS - 60_000)

    async def running() -> set[str]:
        desk.now_ms += KEEP_MS
        return {row.run for row in (await desk.answers.ladder()).lists if row.running}

    assert await running() == set()
    add_live(desk.path, shown, updated_ms=desk.now_ms)
    assert await running() == {shown, lately}
    assert (await desk.answers.list_page(shown)).running
    assert not (await desk.answers.list_page(before)).running
    assert not (await desk.answers.list_page(elsewhere)).running
    desk.now_ms += LIVE_MS
    assert await running() == set()
    # One that plays short games only shows none, but tells every minute how it does.
    desk.sql("INSERT INTO ladder_samples VALUES ('day', ?, 1, 1, 1, 1, 1, 1, 1, 1, 0)", desk.now_ms)
    assert await running() == {elsewhere}
    # It says that it ends, and is begun again; then it is killed.
    desk.sql("INSERT INTO ladder_samples VALUES ('day', ?, 1, 1, 1, 1, 1, 1, 1, 1, 1)", desk.now_ms + 1)
    assert await running() == set()
    desk.sql("INSERT INTO ladder_samples VALUES ('day', ?, 1, 1, 1, 1, 1, 1, 1, 1, 0)", desk.now_ms + 2)
    assert await running() == {elsewhere}
    desk.now_ms += SAMPLED_MS
    assert await running() == set()


async def test_a_bots_page(desk: Desk) -> None:
    run = add_list(desk.path, pairs=2)
    qubic = add_list(desk.path, list="qubic", game="qubic", seed=1, begun_ms=BEGUN_MS + 1)
    player = await desk.answers.player(player_id(desk.path, "random"))
    assert (player.name, player.kind, player.since_ms, player.ratings) == ("random", "bot", BEGUN_MS, [])
    assert player.bot is not None
    assert (player.bot.family, player.bot.version, player.bot.current) == ("random", 1, True)
    assert [(entry.run, entry.place, entry.of, entry.retired) for entry in player.ladder] == [
        (qubic, 4, 4, True),
        (run, 4, 4, True),
    ]
    standing = (await desk.answers.list_page(run)).standings[-1]
    assert (player.ladder[1].games, player.ladder[1].points) == (standing.games, standing.points)
    assert {time.game: time.games for time in player.times} == {"qubic": 12, "tictactoe": 12}


async def test_versions_and_families_that_this_release_does_not_have(desk: Desk) -> None:
    with closing(sqlite3.connect(desk.path)) as connection, connection:
        old = add_bot(connection, "strongest", version=99)
        gone = add_bot(connection, "random")
        connection.execute("UPDATE bot_versions SET name = 'forgotten' WHERE player_id = ?", (gone,))
    bot = (await desk.answers.player(old)).bot
    assert bot is not None
    assert (bot.version, bot.current) == (99, False)
    assert (await desk.answers.player(gone)).bot is None


async def test_a_persons_page_tells_nothing_of_private_games(desk: Desk) -> None:
    with closing(sqlite3.connect(desk.path)) as connection, connection:
        for statement, values in people_and_rooms():
            connection.execute(SQL[statement], values)
        for id, private in ((1, 0), (2, 1)):
            connection.execute(
                "INSERT INTO games (id, source, game, x_player, o_player, start, rated, private, machine, software, "
                "started_ms, ended_ms, winner, termination, plies) "
                "VALUES (?, 'room', 'tictactoe', ?, ?, '[]', 1, ?, 'm', 's', 5, ?, 'x', 'line', 1)",
                (id, ANN, BOB, private, 10 * id),
            )
            connection.execute(
                "INSERT INTO moves (game_id, ply, cell, at_ms, think_ms) VALUES (?, 0, 0, 6, ?)", (id, 50 * id)
            )
            connection.execute("INSERT INTO rating_changes VALUES (?, ?, 1500, ?, 90, 0.06)", (id, ANN, 1500 + id))
        connection.execute("INSERT INTO ratings VALUES (?, 'tictactoe', 1502, 90, 0.06, 2, ?)", (ANN, BEGUN_MS + 20))
    player = await desk.answers.player(ANN)
    assert (player.name, player.kind, player.bot, player.ladder) == ("Ann", "person", None, [])
    [rating] = player.ratings
    assert (rating.game, rating.rating, rating.deviation, rating.games) == ("tictactoe", 1502.0, 90.0, 2)
    # Ratings are public, the private game behind one of them is not: neither that it was, nor when.
    assert [(point.at_ms, point.rating) for point in rating.history] == [(10, 1501.0)]
    assert 0 <= BEGUN_MS + 20 - rating.updated_ms < DAY_MS
    assert rating.updated_ms % DAY_MS == 0
    [time] = player.times
    assert (time.games, time.moves, time.median_ms, time.p90_ms) == (1, 1, 50, 50)


# Keeping


async def test_an_answer_is_made_once_for_all_who_ask(desk: Desk) -> None:
    run = add_list(desk.path)
    one, other = await asyncio.gather(desk.answers.list_page(run), desk.answers.list_page(run))
    assert one is other
    asked = desk.read.queries
    assert await desk.answers.list_page(run) is one
    assert desk.read.queries == asked
    desk.now_ms += KEEP_MS
    assert await desk.answers.list_page(run) is not one


async def test_failures_are_not_kept(desk: Desk) -> None:
    run = add_list(desk.path)
    desk.read.broken = True
    with pytest.raises(StoreUnavailable):
        await desk.answers.list_page(run)
    desk.read.broken = False
    assert (await desk.answers.list_page(run)).run == run
    with pytest.raises(Missing):
        await desk.answers.player(99)
    with pytest.raises(Missing):
        await desk.answers.player(99)


async def test_standings_over_time_are_made_once(desk: Desk) -> None:
    run = add_list(desk.path)
    found = await desk.answers.history(run)
    assert (found.games, found.bots[0].rating) == ([2, 4], [None, -3])
    assert await desk.answers.history(run) is found
    desk.now_ms += KEEP_HISTORY_MS
    assert (await desk.answers.history(run)) == found
    assert desk.histories == [run, run]
    with pytest.raises(Missing):
        await desk.answers.history("night/none/0")
    assert desk.histories == [run, run], "no process for what is not there"


async def test_a_history_that_cannot_be_made_is_asked_for_again(desk: Desk) -> None:
    run = add_list(desk.path)
    desk.made = None
    for _ in range(2):
        with pytest.raises(NotNow, match="The standings over time cannot be made now"):
            await desk.answers.history(run)
    assert len(desk.histories) == 2
