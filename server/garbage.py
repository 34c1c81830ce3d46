"""When Python looks for objects that only keep each other in memory: by the clock among the young, and among all when
nobody is connected.

Left to itself, Python looks when a thousand more objects were made than freed. Where as many are freed as made, as in a
flood, the young objects number tens of thousands by then, and a look among them stops the event loop for 10 to 20 ms; a
look among all 100,000 stops it for 70. By the clock they are few. What the server frees leaves no such cycles, so it
costs nothing to look among the old ones rarely.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import time
from collections.abc import Callable

log = logging.getLogger(__name__)

YOUNG_EVERY_S = 0.02
ALL_EVERY_S = 3600.0
PATIENCE = 24
"""If somebody is connected each time that a look among all is due, every 24th is made all the same."""


def spare_the_loop() -> None:
    """Never look at what is in memory now, and keep Python from looking by itself."""
    gc.freeze()
    gc.disable()


async def look_among_young(every_s: float = YOUNG_EVERY_S) -> None:
    """Look among the new, and each second time among those that the look before left too. Never ends."""
    while True:
        for oldest in (0, 1):
            await asyncio.sleep(every_s)
            gc.collect(oldest)


async def look_among_all(connected: Callable[[], int], every_s: float = ALL_EVERY_S) -> None:
    """Look whenever it is due and nobody is `connected`, and each 24th time in any case. Never ends."""
    put_off = 0
    while True:
        await asyncio.sleep(every_s)
        put_off += 1
        if connected() and put_off < PATIENCE:
            continue
        put_off = 0
        begun_ns = time.perf_counter_ns()
        found = gc.collect()
        took_ms = (time.perf_counter_ns() - begun_ns) // 1_000_000
        log.info("looked for cycles", extra={"found": found, "took_ms": took_ms})
