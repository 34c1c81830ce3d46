"""Why a bot keeps players waiting."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from client.sdk import LiveRoom, ServerUnreachable, connect
from client.sdk.records import WarmUp
from client.terminal.words.room import warming_words
from client.terminal.words.warm_up import explain_waiting
from server.wire import Seat, Thinking
from tests.support.terminal.fake_server import FakeRoom, fake_server

BOT = Seat(id="p2", name="level:3", kind="bot", present=True, bot="level:3")
COLD, WARMER, WARM = WarmUp(False, 0, 0), WarmUp(False, 1, 4), WarmUp(True, 4, 4)


async def explained(room: LiveRoom, answers: Sequence[WarmUp | Exception]) -> list[WarmUp]:
    """What is told, when the server answers so, one after the other."""
    told: list[WarmUp] = []
    coming = iter(answers)

    async def ask() -> WarmUp:
        answer = next(coming)
        if isinstance(answer, Exception):
            raise answer
        return answer

    await explain_waiting(room, ask, told.append, 0, 0)
    return told


async def test_a_bot_that_lets_wait_is_explained_until_the_server_is_warm() -> None:
    async with fake_server(FakeRoom(you="o", opponent=BOT)) as server, connect(server.url) as connection:
        room = await connection.join(room="r1")
        assert await explained(room, [COLD, WARMER, WARM, COLD]) == [COLD, WARMER, WARM]
        assert await explained(room, [COLD, ServerUnreachable("gone")]) == [COLD]


async def test_people_and_thinking_bots_need_no_explanation() -> None:
    async with fake_server(FakeRoom(you="o", opponent=BOT)) as server, connect(server.url) as connection:
        room = await connection.join(room="r1")
        await server.send(Thinking(room="r1", nodes=5, depth=1, value=None, pv=[]))
        while room.view.thinking is None:
            await room.changed_since(room.version)
        asked_after: list[int] = []

        async def ask() -> WarmUp:
            asked_after.append(len(room.view.moves))
            return WARM

        explaining = asyncio.create_task(explain_waiting(room, ask, lambda warm_up: None, 0, 0))
        await connection.ping()  # time for a question that should not come
        await server.opponent_moves("b2")
        while not room.view.my_turn:
            await room.changed_since(room.version)
        await connection.ping()
        await room.move("a1")
        await explaining
        assert asked_after == [2]


async def test_a_room_that_is_left_is_explained_no_longer() -> None:
    async with fake_server() as server, connect(server.url) as connection:
        room = await connection.join(room="r1")
        explaining = asyncio.create_task(explained(room, []))
        await room.leave()
        assert await explaining == []


def test_words() -> None:
    assert warming_words(COLD) == "The server's bots are starting; clocks are not affected."
    assert warming_words(WARMER) == "The server's bots are starting: 1 of 4; clocks are not affected."
    assert warming_words(WARM) == ""
