"""An event loop whose time is made up: it never waits, and what happens at one moment happens in the order of a seed.

    call_soon      in the order of the calls, as asyncio promises
    call_at        no earlier than asked, and up to a millisecond later, as timers of a real loop are
    run_in_executor, the network and the disk answer by timers, so their order is that of the seed too

Several processes live on one loop. A callback belongs to the process in whose context it was asked for, and is not
called once that was killed: nothing of it runs again, and nothing is cleaned up, as after `kill -9`.
"""

from __future__ import annotations

import asyncio
import contextvars
import functools
import heapq
import itertools
import weakref
from collections import deque
from collections.abc import Callable, Coroutine, Generator
from concurrent.futures import Executor
from random import Random
from typing import Any, TypeVar, TypeVarTuple

T = TypeVar("T")
Ts = TypeVarTuple("Ts")

LATE_US = 1_000
"""A timer is at most so late."""
ANSWER_US = 5_000
"""What another thread is asked to do is answered after this at most."""
CALLBACKS_AT_ONE_MOMENT = 100_000


class Stuck(Exception):
    """Callbacks that call each other without end, or nothing left that could ever happen."""


class Process:
    """Something that may be killed."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.is_alive = True
        self.tasks: weakref.WeakSet[asyncio.Task[Any]] = weakref.WeakSet()

    def context(self) -> contextvars.Context:
        """What runs in it is of this process."""
        context = contextvars.copy_context()
        context.run(_PROCESS.set, self)
        return context


_PROCESS: contextvars.ContextVar[Process | None] = contextvars.ContextVar("process", default=None)


def process_of(context: contextvars.Context) -> Process | None:
    return context.get(_PROCESS)


class SimulatedLoop(asyncio.AbstractEventLoop):
    """`callbacks` counts them, `failures` are exceptions that nobody handled."""

    def __init__(self, seed: str) -> None:
        self._random = Random(f"{seed}: loop")
        self._now_us = 0
        self._ready: deque[asyncio.Handle] = deque()
        self._timers: list[tuple[int, int, asyncio.Handle]] = []
        self._numbers = itertools.count()
        self._dead: list[asyncio.Task[Any]] = []
        """of processes that were killed: to throw them away would run what cleans up after them"""
        self._is_closed = False
        self._moment = (0, 0)
        self.callbacks = 0
        self.failures: list[tuple[Process | None, str, BaseException | None]] = []

    # Time

    @property
    def now_us(self) -> int:
        return self._now_us

    def time(self) -> float:
        return self._now_us / 1_000_000

    # Callbacks

    def call_soon(
        self, callback: Callable[[*Ts], object], *args: *Ts, context: contextvars.Context | None = None
    ) -> asyncio.Handle:
        handle = asyncio.Handle(callback, args, self, context)
        if not self._is_closed:
            self._ready.append(handle)
        return handle

    def call_soon_threadsafe(
        self, callback: Callable[[*Ts], object], *args: *Ts, context: contextvars.Context | None = None
    ) -> asyncio.Handle:
        return self.call_soon(callback, *args, context=context)

    def call_later(
        self, delay: float, callback: Callable[[*Ts], object], *args: *Ts, context: contextvars.Context | None = None
    ) -> asyncio.TimerHandle:
        return self.call_at(self.time() + delay, callback, *args, context=context)

    def call_at(
        self, when: float, callback: Callable[[*Ts], object], *args: *Ts, context: contextvars.Context | None = None
    ) -> asyncio.TimerHandle:
        late_us = int(self._random.random() * LATE_US)
        timer = asyncio.TimerHandle(when, callback, args, self, context)
        self._push(round(when * 1_000_000) + late_us, timer)
        return timer

    def call_at_us(
        self, when_us: int, callback: Callable[[*Ts], object], *args: *Ts, context: contextvars.Context | None = None
    ) -> asyncio.Handle:
        """Exactly then: for what is no timer of the program."""
        handle = asyncio.Handle(callback, args, self, context)
        self._push(when_us, handle)
        return handle

    def _push(self, when_us: int, handle: asyncio.Handle) -> None:
        if not self._is_closed:
            heapq.heappush(self._timers, (when_us, next(self._numbers), handle))

    def _timer_handle_cancelled(self, handle: asyncio.TimerHandle) -> None:
        """For `asyncio.TimerHandle`."""

    # Futures and tasks

    def create_future(self) -> asyncio.Future[Any]:
        return asyncio.Future(loop=self)

    def create_task(
        self,
        coro: Generator[Any, None, T] | Coroutine[Any, Any, T],
        *,
        name: str | None = None,
        context: contextvars.Context | None = None,
    ) -> asyncio.Task[T]:
        task = asyncio.Task(coro, loop=self, name=name, context=context)
        process = context.get(_PROCESS) if context is not None else _PROCESS.get()
        if process is not None:
            process.tasks.add(task)
        return task

    def run_in_executor(self, executor: Executor | None, func: Callable[[*Ts], T], *args: *Ts) -> asyncio.Future[T]:
        """In place, and answered as if by another thread."""
        answer = self.create_future()
        try:
            result = func(*args)
        except Exception as error:
            self.call_at_us(self._now_us + self._random.randrange(ANSWER_US), _fail, answer, error)
        else:
            self.call_at_us(self._now_us + self._random.randrange(ANSWER_US), _settle, answer, result)
        return answer

    # Processes

    def kill(self, process: Process) -> None:
        """Nothing of it runs again."""
        process.is_alive = False
        pending = [task for task in process.tasks if not task.done()]
        for task in pending:
            task._log_destroy_pending = False  # type: ignore[attr-defined]
        self._dead += pending

    # Running

    def run_until_complete(self, future: Any) -> Any:
        """Raises Stuck."""
        asyncio._set_running_loop(self)
        try:
            task = asyncio.ensure_future(future, loop=self)
            while not task.done():
                self._step()
            return task.result()
        finally:
            asyncio._set_running_loop(None)

    def _step(self) -> None:
        if not self._ready:
            self._advance()
        handle = self._ready.popleft()
        if handle._cancelled:
            return
        process = process_of(handle._context)  # type: ignore[attr-defined]
        if process is not None and not process.is_alive:
            return
        self.callbacks += 1
        self._look_for_livelock()
        handle._run()

    def _advance(self) -> None:
        if not self._timers:
            raise Stuck("nothing is left that could ever happen")
        when_us, _, handle = heapq.heappop(self._timers)
        self._now_us = max(self._now_us, when_us)
        self._ready.append(handle)

    def _look_for_livelock(self) -> None:
        now_us, since = self._moment
        if now_us != self._now_us:
            self._moment = (self._now_us, self.callbacks)
        elif self.callbacks - since > CALLBACKS_AT_ONE_MOMENT:
            raise Stuck(f"more than {CALLBACKS_AT_ONE_MOMENT} callbacks at one moment")

    def is_running(self) -> bool:
        return not self._is_closed

    def is_closed(self) -> bool:
        return self._is_closed

    def close(self) -> None:
        """What is thrown away from here on calls nobody."""
        self._is_closed = True
        self._ready.clear()
        self._timers.clear()
        for task in asyncio.all_tasks(self):
            task._log_destroy_pending = False  # type: ignore[attr-defined]
        self._dead.clear()

    def get_debug(self) -> bool:
        return False

    def call_exception_handler(self, context: dict[str, Any]) -> None:
        if not self._is_closed:
            self.failures.append((_PROCESS.get(), context["message"], context.get("exception")))

    # Listening, for which the program passes on what its machine gave it

    def add_reader(self, fd: Any, callback: Callable[[*Ts], Any], *args: *Ts) -> None:
        fd.read(functools.partial(callback, *args))

    def remove_reader(self, fd: Any) -> bool:
        fd.stop_reading()
        return True

    async def connect_accepted_socket(self, protocol_factory: Any, sock: Any) -> Any:  # type: ignore[override]
        sock.begin(protocol_factory())


def simulated_loop(seed: str) -> SimulatedLoop:
    """A loop without those of asyncio's methods that the program never calls."""
    return SimulatedLoop(seed)  # type: ignore[abstract]


def _settle(answer: asyncio.Future[Any], result: object) -> None:
    if not answer.done():
        answer.set_result(result)


def _fail(answer: asyncio.Future[Any], error: Exception) -> None:
    if not answer.done():
        answer.set_exception(error)
