"""A Dask cluster of processes on this machine, for one command or one server."""

from __future__ import annotations

import signal
from importlib import import_module
from typing import Any

from server.workers.fork_server import FROM_THE_TERMINAL


def local_cluster(number: int, **more: Any) -> Any:
    """A cluster of this many workers, with one thread each."""
    dask: Any = import_module("distributed")
    return dask.LocalCluster(
        n_workers=number, threads_per_worker=1, processes=True, dashboard_address="127.0.0.1:0", memory_limit=0,
        preload=[__name__], **more,
    )  # fmt: skip


def dask_setup(worker: object) -> None:
    """Dask calls it in the process of each worker: signals of the terminal reach that too, and are not for it."""
    for number in FROM_THE_TERMINAL:
        signal.signal(number, signal.SIG_IGN)
