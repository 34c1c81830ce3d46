"""Whole games in worker processes: bots that kill or hang theirs, chunks of games, and games held."""

from __future__ import annotations

import errno
import os
import signal
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import psutil
import pytest

from engine.bots import match
from engine.bots.match import Pairing, Played, Task, tasks
from engine.bots.player import Limit
from engine.bots.roster import bot
from engine.record.model import GameRecord
from server.workers import arena, children
from server.workers.engines import playing
from server.workers.engines.engine import Engine, EngineBot
from server.workers.slot import SIDES, GameSlot
from tests.support.foreign_engines.scripts import engine
from tests.support.ladder.faulty import bot as faulty_bot
from tests.support.workers.fake_arenas import Notebook
from tests.support.workers.troubled_games import (
    dying_before_any_move,
    dying_in_the_third_game,
    dying_once,
    failing,
    finishing_once_told,
    hanging_in_the_first_game,
    waiting_while_held,
)

BY_CHANCE = Pairing("tictactoe", bot("random"), bot("random"), 3, seed=4)


def untimed(record: GameRecord) -> GameRecord:
    return replace(record, moves=tuple(replace(move, think_ms=None, think_us=None) for move in record.moves))


def test_an_engine_that_plays_itself_is_made_ready_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made_ready: list[Engine] = []
    monkeypatch.setattr(playing, "prepare", lambda engine, rules: made_ready.append(engine))
    one, other = (EngineBot("bad", "bad", (), 1, engine("deaf", str(number))) for number in range(2))
    slot = GameSlot()

    def play(task: Task, watches: object) -> Played:
        assert (slot.mover, slot.loading) == (0, 0)
        return match.forfeited(task, (), None, "crash", "ended")

    for o in (one, other):
        task = tasks(Pairing("tictactoe", one, o, 1))[0]
        arena._game(play, task, 0, slot)
    assert made_ready == [one.engine, one.engine, other.engine]


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_killed_worker_forfeits_one_game(jobs: int) -> None:
    listed = tasks(BY_CHANCE)
    games = {game.task.number: game for game in arena.played(listed, jobs, dying_in_the_third_game)}
    assert sorted(games) == list(range(6))
    lost = games.pop(2)
    assert (lost.record.termination, lost.record.winner) == ("crash", "o")
    assert len(lost.record.cells()) == 4
    assert lost.record.start == listed[2].start
    assert lost.fault is not None
    assert lost.fault.startswith("Game 3, move 5: random (X) died with exit status")
    assert all(game.fault is None for game in games.values())
    whole = match.play(listed[2]).record
    assert whole.cells()[:4] == lost.record.cells()


def test_a_search_that_hangs_is_killed() -> None:
    listed = tasks(replace(BY_CHANCE, a_limit=Limit(move_ms=1), b_limit=Limit(move_ms=1)))
    games = {game.task.number: game for game in arena.played(listed, 1, hanging_in_the_first_game, grace_ms=500)}
    assert sorted(games) == list(range(6))
    assert (games[0].record.termination, games[0].record.winner) == ("stall", "x")
    assert games[0].fault == "Game 1, move 4: random (O) did not answer in time and was killed."


def test_a_worker_that_dies_with_nobody_to_blame_is_tried_twice() -> None:
    games = {game.task.number: game for game in arena.played(tasks(BY_CHANCE), 1, dying_before_any_move)}
    assert sorted(games) == list(range(6))
    assert games[1].record.termination == "aborted"
    assert games[1].a_points is None
    assert games[1].fault == "Game 2 was aborted: its process died with exit status -9."


def test_a_game_that_had_not_begun_begins_again(tmp_path: Path) -> None:
    listed = tasks(BY_CHANCE)[:2]
    games = list(arena.played(listed, 1, partial(dying_once, tmp_path / "once", False)))
    assert [untimed(game.record) for game in games] == [match.play(task).record for task in listed]


def test_a_game_in_which_a_bot_was_asked_does_not(tmp_path: Path) -> None:
    games = list(arena.played(tasks(BY_CHANCE)[:2], 1, partial(dying_once, tmp_path / "once", True)))
    assert [game.record.termination == "crash" for game in games] == [False, True]


def test_whatever_fails_in_a_worker_is_a_fault() -> None:
    listed = tasks(BY_CHANCE)[:2]
    games = list(arena.played(listed, 1, failing))
    assert [game.record.termination for game in games] == ["crash", "crash"]
    assert games[0].fault is not None
    assert games[0].fault.endswith("failed: LookupError: no such thing.")


def faulty(fault: str, games: int = 2, limit: Limit = Limit(move_ms=20)) -> list[Task]:  # noqa: B008
    """Games in which X is the faulty bot."""
    pairing = Pairing("tictactoe", faulty_bot(f"faulty:{fault}"), bot("random"), games, limit, limit)
    return [task for task in tasks(pairing) if task.a_side == "x"]


def chunked(
    listed: Sequence[Task], play: arena.Play = match.play, stall_ms: int | None = None, grace_ms: int = 1500
) -> list[Played]:
    """All of them as one chunk and whatever has to begin again."""
    games: list[Played] = []
    pool = arena.Arena(1, arena.search_modules(listed), grace_ms)
    try:
        waiting = [arena.Chunk(tuple(listed), play, stall_ms)]
        while waiting or pool.busy:
            if waiting:
                pool.begin(waiting.pop())
            ended = pool.next()
            assert ended is not None
            waiting += ended.again
            games += [game.played for game in ended.games]
            assert all(game.started_ms <= game.ended_ms for game in ended.games)
    finally:
        pool.close()
    return games


def test_a_chunk_is_played_in_one_go() -> None:
    listed = tasks(BY_CHANCE)
    games = chunked(listed)
    assert [game.task for game in games] == list(listed)
    assert [untimed(game.record) for game in games] == [match.play(task).record for task in listed]


def test_the_longest_game_of_the_largest_board_is_played_to_its_end() -> None:
    [task, _] = tasks(Pairing("mnk:20,20,20", bot("random"), bot("random"), 1))
    [game] = chunked([task])
    assert (game.fault, game.record.termination, len(game.record.cells())) == (None, "board_full", 400)


def test_a_worker_whose_answer_comes_at_the_last_moment_lives() -> None:
    pool = arena.Arena(1, [])
    try:
        pool.begin(arena.Chunk(tasks(BY_CHANCE)[:1]))
        [worker] = pool._workers
        child = worker.child
        assert child is not None
        pool._hear(worker, arena._Begun())
        child.limit(0)  # its time is up
        pool._hear(worker, arena._Games((), 0))
        assert pool.next(timeout_s=1) is not None
        pool.next(timeout_s=0.01)
        assert worker.child is child
    finally:
        pool.close()


def test_a_worker_that_dies_costs_its_chunk_one_game() -> None:
    listed = tasks(BY_CHANCE)
    games = chunked(listed, dying_in_the_third_game)
    assert sorted(game.task.number for game in games) == list(range(6))
    assert [game.task.number for game in games if game.fault] == [2]


@pytest.mark.parametrize(
    ("fault", "termination"),
    [
        ("crash", "crash"),
        ("die", "crash"),
        ("illegal", "illegal_move"),
        pytest.param("stall", "stall", marks=pytest.mark.slow),
        pytest.param("flag", "flag", marks=pytest.mark.slow),
    ],
)
def test_each_fault_has_its_termination(fault: str, termination: str) -> None:
    games = chunked(faulty(fault), partial(match.play, overrun_ms=300))
    assert [game.record.termination for game in games] == [termination] * 2
    assert [game.record.winner for game in games] == ["o"] * 2
    assert all(game.fault and f"faulty:{fault},100 (X)" in game.fault for game in games)


@pytest.mark.slow
def test_without_a_time_per_move_a_stall_has_a_bound_too() -> None:
    games = chunked(faulty("stall", 1, Limit(nodes=5)), stall_ms=300)
    assert [game.record.termination for game in games] == ["stall"]


@pytest.mark.parametrize("loading", [False, True], ids=["a search", "loading"])
def test_a_busy_machine_is_no_hang(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, loading: bool) -> None:
    """At each look it is past its bound on the clock, and has used a millisecond more."""
    [task, *_] = tasks(BY_CHANCE)
    play = partial(finishing_once_told, tmp_path / "told")
    pool = arena.Arena(1, arena.search_modules([task]))
    looks = 0

    def used_ms(pid: int) -> int:
        nonlocal looks
        looks += 1
        if looks == 15:  # more than a bound's worth of time
            (tmp_path / "told").touch()
        [worker] = pool._workers
        assert worker.child is not None
        return int(worker.child.slot.used_ms) + looks

    monkeypatch.setattr(arena, "cpu_ms", used_ms)
    try:
        pool.begin(arena.Chunk((task,), play, stall_ms=None if loading else 50))
        if loading:
            while not (pool.live() and pool.live()[0].moves):
                assert pool.next(timeout_s=0.01) is None
            [worker] = pool._workers
            assert worker.child is not None
            worker.child.slot.loading = 1
            monkeypatch.setattr(arena, "LOAD_MS", 50)
            pool._look(worker)
        ended = pool.next()
        assert ended is not None
        [game] = ended.games
        assert game.played.fault is None
        assert looks >= 15
    finally:
        pool.close()


def test_a_worker_that_died_before_it_was_killed_has_crashed() -> None:
    """Nobody has noticed yet, and by its slot it has thought for too long."""
    [task] = faulty("stall", 1, Limit(nodes=5))
    pool = arena.Arena(1, arena.search_modules([task]))
    try:
        pool.begin(arena.Chunk((task,), stall_ms=60_000))
        while not (pool.live() and SIDES[pool._workers[0].child.slot.mover] and pool.live()[0].moves):  # type: ignore[union-attr]
            assert pool.next(timeout_s=0.01) is None
        worker = pool._workers[0]
        assert worker.child is not None
        assert worker.child.pid is not None
        process = psutil.Process(worker.child.pid)
        process.kill()
        with suppress(psutil.NoSuchProcess):
            while process.status() != psutil.STATUS_ZOMBIE:
                pass
        worker.child.slot.since_ns, worker.child.slot.used_ms = 1, -60_000
        pool._look(worker)
        ended = pool.next()
        assert ended is not None
        assert [game.played.record.termination for game in ended.games] == ["crash"]
    finally:
        pool.close()


@pytest.mark.slow
def test_games_stand_still_while_held() -> None:
    [task, *_] = tasks(BY_CHANCE)
    pool = arena.Arena(1, arena.search_modules([task]))
    try:
        pool.hold(True)
        pool.begin(arena.Chunk((task,), waiting_while_held, stall_ms=300))
        assert pool.next(timeout_s=1.5) is None  # neither ended nor, though that is longer than stall_ms, killed
        pool.hold(False)
        ended = pool.next()
        assert ended is not None
        [game] = ended.games
        assert game.played.fault is None
        assert 200 <= game.played.record.moves[0].think_ms < 1000  # type: ignore[operator]
    finally:
        pool.close()


@pytest.mark.slow
def test_a_fork_server_that_hangs_is_made_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    listed = tasks(BY_CHANCE)
    pool = arena.Arena(1, arena.search_modules(listed))
    try:
        pool.begin(arena.Chunk(listed[:1]))
        assert pool.next() is not None
        [worker] = pool.pids
        hung = pool._forks.pid
        assert hung is not None
        os.kill(hung, signal.SIGSTOP)
        os.kill(worker, signal.SIGKILL)
        while pool.pids:  # it is seen without the fork server
            assert pool.next(timeout_s=0.01) is None
        monkeypatch.setattr(arena, "BEGIN_S", 0.3)
        pool.begin(arena.Chunk(listed))
        monkeypatch.undo()
        ended = pool.next()
        assert ended is not None
        assert [game.played.task for game in ended.games] == list(listed)
        assert pool._forks.pid != hung
    finally:
        pool.close()


def test_a_fork_server_that_is_killed_costs_nobody_a_game(tmp_path: Path) -> None:
    told = tmp_path / "told"
    chunks = [arena.Chunk((task,), partial(finishing_once_told, told)) for task in tasks(BY_CHANCE)[:2]]
    pool = arena.Arena(2, arena.search_modules([chunks[0].tasks[0]]))
    try:
        for chunk in chunks:
            pool.begin(chunk)
        for _ in range(2):
            while sum(one.loading == 0 for worker in pool._workers if (one := worker.child.slot.work())) < 2:  # type: ignore[union-attr]
                pool.next(timeout_s=0.05)
            assert pool._forks.pid is not None
            os.kill(pool._forks.pid, signal.SIGKILL)
            for _ in chunks:
                ended = pool.next()
                assert ended is not None
                assert (ended.games, [chunk.tasks for chunk in ended.again]) == ((), [ended.chunk.tasks])
                pool.begin(ended.again[0])
        told.touch()
        for _ in chunks:
            ended = pool.next()
            assert ended is not None
            assert [game.played.fault for game in ended.games] == [None]
    finally:
        pool.close()


def test_where_no_process_can_be_started_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(children, "LONGEST_PAUSE_S", 0.0)
    pool = arena.Arena(1, [])
    tries = []

    def refuse(*arguments: object) -> None:
        tries.append(arguments)
        raise OSError(errno.EMFILE, "Too many open files")

    monkeypatch.setattr(pool._forks, "fork", refuse)
    try:
        pool.begin(arena.Chunk(tasks(BY_CHANCE)))
        with pytest.raises(
            arena.CannotStart, match=r"^No process to play games in can be started: Too many open files\.$"
        ):
            pool.next()
        assert len(tries) == arena.STARTS
    finally:
        pool.close()


def test_a_start_that_fails_for_a_while_costs_no_game(monkeypatch: pytest.MonkeyPatch) -> None:
    pool = arena.Arena(1, [])
    fork, tries = pool._forks.fork, []

    def refuse_once(*arguments: Any) -> Any:
        tries.append(arguments)
        if len(tries) == 1:
            raise OSError(errno.EMFILE, "Too many open files")
        return fork(*arguments)

    monkeypatch.setattr(pool._forks, "fork", refuse_once)
    try:
        pool.begin(chunk := arena.Chunk(tasks(BY_CHANCE)[:2]))
        ended = pool.next()
        assert ended is not None
        assert (ended.chunk, len(ended.games), len(tries)) == (chunk, 2, 2)
    finally:
        pool.close()


def test_a_running_game_can_be_looked_at() -> None:
    [task, *_] = tasks(BY_CHANCE)
    pool = arena.Arena(1, arena.search_modules([task]))
    try:
        pool.hold(True)
        pool.begin(arena.Chunk((task,), waiting_while_held, stall_ms=300))
        while not (live := pool.live()) or len(live[0].moves) < 2:
            pool.next(timeout_s=0.05)
        assert live == [arena.Live(task, task.start)]
        pool.hold(False)
        assert pool.next() is not None
        assert (pool.live(), pool.free) == ([], 1)
    finally:
        pool.close()


@pytest.mark.parametrize(
    ("game_us", "chunk_s", "sizes"),
    [
        (1_000, 0.0, [1] * 100),
        (1_000_000, 0.2, [1] * 100),
        (20_000, 0.2, [1] * 4 + [10] * 6),
        (1, 0.2, [1] * 4 + [24, 18]),
    ],
)
def test_short_games_go_in_chunks_that_get_small_at_the_end(game_us: int, chunk_s: float, sizes: list[int]) -> None:
    listed = tasks(Pairing("tictactoe", bot("random"), bot("random"), 50))
    there = Notebook(2, game_us)
    played = list(arena.each(listed, there, chunk_s=chunk_s))
    assert sorted(game.task.number for game in played) == list(range(100))
    assert there.sizes[: len(sizes)] == sizes
    assert there.sizes[-1] == 1
