"""When Python looks among all that is in memory."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable, Iterator

import pytest

from server import garbage
from server.garbage import AT_LATEST_PERIODS, look_among_all


@pytest.fixture
def looks(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """What each look found, which is its number here."""
    made: list[int] = []

    def look() -> int:
        made.append(len(made))
        return made[-1]

    monkeypatch.setattr(gc, "collect", look)
    return made


async def _after(periods: int, connected: Callable[[], int]) -> None:
    """Return when so many periods have ended."""
    left = periods
    ended = asyncio.Event()

    def counted() -> int:
        nonlocal left
        left -= 1
        if left == 0:
            ended.set()
        return connected()

    task = asyncio.create_task(look_among_all(counted, period_s=0))
    await ended.wait()
    task.cancel()


async def test_at_the_end_of_each_period_in_which_nobody_is_connected(looks: list[int]) -> None:
    crowd = iter([0, 3, 0, 1])
    await _after(4, lambda: next(crowd))
    assert len(looks) == 2


async def test_at_last_though_somebody_is_always_connected(looks: list[int]) -> None:
    await _after(AT_LATEST_PERIODS - 1, lambda: 1)
    assert looks == []
    await _after(2 * AT_LATEST_PERIODS, lambda: 1)
    assert len(looks) == 2


@pytest.fixture
def thresholds() -> Iterator[None]:
    before = gc.get_threshold()
    yield
    gc.set_threshold(*before)


def test_the_old_are_left_alone_however_many_there_are(thresholds: None) -> None:
    garbage.spare_the_loop()
    looked = gc.get_stats()[2]["collections"]
    kept = [[number] for number in range(50 * garbage.YOUNG_OBJECTS)]
    assert gc.get_stats()[1]["collections"] > 0
    assert gc.get_stats()[2]["collections"] == looked
    assert len(kept) > 0
