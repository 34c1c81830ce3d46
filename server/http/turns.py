"""Whose turn it is: what an address asks for beyond what it may have at once waits here, and the loop rests in between.

A loop that always has something to do starves more than its own callbacks: the database's writer is a thread, and
Python lets a thread wait for 5 ms each time that it comes back from SQLite. So a commit took as long as a flood.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable

from server.play.rate_limit import Buckets, TokenBucket

REST_S = 0.002
"""The least rest after a turn. Timers of the loop count whole milliseconds, so it may be half of this."""
COST_AT_ONCE = 25
"""What an address may ask for without waiting for turns, about a millisecond each: a page with what it loads."""
COST_PER_S = 100
TOGETHER_AT_ONCE = 500
"""What all addresses together may ask for without waiting: some hundred openings of a page, as after a restart."""
TOGETHER_PER_S = 250


class Turns:
    """One piece of work at a time, of each address in turn. After each the loop rests for as long as it may take."""

    def __init__(self, now_ms: Callable[[], int]) -> None:
        self._now_ms = now_ms
        self._at_once = Buckets(COST_PER_S, COST_AT_ONCE)
        self._together = TokenBucket(TOGETHER_PER_S, TOGETHER_AT_ONCE, now_ms())
        self._waiting: OrderedDict[str, deque[tuple[float, Callable[[], None]]]] = OrderedDict()
        self._resting = False

    @property
    def waiting(self) -> bool:
        return bool(self._waiting)

    def take(self, address: str, cost: float, work: Callable[[], None]) -> None:
        """Do this now if the address has asked for little lately, and all others too, else in its turn. The cost is in
        milliseconds."""
        now_ms = self._now_ms()
        if (
            address in self._waiting
            or self._at_once.wait_ms(address, now_ms, cost)
            or not self._together.take(now_ms, cost)
        ):
            self.wait(address, cost, work)
        else:
            work()

    def wait(self, address: str, cost: float, work: Callable[[], None]) -> None:
        """Do this in its turn."""
        self._waiting.setdefault(address, deque()).append((cost, work))
        if not self._resting:
            self._rest(cost=0)

    def _rest(self, cost: float) -> None:
        self._resting = True
        asyncio.get_running_loop().call_later(max(REST_S, cost / 1000), self._next)

    def _next(self) -> None:
        if not self._waiting:
            self._resting = False
            return
        address, mine = self._waiting.popitem(last=False)
        cost, work = mine.popleft()
        if mine:
            self._waiting[address] = mine  # behind all others
        self._rest(cost)
        work()
