"""A fair queue of addresses: whatever an address asks for beyond its burst waits, and the loop rests in between.

A loop that always has something to do starves more than its own callbacks. A move waits for it when it arrives, when
its commit begins and when that is done, each time behind all that is ready; and the thread that commits waits for
Python. So those who send little go first, however many others send much.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable

from server.play.rate_limit import Buckets, TokenBucket

TURN_COST = 1
"""What is done in one turn, about a millisecond each; what costs more has a turn of its own."""
REST_S = 0.002
"""The least rest after a turn. Timers of the loop count whole milliseconds, so it may be half of this."""
COST_AT_ONCE = 12
"""What an address may ask for without waiting for turns: most of what a page and its files need."""
COST_PER_S = 100
TOGETHER_AT_ONCE = 25
"""What all addresses together may ask for without waiting: more would hold a move up for longer."""
TOGETHER_PER_S = 250
LITTLE_AT_ONCE = 1
LITTLE_PER_S = 1.2
"""What an address may send that is read at once even while others wait: twelve moves a second, and ten in a burst. A
hundred addresses that nobody has seen before may each have that burst, and take half of the loop after it."""


class FairQueue:
    """A little work at a time, from each address in turn; after each turn the loop rests for as long as it took.

    `now_us` is a monotonic clock. If not `bounded`, nothing that is sent waits.
    """

    def __init__(self, now_us: Callable[[], int], *, bounded: bool = True) -> None:
        self._now_us = now_us
        self._bounded = bounded
        self._little = Buckets(LITTLE_PER_S, LITTLE_AT_ONCE)
        self._at_once = Buckets(COST_PER_S, COST_AT_ONCE)
        self._together = TokenBucket(TOGETHER_PER_S, TOGETHER_AT_ONCE, now_us() // 1000)
        self._waiting: OrderedDict[str, deque[tuple[float, Callable[[], None]]]] = OrderedDict()
        self._spent = 0.0
        """since the last rest"""
        self._resting = False

    @property
    def waiting(self) -> bool:
        return bool(self._waiting)

    def is_due(self, address: str, cost: float) -> bool:
        """Whether this address may have something of this cost now: because it and all that the address asked for
        lately are little, or because nobody waits."""
        if not self._bounded or self._is_little(address, cost):
            return True
        if self._resting or self._waiting:
            return False
        self._spend(cost)
        return True

    def take(self, address: str, cost: float, work: Callable[[], None]) -> None:
        """Do this now if the address, and all others together, have asked for little lately; otherwise in its turn. The
        cost is in milliseconds."""
        now_ms = self._now_us() // 1000
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
            self._rest(0)

    async def turn(self, address: str, cost: float) -> None:
        """Return when this address may have something of this cost."""
        if self.is_due(address, cost):
            return
        come: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.wait(address, cost, lambda: None if come.done() else come.set_result(None))
        await come

    def _is_little(self, address: str, cost: float) -> bool:
        return cost <= LITTLE_AT_ONCE and not self._little.wait_ms(address, self._now_us() // 1000, cost)

    def _spend(self, cost: float) -> None:
        self._spent += cost
        if self._spent >= TURN_COST:
            cost, self._spent = self._spent, 0.0
            self._rest(cost)

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
        loop = asyncio.get_running_loop()
        loop.call_soon(work)  # separately: one that fails does not stop those behind it
        loop.call_soon(self._after, cost, self._now_us())

    def _after(self, cost: float, since_us: int) -> None:
        """Go on in the loop's next round, after whatever has come meanwhile, or rest."""
        self._spent += max(cost, (self._now_us() - since_us) / 1000)
        if self._waiting and self._spent < TURN_COST:
            self._next()
        else:
            spent, self._spent = self._spent, 0.0
            self._rest(spent)
