"""A search on its way, from whoever asked for it to the worker that makes it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, Generic, Literal, Protocol, TypeVar

from engine.rules.termination import FaultTermination
from server.workers.child import Done, Failed, Job, ReviewJob
from server.workers.children import Child
from server.workers.search_queue import Owner

SearchFailure = Literal["crash", "stall"]
Answer = TypeVar("Answer")


class Priority(IntEnum):
    PERSON = 0
    """a person waits for their opponent"""
    WATCHED = 1
    BACKGROUND = 2
    REVIEW = 3
    """a move of a finished game is judged"""


@dataclass(eq=False, slots=True)
class Search(Generic[Answer]):
    """One search on its way. The callbacks run on the event loop; none is called after it was stopped.

    A `Job` is answered by a `Decision`; a `ReviewJob`, whose priority is REVIEW, by what was judged.
    """

    job: Job | ReviewJob
    priority: Priority
    owner: Owner
    started: Callable[[], None]
    progressed: Callable[[int, int, float, tuple[int, ...]], None]
    """nodes, depth, value, principal variation"""
    finished: Callable[[Answer, int], None]
    """the answer and the microseconds it took"""
    failed: Callable[[SearchFailure], None]
    faulted: Callable[[FaultTermination, str], None] = lambda termination, what: None
    """Called where the bot did something wrong, with what ends a sentence that begins with its name."""
    needs: frozenset[str] = frozenset()
    """The stages of `engine.search.warm` without which it would have to compile."""
    interpretable: bool = False
    """Whether its kernels may run as plain Python until they are compiled."""
    attempts: int = 0
    orphaned: int = 0
    """how often its worker has died with the fork server, which is no attempt"""
    worker: Worker | None = None
    """while it runs"""
    begun_s: float = 0.0
    """by the loop's clock, while it runs"""
    seen: int = 0
    stopped: bool = False
    makes_way: bool = False
    """Whether it was broken off for a person and begins again."""
    is_elsewhere: bool = False
    """Whether it runs on another machine."""
    is_lost_elsewhere: bool = False
    """Another machine has lost it, so it runs here."""


class Elsewhere(Protocol):
    """Workers of other machines."""

    @property
    def running(self) -> Collection[Search[Any]]:
        """Searches that were begun and have not ended, including those that are stopped."""

    def start(self, freed: Callable[[], None], ended: Callable[[Search[Any], Done | Failed | None], None]) -> None:
        """`freed` is called when there is more room, `ended` once for each search: with None where it was lost."""

    def takes(self, search: Search[Any]) -> bool:
        """Whether it has room for this one."""

    def suits(self, search: Search[Any]) -> bool:
        """Whether this one is worth the way."""

    def begin(self, search: Search[Any]) -> None: ...
    def stop(self, search: Search[Any]) -> None: ...
    def note(self, job: Job | ReviewJob, took_ms: float) -> None:
        """What a search has taken, wherever it ran."""

    def close(self) -> None:
        """Nothing is told any more."""


@dataclass(eq=False, slots=True)
class Worker:
    """A process, and what it is busy with."""

    child: Child
    warm: bool
    """Whether it was forked when the kernels were loaded."""
    interprets: bool = False
    """Whether its kernels are plain Python."""
    compiled: frozenset[str] = frozenset()
    """The stages of `engine.search.warm` that it has needed for an answer, so that it has them."""
    ready: bool = False
    search: Search[Any] | None = None
    asked: int = 0
    """how many jobs it was given; each answer names its job's number"""
    leaving: asyncio.TimerHandle | None = None
    """while it is idle"""

    def answers(self, number: int) -> bool:
        """Whether an answer of that number is one to what it searches."""
        return self.search is not None and number == self.asked
