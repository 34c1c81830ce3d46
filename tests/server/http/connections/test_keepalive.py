"""Pings in a wheel, turned by hand."""

from __future__ import annotations

import asyncio
from itertools import pairwise

from server.http.connections.keepalive import SLOTS, Keepalive


class Pinged:
    def __init__(self) -> None:
        self.pings = 0

    def ping(self) -> None:
        self.pings += 1


def test_each_is_pinged_once_in_a_period_and_first_after_a_whole_one() -> None:
    wheel, early, late = Keepalive(20), Pinged(), Pinged()
    wheel.add(early)
    for turn in range(3 * SLOTS):
        if turn == SLOTS // 2:
            wheel.add(late)
        wheel.turn()
        assert (early.pings, late.pings) == ((turn + 1) // SLOTS, max(0, turn + 1 - SLOTS // 2) // SLOTS)


def test_those_of_different_times_are_pinged_a_few_at_a_time() -> None:
    wheel, many = Keepalive(20), [Pinged() for _ in range(10 * SLOTS)]
    for number, one in enumerate(many):
        wheel.add(one)
        if number % 10 == 9:
            wheel.turn()
    pinged = [sum(one.pings for one in many)]
    for _ in range(SLOTS):
        wheel.turn()
        pinged.append(sum(one.pings for one in many))
    assert {after - before for before, after in pairwise(pinged)} == {10}


def test_who_left_is_not_pinged() -> None:
    wheel, stays, goes = Keepalive(20), Pinged(), Pinged()
    for one in (stays, goes):
        wheel.add(one)
    wheel.discard(goes)
    wheel.discard(goes)
    assert len(wheel) == 1
    for _ in range(SLOTS):
        wheel.turn()
    assert (stays.pings, goes.pings) == (1, 0)


def test_one_who_leaves_at_a_ping_disturbs_nobody() -> None:
    class Leaves(Pinged):
        def ping(self) -> None:
            super().ping()
            wheel.discard(self)

    wheel, many = Keepalive(20), [Leaves() for _ in range(5)]
    for one in many:
        wheel.add(one)
    for _ in range(2 * SLOTS):
        wheel.turn()
    assert [one.pings for one in many] == [1] * 5


async def test_the_loop_turns_it_until_it_is_stopped() -> None:
    wheel, turned = Keepalive(0.001), asyncio.Event()

    class Tells(Pinged):
        def ping(self) -> None:
            turned.set()

    wheel.add(Tells())
    wheel.start()
    async with asyncio.timeout(60):
        await turned.wait()
    wheel.stop()
    assert wheel._timer is not None
    assert wheel._timer.cancelled()
