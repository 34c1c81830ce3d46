"""The signals that end a program: taken, so that the terminal becomes again what it was."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

_ENDING = ("SIGTERM", "SIGHUP")


@contextmanager
def ended_by_signals(leave: Callable[[int], None]) -> Iterator[None]:
    """Meanwhile each of them calls `leave` with the exit status by which shells know it."""
    loop = asyncio.get_running_loop()
    taken = []
    with suppress(NotImplementedError, AttributeError):  # Windows
        for name in _ENDING:
            number = getattr(signal, name)
            loop.add_signal_handler(number, leave, 128 + number)
            taken.append(number)
    try:
        yield
    finally:
        for number in taken:
            loop.remove_signal_handler(number)
