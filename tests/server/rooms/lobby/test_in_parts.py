"""Much to do at once, done a little in each turn of the event loop."""

from __future__ import annotations

import asyncio
from functools import partial

from server.rooms.lobby.in_parts import InParts


async def test_a_few_acts_in_each_turn_in_the_order_in_which_they_came() -> None:
    parts, done = InParts(2), list[int]()
    parts.add(partial(done.append, number) for number in range(3))
    parts.add([])
    parts.add([partial(done.append, 3)])
    seen = []
    for _ in range(3):
        await asyncio.sleep(0)
        seen.append(list(done))
    assert seen == [[0, 1], [0, 1, 2, 3], [0, 1, 2, 3]]


def fail() -> None:
    raise ValueError("nonsense")


async def test_one_that_fails_does_not_stop_those_behind_it() -> None:
    parts, done, told = InParts(2), list[int](), list[object]()
    asyncio.get_running_loop().set_exception_handler(lambda loop, context: told.append(context["exception"]))
    parts.add([fail, *(partial(done.append, number) for number in (1, 2))])
    for _ in range(4):
        await asyncio.sleep(0)
    assert done == [1, 2]
    assert [type(error) for error in told] == [ValueError]
