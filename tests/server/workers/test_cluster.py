"""Games on a Dask cluster: the same as here, and what becomes of them when workers or the whole cluster go."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from importlib.metadata import version
from typing import Any

import pytest

from engine.bots.match import Pairing, Played, Task, tasks
from engine.bots.roster import bot
from engine.record.model import GameRecord
from server.workers import arena, cluster
from server.workers.arena import Chunk
from server.workers.cluster import Build, CannotPlayThere, ClusterArena, build

distributed = pytest.importorskip("distributed")

BY_CHANCE = tuple(tasks(Pairing("tictactoe", bot("random"), bot("random"), 10, seed=4)))


def untimed(record: GameRecord) -> GameRecord:
    return replace(record, moves=tuple(replace(move, think_ms=None, think_us=None) for move in record.moves))


def records(games: list[Played]) -> list[GameRecord]:
    return [untimed(game.record) for game in sorted(games, key=lambda game: game.task.number)]


@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        ("local:0", "write local:N with N processes"),
        ("local:two", "write local:N with N processes"),
        ("local", "write local:N with N processes"),
        ("http://127.0.0.1:8786", "write tcp://HOST:PORT, tls://HOST:PORT or local:N"),
        ("tcp:127.0.0.1:8786", "write tcp://HOST:PORT, tls://HOST:PORT or local:N"),
        ("tcp://127.0.0.1:1", "No Dask scheduler answers at tcp://127.0.0.1:1: "),
        ("tcp://127.0.0.1:x", "No Dask scheduler answers at tcp://127.0.0.1:x: "),
    ],
)
def test_an_address_without_a_cluster(address: str, sentence: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "CONNECT_S", 0.2)
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    with pytest.raises(CannotPlayThere) as error:
        ClusterArena(address, print)
    assert sentence in error.value.message


def test_without_dask_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "distributed", None)
    with pytest.raises(CannotPlayThere, match="install noughts with its extra cluster"):
        ClusterArena("local:1", print)


def test_a_build_is_the_engine_its_books_python_and_numba() -> None:
    assert build() == build()
    assert len(build().engine) == 12
    assert str(build()).startswith(f"engine {build().engine}, Python 3.")


# From here on the workers of the cluster are threads of this process, which is started in a moment.


@pytest.fixture
def threads(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A cluster of two workers in this process, in the place of whatever is connected to."""
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    one = distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=False, dashboard_address=None)
    client = distributed.Client(one)
    monkeypatch.setattr(cluster, "_connected", lambda address: (one, client))
    yield one
    client.close()
    one.close()


def played_by(games: ClusterArena, told: list[Task] | None = None) -> list[Played]:
    return list(arena.each(list(BY_CHANCE) if told is None else told, games))


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
    monkeypatch.setattr(cluster, "version", lambda name: here if threading.current_thread() is main else "0.0")
    said: list[str] = []
    with pytest.raises(CannotPlayThere, match="No worker of the cluster can be used: each must have this noughts"):
        ClusterArena("any", said.append)
    assert len(said) == 2
    assert said[0].startswith("Worker inproc://")
    assert f"is not used: it has {replace(build(), numba='0.0')}, and this is {build()}." in said[0]


@pytest.mark.usefixtures("threads")
def test_a_worker_that_turns_out_to_be_of_another_build_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    games = ClusterArena("any", said.append)
    wrong = sorted(games._good)[0]

    def numba(name: str) -> str:
        try:
            return "0.0" if distributed.get_worker().address == wrong else version(name)
        except ValueError:  # in no worker
            return version(name)

    monkeypatch.setattr(cluster, "version", numba)
    assert records(played_by(games)) == records(list(arena.played(BY_CHANCE, 1)))
    other = replace(build(), numba="0.0")
    assert said == [f"Worker {wrong} is not used: it has {other}, and this is {build()}."]


@pytest.mark.usefixtures("threads")
def test_a_game_that_no_worker_survives_is_played_here(monkeypatch: pytest.MonkeyPatch) -> None:
    def dying(chunk: Chunk, wanted: Build, run: str) -> None:
        raise distributed.scheduler.KilledWorker("game", _Gone(), 4)

    monkeypatch.setattr(cluster, "play", dying)
    said: list[str] = []
    assert records(played_by(ClusterArena("any", said.append), [*BY_CHANCE[:1]])) == records(
        list(arena.played(BY_CHANCE[:1], 1))
    )
    assert [sentence.partition(":")[0] for sentence in said] == ["A game is played again"] * 3 + ["The cluster is lost"]


class _Gone:
    address = "tcp://nowhere"


def test_a_cluster_that_is_lost_leaves_the_rest_to_this_machine(threads: Any) -> None:
    said: list[str] = []
    games = ClusterArena("any", said.append)
    close: Callable[[], None] = games._client.close
    played = arena.each(list(BY_CHANCE), games)
    first = next(played)
    close()
    assert records([first, *played]) == records(list(arena.played(BY_CHANCE, 1)))
    assert said == ["The cluster is lost: the rest is played on this machine."]


@pytest.mark.slow
def test_a_killed_worker_has_its_games_played_again() -> None:
    import psutil

    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    games = ClusterArena("local:2", print)
    played = arena.each(list(BY_CHANCE), games)
    first = next(played)
    pids = games._client.run(__import__("os").getpid)
    psutil.Process(next(iter(pids.values()))).kill()
    assert records([first, *played]) == records(list(arena.played(BY_CHANCE, 1)))
