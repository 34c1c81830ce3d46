"""Answers that take long: one at a time, with a rest as long after each."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import suppress

import pytest

from server.http.heavy import WAITING, HeavyAnswers
from server.http.responses import Busy


class Work:
    """Two at a time would meet in it."""

    def __init__(self) -> None:
        self.inside = 0
        self.most = 0
        self.go_on = threading.Event()

    def __call__(self, answer: int) -> int:
        self.inside += 1
        self.most = max(self.most, self.inside)
        self.go_on.wait(60)
        self.inside -= 1
        return answer


async def test_one_at_a_time_in_the_order_of_asking() -> None:
    work, heavy, done = Work(), HeavyAnswers(lambda: 0), list[int]()

    async def ask(number: int) -> None:
        done.append(await heavy.make(work, number))

    work.go_on.set()
    await asyncio.gather(*map(ask, range(10)))
    assert (done, work.most) == ([*range(10)], 1)


async def test_a_rest_as_long_as_the_work_took(monkeypatch: pytest.MonkeyPatch) -> None:
    times: Iterator[int] = iter((1_000_000, 1_250_000))
    rests: list[float] = []
    loop = asyncio.get_running_loop()
    monkeypatch.setattr(loop, "call_later", lambda seconds, callback: rests.append(seconds))
    assert await HeavyAnswers(lambda: next(times)).make(int, "7") == 7
    assert rests == [0.25]


async def test_what_work_raises_is_raised_and_the_next_one_is_made() -> None:
    heavy = HeavyAnswers(lambda: 0)
    with pytest.raises(ValueError, match="x"):
        await heavy.make(int, "x")
    assert await heavy.make(int, "7") == 7


async def test_only_so_many_wait() -> None:
    work, heavy = Work(), HeavyAnswers(lambda: 0)
    asked = [asyncio.create_task(heavy.make(work, number)) for number in range(1 + WAITING)]
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    with pytest.raises(Busy):
        await heavy.make(work, -1)
    asked[-1].cancel()
    with suppress(asyncio.CancelledError):
        await asked[-1]
    asked[-1] = asyncio.create_task(heavy.make(work, WAITING))  # the place of one who went is free
    work.go_on.set()
    assert await asyncio.gather(*asked) == [*range(1 + WAITING)]
