"""Leaves on a Dask cluster whose workers are threads of this process."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest

from client.lab.solve.nine_board import cluster as nine_board_cluster
from client.lab.solve.nine_board import search as nine_board_search
from client.lab.solve.nine_board.cluster import ClusterWorkers
from client.lab.solve.nine_board.search import ClusterLost, Leaf, Looked, TreeSearch
from engine.search.solve.nine_board_solver import Solver
from server.workers.cluster import members
from server.workers.cluster.address import CannotPlayThere
from server.workers.cluster.build import Build, WrongBuild
from tests.support import optional
from tests.support.engine.nine_board_positions import played
from tests.support.workers.dask_cluster import two_threads

distributed = optional.module("distributed")

O_WINS = "7/5 5/7 7/3 3/1 1/1 1/9 9/8 8/6 6/4 4/3 3/4 4/8 8/8 8/1 1/3 3/6 6/7 7/4 4/1 1/8 8/4 4/4 4/7 7/7 7/9 9/5"


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    monkeypatch.setattr(nine_board_search, "LEAF_NODES", 2_000)
    with two_threads(monkeypatch) as one:
        yield one


def test_the_answer_is_the_solvers(cluster: Any) -> None:
    seen: list[Looked] = []
    with closing(ClusterWorkers("local:2", 1 << 12, print)) as workers:
        assert workers.free == 2
        solver = Solver(entries=1 << 12)
        found = TreeSearch(solver, workers, played(O_WINS), seen.append).solve()
    assert found == Solver().solve(played(O_WINS))
    assert len(seen) > 5
    assert all(looked.cpu_elsewhere_s > 0 for looked in seen)
    assert sum(looked.nodes_elsewhere for looked in seen) > solver.nodes


def test_workers_with_another_build_are_not_used(cluster: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    monkeypatch.setattr(members, "build", lambda: Build("other", "3", "0"))
    with pytest.raises(CannotPlayThere, match="No worker of the cluster can be used"):
        ClusterWorkers("local:2", 64, told.append)
    assert len(told) == 2
    assert "is not used" in told[0]


def test_searches_that_fail_again_and_again_end_it(cluster: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(leaf: Leaf, entries: int, wanted: Build) -> Looked:
        raise MemoryError

    monkeypatch.setattr(nine_board_cluster, "look_there", fails)
    with closing(ClusterWorkers("local:2", 64, print)) as workers:
        solver = Solver(entries=64)
        with pytest.raises(ClusterLost, match=r"3 searches on the cluster failed one after the other, .*MemoryError"):
            TreeSearch(solver, workers, played(O_WINS), print).solve()


def test_a_worker_that_turns_out_to_be_of_another_build_gives_its_leaf_back(
    cluster: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    with closing(ClusterWorkers("local:2", 64, told.append)) as workers:
        other = WrongBuild(sorted(workers._members.threads)[0], "another")
        monkeypatch.setattr(nine_board_cluster, "wrong_here", lambda wanted: other)
        leaf = Leaf("x", (0, 0, 0), True, 1)
        workers.begin(leaf)
        back = None
        while back is None:
            back = workers.next()
        assert back == leaf
        assert workers.free == 1
        assert len(told) == 1


def test_a_cluster_that_is_gone_is_lost(cluster: Any) -> None:
    with closing(ClusterWorkers("local:2", 64, print)) as workers:
        workers._members.client.close()
        with pytest.raises(ClusterLost, match="is lost"):
            workers.next()
