"""Games on a Dask cluster: the same as here, and what becomes of them when workers or the whole cluster go."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from importlib.metadata import version
from typing import Any

import psutil
import pytest

from engine.bots.match import Pairing, Played, Task, tasks
from engine.bots.roster import bot
from engine.record.model import GameRecord
from server.workers import arena
from server.workers.arena import Chunk
from server.workers.cluster import build as builds
from server.workers.cluster import games, members
from server.workers.cluster.address import Misused
from server.workers.cluster.build import Build, build
from server.workers.cluster.games import ClusterArena
from server.workers.engines.engine import Engine, EngineBot
from tests.support import optional
from tests.support.workers.dask_cluster import certificates, two_threads

dask = optional.module("dask")
distributed = optional.module("distributed")

BY_CHANCE = tuple(tasks(Pairing("tictactoe", bot("random"), bot("random"), 10, seed=4)))


def untimed(record: GameRecord) -> GameRecord:
    return replace(record, moves=tuple(replace(move, think_ms=None, think_us=None) for move in record.moves))


def records(told: list[Played]) -> list[GameRecord]:
    return [untimed(game.record) for game in sorted(told, key=lambda game: game.task.number)]


def test_games_over_tls() -> None:
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    with (
        dask.config.set(certificates()),
        distributed.LocalCluster(
            n_workers=1, threads_per_worker=1, processes=False, dashboard_address="127.0.0.1:0", host="tls://127.0.0.1",
            security=distributed.Security(),
        ) as one,
    ):  # fmt: skip
        assert one.scheduler_address.startswith("tls://")
        there = played_by(ClusterArena(one.scheduler_address, print))
    assert records(there) == records(list(arena.played(BY_CHANCE, 1)))


def test_other_peoples_engines_stay_here() -> None:
    engine = EngineBot("mine", "mine", (), 1, Engine("mine", "mine.sh", "/", "json"))
    with pytest.raises(Misused, match="mine cannot play on a cluster, since its program is on this machine"):
        ClusterArena("local:1", print, [bot("random"), engine])


@pytest.fixture
def threads(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    with two_threads(monkeypatch) as one:
        yield one


def played_by(there: ClusterArena, told: list[Task] | None = None) -> list[Played]:
    return list(arena.each(list(BY_CHANCE) if told is None else told, there))


@pytest.mark.usefixtures("threads")
def test_games_are_the_same_there_as_here() -> None:
    said: list[str] = []
    there = played_by(ClusterArena("any", said.append))
    here = list(arena.played(BY_CHANCE, 1))
    assert records(there) == records(here)
    assert said == []


@pytest.mark.usefixtures("threads")
def test_a_worker_that_turns_out_to_be_of_another_build_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    there = ClusterArena("any", said.append)
    wrong = sorted(there._members.threads)[0]

    def numba(name: str) -> str:
        try:
            return "0.0" if distributed.get_worker().address == wrong else version(name)
        except ValueError:  # in no worker
            return version(name)

    monkeypatch.setattr(builds, "version", numba)
    assert records(played_by(there)) == records(list(arena.played(BY_CHANCE, 1)))
    other = replace(build(), numba="0.0")
    assert said == [f"Worker {wrong} is not used: it has {other}, and this is {build()}."]


@pytest.mark.usefixtures("threads")
def test_a_game_that_no_worker_survives_is_played_here(monkeypatch: pytest.MonkeyPatch) -> None:
    def dying(chunk: Chunk, wanted: Build, run: str) -> None:
        raise distributed.scheduler.KilledWorker("game", _Gone(), 4)

    monkeypatch.setattr(games, "play", dying)
    said: list[str] = []
    assert records(played_by(ClusterArena("any", said.append), [*BY_CHANCE[:1]])) == records(
        list(arena.played(BY_CHANCE[:1], 1))
    )
    assert [sentence.partition(":")[0] for sentence in said] == ["A game is played again"] * 3 + ["The cluster is lost"]


class _Gone:
    address = "tcp://nowhere"


def test_a_cluster_that_is_lost_leaves_the_rest_to_this_machine(threads: Any) -> None:
    said: list[str] = []
    there = ClusterArena("any", said.append)
    close: Callable[[], None] = there._client.close
    played = arena.each(list(BY_CHANCE), there)
    first = next(played)
    close()
    assert records([first, *played]) == records(list(arena.played(BY_CHANCE, 1)))
    assert said == ["The cluster is lost: the rest is played on this machine."]


def test_workers_that_join_play_too(threads: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(members, "WORKERS_S", 0.0)
    there = ClusterArena("any", print)
    assert there.jobs == 2
    threads.scale(3)
    there._client.wait_for_workers(3)
    assert there.next(0.0) is None
    assert there.jobs == 3
    there.close()


def test_a_cluster_without_a_worker_left_is_lost(threads: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(members, "WORKERS_S", 0.0)
    monkeypatch.setattr(members, "ALONE_S", 0.0)
    said: list[str] = []
    there = ClusterArena("any", said.append)
    there._client.retire_workers(sorted(there._members.threads))
    assert records(played_by(there)) == records(list(arena.played(BY_CHANCE, 1)))
    assert said == ["The cluster is lost: the rest is played on this machine."]


@pytest.mark.usefixtures("threads")
def test_what_a_killed_run_has_kept_ends_with_the_next_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "IDLE_S", 0.0)
    chunk = Chunk(BY_CHANCE[:1])
    assert isinstance(games.play(chunk, build(), "killed"), arena.Ended)
    [(kept, _)] = games._idle["killed"]
    [pid] = kept.pids
    assert isinstance(games.play(chunk, build(), "next"), arena.Ended)
    assert games._idle["killed"] == []
    assert not psutil.pid_exists(pid) or psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
    games.stop("next")


@pytest.mark.slow
def test_a_killed_worker_has_its_games_played_again() -> None:
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    there = ClusterArena("local:2", print)
    played = arena.each(list(BY_CHANCE), there)
    first = next(played)
    pids = there._client.run(os.getpid)
    psutil.Process(next(iter(pids.values()))).kill()
    assert records([first, *played]) == records(list(arena.played(BY_CHANCE, 1)))
