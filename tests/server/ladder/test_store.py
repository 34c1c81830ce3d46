"""A ladder's records: pairs whole or not at all, beside others that write, and what is said when nothing can be."""

from __future__ import annotations

import json
import resource
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from itertools import combinations, cycle, product
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import msgspec
import pytest

from engine.bots import match
from engine.bots.match import MoveWatch, Task
from engine.bots.player import NO_LIMIT, Limit
from engine.bots.roster import bot
from engine.record.model import RecordedMove
from engine.rules.position import Side
from engine.rules.registry import rules
from engine.stats.davidson import PairResult, standings
from server.db import ladder as ladder_rows
from server.db import migrate
from server.db.connect import DatabaseError
from server.db.ladder import Sample
from server.ladder import store
from server.ladder.config import BotList
from server.ladder.schedule import PairScore
from server.ladder.store import LadderLost, LadderStore, Pair, pair_score
from server.play.writes import Statement
from server.workers.arena import Live, Timed
from tests.support.database.database_files import execute, opened, start_game

LIST = BotList(
    ladder="night", name="small", seed=3, game="tictactoe", limit=Limit(depth=1),
    bots=(bot("alphabeta:1"), bot("random"), bot("level:1")), pairs=2, opening_plies=2, repeat_openings=False,
    overrun_ms=200, stall_ms=60_000,
)  # fmt: skip
STARTED_MS = 1_800_000_000_000


class _Ticks(MoveWatch):
    """A watch by which every move takes 1.5 ms."""

    def elapsed_us(self) -> int:
        return 1500


def played(number: int, a: int = 0, b: int = 1, plan: BotList = LIST) -> Pair:
    """A pair of that list, really played."""
    games = []
    for side in ("x", "o"):
        games.append(match.play(task(number, a, b, side, plan), lambda _: _Ticks()))  # noqa: PERF401
    return pair_of(number, *games)


def task(number: int, a: int, b: int, side: Side, plan: BotList = LIST) -> Task:
    x, o = (a, b) if side == "x" else (b, a)
    return Task(2 * number + (side == "o"), number, side, plan.game, plan.bots[x], plan.bots[o], plan.limit,
                plan.limit, plan.opening(number), 100 + number)  # fmt: skip


def pair_of(number: int, *games: match.Played) -> Pair:
    first, second = (Timed(game, STARTED_MS + number, STARTED_MS + number + 50) for game in games)
    return Pair(number, (first, second))


def forfeited(number: int, side: Side | None, a: int = 0, b: int = 1) -> Pair:
    """A pair whose first game was lost with its process while `side` thought."""
    lost = match.forfeited(task(number, a, b, "x"), [8], side, "crash", "died with exit status -9")
    return pair_of(number, lost, played(number, a, b).games[1].played)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "noughts.db"


@contextmanager
def recording(path: Path, plan: BotList = LIST, **settings: Any) -> Iterator[LadderStore]:
    """LadderStore with an open list; closed whatever happens."""
    made = LadderStore(path, **settings)
    try:
        made.open_list(plan)
        yield made
    finally:
        with suppress(LadderLost):
            made.close()


def results(path: Path, plan: BotList = LIST) -> dict[int, PairScore]:
    made = LadderStore(path)
    try:
        return made.open_list(plan).scores
    finally:
        made.close()


# Lists whose bots enter and leave

NEWER = bot("level:3")


def test_a_list_keeps_its_games_when_its_bots_change(path: Path) -> None:
    with recording(path) as made:
        made.add(LIST, played(0, 0, 2))
    grown = replace(LIST, bots=(NEWER, LIST.bots[0], LIST.bots[1]))
    made = LadderStore(path)
    try:
        opened = made.open_list(grown)
        assert (opened.list.run_id, opened.others) == (LIST.run_id, ())
        assert opened.list.line_up_changed
        assert opened.list.entrants == LIST.bots
        entered = opened.list.with_line_up(1)
        made.set_line_up(entered)
        assert entered.entrants == (*LIST.bots, NEWER)
        again = made.open_list(grown)
        assert again.list == entered
        assert not again.list.line_up_changed
        assert again.list.left == {2}
        assert again.scores == opened.scores != {}
    finally:
        made.close()


def test_a_bot_that_no_longer_exists_keeps_its_games(path: Path) -> None:
    gone = replace(bot("level:1"), name="withdrawn:2", family="withdrawn", parameters=(("plies", 2),))
    before = replace(LIST, bots=(LIST.bots[0], gone))
    with recording(path, before) as made:
        made.set_line_up(made.open_list(before).list.with_line_up(0))
    made = LadderStore(path)
    try:
        opened = made.open_list(replace(LIST, bots=LIST.bots[:2])).list
        assert opened.entrants == before.bots
    finally:
        made.close()


def test_a_bot_that_the_database_does_not_know_is_said(path: Path) -> None:
    with recording(path):
        pass
    execute(path, "UPDATE ladder_lists SET settings = replace(settings, 'level:1', 'withdrawn:2')")
    made = LadderStore(path)
    try:
        with pytest.raises(
            LadderLost, match=r"^\S+ has a list night/small with the bot withdrawn:2 \(version \d+\), but"
        ):
            made.open_list(LIST)
    finally:
        made.close()


def test_lists_of_earlier_releases_that_began_anew_stay_apart(path: Path) -> None:
    """Each is known by its line-up; another one goes on with the newest."""
    second = replace(LIST, bots=(*LIST.bots, NEWER))
    for plan in (LIST, replace(second, ladder="other")):
        with recording(path, plan):
            pass
    with closing(sqlite3.connect(path)) as connection, connection:
        settings = json.dumps(second.settings, sort_keys=True)
        row = (second.run_id, LIST.ladder, LIST.name, LIST.game, settings, 1 << 60)
        connection.execute(ladder_rows.ADD_LIST, row)
    made = LadderStore(path)
    try:
        assert made.open_list(LIST).list.run_id == LIST.run_id
        assert made.open_list(second).list.run_id == second.run_id
        assert made.open_list(replace(LIST, bots=LIST.bots[1:])).list.run_id == second.run_id
        assert made.open_list(LIST).others == ()
    finally:
        made.close()


# Pairs


def test_a_pair_is_two_games_with_all_that_is_known(path: Path) -> None:
    pair = played(7)
    with recording(path) as made:
        made.add(LIST, pair)
    with closing(sqlite3.connect(path)) as connection:
        connection.row_factory = sqlite3.Row
        games = [dict(row) for row in connection.execute("SELECT * FROM v_games ORDER BY game_id")]
        moves = [dict(row) for row in connection.execute("SELECT * FROM moves ORDER BY game_id, ply")]
    text = rules("tictactoe").format_move
    start = [text(move) for move in LIST.opening(7)]
    for game, timed in zip(games, pair.games, strict=True):
        record = timed.played.record
        assert (game["x"], game["o"]) == (timed.played.task.x.name, timed.played.task.o.name)
        assert (game["source"], game["run_id"], game["pair_id"]) == ("ladder", LIST.run_id, 7)
        assert (game["ladder"], game["list"], game["opening_id"]) == ("night", "small", " ".join(start))
        assert (game["x_limit"], game["o_limit"]) == ('{"depth": 1}',) * 2
        assert (game["winner"], game["termination"], game["plies"]) == (
            record.winner, record.termination, len(record.moves),
        )  # fmt: skip
        assert (game["started_ms"], game["ended_ms"]) == (STARTED_MS + 7, STARTED_MS + 57)
        assert (game["rated"], game["private"], game["software"][:8]) == (0, 0, "noughts ")
        mine = [move for move in moves if move["game_id"] == game["game_id"]]
        assert [move["cell"] for move in mine] == [move.cell for move in record.moves]
        assert [move["at_ms"] - STARTED_MS - 7 for move in mine] == [3 * (ply + 1) // 2 for ply in range(len(mine))]
        assert {(move["think_ms"], move["think_us"]) for move in mine} == {(1, 1500)}
        assert [(m["nodes"], m["depth"], m["value"], m["win_in"]) for m in mine] == [
            (m.nodes, m.depth, m.value, m.win_in) for m in record.moves
        ]
    assert [row[0] for row in execute(path, "SELECT seed FROM games ORDER BY id")] == [107, 107]
    assert execute(path, "SELECT DISTINCT start FROM games") == [(json.dumps(start),)]
    assert [games[0]["x"], games[0]["o"]] == [games[1]["o"], games[1]["x"]]
    assert migrate.check(path)


def test_without_a_limit_there_is_none_in_the_records(path: Path) -> None:
    plan = replace(LIST, limit=NO_LIMIT)
    with recording(path, plan) as made:
        made.add(plan, played(0, plan=plan))
    assert execute(path, "SELECT DISTINCT x_limit, o_limit FROM games") == [(None, None)]


class Ending(NamedTuple):
    """What the records ask of a game's record, with an ending that need not follow from the moves."""

    winner: Side | None
    termination: str
    moves: tuple[RecordedMove, ...] = ()


def ended(number: int, *endings: Ending, a: int = 0, b: int = 1) -> Pair:
    """A pair whose games ended so."""
    whole = played(number, a, b).games
    return pair_of(number, *(replace(g.played, record=e) for g, e in zip(whole, endings, strict=True)))  # type: ignore[arg-type]


ENDINGS = [
    Ending("x", "line"), Ending("o", "line"), Ending(None, "board_full"), Ending("x", "crash"), Ending("o", "stall"),
    Ending("x", "illegal_move"), Ending("o", "flag"), Ending(None, "aborted"),
]  # fmt: skip


def test_what_is_read_back_is_what_was_played(path: Path) -> None:
    """The schedule is a function of results: those of the records must be those of the games."""
    several = zip(product(ENDINGS, repeat=2), cycle(combinations(range(3), 2)), strict=False)
    pairs = [ended(number, *endings, a=a, b=b) for number, (endings, (a, b)) in enumerate(several)]
    with recording(path) as made:
        for pair in Random(0).sample(pairs, len(pairs)):
            made.add(LIST, pair)
    live = {pair.number: pair_score(pair.games, LIST.bots) for pair in pairs}
    assert results(path) == live
    assert len(set(live.values())) > 40


@pytest.mark.parametrize(
    ("first", "second", "result"),
    [  # In the first game the first bot is X, in the second O.
        (ENDINGS[0], ENDINGS[0], PairScore(1.0, 0.0)),
        (ENDINGS[2], ENDINGS[1], PairScore(0.5, 1.0)),
        (Ending("x", "crash"), Ending("x", "flag"), PairScore(1.0, 0.0, 1, 1)),
        (Ending("o", "stall"), Ending("x", "illegal_move"), PairScore(0.0, 0.0, 2, 0)),
        (Ending("x", "flag"), Ending("o", "crash"), PairScore(1.0, 1.0, 0, 2)),
        (Ending(None, "aborted"), Ending("o", "line"), PairScore(None, 1.0)),
    ],
)
def test_points_and_faults(first: Ending, second: Ending, result: PairScore) -> None:
    assert pair_score(ended(0, first, second, a=1, b=2).games, LIST.bots) == result._replace(bots=(1, 2))


def test_a_pair_is_recorded_once(path: Path) -> None:
    with recording(path) as made:
        made.add(LIST, played(0))
    with recording(path) as made:
        made.add(LIST, played(1))
    with recording(path) as made:
        made.add(LIST, played(1))
        with pytest.raises(LadderLost, match=r"UNIQUE constraint failed"):
            made.close()
    assert sorted(results(path)) == [0, 1]
    assert execute(path, "SELECT count(*) FROM games") == [(4,)]


def test_a_pair_that_fails_in_the_middle_leaves_nothing(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever fails at whatever point: whole pairs before it stand."""
    whole = store._moves
    for fails_at in range(2, 4):
        calls = 0

        def failing(*arguments: Any, fails_at: int = fails_at) -> Any:
            nonlocal calls
            calls += 1
            if calls == fails_at + 1:
                raise RuntimeError("at a bad moment")
            return whole(*arguments)

        monkeypatch.setattr(store, "_moves", failing)
        with recording(path) as made:
            number = len(results(path))
            made.add(LIST, played(number))
            while made.waiting or not results(path).keys() >= {number}:
                made.check()
            made.add(LIST, played(number + 1))
            with pytest.raises(LadderLost, match=r"^\S+ cannot be written \(at a bad moment\); "):
                made.close()
        assert sorted(results(path)) == list(range(number + 1))
        assert execute(path, "SELECT count(*) FROM games") == [(2 * (number + 1),)]
    assert migrate.check(path)


def test_a_fault_is_told_of_its_bot(path: Path) -> None:
    with recording(path) as made:
        made.add(LIST, forfeited(0, "x"))
        made.add(LIST, forfeited(1, "o"))
        made.add(LIST, forfeited(2, None))
    assert execute(
        path, "SELECT g.pair_id, p.name, sentence FROM faults JOIN games g ON g.id = game_id "
        "JOIN players p ON p.id = player_id ORDER BY 1"
    ) == [
        (0, "alphabeta:1", "alphabeta:1 (X) died with exit status -9."),
        (1, "random", "random (O) died with exit status -9."),
    ]  # fmt: skip
    assert execute(path, "SELECT winner, termination, plies FROM games WHERE id IN (1, 3, 5)") == [
        ("o", "crash", 1), ("x", "crash", 1), (None, "aborted", 1),
    ]  # fmt: skip
    assert execute(path, "SELECT cell, think_ms, think_us FROM moves WHERE game_id = 1") == [(8, 0, None)]
    [first, second, third] = results(path).values()
    assert (first.as_x, first.a_faults, first.b_faults) == (0.0, 1, 0)
    assert (second.as_x, second.a_faults, second.b_faults) == (1.0, 0, 1)
    assert (third.as_x, third.a_faults, third.b_faults) == (None, 0, 0)
    assert third.as_o is not None


# Beside others


async def test_ids_are_unique_beside_a_store_that_writes(path: Path) -> None:
    migrate.prepare(path)
    async with opened(path) as store:
        people = [await store.next_id("player") for _ in range(2)]
        await store.write([(Statement.ADD_PLAYER, (id, "Ann", "person", b"%d" % id, 1)) for id in people])
        with recording(path) as made:
            for number in range(20):
                made.add(LIST, played(number, 1, 2))
                id = await store.next_id("game")
                await store.write([start_game(id, x_player=people[0], o_player=people[1])])
    found = execute(path, "SELECT source, count(*) FROM games GROUP BY source ORDER BY source")
    assert found == [("ladder", 40), ("match", 20)]
    assert len(results(path)) == 20
    assert migrate.check(path)


async def test_a_bot_is_the_player_that_it_is_in_rooms(path: Path) -> None:
    """The rows that the server makes, and the other way round."""
    migrate.prepare(path)
    one = bot("altekar-minimax:2,weighted")
    plan = replace(LIST, game="qubic", bots=(one, bot("random")))
    server_makes = msgspec.json.encode(dict(one.parameters), order="sorted").decode()
    with recording(path, plan):
        pass
    async with opened(path) as store:
        id = await store.bot_version(one.family, server_makes, one.version)
        assert id is not None
        assert execute(path, "SELECT name, kind, token_hash FROM players WHERE id = ?", (id,)) == [
            (one.name, "bot", None)
        ]
    with recording(path, replace(plan, name="again")):
        pass
    assert execute(path, "SELECT count(*) FROM bot_versions") == [(2,)]


def test_another_version_of_a_bot_is_another_player(path: Path) -> None:
    newer = replace(bot("random"), version=99)
    with recording(path) as made:
        made.open_list(replace(LIST, bots=(bot("random"), newer)))
    assert execute(path, "SELECT count(*) FROM players WHERE name = 'random'") == [(2,)]


def test_two_programs_make_the_same_bots_once(path: Path) -> None:
    migrate.prepare(path)
    begun = threading.Barrier(4)
    plans = [replace(LIST, ladder=f"night{number}") for number in range(4)]

    def opening(plan: BotList) -> None:
        begun.wait()
        with recording(path, plan):
            pass

    threads = [threading.Thread(target=opening, args=(plan,)) for plan in plans]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert execute(path, "SELECT count(*), count(DISTINCT name) FROM players") == [(3, 3)]
    assert len(execute(path, "SELECT * FROM ladder_lists")) == 4


def test_a_list_says_what_it_was_before(path: Path) -> None:
    made = LadderStore(path)
    try:
        for _ in range(2):
            opened = made.open_list(LIST)
            assert (opened.list.run_id, opened.scores, opened.others) == (LIST.run_id, {}, ())
        changed = replace(LIST, seed=9)
        assert made.open_list(changed).others == (LIST.run_id,)
        assert made.open_list(replace(LIST, ladder="other")).others == ()
        assert made.open_list(replace(LIST, name="other")).others == ()
        made.add(changed, played(0))
    finally:
        made.close()
    assert list(results(path, changed)) == [0]
    assert results(path) == {}
    [(settings_told,)] = execute(path, "SELECT settings FROM ladder_lists WHERE run_id = ?", (LIST.run_id,))
    assert json.loads(settings_told) == LIST.settings


# Standings, samples, and the game to watch


def test_standings_are_kept_best_first(path: Path) -> None:
    pairs = [PairResult(0, 1, 0.0, 0.0), PairResult(1, 2, 0.0, 0.0), PairResult(0, 2, 0.0, 0.5)]
    fitted, bots = standings(3, pairs, resamples=20)
    with recording(path) as made:
        made.stand(LIST, *standings(3, [], resamples=20), retired=(), order=(0, 1, 2))
        made.stand(LIST, fitted, bots, retired={0}, order=(2, 1, 0))
    rows = execute(path, "SELECT bot, rating, low, high, superiority, retired FROM v_standings ORDER BY place")
    assert [row[0] for row in rows] == ["level:1", "random", "alphabeta:1"]
    for (name, *figures, retired), place in zip(rows, (2, 1, 0), strict=True):
        assert figures == list(bots[place])
        assert retired == (name == "alphabeta:1")
    assert rows[-1][4] is None
    [(rated_ms, advantage, drawing)] = execute(path, "SELECT rated_ms, advantage, drawing FROM ladder_lists")
    assert (advantage, drawing) == (fitted.advantage, fitted.drawing)
    assert rated_ms > 1_700_000_000_000


def test_samples(path: Path) -> None:
    sample = Sample("night", 1, 2, 3, 4, 5, 6, 7, 8, 9, last=False)
    with recording(path) as made:
        made.sample(sample)
        made.sample(sample._replace(at_ms=2))
    names = ", ".join(Sample._fields)
    assert execute(path, f"SELECT {names} FROM ladder_samples") == [sample, sample._replace(at_ms=2)]


def test_the_game_to_watch_is_one_row_until_it_is_hidden(path: Path) -> None:
    live = Live(task(5, 0, 1, "x"), (*LIST.opening(5), 8))
    with recording(path) as made:
        made.show(LIST, live._replace(moves=LIST.opening(5)), 77)
        made.show(LIST, live, 77)
    text = rules("tictactoe").format_move
    assert execute(
        path,
        "SELECT l.ladder, l.run_id, x.name, o.name, l.start, l.moves, l.begun_ms, l.updated_ms > 1700000000000 "
        "FROM ladder_live l JOIN players x ON x.id = x_player JOIN players o ON o.id = o_player",
    ) == [
        ("night", LIST.run_id, "alphabeta:1", "random", json.dumps([text(m) for m in LIST.opening(5)]),
         json.dumps([text(8)]), 77, 1),
    ]  # fmt: skip
    with recording(path) as made:
        made.hide("other")
        made.hide("night")
    assert execute(path, "SELECT * FROM ladder_live") == []


# The writer


def test_what_comes_together_is_one_commit(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "BATCH_S", 1000)
    with recording(path) as made:
        made.add(LIST, played(0))
        while made.waiting > 0:
            made.check()
        for number in range(1, 40):
            made.add(LIST, played(number))
        assert made.waiting == 39  # until the time between two commits is over, or all ends
        made.close()
        assert made.waiting == 0
        assert made.cpu_ms >= 0
    assert len(results(path)) == 40


def test_a_reader_sees_whole_pairs_only(path: Path) -> None:
    with recording(path) as made:
        for number in range(30):
            made.add(LIST, played(number))
            odd = "SELECT pair_id FROM games GROUP BY run_id, pair_id HAVING count(*) != 2"
            assert execute(path, odd) == []


# What can go wrong


def test_a_locked_database_is_waited_for(path: Path) -> None:
    with recording(path, patience_s=60) as made, closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        made.add(LIST, played(0))
        made.check()
        other.execute("COMMIT")
    assert list(results(path)) == [0]


def test_a_database_that_stays_locked_is_given_up(path: Path) -> None:
    with recording(path, patience_s=0.05) as made, closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        made.add(LIST, played(0))
        with pytest.raises(
            LadderLost,
            match=r"^\S+noughts.db was locked by another program for 0.05 s; end that program and run the same "
            r"command again: it resumes after the last recorded pair.$",
        ):
            made.close()
        other.execute("COMMIT")
    with recording(path) as made:
        made.add(LIST, played(0))
    assert list(results(path)) == [0]


def test_a_full_disk_is_said_and_later_it_goes_on(path: Path) -> None:
    once = played(0)
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    with recording(path) as made:
        made.add(LIST, once)
    with recording(path) as made:
        # No file of this process grows any more, as on a full disk; only the writer writes here.
        largest = max(file.stat().st_size for file in path.parent.iterdir())
        resource.setrlimit(resource.RLIMIT_FSIZE, (largest, before[1]))
        try:
            for number in range(1, 500):
                made.add(LIST, Pair(number, once.games))
            with pytest.raises(
                LadderLost, match=r"^\S+ cannot grow \(.*\): the disk is probably full; make room and run the same"
            ):
                made.close()
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)
    there = results(path)
    assert 0 in there
    assert len(there) < 500
    with recording(path) as made:
        for number in range(len(there), 500):
            made.add(LIST, Pair(number, once.games))
    assert sorted(results(path)) == list(range(500))
    assert migrate.check(path)


def test_a_signal_that_comes_just_before_the_last_wait_is_heard(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Such a signal does not end a wait for a lock: Python hears of it once the wait is over."""

    def join(timeout: float | None = None) -> None:
        assert timeout is not None, "nobody would hear of it"
        raise KeyboardInterrupt

    with recording(path) as made, monkeypatch.context() as patched:
        patched.setattr(made._thread, "join", join)
        with pytest.raises(KeyboardInterrupt):
            made.close()


@pytest.mark.parametrize("how", ["removed", "replaced"])
def test_a_database_that_is_gone_is_noticed(path: Path, tmp_path: Path, how: str) -> None:
    """SQLite would go on writing into a file without a name."""
    with recording(path) as made:
        made.check()
        if how == "replaced":
            migrate.prepare(tmp_path / "other.db")
            (tmp_path / "other.db").rename(path)
        else:
            path.unlink()
        with pytest.raises(
            LadderLost, match=r"^\S+ was moved, deleted or replaced while the ladder was running; put it back "
        ):
            made.check()


def test_a_file_that_is_no_database_is_refused(path: Path) -> None:
    path.write_text("Not a database, and long enough to be looked at by SQLite as one.\n" * 99)
    with pytest.raises(DatabaseError, match="is not a SQLite database"):
        LadderStore(path)
