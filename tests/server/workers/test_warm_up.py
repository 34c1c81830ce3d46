"""The process that compiles first: what it tells, and how little depends on it."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
from collections.abc import AsyncIterator
from typing import Any

import pytest

from server.workers import warm_up as warm_up_module
from server.workers.children import Ending, ForkServer
from server.workers.fork_server import Channel
from server.workers.warm_up import WarmUp

# What follows runs in processes of their own.


def compiles(channel: Channel, slot: None, stages: int) -> None:
    for done in range(stages + 1):
        channel.send((done, stages))


def complains(channel: Channel, slot: None) -> None:
    channel.send("The cache is elsewhere.")


def dies(channel: Channel, slot: None) -> None:
    channel.send((1, 3))
    os._exit(1)


def waits(channel: Channel, slot: None) -> None:
    channel.send((1, 3))
    signal.pause()


class Machine:
    """A warm-up in a fork server, and how it went."""

    def __init__(self, forks: ForkServer) -> None:
        self.forks = forks

    async def run(self, function: Any, *arguments: object, **limits: float) -> WarmUp:
        warm_up = WarmUp(function, arguments, **limits)
        assert not warm_up.over
        await warm_up.run(self.forks)
        assert warm_up.over
        return warm_up


@pytest.fixture
async def machine() -> AsyncIterator[Machine]:
    forks = ForkServer([], asyncio.get_running_loop())
    yield Machine(forks)
    forks.close()


def warnings_in(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.message for record in caplog.records if record.levelno >= logging.WARNING]


async def test_every_stage_is_told(machine: Machine, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "server.workers.warm_up")
    warm_up = await machine.run(compiles, 2)
    assert (warm_up.done, warm_up.of, warm_up.complete) == (2, 2, True)
    assert [(record.done, record.of) for record in caplog.records] == [(0, 2), (1, 2), (2, 2)]  # type: ignore[attr-defined]
    assert warnings_in(caplog) == []


async def test_a_sentence_is_logged_and_says_enough(machine: Machine, caplog: pytest.LogCaptureFixture) -> None:
    warm_up = await machine.run(complains)
    assert (warm_up.done, warm_up.of, warm_up.complete) == (0, 0, False)
    assert warnings_in(caplog) == ["The cache is elsewhere."]


async def test_a_process_that_dies_ends_it(machine: Machine, caplog: pytest.LogCaptureFixture) -> None:
    warm_up = await machine.run(dies)
    assert (warm_up.done, warm_up.of, warm_up.complete) == (1, 3, False)
    (warning,) = warnings_in(caplog)
    assert "came to nothing" in warning


async def test_a_process_that_does_nothing_is_ended(machine: Machine, caplog: pytest.LogCaptureFixture) -> None:
    await machine.run(waits, idle_s=0.3)
    (warning,) = warnings_in(caplog)
    assert "hangs" in warning


class FakeForks:
    """Its child tells what it is told to, and ends when it is killed."""

    def __init__(self) -> None:
        self.killed = 0
        self.pid = 1
        self.forked = asyncio.Event()

    def fork(self, entry: Any, arguments: Any, slot: None, on_message: Any, on_end: Any) -> FakeForks:
        self.tell, self.end = on_message, on_end
        self.forked.set()
        return self

    def kill(self) -> None:
        self.killed += 1


async def test_a_slow_machine_may_take_as_long_as_it_works(monkeypatch: pytest.MonkeyPatch) -> None:
    """However long that is, in all: each look finds that it has used some processor time."""
    looks = iter(range(1000))
    forks = FakeForks()

    def used(pid: int) -> int:
        look = next(looks)
        if look == 50:
            forks.end(Ending(status=0))
        return look

    monkeypatch.setattr(warm_up_module, "cpu_ms", used)
    warm_up = WarmUp(compiles, (), idle_s=0)
    await warm_up.run(forks)  # type: ignore[arg-type]
    assert next(looks) == 51


async def test_a_stage_that_only_uses_time_hangs_in_the_end(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    looks = iter(range(1_000_000))
    monkeypatch.setattr(warm_up_module, "cpu_ms", lambda pid: next(looks))
    await WarmUp(compiles, (), idle_s=0, stage_s=0.01).run(FakeForks())  # type: ignore[arg-type]
    (warning,) = warnings_in(caplog)
    assert "hangs" in warning


async def test_where_no_processor_time_is_to_be_known_a_stage_alone_is_bounded(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    forks = FakeForks()
    looks = iter(range(20))

    def unknown(pid: int) -> None:
        if next(looks) == 10:
            forks.end(Ending(status=0))

    monkeypatch.setattr(warm_up_module, "cpu_ms", unknown)
    await WarmUp(compiles, (), idle_s=0).run(forks)  # type: ignore[arg-type]
    (warning,) = warnings_in(caplog)
    assert "came to nothing" in warning


async def test_without_a_process_to_be_had_it_is_over(caplog: pytest.LogCaptureFixture) -> None:
    class NoForks:
        def fork(self, *arguments: object) -> None:
            raise OSError("Too many open files")

    warm_up = WarmUp(compiles, ())
    await warm_up.run(NoForks())  # type: ignore[arg-type]
    assert (warm_up.over, warm_up.complete) == (True, False)
    assert "cannot be started" in warnings_in(caplog)[0]


async def test_a_stop_ends_the_process() -> None:
    forks = FakeForks()
    warm_up = WarmUp(compiles, ())
    running = asyncio.create_task(warm_up.run(forks))  # type: ignore[arg-type]
    await forks.forked.wait()
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert (warm_up.over, forks.killed) == (True, 1)
