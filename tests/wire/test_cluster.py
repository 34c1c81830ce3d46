"""A real Dask cluster whose workers are killed amid games, and ladders on it that are killed too."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.support import optional
from tests.support.ladder.process import count, done, games, running
from tests.support.live.searches import metric
from tests.support.live.server import Server, eventually, player, serving

distributed = optional.module("distributed")

LADDER = """
name = "night"
[[lists]]
game = "tictactoe"
pairs = 1000
opening_plies = 4
bots = ["random", "level:1", "alphabeta:1"]
[[lists]]
game = "mnk:4,4,3"
pairs = 50
bots = ["random", "level:1", "alphabeta:1"]
"""


@pytest.fixture
def cluster() -> Iterator[Any]:
    """Two workers, each in a process, which Dask starts again when it dies."""
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address="127.0.0.1:0", memory_limit=0
    ) as one:
        yield one


def processes(cluster: Any) -> list[psutil.Process]:
    """Of the workers."""
    with distributed.Client(cluster) as client:
        return [psutil.Process(pid) for pid in client.run(os.getpid).values()]


def kill_a_worker(cluster: Any) -> None:
    processes(cluster)[0].kill()


def kill_the_workers(cluster: Any) -> None:
    for process in processes(cluster):
        process.kill()


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_a_ladder_on_a_cluster_survives_its_own_death_and_that_of_workers(cluster: Any, tmp_path: Path) -> None:
    config, here, there = tmp_path / "night.toml", tmp_path / "here.db", tmp_path / "there.db"
    config.write_text(LADDER)
    status, _, said = done(config, here, "--jobs", "2")
    assert status == 0, said
    flags = ("--cluster", cluster.scheduler_address)
    for more in (5, 40):
        with running(config, there, *flags) as ladder:
            ladder.until_games(count(there) + more)
            kill_a_worker(cluster)
            ladder.until_games(count(there) + more)
        # leaving the block kills the ladder
        assert set(games(there)) <= set(games(here))
    with distributed.Client(cluster) as client:
        client.wait_for_workers(2, timeout=120)
    status, _, said = done(config, there, *flags)
    assert status == 0, said
    assert "2 games at a time" in said
    assert games(there) == games(here)


async def until_threads(server: Server, count: int) -> None:
    async with asyncio.timeout(300):
        while await metric(server, "noughts_cluster_threads") != count:  # noqa: ASYNC110  # nobody is told of it
            await asyncio.sleep(0.2)


@pytest.mark.slow
@pytest.mark.timeout(900)
async def test_a_server_on_a_cluster_survives_the_death_of_workers_and_of_the_cluster(
    cluster: Any, tmp_path: Path
) -> None:
    with serving(tmp_path, "--cluster", cluster.scheduler_address) as server:
        async with player(server) as client:
            for end in (kill_the_workers, distributed.LocalCluster.close):
                await until_threads(server, 2)
                made = await client.room(
                    "create", game="qubic", seat="o", opponent={"kind": "bot", "bot": "alphabeta:20"},
                    limit={"move_ms": 4_000},
                )  # fmt: skip
                room = made["room"]
                await client.message("thinking", room=room)
                assert await metric(server, "noughts_searches_running") == 1
                await asyncio.to_thread(end, cluster)
                moved = await client.event("moved", room=room)
                assert (moved["by"], moved["think_ms"] >= 4_000) == ("x", True)
                await client.ack("act", room=room, game=1, action="resign")
            await until_threads(server, 0)
            assert await metric(server, "noughts_searches_failed") == 0
        said = "the cluster is lost, bots think on this machine"
        await eventually(lambda: said in server.log.read_text(), said)
