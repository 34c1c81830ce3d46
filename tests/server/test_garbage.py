"""When Python looks for cycles."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable, Coroutine, Iterator

import pytest

from server.garbage import PATIENCE, look_among_all, look_among_young, spare_the_loop


@pytest.fixture
def looks(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The generations that were looked through."""
    made: list[int] = []

    def look(generation: int = 2) -> int:
        made.append(generation)
        return 0

    monkeypatch.setattr(gc, "collect", look)
    return made


async def _turns(number: int, looking: Coroutine[object, object, None]) -> None:
    """Let it go on so many times."""
    task = asyncio.create_task(looking)
    for _ in range(number + 1):
        await asyncio.sleep(0)
    task.cancel()


async def _dues(number: int, connected: Callable[[], int]) -> None:
    await _turns(number, look_among_all(connected, every_s=0))


async def test_among_the_young_in_turn(looks: list[int]) -> None:
    await _turns(4, look_among_young(every_s=0))
    assert looks == [0, 1, 0, 1]


async def test_among_all_while_nobody_is_connected(looks: list[int]) -> None:
    crowd = iter([0, 3, 0, 1])
    await _dues(4, lambda: next(crowd))
    assert looks == [2, 2]


async def test_among_all_at_last_though_somebody_is_always_connected(looks: list[int]) -> None:
    await _dues(PATIENCE - 1, lambda: 1)
    assert looks == []
    await _dues(2 * PATIENCE, lambda: 1)
    assert looks == [2, 2]


@pytest.fixture
def python() -> Iterator[None]:
    """Python looks by itself again afterwards."""
    yield
    gc.enable()


def test_python_does_not_look_by_itself(python: None) -> None:
    spare_the_loop()
    made = [look["collections"] for look in gc.get_stats()]
    kept = [[number] for number in range(100_000)]
    assert [look["collections"] for look in gc.get_stats()] == made
    assert len(kept) == 100_000
