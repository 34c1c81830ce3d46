"""Answers that are made once for all who ask within a time."""

from __future__ import annotations

import asyncio

import pytest

from server.http import answer_cache
from server.http.answer_cache import AnswerCache

KEEP_MS = 100
A, B, C, D = ("a",), ("b",), ("c",), ("d",)


class Asking:
    """A cache whose clock the test sets, and what was made for it: numbers from 1."""

    def __init__(self) -> None:
        self.now_ms = 1_000
        self.made = 0
        self.making = asyncio.Event()
        self.gate = asyncio.Event()
        self.gate.set()
        self.failure: Exception | None = None
        self.cache = AnswerCache(lambda: self.now_ms)

    async def ask(self, key: tuple[str, ...], keep_ms: int = KEEP_MS) -> int:
        return await self.cache.once(key, keep_ms, self.make)

    async def begun(self, key: tuple[str, ...]) -> asyncio.Task[int]:
        """A request for an answer that is being made."""
        self.making.clear()
        task = asyncio.create_task(self.ask(key))
        await self.making.wait()
        return task

    async def make(self) -> int:
        self.made += 1
        self.making.set()
        number, failure = self.made, self.failure
        await self.gate.wait()
        if failure is not None:
            raise failure
        return number


@pytest.fixture
async def asking() -> Asking:
    return Asking()


async def test_an_answer_is_made_once_for_all_who_ask_until_its_time_is_over(asking: Asking) -> None:
    assert await asyncio.gather(*(asking.ask(A) for _ in range(3)), asking.ask(B)) == [1, 1, 1, 2]
    asking.now_ms += KEEP_MS - 1
    assert await asking.ask(A) == 1
    asking.now_ms += 1
    assert await asking.ask(A) == 3


async def test_a_clock_that_goes_back_does_not_freeze_an_answer(asking: Asking) -> None:
    assert await asking.ask(A) == 1
    asking.now_ms -= 1
    assert await asking.ask(A) == 2


async def test_who_asks_while_one_is_made_waits_for_it_however_long(asking: Asking) -> None:
    asking.gate.clear()
    first = await asking.begun(A)
    asking.now_ms += 10 * KEEP_MS
    second = asyncio.ensure_future(asking.ask(A))
    await asyncio.sleep(0)
    asking.gate.set()
    assert [*await asyncio.gather(first, second)] == [1, 1]


async def test_who_goes_away_takes_no_answer_from_others(asking: Asking) -> None:
    asking.gate.clear()
    leaving = await asking.begun(A)
    staying = asyncio.ensure_future(asking.ask(A))
    await asyncio.sleep(0)
    leaving.cancel()
    await asyncio.wait([leaving])
    asking.gate.set()
    assert await staying == 1


async def test_a_failure_is_told_to_all_who_wait_and_not_kept(asking: Asking) -> None:
    asking.failure = OSError("The disk is gone.")
    failed = await asyncio.gather(asking.ask(A), asking.ask(A), return_exceptions=True)
    assert [*failed] == [asking.failure, asking.failure]
    asking.failure = None
    assert await asking.ask(A) == 2


async def test_what_is_forgotten_is_made_again_though_one_is_being_made(asking: Asking) -> None:
    asking.gate.clear()
    before = await asking.begun(A)
    asking.cache.forget(A)
    asking.cache.forget(B)  # nothing is known of it
    after = await asking.begun(A)
    asking.gate.set()
    assert [*await asyncio.gather(before, after)] == [1, 2]
    assert await asking.ask(A) == 2, "the older one did not come back"


async def test_a_failure_of_what_was_forgotten_drops_no_newer_answer(asking: Asking) -> None:
    asking.gate.clear()
    asking.failure = OSError("The disk is gone.")
    before = await asking.begun(A)
    asking.cache.forget(A)
    asking.failure = None
    after = await asking.begun(A)
    asking.gate.set()
    with pytest.raises(OSError, match="gone"):
        await before
    assert [await after, await asking.ask(A)] == [2, 2]


async def test_the_oldest_goes_where_too_many_are_kept(asking: Asking, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answer_cache, "KEPT", 2)
    for key, number in ((A, 1), (B, 2), (C, 3), (B, 2), (A, 4), (C, 3)):
        assert await asking.ask(key) == number
        assert len(asking.cache) <= 2
    monkeypatch.setattr(answer_cache, "KEPT", 3)
    asking.now_ms += KEEP_MS
    for key, number in ((C, 5), (B, 6), (D, 7), (C, 5), (B, 6)):
        assert await asking.ask(key) == number, "the oldest is the one that was made first"


async def test_an_answer_that_is_made_anew_takes_no_others_place(
    asking: Asking, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answer_cache, "KEPT", 2)
    await asking.ask(A, 10 * KEEP_MS)
    await asking.ask(B)
    asking.now_ms += KEEP_MS
    await asking.ask(B)
    assert await asking.ask(A, 10 * KEEP_MS) == 1
