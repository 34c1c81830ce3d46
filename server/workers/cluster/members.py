"""The workers of a Dask cluster that may be used: those with our build, as they come and go."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from importlib import import_module
from typing import Any, Final

from server.workers.cluster.address import CannotPlayThere, checked, processes, silent, with_certificates
from server.workers.cluster.build import Build, WrongBuild, build, wrong
from server.workers.cluster.local import local_cluster

CONNECT_S: Final = 10
ANSWER_S: Final = 5
"""A cluster that takes longer to say what it is counts as lost, a worker as hanging."""
WORKERS_S: Final = 2.0
"""How often workers that join or leave are noticed."""
ALONE_S: Final = 10.0
"""A cluster that has had no worker for this long is lost; dask starts a worker that has died again in less."""


class Members:
    """Use it from one thread. `client` is Dask's."""

    def __init__(self, address: str, say: Callable[[str], object]) -> None:
        """`say` is told in a sentence of each worker with another build. Raises CannotPlayThere without any of ours."""
        self._say = say
        self._cluster, self.client = connected(address)
        self.threads: dict[str, int] = {}
        """threads of each worker that has our build"""
        self._refused: set[str] = set()
        self._looked_s = self._peopled_s = time.monotonic()
        """when workers were last looked for, and when there was one that can be used"""
        try:
            self.look()
        except OSError as error:
            self.close()
            raise CannotPlayThere(silent(address, error)) from None
        if not self.threads:
            self.close()
            raise CannotPlayThere(
                f"No worker of the cluster can be used: each must have this noughts ({build()}); "
                "install the same release there and start it again."
            )

    @property
    def number(self) -> int:
        """How many threads can be used."""
        return sum(self.threads.values())

    @property
    def are_lost(self) -> bool:
        return bool(self.client.status != "running")

    @property
    def preference(self) -> Mapping[str, Any]:
        """The workers to submit to, if not all will do. Others are allowed: a restarted worker has another address."""
        return {"workers": list(self.threads), "allow_other_workers": True} if self._refused else {}

    def still_there(self) -> bool:
        """Check now and then who has joined or left. Return whether there is a worker to use, or may soon be."""
        if not self.are_lost and time.monotonic() - self._looked_s < WORKERS_S:
            return True
        with suppress(OSError):  # it may be back the next time
            if not self.are_lost:
                self.look()
        return not self.are_lost and time.monotonic() - self._peopled_s <= ALONE_S

    def look(self) -> None:
        """Find the workers that have our build. Raises OSError."""
        self._looked_s = time.monotonic()
        threads: Mapping[str, int] = self.client.nthreads(callback_timeout=ANSWER_S)
        self.threads = {worker: threads[worker] for worker in self.threads if worker in threads}
        asked = [worker for worker in threads if worker not in self.threads and worker not in self._refused]
        if asked:
            told: Mapping[str, Any] = self.client.run(
                build, workers=asked, on_error="return", callback_timeout=ANSWER_S
            )
            for worker, has in told.items():
                if (refused := wrong(worker, has)) is None:
                    self.threads[worker] = threads[worker]
                else:
                    self.refuse(refused)
        if self.threads:
            self._peopled_s = self._looked_s

    def refuse(self, refused: WrongBuild) -> None:
        """Stop using this worker."""
        self.threads.pop(refused.worker, None)
        if refused.worker not in self._refused:
            self._refused.add(refused.worker)
            self._say(refused.sentence)

    def close(self) -> None:
        with suppress(OSError):  # whatever has not ended by then ends with this process
            self.client.close(timeout=1)
            if self._cluster is not None:
                self._cluster.close(timeout=ANSWER_S)


def connected(address: str) -> tuple[Any, Any]:
    """A cluster of our own or None, and a client of it. Raises CannotPlayThere."""
    here = processes(checked(address))
    dask: Any = import_module("distributed")
    if here is not None:
        cluster = local_cluster(here)
        return cluster, dask.Client(cluster)
    try:
        return None, dask.Client(with_certificates(address), timeout=CONNECT_S)
    except (OSError, ValueError) as error:
        raise CannotPlayThere(silent(address, error)) from None


# What follows runs in the workers of the cluster.


def wrong_here(wanted: Build) -> WrongBuild | None:
    """Whether this worker is of another build than whoever sent something to it."""
    if build() == wanted:
        return None
    dask: Any = import_module("distributed")
    return WrongBuild(dask.get_worker().address, str(build()))
