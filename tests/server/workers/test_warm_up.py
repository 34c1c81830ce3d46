"""The process that compiles first: what it tells, and how little depends on it."""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import os
import threading
from multiprocessing.connection import Connection
from typing import Any

import pytest

from server.workers.warm_up import WarmUp

CONTEXT = multiprocessing.get_context("forkserver")


def compiles(reports: Connection, stages: int) -> None:
    for done in range(stages + 1):
        reports.send((done, stages))


def complains(reports: Connection) -> None:
    reports.send("The cache is elsewhere.")


def dies(reports: Connection) -> None:
    reports.send((1, 3))
    os._exit(1)


def hangs(reports: Connection) -> None:
    reports.send((1, 3))
    threading.Event().wait()


async def run(target: Any, *arguments: object, limit_s: float = 60) -> tuple[int, int]:
    """How far it came."""
    warm_up = WarmUp(CONTEXT, target, arguments, limit_s=limit_s)
    assert not warm_up.over
    await warm_up.run()
    assert warm_up.over
    return warm_up.done, warm_up.of


def warnings_in(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.message for record in caplog.records if record.levelno >= logging.WARNING]


async def test_every_stage_is_told(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "server.workers.warm_up")
    assert await run(compiles, 2) == (2, 2)
    assert [(record.done, record.of) for record in caplog.records] == [(0, 2), (1, 2), (2, 2)]  # type: ignore[attr-defined]
    assert warnings_in(caplog) == []


async def test_a_sentence_is_logged_and_says_enough(caplog: pytest.LogCaptureFixture) -> None:
    assert await run(complains) == (0, 0)
    assert warnings_in(caplog) == ["The cache is elsewhere."]


async def test_a_process_that_dies_ends_it(caplog: pytest.LogCaptureFixture) -> None:
    assert await run(dies) == (1, 3)
    (warning,) = warnings_in(caplog)
    assert "came to nothing" in warning


async def test_a_process_that_hangs_is_ended(caplog: pytest.LogCaptureFixture) -> None:
    await run(hangs, limit_s=0.5)
    (warning,) = warnings_in(caplog)
    assert "hangs" in warning


async def test_a_stop_ends_the_process() -> None:
    warm_up = WarmUp(CONTEXT, hangs, ())
    running = asyncio.create_task(warm_up.run())
    async with asyncio.timeout(60):
        while not warm_up.done:  # noqa: ASYNC110 - it tells only the log
            await asyncio.sleep(0.001)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert warm_up.over
