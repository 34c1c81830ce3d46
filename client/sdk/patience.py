"""Repeating a request that the server cannot grant just now, or did not answer before the connection was lost."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from itertools import chain, repeat
from typing import TypeVar

from client.sdk.errors import RequestRefused, ServerUnreachable

DELAYS_S: tuple[float, ...] = (0.2, 0.5, 1, 2, 5)
"""The delay before each new attempt; the last one holds for all that follow."""

Answer = TypeVar("Answer")


async def until_possible(ask: Callable[[], Awaitable[Answer]]) -> Answer:
    """What `ask` returns in the end. Raises whatever it raises, except temporary refusals."""
    for delay_s in chain(DELAYS_S, repeat(DELAYS_S[-1])):
        try:
            return await ask()
        except RequestRefused as refused:
            if not refused.temporary:
                raise
        except ServerUnreachable as lost:
            if not lost.in_doubt:
                raise
        # Apart, since requests that were refused together would only be too many again.
        await asyncio.sleep(delay_s * random.uniform(0.5, 1.5))
    raise AssertionError("delays never end")
