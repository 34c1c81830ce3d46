"""Workers that are none: what they answer, and how badly."""

from __future__ import annotations

import asyncio
from random import Random
from typing import Any

import pytest

from engine.bots import roster
from engine.bots.player import Decision, Limit
from server.workers import child
from server.workers.child import Answered, Asked, Done, Job, Ready
from server.workers.children import Ending
from server.workers.slot import SearchSlot
from tests.simulation.loop import simulated_loop
from tests.simulation.workers import SimulatedForkServer, Temper

JOB = Job("tictactoe", (4, 0), roster.bot("level:3"), Limit(), 1000, 7)


def heard(mood: str) -> list[Any]:
    """What a worker says to one job within ten seconds, and how it ends; it is killed after five where it hangs."""
    loop = simulated_loop("0")
    temper = Temper(Random(0))
    temper.draw = lambda: mood  # type: ignore[method-assign]
    said: list[Any] = []

    async def ask() -> None:
        forked = SimulatedForkServer(temper, loop).fork(child.work, (), SearchSlot, said.append, said.append)
        await asyncio.sleep(1)
        assert said == [Ready()]
        forked.limit(5)
        forked.send(Asked(7, JOB))
        await asyncio.sleep(10)

    loop.run_until_complete(ask())
    loop.close()
    return said[1:]


def test_a_good_one_answers_with_a_legal_move() -> None:
    answered, ending = heard("answer")
    assert answered.number == 7
    done = answered.outcome
    assert isinstance(done, Done)
    assert isinstance(done.answer, Decision)
    assert done.answer.move in set(range(9)) - {4, 0}
    assert 0 < done.took_us <= 1_000_000
    assert ending == Ending(hung=True), "nobody has taken the limit away"


@pytest.mark.parametrize(
    ("mood", "kinds"),
    [
        ("twice", [Answered, Answered, Ending]),
        ("hang", [Ending]),
        ("nonsense", [str, Ending]),
        ("die", [Ending]),
        ("late", [Answered, Ending]),
        ("illegal", [Answered, Ending]),
    ],
)
def test_bad_ones(mood: str, kinds: list[type]) -> None:
    assert [type(one) for one in heard(mood)] == kinds
