"""The signals that end what takes long, in order: Ctrl-C, SIGTERM, and SIGHUP, which comes when a terminal closes."""

from __future__ import annotations

import os
import select
import signal
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from types import FrameType
from typing import Final, TypeAlias

from server.console.streams import forget

Handler: TypeAlias = Callable[[int, FrameType | None], object] | signal.Handlers

_HUNG_UP: Final = select.POLLHUP | select.POLLERR


def ending_signals() -> list[signal.Signals]:
    """Those that end a command besides Ctrl-C. Under `nohup` SIGHUP is ignored, and stays so."""
    ending = [signal.SIGTERM]
    if signal.getsignal(signal.SIGHUP) != signal.SIG_IGN:
        ending.append(signal.SIGHUP)
    return ending


@contextmanager
def interrupted_by_signals() -> Iterator[None]:
    """Meanwhile the signals that end a command do what Ctrl-C does."""

    def interrupt(number: int, frame: FrameType | None) -> None:
        expect_next(number)
        if not callable(signal.getsignal(signal.SIGINT)):
            raise KeyboardInterrupt
        _send_to_itself(signal.SIGINT)

    with _blocked_not_ignored(signal.SIGINT), handled(dict.fromkeys(ending_signals(), interrupt)):
        yield


@contextmanager
def _blocked_not_ignored(number: signal.Signals) -> Iterator[None]:
    """A shell has what it starts in the background ignore Ctrl-C, and an event loop takes no handler of its own then:
    what ended it would be raised in any callback, and some swallow it."""
    if signal.getsignal(number) != signal.SIG_IGN:
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {number})
    try:
        with handled({number: signal.default_int_handler}):
            yield
    finally:  # what came meanwhile is ignored by now
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _send_to_itself(number: signal.Signals) -> None:
    """Sends it, though it may be blocked: an event loop hears of a signal from the system, not by its handler."""
    os.kill(os.getpid(), number)  # to the process: one that was blocked before and this one are one
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    try:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {number})
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def handled(handlers: Mapping[int, Handler]) -> Iterator[None]:
    """Meanwhile these signals have these handlers."""
    before = {number: signal.signal(number, handler) for number, handler in handlers.items()}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def signals_wait() -> Iterator[None]:
    """What ends a command waits until the end of the block, which does two things that belong together.

    A second signal of a kind does not wait: what is done may last, as where nobody reads a pipe.
    """
    came: list[int] = []
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, *ending_signals())}

    def wait(number: int, frame: FrameType | None) -> None:
        came.append(number)
        signal.signal(number, before[signal.Signals(number)])

    try:
        with handled(dict.fromkeys(before, wait)):
            yield
    finally:
        for number in came:
            signal.raise_signal(number)


def expect_next(number: int) -> None:
    """After an ending signal: another of its kind ends the process at once.

    But SIGHUP, which comes twice where a shell passes on its own, and leaves nobody to read what is still said.
    """
    if number != signal.SIGHUP:
        signal.signal(number, signal.SIG_DFL)
        return
    signal.signal(number, signal.SIG_IGN)
    for stream in (sys.__stdout__, sys.__stderr__):
        if stream is not None and _is_hung_up(stream.fileno()):
            forget(stream)


def _is_hung_up(descriptor: int) -> bool:
    looking = select.poll()
    looking.register(descriptor, select.POLLOUT)
    return any(found & _HUNG_UP for _, found in looking.poll(0))
