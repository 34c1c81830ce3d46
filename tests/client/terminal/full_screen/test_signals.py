"""The signals that end a program."""

from __future__ import annotations

import asyncio
import os
import signal

import pytest

from client.terminal.full_screen.signals import ended_by_signals


@pytest.mark.parametrize(("number", "status"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129)])
async def test_a_signal_asks_to_leave_with_its_status(number: signal.Signals, status: int) -> None:
    before = signal.getsignal(number)
    asked: asyncio.Future[int] = asyncio.get_running_loop().create_future()
    with ended_by_signals(asked.set_result):
        os.kill(os.getpid(), number)
        assert await asked == status
    assert signal.getsignal(number) == before
