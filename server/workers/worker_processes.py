"""The worker processes of a pool: as many as there is work for, each started before it is needed and ended when idle.

A worker that dies without a search, or cannot be started, is replaced after a pause that grows. Engines that remember
their games live in one worker, the *home*, which stays. One more worker has the kernels as plain Python while they are
being compiled, the *interpreter*.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from server.workers import child
from server.workers.child import Answered, Done, Failed, GameOver, Ready
from server.workers.children import Ending, ForkServer, Pauses
from server.workers.search import Worker
from server.workers.slot import SearchSlot

log = logging.getLogger(__name__)

OBEY_S = 0.1
"""A worker that goes on for this long after its search was stopped is killed: another one costs some milliseconds."""

HOME_OBEY_S = 5.0
"""The same of the worker whose engines remember their games, all of which would be lost with it."""

START_S = 120.0
"""A worker that is not ready after this long hangs, and with it the fork server, which loads what it needs."""

FORK_S = 30.0
"""The same where the fork server has loaded all that and needs some milliseconds."""

IDLE_S = 60.0
"""A worker that has nothing to do for this long is ended, except the last one."""

PRELOAD: Final = ("server.workers.child", "server.workers.preload")


class WorkerProcesses:
    """At most `count` workers besides the interpreter; `nice` and `own_session` set their priority.

    `on_outcome` gets what became of a worker's search, an answer or the worker's end, and `on_change` is called after
    that and whenever there is another worker, or one less. Nothing is told after `close`.
    """

    def __init__(
        self,
        *,
        count: int,
        nice: int,
        own_session: bool,
        interprets: bool,
        fork_server: Callable[..., ForkServer],
        on_outcome: Callable[[Worker, Done | Failed | Ending], None],
        on_change: Callable[[], None],
    ) -> None:
        self.all: list[Worker] = []
        """all but the interpreter"""
        self._idle: list[Worker] = []
        """those without a search; who was last busy goes first, so that the others may leave"""
        self.interpreter: Worker | None = None
        """once somebody waits for a search that may be interpreted"""
        self.interprets = interprets
        """until all is compiled, or an interpreter has died"""
        self.forks: ForkServer
        self._plain_forks: ForkServer
        self._count = count
        self._settings = (nice, own_session)
        self._fork_server = fork_server
        self._on_outcome = on_outcome
        self._on_change = on_change
        self._home: Worker | None = None
        """once there is a game that its engine remembers: its next move must come to it"""
        self._pauses = Pauses()
        self._next_start: asyncio.TimerHandle | None = None
        """while no worker is started, since the last attempt failed"""
        self._trouble = ""
        """why it failed, in a few words"""
        self._are_loaded = False
        self._loop: asyncio.AbstractEventLoop

    @property
    def idle(self) -> list[Worker]:
        """Workers without a search, except those whose end has come and is not told yet."""
        return [worker for worker in self._idle if worker.child.is_open]

    @property
    def busy(self) -> list[Worker]:
        """Workers with a search, including the interpreter."""
        workers = self.all if self.interpreter is None else [*self.all, self.interpreter]
        return [worker for worker in workers if worker.search is not None]

    @property
    def starting(self) -> int:
        return sum(not worker.ready for worker in self.all)

    @property
    def are_all(self) -> bool:
        """Whether there are as many as there may be, and none is starting."""
        return len(self.all) >= self._count and not self.starting

    @property
    def may_grow(self) -> bool:
        return self._next_start is None and len(self.all) < self._count

    @property
    def pids(self) -> list[int]:
        """Process ids of the workers that are ready."""
        return [worker.child.pid for worker in self.all if worker.ready and worker.child.pid is not None]

    @property
    def trouble(self) -> str:
        """Why there is no worker and none can be started, in a few words; empty where there is one, or soon will be."""
        return "" if any(worker.ready for worker in self.all) else self._trouble

    def start(self, loop: asyncio.AbstractEventLoop) -> None:
        """Start the fork servers and the first worker."""
        self._loop = loop
        self.forks = self._new_fork_server()
        self._plain_forks = self._new_fork_server({"NUMBA_DISABLE_JIT": "1"})
        self.grow(1)

    def grow(self, wanted: int) -> None:
        """Start workers until there are this many, or as many as there may be."""
        while self.may_grow and len(self.all) < wanted:
            worker = self._fork_worker(self.forks)
            if worker is not None:
                self.all.append(worker)

    def can_take(self, stays: bool) -> bool:
        """Whether an idle worker may have a search, which `stays` with the home or does not. Some worker must be
        idle."""
        return not stays or self._home is None or self._home in self.idle

    def take(self, stays: bool) -> Worker:
        """An idle worker for a search, idle no longer; for others than the home's another one if there is one."""
        idle = self.idle
        if stays:
            worker = self._home = self._home or idle[-1]
        else:
            worker = next((worker for worker in reversed(idle) if worker is not self._home), idle[-1])
        self._idle.remove(worker)
        _leave_not(worker)
        return worker

    def rest(self, worker: Worker) -> None:
        """The worker has nothing to do now."""
        worker.child.limit(None)
        if worker.interprets:
            if not self.interprets:
                self._dismiss_interpreter(worker)
            return
        if self._are_loaded and not worker.warm and worker is not self._home:
            self.all.remove(worker)
            worker.child.kill()
            return
        self._idle.append(worker)
        worker.leaving = self._loop.call_later(IDLE_S, self._leave, worker)

    def stop(self, worker: Worker) -> None:
        """Have it end its search."""
        worker.child.slot.stop = 1
        worker.child.limit(HOME_OBEY_S if worker is self._home else OBEY_S)

    def end_game(self, seed: int) -> None:
        """Tell the home, which does so once it has nothing else to do."""
        if self._home is not None:
            self._home.child.send(GameOver(seed))

    def free_interpreter(self) -> Worker | None:
        """A worker without a search; if there is none, start one."""
        worker = self.interpreter
        if worker is None and self._next_start is None:
            self.interpreter = self._fork_worker(self._plain_forks, interprets=True)
        return worker if worker is not None and worker.ready and worker.search is None else None

    def end_interpreting(self) -> None:
        """All is compiled."""
        self.interprets = False
        if self.interpreter is not None and self.interpreter.search is None:
            self._dismiss_interpreter(self.interpreter)

    async def load(self) -> None:
        """Workers that are forked from now on have the kernels, and take over."""
        loaded: asyncio.Future[bool] = self._loop.create_future()
        try:
            self.forks.load(child.load_kernels, lambda done: None if loaded.done() else loaded.set_result(done))
            async with asyncio.timeout(START_S):
                self._are_loaded = await loaded
        except TimeoutError:
            self.forks.restart()
        except OSError as error:
            log.warning("the fork server cannot be told to load", extra={"error": str(error)})
        if not self._are_loaded:
            log.warning("the kernels cannot be loaded beforehand, so each worker loads them")
            return
        for worker in [worker for worker in self._idle if not worker.warm and worker is not self._home]:
            self._dismiss(worker)

    def close(self) -> None:
        """End the workers and whatever they search."""
        for timer in (self._next_start, *(worker.leaving for worker in self._idle)):
            if timer is not None:
                timer.cancel()
        self.all.clear()
        self._idle.clear()
        self.forks.close()
        self._plain_forks.close()

    def _new_fork_server(self, environment: Mapping[str, str] = MappingProxyType({})) -> ForkServer:
        return self._fork_server(PRELOAD, self._loop, environment=environment)

    def _fork_worker(self, forks: ForkServer, interprets: bool = False) -> Worker | None:
        """The new worker; None where it cannot be forked: it is tried again after a pause.

        An interpreter has the priority of the compiler, beside which it works.
        """
        worker: Worker
        start_s = FORK_S if forks.is_loaded else START_S
        try:
            forked = forks.fork(
                child.work,
                (min(self._settings[0], child.WARM_UP_NICE), False) if interprets else self._settings,
                SearchSlot,
                lambda message: self._hear(worker, message),
                lambda ending: self._on_end(worker, ending),
            )
        except OSError as error:
            self._pause(error.strerror or repr(error))
            return None
        worker = Worker(forked, warm=self._are_loaded, interprets=interprets)
        forked.limit(start_s)
        return worker

    def _pause(self, trouble: str) -> None:
        """Starting a worker has failed, or it was of no use: try again, each time after a longer pause."""
        self._trouble = trouble
        pause_s = self._pauses.after_failure()
        log.warning("a worker cannot be started", extra={"trouble": trouble, "again_s": pause_s})
        self._next_start = self._loop.call_later(pause_s, self._start_again)

    def _start_again(self) -> None:
        self._next_start = None
        self._on_change()

    def _hear(self, worker: Worker, message: Ready | Answered) -> None:
        if isinstance(message, Ready):
            worker.ready = True
            self._trouble = ""
            self.rest(worker)
        elif isinstance(message, Answered) and worker.answers(message.number):
            self._pauses.reset()
            self._on_outcome(worker, message.outcome)
        else:
            log.warning("a worker answers what it was not asked", extra={"answer": repr(message)})
            worker.child.kill()
            self._on_end(worker, Ending())
        self._on_change()

    def _on_end(self, worker: Worker, ending: Ending) -> None:
        if worker.interprets:
            self._on_interpreters_end(worker, ending)
            return
        self.all.remove(worker)
        if worker is self._home:
            self._home = None
        if worker.search is not None:
            self._on_outcome(worker, ending)
        else:
            if worker in self._idle:
                self._idle.remove(worker)
            _leave_not(worker)
            if ending.hung:
                self.forks.restart()
            self._pause(f"the last one {ending}")
        self._on_change()

    def _on_interpreters_end(self, worker: Worker, ending: Ending) -> None:
        """This costs its search only time: it waits for compiled kernels now, as all others do."""
        log.warning("the worker that interprets has died", extra={"ending": str(ending)})
        self.interprets = False
        self._dismiss_interpreter(worker)
        if worker.search is not None:
            worker.search.makes_way = True
            self._on_outcome(worker, ending)
        self._on_change()

    def _dismiss_interpreter(self, worker: Worker) -> None:
        worker.child.kill()
        self.interpreter = None
        self._plain_forks.close()

    def _leave(self, worker: Worker) -> None:
        """The worker has had nothing to do for long."""
        if len(self.all) > 1 and worker is not self._home:
            self._dismiss(worker)

    def _dismiss(self, worker: Worker) -> None:
        _leave_not(worker)
        self._idle.remove(worker)
        self.all.remove(worker)
        worker.child.kill()


def _leave_not(worker: Worker) -> None:
    if worker.leaving is not None:
        worker.leaving.cancel()
        worker.leaving = None
