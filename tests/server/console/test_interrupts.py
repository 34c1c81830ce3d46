"""What ends a command that takes long, and what it may still say then."""

from __future__ import annotations

import asyncio
import os
import pty
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from signal import SIGHUP, SIGINT, SIGTERM

import pytest

from server.console.interrupts import handled, interrupted_by_signals, signals_wait


@pytest.fixture(autouse=True)
def _hearing_of_terminals() -> Iterator[None]:
    """Whoever runs the tests may do so under nohup."""
    with handled({SIGHUP: signal.SIG_DFL}):
        yield


@pytest.mark.parametrize("number", [SIGTERM, SIGHUP])
def test_the_signals_do_what_an_interrupt_does(number: int) -> None:
    before = signal.getsignal(number)
    with pytest.raises(KeyboardInterrupt), interrupted_by_signals():
        signal.raise_signal(number)
    assert signal.getsignal(number) is before


def test_in_a_loop_too() -> None:
    ended: list[bool] = []

    async def wait() -> None:
        signal.raise_signal(SIGTERM)
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            ended.append(True)
            raise

    with pytest.raises(KeyboardInterrupt), interrupted_by_signals():
        asyncio.run(wait())
    assert ended == [True]


def test_where_a_shell_has_interrupts_ignored() -> None:
    with handled({SIGINT: signal.SIG_IGN}), pytest.raises(KeyboardInterrupt), interrupted_by_signals():
        signal.raise_signal(SIGTERM)


def test_a_loop_ends_there_whatever_is_running_when_the_signal_comes() -> None:
    """Some callbacks swallow what is raised in them."""

    def terminate() -> None:
        with suppress(BaseException):
            signal.raise_signal(SIGTERM)

    async def wait() -> None:
        asyncio.get_running_loop().call_soon(terminate)
        await asyncio.wait_for(asyncio.Event().wait(), 20)

    with handled({SIGINT: signal.SIG_IGN}), pytest.raises(KeyboardInterrupt), interrupted_by_signals():
        asyncio.run(wait())


@pytest.mark.parametrize("ignored", [False, True])
def test_a_loop_with_a_handler_of_its_own_for_interrupts_hears_of_one(ignored: bool) -> None:
    async def wait() -> int:
        interrupts: asyncio.Queue[None] = asyncio.Queue()
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(SIGINT, interrupts.put_nowait, None)
        try:
            signal.raise_signal(SIGTERM)
            await asyncio.wait_for(interrupts.get(), 20)
            await asyncio.sleep(0)
            return 1 + interrupts.qsize()
        finally:
            loop.remove_signal_handler(SIGINT)

    before = signal.SIG_IGN if ignored else signal.default_int_handler
    with handled({SIGINT: before}), interrupted_by_signals():
        assert asyncio.run(wait()) == 1


PRESSED = """
import asyncio, os, signal
from server.console.interrupts import interrupted_by_signals

async def wait():
    interrupts, loop = asyncio.Queue(), asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGINT, interrupts.put_nowait, None)
    os.kill(os.getpid(), signal.SIGINT)
    await asyncio.sleep(0)
    before = interrupts.qsize()
    signal.raise_signal(signal.SIGTERM)
    await asyncio.wait_for(interrupts.get(), 20)
    await asyncio.sleep(0)
    print(before, 1 + interrupts.qsize())

signal.signal(signal.SIGINT, signal.SIG_IGN)
with interrupted_by_signals():
    asyncio.run(wait())
"""


def test_an_interrupt_that_is_ignored_does_not_count_in_a_loop_either() -> None:
    """In a process of its own: threads that began before, as those of polars in other tests, would hear of it."""
    done = subprocess.run([sys.executable, "-c", PRESSED], capture_output=True, text=True, check=False, timeout=60)
    assert (done.stdout, done.stderr) == ("0 1\n", "")


def interrupt_a_whole(done: list[int], *numbers: int) -> None:
    with interrupted_by_signals(), signals_wait():
        for number in numbers:
            signal.raise_signal(number)
            done.append(number)


@pytest.mark.parametrize("number", [SIGINT, SIGTERM, SIGHUP])
def test_what_belongs_together_is_done_first(number: int) -> None:
    done: list[int] = []
    with handled({SIGINT: signal.default_int_handler}), pytest.raises(KeyboardInterrupt):
        interrupt_a_whole(done, number)
    assert done == [number]


def test_a_second_one_does_not_wait() -> None:
    done: list[int] = []
    with handled({SIGINT: signal.default_int_handler}), pytest.raises(KeyboardInterrupt):
        interrupt_a_whole(done, SIGINT, SIGINT)
    assert done == [SIGINT]


def test_what_is_ignored_stays_without_effect() -> None:
    with handled({SIGINT: signal.SIG_IGN}):
        mask = signal.pthread_sigmask(signal.SIG_BLOCK, ())
        with interrupted_by_signals():
            signal.raise_signal(SIGINT)
        assert (signal.getsignal(SIGINT), signal.pthread_sigmask(signal.SIG_BLOCK, ())) == (signal.SIG_IGN, mask)


def test_under_nohup_a_terminal_may_close() -> None:
    with handled({SIGHUP: signal.SIG_IGN}), interrupted_by_signals():
        signal.raise_signal(SIGHUP)
        assert signal.getsignal(SIGHUP) == signal.SIG_IGN


def test_another_of_them_ends_it_at_once_but_for_one_of_a_terminal() -> None:
    with interrupted_by_signals():
        for number, then in ((SIGTERM, signal.SIG_DFL), (SIGHUP, signal.SIG_IGN)):
            with pytest.raises(KeyboardInterrupt):
                signal.raise_signal(number)
            assert signal.getsignal(number) == then


def test_what_is_said_to_a_terminal_that_has_closed_fails_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    master, terminal = pty.openpty()
    with open(terminal, "w", encoding="utf-8") as gone, open(os.devnull, "w", encoding="utf-8") as other:
        monkeypatch.setattr(sys, "__stdout__", gone)
        monkeypatch.setattr(sys, "__stderr__", other)
        os.close(master)
        with pytest.raises(OSError, match="Input/output error"):
            os.write(terminal, b"a score")
        with pytest.raises(KeyboardInterrupt), interrupted_by_signals():
            signal.raise_signal(SIGHUP)
        assert os.write(terminal, b"a score")
