"""The signals that end a program: handled, so that the terminal is restored."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def ended_by_signals(leave: Callable[[int], None]) -> Iterator[None]:
    """Meanwhile each of them calls `leave` with the exit status by which shells know it."""
    if sys.platform == "win32":  # it has no SIGHUP, and its loops take no handlers
        yield
        return
    loop, ending = asyncio.get_running_loop(), (signal.SIGTERM, signal.SIGHUP)
    for number in ending:
        loop.add_signal_handler(number, leave, 128 + number)
    try:
        yield
    finally:
        for number in ending:
            loop.remove_signal_handler(number)
