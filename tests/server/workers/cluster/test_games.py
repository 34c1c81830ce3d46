"""Games on a Dask cluster: the same as here, and what becomes of them when workers or the whole cluster go."""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

import psutil
import pytest

from engine.bots.match import Pairing, Played, Task, tasks
from engine.bots.roster import bot
from engine.record.model import GameRecord
from server.workers import arena
from server.workers.arena import Chunk
from server.workers.cluster import build as builds
from server.workers.cluster import games
from server.workers.cluster.address import CannotPlayThere
from server.workers.cluster.build import Build, build
from server.workers.cluster.games import ClusterArena
from server.workers.engines.engine import Engine, EngineBot

dask = pytest.importorskip("dask")
distributed = pytest.importorskip("distributed")

TLS = Path(__file__).parents[3] / "data" / "tls"

BY_CHANCE = tuple(tasks(Pairing("tictactoe", bot("random"), bot("random"), 10, seed=4)))


def untimed(record: GameRecord) -> GameRecord:
    return replace(record, moves=tuple(replace(move, think_ms=None, think_us=None) for move in record.moves))


def certificates() -> dict[str, Any]:
    """Dask's configuration with one certificate for all, made for these tests."""
    cert, key = str(TLS / "cert.pem"), str(TLS / "key.pem")
    parts = {
        f"{who}.{part}": file
        for who in ("scheduler", "worker", "client")
        for part, file in (("cert", cert), ("key", key))
    }
    return {f"distributed.comm.tls.{name}": file for name, file in {**parts, "ca-file": cert}.items()}


def records(told: list[Played]) -> list[GameRecord]:
    return [untimed(game.record) for game in sorted(told, key=lambda game: game.task.number)]


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:1", "tcp://127.0.0.1:x"])
def test_a_scheduler_that_is_not_there(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "CONNECT_S", 0.2)
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    with pytest.raises(CannotPlayThere, match=f"No Dask scheduler answers at {address}: "):
        ClusterArena(address, print)


@pytest.mark.parametrize("part", ["ca-file", "client.cert"])
def test_tls_needs_certificates(part: str) -> None:
    with (
        dask.config.set(certificates() | {f"distributed.comm.tls.{part}": None}),
        pytest.raises(CannotPlayThere, match="at tls://there:1: name certificates in Dask's configuration"),
    ):
        ClusterArena("tls://there:1", print)


def test_games_over_tls() -> None:
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    with (
        dask.config.set(certificates()),
        distributed.LocalCluster(
            n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None, host="tls://127.0.0.1",
            security=distributed.Security(),
        ) as one,
    ):  # fmt: skip
        assert one.scheduler_address.startswith("tls://")
        there = played_by(ClusterArena(one.scheduler_address, print))
    assert records(there) == records(list(arena.played(BY_CHANCE, 1)))


def test_other_peoples_engines_stay_here() -> None:
    engine = EngineBot("mine", "mine", (), 1, Engine("mine", "mine.sh", "/", "json"))
    with pytest.raises(CannotPlayThere, match="mine cannot play on a cluster, since its program is on this machine"):
        ClusterArena("local:1", print, [bot("random"), engine])


# From here on the workers of the cluster are threads of this process, which is started in a moment.


@pytest.fixture
def threads(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A cluster of two workers in this process, in the place of whatever is connected to."""
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    one = distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=False, dashboard_address=None)
    client = distributed.Client(one)
    monkeypatch.setattr(games, "connected", lambda address: (one, client))
    yield one
    client.close()
    one.close()


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
def test_workers_of_another_build_are_refused_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    main = threading.main_thread()
    here = version("numba")
    monkeypatch.setattr(builds, "version", lambda name: here if threading.current_thread() is main else "0.0")
    said: list[str] = []
    with pytest.raises(CannotPlayThere, match="No worker of the cluster can be used: each must have this noughts"):
        ClusterArena("any", said.append)
    assert len(said) == 2
    assert said[0].startswith("Worker inproc://")
    assert f"is not used: it has {replace(build(), numba='0.0')}, and this is {build()}." in said[0]


@pytest.mark.usefixtures("threads")
def test_a_worker_that_turns_out_to_be_of_another_build_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    there = ClusterArena("any", said.append)
    wrong = sorted(there._good)[0]

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
    monkeypatch.setattr(games, "WORKERS_S", 0.0)
    there = ClusterArena("any", print)
    assert there.jobs == 2
    threads.scale(3)
    there._client.wait_for_workers(3)
    assert there.next(0.0) is None
    assert there.jobs == 3
    there.close()


def test_a_cluster_without_a_worker_left_is_lost(threads: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "WORKERS_S", 0.0)
    monkeypatch.setattr(games, "ALONE_S", 0.0)
    said: list[str] = []
    there = ClusterArena("any", said.append)
    there._client.retire_workers(sorted(there._good))
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
