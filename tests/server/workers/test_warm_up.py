"""The process that compiles first: what it tells, and how little depends on it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from server.workers import warm_up as warm_up_module
from server.workers.children import ForkServer
from server.workers.warm_up import ATTEMPTS, WarmUp
from tests.support.workers.warm_up_processes import compiles, complains, dies_of_one, waits

STAGES = ("flat", "nested", "solver")


# What follows runs in processes of their own.


class Machine:
    """A warm-up in a fork server, and how it went."""

    def __init__(self, forks: ForkServer) -> None:
        self.forks = forks

    async def run(self, function: Any, *arguments: object, processes: int = 1, **limits: float) -> WarmUp:
        warm_up = WarmUp(function, arguments, STAGES, processes, **limits)
        assert not warm_up.over
        await warm_up.run(self.forks)
        assert warm_up.over
        return warm_up


@pytest.fixture
async def machine() -> AsyncIterator[Machine]:
    forks = ForkServer([], asyncio.get_running_loop(), status_s=60)
    yield Machine(forks)
    forks.close()


def warnings_in(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.message for record in caplog.records if record.levelno >= logging.WARNING]


@pytest.mark.parametrize("processes", [1, 2, 8])
async def test_every_stage_is_told(machine: Machine, caplog: pytest.LogCaptureFixture, processes: int) -> None:
    caplog.set_level(logging.INFO, "server.workers.warm_up")
    warm_up = await machine.run(compiles, processes=processes)
    assert (warm_up.done, warm_up.of, warm_up.complete, warm_up.compiled) == (3, 3, True, frozenset(STAGES))
    told = [(vars(record)["done"], vars(record)["of"]) for record in caplog.records]
    assert told == [(0, 3), (1, 3), (2, 3), (3, 3)]
    assert warnings_in(caplog) == []


async def test_a_complaint_is_logged_once_and_says_enough(machine: Machine, caplog: pytest.LogCaptureFixture) -> None:
    warm_up = await machine.run(complains, processes=2)
    assert (warm_up.done, warm_up.complete) == (0, False)
    assert warnings_in(caplog) == ["The cache is elsewhere."]


async def test_a_stage_whose_process_dies_is_tried_again(
    machine: Machine, caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    warm_up = await machine.run(dies_of_one, "nested", str(tmp_path / "deaths"), ATTEMPTS - 1)
    assert warm_up.complete
    assert warnings_in(caplog) == ["a process that compiles has died"] * (ATTEMPTS - 1)
    assert {record.stage for record in caplog.records} == {"nested"}  # type: ignore[attr-defined]


async def test_a_stage_that_kills_each_process_is_left_out(
    machine: Machine, caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    warm_up = await machine.run(dies_of_one, "nested", str(tmp_path / "deaths"), 1000)
    assert warm_up.compiled == {"flat", "solver"}
    assert (tmp_path / "deaths").read_text() == "x" * ATTEMPTS
    assert warnings_in(caplog)[:-1] == ["a process that compiles has died"] * ATTEMPTS
    assert (caplog.records[-1].levelname, caplog.records[-1].missing) == ("WARNING", "nested")  # type: ignore[attr-defined]


async def test_a_process_that_does_nothing_is_ended(machine: Machine, caplog: pytest.LogCaptureFixture) -> None:
    await machine.run(waits, idle_s=0.3)
    (warning,) = warnings_in(caplog)
    assert "hangs" in warning


class FakeForks:
    """Its children are asked for stages, and answer when they are told to."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.answers = False
        """at once"""
        self.killed = 0
        self.pid = 1
        self.forked = asyncio.Event()

    def fork(self, entry: Any, arguments: Any, slot: None, on_message: Any, on_end: Any) -> FakeForks:
        self.tell, self.end = on_message, on_end
        self.forked.set()
        return self

    def send(self, stage: str) -> None:
        self.asked.append(stage)
        if self.answers:
            self.tell(stage)

    def kill(self) -> None:
        self.killed += 1


async def test_what_somebody_waits_for_comes_first() -> None:
    forks = FakeForks()
    forks.answers = True
    warm_up = WarmUp(compiles, (), STAGES, 1)
    await warm_up.run(forks, wanted=lambda: ["unknown", "solver", "nested", "solver"])  # type: ignore[arg-type]
    assert forks.asked == ["solver", "nested", "flat"]


async def test_a_slow_machine_may_take_as_long_as_it_works(monkeypatch: pytest.MonkeyPatch) -> None:
    """However long that is, in all: each look finds that it has used some processor time."""
    looks = iter(range(1000))
    forks = FakeForks()

    def used(pid: int) -> int:
        look = next(looks)
        if look == 50:
            forks.tell("flat")
        return look

    monkeypatch.setattr(warm_up_module, "cpu_ms", used)
    warm_up = WarmUp(compiles, (), ("flat",), 1, idle_s=0)
    await warm_up.run(forks)  # type: ignore[arg-type]
    assert warm_up.complete


async def test_a_stage_that_only_uses_time_hangs_in_the_end(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    looks = iter(range(1_000_000))
    monkeypatch.setattr(warm_up_module, "cpu_ms", lambda pid: next(looks))
    await WarmUp(compiles, (), STAGES, 1, idle_s=0, stage_s=0.01).run(FakeForks())  # type: ignore[arg-type]
    (warning,) = warnings_in(caplog)
    assert "hangs" in warning


async def test_where_no_processor_time_is_to_be_known_a_stage_alone_is_bounded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    forks = FakeForks()
    looks = iter(range(20))

    def unknown(pid: int) -> None:
        if next(looks) == 10:
            forks.tell("flat")

    monkeypatch.setattr(warm_up_module, "cpu_ms", unknown)
    warm_up = WarmUp(compiles, (), ("flat",), 1, idle_s=0)
    await warm_up.run(forks)  # type: ignore[arg-type]
    assert warm_up.complete


async def test_without_a_process_to_be_had_it_is_over(caplog: pytest.LogCaptureFixture) -> None:
    class NoForks:
        def fork(self, *arguments: object) -> None:
            raise OSError("Too many open files")

    warm_up = WarmUp(compiles, (), STAGES, 1)
    await warm_up.run(NoForks())  # type: ignore[arg-type]
    assert (warm_up.over, warm_up.complete) == (True, False)
    assert "cannot be started" in warnings_in(caplog)[0]


async def test_a_stop_ends_the_process() -> None:
    forks = FakeForks()
    warm_up = WarmUp(compiles, (), STAGES, 1)
    running = asyncio.create_task(warm_up.run(forks))  # type: ignore[arg-type]
    await forks.forked.wait()
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert (warm_up.over, forks.killed) == (True, 1)
