"""When Python looks for objects that only keep each other in memory: among the young as it likes, among all when nobody
is connected.

A look among all stops the event loop for as long as there is much in memory: 70 ms with 100,000 objects, seconds with
thousands of rooms. What the server lets go leaves no such objects, so nothing is lost by looking seldom.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import time
from collections.abc import Callable

log = logging.getLogger(__name__)

YOUNG_OBJECTS = 2_000
"""So many new objects before Python looks among them, by default 700: a sixth of a move's cost, since batches of moves
on their way are that many and hold none."""
YOUNG_LOOKS = 2
"""So many such looks before one among those that were left, by default 10. To look among 10,000 took 5 ms."""
NEVER = 2**31 - 1
PERIOD_S = 3600.0
AT_LATEST_PERIODS = 24
"""Where somebody is connected at the end of each, Python looks all the same after so many."""


def spare_the_loop() -> None:
    """What is in memory now stays, and Python looks among the young alone, until `look_among_all`."""
    gc.freeze()
    gc.set_threshold(YOUNG_OBJECTS, YOUNG_LOOKS, NEVER)


async def look_among_all(connected: Callable[[], int], period_s: float = PERIOD_S) -> None:
    """Look among all at the end of a period in which nobody is `connected`, and of a day of others. Never ends."""
    periods = 0
    while True:
        await asyncio.sleep(period_s)
        periods += 1
        if connected() and periods < AT_LATEST_PERIODS:
            continue
        periods = 0
        begun_ns = time.perf_counter_ns()
        found = gc.collect()
        took_ms = (time.perf_counter_ns() - begun_ns) // 1_000_000
        log.info("looked for cycles", extra={"found": found, "took_ms": took_ms})
