"""Whose turn it is, in invented time. Sockets that take turns: test_conversation and test_websocket."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from math import ceil

from server.rooms.fair_queue import (
    COST_AT_ONCE,
    COST_PER_S,
    LITTLE_AT_ONCE,
    LITTLE_PER_S,
    REST_S,
    TOGETHER_AT_ONCE,
    TOGETHER_PER_S,
    FairQueue,
)
from tests.support.rooms.fakes import World, settle

REST_MS = round(REST_S * 1000)


class Desk:
    """Notes what is done, and how many milliseconds after the beginning."""

    def __init__(self) -> None:
        self.world = World()
        self.begun_ms = self.world.now_ms
        self.fair_queue = FairQueue(self.world.clock.now_us)
        self.done: list[tuple[str, int]] = []

    def note(self, name: str) -> Callable[[], None]:
        return lambda: self.done.append((name, self.world.now_ms - self.begun_ms))

    def spend(self, address: str) -> None:
        """All that it may have at once."""
        self.fair_queue.take(address, COST_AT_ONCE, lambda: None)

    def send_much(self, address: str) -> None:
        """All that is read at once of it."""
        assert self.fair_queue.is_due(address, LITTLE_AT_ONCE)


async def test_who_asks_for_little_waits_for_nothing() -> None:
    desk = Desk()
    for number in range(COST_AT_ONCE):
        desk.fair_queue.take("a", 1, desk.note(str(number)))
    assert desk.done == [(str(number), 0) for number in range(COST_AT_ONCE)]
    assert not desk.fair_queue.waiting
    await desk.world.wait(1_000 * COST_AT_ONCE // COST_PER_S)
    desk.done.clear()
    desk.fair_queue.take("a", COST_AT_ONCE, desk.note("later"))
    assert [name for name, _ in desk.done] == ["later"]


async def test_who_asks_for_more_gets_one_answer_a_turn_in_order() -> None:
    desk = Desk()
    desk.spend("a")
    for number in range(100):
        desk.fair_queue.take("a", 1, desk.note(str(number)))
    assert desk.done == []
    await desk.world.wait(1_000)
    assert desk.done == [(str(number), (number + 1) * REST_MS) for number in range(100)]


async def test_many_addresses_that_ask_for_little_wait_too() -> None:
    desk = Desk()
    for number in range(TOGETHER_AT_ONCE):
        desk.fair_queue.take(f"crowd{number}", 1, desk.note("crowd"))
    assert len(desk.done) == TOGETHER_AT_ONCE
    desk.fair_queue.take("a", 1, desk.note("late"))
    assert desk.fair_queue.waiting
    await desk.world.wait(REST_MS)
    assert desk.done[-1] == ("late", REST_MS)
    await desk.world.wait(1_000 * TOGETHER_AT_ONCE // TOGETHER_PER_S)
    for number in range(TOGETHER_AT_ONCE):
        desk.fair_queue.take(f"others{number}", 1, desk.note("others"))
    assert not desk.fair_queue.waiting, "so many may again"


async def test_nobody_passes_those_of_one_address_that_wait() -> None:
    desk = Desk()
    desk.spend("a")
    desk.fair_queue.take("a", COST_AT_ONCE, desk.note("dear"))
    desk.fair_queue.take("a", 0, desk.note("free"))
    await desk.world.wait(1_000)
    assert [name for name, _ in desk.done] == ["dear", "free"]


async def test_addresses_take_turns_and_one_that_is_new_waits_for_none() -> None:
    desk = Desk()
    desk.spend("a")
    desk.spend("b")
    for number in range(3):
        desk.fair_queue.take("a", 1, desk.note(f"a{number}"))
    desk.fair_queue.take("b", 1, desk.note("b"))
    desk.fair_queue.take("c", 1, desk.note("c"))
    await desk.world.wait(1_000)
    assert [name for name, _ in desk.done] == ["c", "a0", "b", "a1", "a2"]


async def test_after_a_dear_turn_the_loop_rests_for_longer() -> None:
    desk = Desk()
    for name, cost in (("dear", 50), ("cheap", 1)):
        desk.fair_queue.wait("a", cost, desk.note(name))
    await desk.world.wait(1_000)
    assert desk.done == [("dear", REST_MS), ("cheap", REST_MS + 50)]


async def test_so_it_does_after_the_last_one() -> None:
    desk = Desk()
    desk.fair_queue.wait("a", 50, desk.note("dear"))
    await desk.world.wait(REST_MS)
    desk.fair_queue.wait("b", 1, desk.note("late"))
    await desk.world.wait(1_000)
    assert desk.done == [("dear", REST_MS), ("late", REST_MS + 50)]
    assert desk.world.due_ms == []


async def test_work_that_fails_stops_nobody_behind_it() -> None:
    desk = Desk()
    failed: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: failed.append(context["exception"]))
    for cost in (0.1, 1):
        desk.fair_queue.wait("a", cost, lambda: 1 // 0)  # type: ignore[arg-type]
        desk.fair_queue.wait("b", cost, desk.note("next"))
    await desk.world.wait(4 * REST_MS)
    assert [type(error) for error in failed] == [ZeroDivisionError] * 2
    assert [name for name, _ in desk.done] == ["next"] * 2


async def test_only_those_who_wait_are_kept() -> None:
    desk = Desk()
    for number in range(1_000):
        desk.fair_queue.wait(f"{number % 50}", 1, desk.note(str(number)))
    await desk.world.wait(1_000 * REST_MS)
    assert [int(name) for name, _ in desk.done] == list(range(1_000))
    assert not desk.fair_queue._waiting


async def test_what_costs_little_shares_a_turn() -> None:
    desk = Desk()
    for number in range(16):
        desk.fair_queue.wait(f"{number % 4}", 0.25, desk.note(str(number)))
    await desk.world.wait(1_000)
    assert desk.done == [(str(number), (number // 4 + 1) * REST_MS) for number in range(16)]


async def test_who_sends_little_waits_for_nobody() -> None:
    desk = Desk()
    desk.fair_queue.wait("flood", 1, desk.note("flood"))
    for _ in range(8 * LITTLE_AT_ONCE):
        assert desk.fair_queue.is_due("a", 0.125)
    assert desk.done == []
    assert not desk.fair_queue.is_due("a", 0.125)
    await desk.world.wait(ceil(1_000 * LITTLE_AT_ONCE / LITTLE_PER_S))
    desk.fair_queue.wait("flood", 1, desk.note("flood"))
    for _ in range(8 * LITTLE_AT_ONCE):
        assert desk.fair_queue.is_due("a", 0.125), "so much a second, for ever"
    assert not desk.fair_queue.is_due("a", 0.125)


async def test_what_costs_much_waits_also_for_who_has_asked_for_nothing() -> None:
    desk = Desk()
    desk.fair_queue.wait("flood", 1, desk.note("flood"))
    assert not desk.fair_queue.is_due("a", 2 * LITTLE_AT_ONCE)
    assert desk.fair_queue.is_due("a", LITTLE_AT_ONCE), "and has spent nothing by it"


async def test_who_sends_much_is_read_while_nobody_else_is_but_with_rests() -> None:
    desk = Desk()
    for number in range(100):
        desk.send_much(f"flood{number}")
    read = [desk.fair_queue.is_due(f"flood{number}", 0.25) for number in range(100)]
    assert read == [True] * 4 + [False] * 96
    await desk.world.wait(REST_MS)
    assert desk.fair_queue.is_due("flood5", 0.25)


async def test_nobody_who_sends_much_passes_those_who_wait() -> None:
    desk = Desk()
    desk.send_much("a")
    for number in range(8):
        desk.fair_queue.wait(f"flood{number}", 1, desk.note("flood"))
    await desk.world.wait(3 * REST_MS)
    assert not desk.fair_queue.is_due("a", 0.125)


async def test_where_there_are_no_limits_all_that_is_sent_is_read_at_once() -> None:
    fair_queue = FairQueue(World().clock.now_us, bounded=False)
    assert all(fair_queue.is_due("a", 1) for _ in range(1_000))


async def test_a_turn_that_was_waited_for_and_one_that_nobody_waits_for_any_more() -> None:
    desk = Desk()
    for address in "ab":
        desk.send_much(address)
    desk.fair_queue.wait("flood", 1, desk.note("flood"))
    waits = [asyncio.create_task(desk.fair_queue.turn(address, 1)) for address in "ab"]
    await settle()
    assert not any(wait.done() for wait in waits)
    waits[0].cancel()
    await desk.world.wait(10 * REST_MS)
    assert waits[1].done()
    assert not desk.fair_queue.waiting


async def test_the_loop_rests_for_as_long_as_a_turn_took() -> None:
    desk = Desk()

    def take_long() -> None:
        desk.world.now_ms += 30

    desk.fair_queue.wait("a", 1, take_long)
    desk.fair_queue.wait("b", 1, desk.note("next"))
    await desk.world.wait(1_000)
    assert desk.done == [("next", REST_MS + 30 + 30)]
