"""The loop whose time is made up."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

import pytest

from tests.simulation import loop as loop_module
from tests.simulation.loop import Process, SimulatedLoop, Stuck, simulated_loop


def run(seed: str, what: Coroutine[Any, Any, Any]) -> tuple[SimulatedLoop, Any]:
    loop = simulated_loop(seed)
    try:
        return loop, loop.run_until_complete(what)
    finally:
        loop.close()


async def _finish_order(seconds: float, among: int) -> list[int]:
    order: list[int] = []

    async def wait(number: int) -> None:
        await asyncio.sleep(seconds)
        order.append(number)

    await asyncio.gather(*map(wait, range(among)))
    return order


def test_hours_pass_at_once() -> None:
    loop, _ = run("0", asyncio.sleep(36_000))
    assert 36_000 <= loop.time() < 36_000.1


def test_the_order_at_one_moment_is_that_of_the_seed() -> None:
    orders = {seed: run(seed, _finish_order(1.0, 6))[1] for seed in "abcd"}
    assert all(sorted(order) == list(range(6)) for order in orders.values())
    assert len({tuple(order) for order in orders.values()}) > 1
    assert orders["a"] == run("a", _finish_order(1.0, 6))[1]


def test_what_is_called_soon_keeps_its_order() -> None:
    async def called() -> list[int]:
        order: list[int] = []
        for number in range(9):
            asyncio.get_running_loop().call_soon(order.append, number)
        await asyncio.sleep(0)
        return order

    assert run("0", called())[1] == list(range(9))


def test_a_process_that_was_killed_does_nothing_more_and_cleans_nothing_up() -> None:
    said: list[str] = []

    async def serve() -> None:
        try:
            while True:
                said.append("serves")
                await asyncio.sleep(1)
        finally:
            said.append("cleans up")

    async def story() -> None:
        loop = asyncio.get_running_loop()
        assert isinstance(loop, SimulatedLoop)
        process = Process("server")
        serving = loop.create_task(serve(), context=process.context())
        await asyncio.sleep(2.5)
        loop.kill(process)
        await asyncio.sleep(100)
        assert not serving.done()

    run("0", story())
    assert said == ["serves"] * 3


def test_what_another_thread_would_do_is_done_in_place_and_answered_later() -> None:
    async def asked() -> tuple[int, float]:
        answer = await asyncio.to_thread(sum, (1, 2))
        return answer, asyncio.get_running_loop().time()

    (answer, at_s) = run("0", asked())[1]
    assert answer == 3
    assert at_s > 0

    async def refused() -> None:
        with pytest.raises(ValueError, match="invalid literal"):
            await asyncio.to_thread(int, "x")

    run("0", refused())


def test_failures_that_nobody_handles_are_kept() -> None:
    async def careless() -> None:
        asyncio.get_running_loop().call_soon(int, "x")
        await asyncio.sleep(1)

    [(process, _, error)] = run("0", careless())[0].failures
    assert process is None
    assert isinstance(error, ValueError)


def test_who_waits_for_what_never_comes_is_stuck() -> None:
    async def never() -> None:
        await asyncio.get_running_loop().create_future()

    with pytest.raises(Stuck, match="nothing is left that could ever happen"):
        run("0", never())


def test_callbacks_without_end_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loop_module, "CALLBACKS_AT_ONE_MOMENT", 100)

    def again() -> None:
        asyncio.get_running_loop().call_soon(again)

    async def busy() -> None:
        again()
        await asyncio.sleep(1)

    with pytest.raises(Stuck, match="more than 100 callbacks at one moment"):
        run("0", busy())
