"""The process beside a server that speaks with a cluster, so that nothing of a cluster can hold up the server.

It knows the cluster's workers, gives each as many searches as it has threads, and asks those that search how far they
are. If one does not answer, its searches are given back at once, long before they would be overdue.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, suppress
from importlib import import_module
from typing import Any, Final, Protocol, TypeVar

from server.workers.child import Done, Failed, Job, ReviewJob
from server.workers.cluster import searches
from server.workers.cluster.address import processes, silent, with_certificates
from server.workers.cluster.build import Build, WrongBuild, build, wrong
from server.workers.cluster.local import local_cluster
from server.workers.cluster.words import Answer, Ask, FromGateway, Lost, Report, Said, Seats, ToGateway
from server.workers.fork_server import Channel

T = TypeVar("T")

CONNECT_S: Final = 10.0
START_S: Final = 60.0
"""Starting a cluster on this machine takes no longer, or is given up."""
ANSWER_S: Final = 2.0
"""Whoever does not answer a small question for this long hangs or is gone."""
SCHEDULER_S: Final = 5.0
"""A scheduler may be busy for longer; searches notice at once if it is gone."""
WORKERS_S: Final = 2.0
"""How often workers that join or leave are noticed."""
REPORTS_S: Final = 0.25


class Cluster(Protocol):
    """What is needed of Dask. Whatever it raises, the other side is gone."""

    async def threads(self) -> Mapping[str, int]:
        """Number of threads of each worker."""

    async def run(self, worker: str, function: Callable[..., Awaitable[T]], *arguments: object) -> T:
        """A coroutine function of a module, on the event loop of a worker, beside its tasks."""


class Gateway:
    """Searches on a cluster. `tell` gets what the server should know."""

    def __init__(self, cluster: Cluster, tell: Callable[[FromGateway], object], name: str) -> None:
        """`name` is this server's on the workers."""
        self._cluster = cluster
        self._tell = tell
        self._name = name
        self._seats: dict[str, int] = {}
        """the threads of each worker that may be used"""
        self._refused: set[str] = set()
        self._places: dict[int, str] = {}
        """the worker of each search"""
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._told_seats = 0

    def hear(self, word: ToGateway) -> None:
        """Obey a word from the server."""
        if isinstance(word, Ask):
            self._begin(word)
        elif word.number in self._places:
            self._spawn(self._stop(self._places[word.number], word.number))

    async def watch(self) -> None:
        """Watch until the cluster is lost; raises whatever says so."""
        while True:
            await self._look()
            for _ in range(round(WORKERS_S / REPORTS_S)):
                await asyncio.sleep(REPORTS_S)
                await self._ask_for_reports()

    async def _look(self) -> None:
        """Find the workers that are there and may be used."""
        threads = await asyncio.wait_for(self._cluster.threads(), SCHEDULER_S)
        for worker in [worker for worker in self._seats if worker not in threads]:
            self._leave(worker)
        self._refused &= threads.keys()
        asked = [worker for worker in threads if worker not in self._seats and worker not in self._refused]
        await asyncio.gather(*(self._try(worker, threads[worker]) for worker in asked))
        self._tell_seats()

    async def _try(self, worker: str, threads: int) -> None:
        """Use it, if it plays as we do and is ready."""
        try:
            ready = await self._ask(worker, searches.prepare, threads)
        except TimeoutError:  # the next time, perhaps
            return
        except Exception as error:  # whatever a worker raises that has another noughts, or none
            self._refuse(WrongBuild(worker, f"no noughts like this one ({type(error).__name__})"))
            return
        refused = wrong(worker, ready.build)
        if refused is not None:
            self._refuse(refused)
        elif ready.is_warm:
            self._seats[worker] = threads

    def _refuse(self, refused: WrongBuild) -> None:
        self._refused.add(refused.worker)
        self._leave(refused.worker)
        self._tell(Said(refused.sentence))

    def _leave(self, worker: str) -> None:
        """Give its searches back."""
        self._seats.pop(worker, None)
        for number in [number for number, place in self._places.items() if place == worker]:
            self._tasks[number].cancel()
            self._end(number, None)
        self._tell_seats()

    def _tell_seats(self) -> None:
        total = sum(self._seats.values())
        if total != self._told_seats:
            self._told_seats = total
            self._tell(Seats(total))

    def _begin(self, ask: Ask) -> None:
        busy = Counter(self._places.values())
        worker = max(self._seats, key=lambda one: self._seats[one] - busy[one], default=None)
        if worker is None:
            self._tell(Answer(ask.number, None))
            return
        self._places[ask.number] = worker
        self._tasks[ask.number] = asyncio.get_running_loop().create_task(
            self._search(worker, ask.number, ask.job, self._seats[worker])
        )

    async def _search(self, worker: str, number: int, job: Job | ReviewJob, threads: int) -> None:
        outcome: Done | Failed | Build | None
        try:
            outcome = await self._cluster.run(worker, searches.think, self._of(number), job, build(), threads)
        except Exception as error:
            self._tell(Said(f"A search on worker {worker} was lost: {type(error).__name__}."))
            outcome = None
        if isinstance(outcome, Build):
            self._refuse(WrongBuild(worker, str(outcome)))
        else:
            self._end(number, outcome)

    def _end(self, number: int, outcome: Done | Failed | None) -> None:
        del self._places[number], self._tasks[number]
        self._tell(Answer(number, outcome))

    async def _stop(self, worker: str, number: int) -> None:
        with suppress(Exception):  # a worker that does not answer is found by the next question
            await self._ask(worker, searches.stop, self._of(number))

    async def _ask_for_reports(self) -> None:
        busy: dict[str, list[int]] = {}
        for number, worker in self._places.items():
            busy.setdefault(worker, []).append(number)
        await asyncio.gather(*(self._ask_for_reports_of(worker, numbers) for worker, numbers in busy.items()))

    async def _ask_for_reports_of(self, worker: str, numbers: list[int]) -> None:
        names = {self._of(number): number for number in numbers}
        try:
            found = await self._ask(worker, searches.reports, list(names))
        except Exception as error:
            if worker in self._seats:
                self._tell(Said(f"Worker {worker} does not answer ({type(error).__name__}): its searches begin again."))
                self._leave(worker)
            return
        for name, report in found.items():
            self._tell(Report(names[name], *report))

    async def _ask(self, worker: str, function: Callable[..., Awaitable[T]], *arguments: object) -> T:
        return await asyncio.wait_for(self._cluster.run(worker, function, *arguments), ANSWER_S)

    def _of(self, number: int) -> str:
        return f"{self._name}-{number}"

    def _spawn(self, coroutine: Any) -> None:
        task = asyncio.get_running_loop().create_task(coroutine)
        _held.add(task)
        task.add_done_callback(_held.discard)


_held: set[asyncio.Task[Any]] = set()
"""Tasks that would be collected while they run if nobody held them."""


class _Dask:
    """A client of Dask as a `Cluster`."""

    def __init__(self, client: Any) -> None:
        self._client = client

    async def threads(self) -> Mapping[str, int]:
        return dict(await self._client.nthreads())

    async def run(self, worker: str, function: Callable[..., Awaitable[T]], *arguments: object) -> T:
        answers = await self._client.run(function, *arguments, workers=[worker])
        found: T = answers[worker]
        return found


def work(channel: Channel, slot: None, address: str) -> None:
    """The process: until the server closes the channel, or the cluster is lost."""
    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # what matters is told
    asyncio.run(_serve(channel, address))


async def _serve(channel: Channel, address: str) -> None:
    async with AsyncExitStack() as stack:
        try:
            client = await asyncio.wait_for(_connected(address, stack), START_S)
        except (OSError, ValueError, ImportError) as error:
            channel.send(Lost(silent(address, error)))
            return
        gateway = Gateway(_Dask(client), channel.send, client.id)
        over = asyncio.Event()
        loop = asyncio.get_running_loop()

        def listen() -> None:
            with suppress(EOFError, OSError, RuntimeError):
                while True:
                    loop.call_soon_threadsafe(gateway.hear, channel.receive())
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(over.set)

        threading.Thread(target=listen, name="server", daemon=True).start()
        watching = loop.create_task(gateway.watch())
        ended = loop.create_task(over.wait())
        await asyncio.wait([watching, ended], return_when=asyncio.FIRST_COMPLETED)
        if not over.is_set():
            trouble = watching.exception()
            channel.send(Lost(f"The cluster does not answer any more ({type(trouble).__name__})."))
        watching.cancel()
        ended.cancel()


async def _connected(address: str, stack: AsyncExitStack) -> Any:
    """Raises OSError or ValueError."""
    dask: Any = import_module("distributed")
    here = processes(address)
    if here is None:
        client = dask.Client(with_certificates(address), asynchronous=True, timeout=CONNECT_S)
        return await stack.enter_async_context(client)
    cluster = await stack.enter_async_context(local_cluster(here, asynchronous=True))
    return await stack.enter_async_context(dask.Client(cluster, asynchronous=True))
