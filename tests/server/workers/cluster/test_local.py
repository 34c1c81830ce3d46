"""A Dask cluster of processes on this machine."""

from __future__ import annotations

import signal

import pytest

from server.workers.cluster.local import local_cluster
from server.workers.fork_server import FROM_THE_TERMINAL
from tests.support import optional

distributed = optional.module("distributed")


@pytest.mark.slow
def test_a_terminals_ctrl_c_is_not_for_its_workers() -> None:
    with local_cluster(1) as cluster, distributed.Client(cluster) as client:
        for number in FROM_THE_TERMINAL:
            assert [*client.run(signal.getsignal, number).values()] == [signal.SIG_IGN]
