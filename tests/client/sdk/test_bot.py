"""The headless bot, and the ten lines that the documentation shows."""

from __future__ import annotations

import asyncio
import re
import threading
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

import client.sdk
from client.sdk import Accepts, BotService, ProtocolError, RequestRefused, RoomView, bot, connect, patience
from server.wire import (
    Ack,
    Act,
    Create,
    Ended,
    Error,
    GameView,
    Hello,
    Join,
    Move,
    Offered,
    Rematch,
    Request,
    Result,
    Seat,
    Seated,
    ServerReply,
    Started,
)
from tests.support.terminal.fake_server import ME, FakeRoom, FakeServer

DOCUMENT = Path(__file__).parents[3] / "docs" / "bots.md"


def first_legal(view: RoomView) -> str:
    return view.legal[0]


@pytest.fixture
def server(server: FakeServer) -> FakeServer:
    server.replies = ["c3", "c2"]
    return server


async def test_a_bot_plays_a_game(server: FakeServer) -> None:
    results = await asyncio.to_thread(
        bot.run, server.url, first_legal, name="first", game="tictactoe", against="random"
    )
    assert results == [Result(winner="x", termination="line")]
    hello, create = server.requests(Hello)[0], server.requests(Create)[0]
    assert (hello.name, hello.kind) == ("first", "bot")
    assert create.opponent is not None
    assert (create.game, create.opponent.kind, create.opponent.bot) == ("tictactoe", "bot", "random")
    assert [move.move for move in server.requests(Move)] == ["a1", "b1", "c1"]


async def test_a_bot_joins_an_invitation(server: FakeServer) -> None:
    await asyncio.to_thread(bot.run, server.url, first_legal, name="first", code="CODE")
    assert server.requests(Join)[0].code == "CODE"


async def test_a_bot_waits_in_the_lobby(server: FakeServer) -> None:
    await asyncio.to_thread(bot.run, server.url, first_legal, name="first", game="tictactoe")
    opponent = server.requests(Create)[0].opponent
    assert opponent is not None
    assert opponent.kind == "open"


def test_a_bot_needs_one_way_to_sit() -> None:
    for game, code in ((None, None), ("qubic", "CODE")):
        with pytest.raises(ValueError, match="either a game"):
            bot.run("localhost:1", first_legal, name="first", game=game, code=code)


async def test_a_bot_plays_at_least_one_game(server: FakeServer) -> None:
    with pytest.raises(ValueError, match="at least one game, not 0"):
        bot.run("localhost:1", first_legal, name="first", game="qubic", games=0)
    async with connect(server.url) as connection:
        with pytest.raises(ValueError, match="at least one game, not -1"):
            await bot.play(await connection.join(room="r1"), first_legal, games=-1)


async def _cancelled() -> str:
    raise asyncio.CancelledError


async def _async(view: RoomView) -> str:
    return view.legal[0]


@pytest.mark.parametrize(
    ("choose", "said"),
    [
        (lambda: "a1", "choose must take one argument, the view: too many positional arguments"),
        (lambda view, clock: "a1", "choose must take one argument, the view: missing a required argument: 'clock'"),
        (None, "choose must take one argument, the view: None is not a callable object"),
        (_async, "choose is async; write a plain function"),
    ],
)
async def test_what_cannot_choose_is_said_at_once(server: FakeServer, choose: Any, said: str) -> None:
    with pytest.raises(TypeError, match=said):
        bot.run("localhost:1", choose, name="first", game="qubic")
    async with connect(server.url) as connection:
        server.room = FakeRoom(you="o")
        with pytest.raises(TypeError, match=said):
            await asyncio.wait_for(bot.play(await connection.join(room="r1"), choose), 10)
        with pytest.raises(TypeError, match=said):
            BotService(connection, choose, Accepts())


@pytest.mark.parametrize("choose", [max, lambda view, depth=2: "a1", lambda *all: "a1"])
def test_what_may_take_more_can_choose(choose: Any) -> None:
    bot.check_choose(choose)


async def test_thinking_leaves_the_connection_alive(server: FakeServer) -> None:
    pinged = threading.Event()

    def slow(view: RoomView) -> str:
        assert pinged.wait(10)
        return view.legal[0]

    async with connect(server.url) as connection:
        room = await connection.join(room="r1")
        playing = asyncio.create_task(bot.play(room, slow))
        await connection.ping()
        pinged.set()
        assert len(await playing) == 1


async def test_the_end_waits_for_no_thought(server: FakeServer) -> None:
    thinks, never = threading.Event(), threading.Event()

    def hang(view: RoomView) -> str:
        thinks.set()
        never.wait(60)
        return view.legal[0]

    async def begin_and_end() -> None:
        async with connect(server.url) as connection:
            playing = asyncio.create_task(bot.play(await connection.join(room="r1"), hang))
            assert await asyncio.to_thread(thinks.wait, 60)
            playing.cancel()

    try:
        await asyncio.wait_for(asyncio.to_thread(asyncio.run, begin_and_end()), 10)
    finally:
        never.set()


async def test_the_end_of_a_game_waits_for_no_thought(server: FakeServer) -> None:
    thinks, goes_on = threading.Event(), threading.Event()

    def hang(view: RoomView) -> str:
        thinks.set()
        goes_on.wait(60)
        return view.legal[0]

    try:
        async with connect(server.url) as connection:
            playing = asyncio.create_task(bot.play(await connection.join(room="r1"), hang))
            assert await asyncio.to_thread(thinks.wait, 60)
            await server.happens(Ended(winner="o", termination="flag", clock=None))
            assert await asyncio.wait_for(playing, 10) == [Result(winner="o", termination="flag")]
    finally:
        goes_on.set()
    assert not server.requests(Move)


async def test_the_next_game_is_thought_about_when_the_last_thought_has_ended(server: FakeServer) -> None:
    thinks, goes_on = threading.Event(), threading.Event()
    before = threading.enumerate()
    seen: list[int] = []

    def choose(view: RoomView) -> str:
        seen.append(view.serial)
        thinks.set()
        assert goes_on.wait(60)
        seen.append(-view.serial)
        return view.legal[0]

    server.answers[Rematch] = lambda request: Ack(room="r1")
    async with connect(server.url) as connection:
        room = await connection.join(room="r1")
        playing = asyncio.create_task(bot.play(room, choose, games=2))
        assert await asyncio.to_thread(thinks.wait, 60)
        await server.happens(Ended(winner="o", termination="flag", clock=None))
        await server.hears(Rematch)
        game = structs.replace(server.room.room.game, serial=2, id=2, moves=[], result=None)
        server.replies = ["c3", "c2"]
        await server.happens(Started(game=game, clock=None))
        while room.view.serial != 2:
            await room.changed_since(room.version)
        await connection.ping()
        assert sum(thread.name == "choose" for thread in threading.enumerate() if thread not in before) == 1
        goes_on.set()
        assert [result.termination for result in await playing] == ["flag", "line"]
    assert seen == [1, -1, 2, -2, 2, -2, 2, -2]


async def test_a_move_may_be_text_of_a_class_of_its_own(server: FakeServer) -> None:
    class Text(str):
        """As numpy's, which random.choice of numpy returns."""

    async with connect(server.url) as connection:
        playing = bot.play(await connection.join(room="r1"), lambda view: Text(view.legal[0]))
        assert await playing == [Result(winner="x", termination="line")]


@pytest.mark.parametrize(
    ("choose", "error", "said"),
    [
        (lambda view: next(iter(())), RuntimeError, "choose raised StopIteration"),
        (lambda view: asyncio.run(_cancelled()), RuntimeError, "choose raised CancelledError"),
        (lambda view: None, TypeError, "choose must return a move as text, not None"),
        (lambda view: view.legal, TypeError, "choose must return a move as text, not ('a1', 'b1'"),
    ],
)
async def test_what_is_no_move_is_said(
    server: FakeServer, choose: Callable[[RoomView], str], error: type[Exception], said: str
) -> None:
    async with connect(server.url) as connection:
        with pytest.raises(error, match=re.escape(said)):
            await asyncio.wait_for(bot.play(await connection.join(room="r1"), choose), 10)


async def test_offers_are_declined(server: FakeServer) -> None:
    server.room = FakeRoom(you="o")
    async with connect(server.url) as connection:
        playing = asyncio.create_task(bot.play(await connection.join(room="r1"), first_legal))
        await server.happens(Offered(by="x", what="draw"))
        assert (await server.hears(Act)).action == "decline_draw"
        playing.cancel()


async def test_a_move_that_came_too_late_is_no_failure(server: FakeServer) -> None:
    refused = False

    def once_stale(request: Request) -> ServerReply | None:
        nonlocal refused
        if refused:
            del server.answers[Move]
            return server._reply(request)
        refused = True
        return Error(code="stale", message="A takeback came in between.")

    server.answers[Move] = once_stale
    async with connect(server.url) as connection:
        playing = asyncio.create_task(bot.play(await connection.join(room="r1"), first_legal))
        await server.hears(Move)
        await server.send(server.room.snapshot())
        await server.hears(Move, 2)
        playing.cancel()


async def test_a_move_for_which_the_server_has_no_time_is_sent_again(
    server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(patience, "DELAYS_S", (0.0,))
    server.answers[Move] = lambda request: Error(code="too_fast", message="Too many messages.")
    async with connect(server.url) as connection:
        playing = asyncio.create_task(bot.play(await connection.join(room="r1"), first_legal))
        await server.hears(Move, 3)
        del server.answers[Move]
        assert await playing == [Result(winner="x", termination="line")]


async def test_an_answer_that_was_lost_is_asked_for_again(server: FakeServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patience, "DELAYS_S", (0.0,))
    server.room = FakeRoom(you="o")
    server.answers[Act] = lambda request: None
    async with connect(server.url, delays_s=(0.0,) * 9) as connection:
        playing = asyncio.create_task(bot.play(await connection.join(room="r1"), first_legal))
        await server.happens(Offered(by="x", what="draw"))
        await server.hears(Act)
        await server.drop()
        assert (await server.hears(Act, 2)).action == "decline_draw"
        playing.cancel()


async def test_what_was_chosen_for_a_position_is_not_played_in_another(server: FakeServer) -> None:
    thinks, goes_on = threading.Event(), threading.Event()

    def choose(view: RoomView) -> str:
        if not view.moves:
            thinks.set()
            assert goes_on.wait(60)
            return "b3"
        return view.legal[0]

    async with connect(server.url) as connection:
        room = await connection.join(room="r1")
        playing = asyncio.create_task(bot.play(room, choose))
        assert await asyncio.to_thread(thinks.wait, 60)
        await server.opponent_moves("a1")  # by another program with the same token
        await server.opponent_moves("b3")
        while len(room.view.moves) < 2:
            await room.changed_since(room.version)
        goes_on.set()
        assert (await server.hears(Move)).move == "b1"
        playing.cancel()


async def test_an_end_that_cannot_be_read_is_no_silence(server: FakeServer) -> None:
    server.room = FakeRoom(you="o")
    async with connect(server.url) as connection:
        playing = asyncio.create_task(bot.play(await connection.join(room="r1"), first_legal))
        await server.send('{"t":"event","room":"r1","seq":11,"ts":1,"e":"unheard-of","termination":7}')
        await server.send(
            '{"t":"event","room":"r1","seq":12,"ts":1,"e":"ended","winner":"x","termination":"newer","clock":null}'
        )
        with pytest.raises(ProtocolError, match="event 'ended' cannot be read: Invalid enum value 'newer'"):
            await asyncio.wait_for(playing, 10)


async def test_other_refusals_are_raised(server: FakeServer) -> None:
    async with connect(server.url) as connection:
        room = await connection.join(room="r1")
        with pytest.raises(RequestRefused, match="taken"):
            await bot.play(room, lambda view: view.legal[0] if not view.moves else view.moves[0])


async def test_two_games(server: FakeServer) -> None:
    server.answers[Rematch] = lambda request: Ack(room="r1")
    async with connect(server.url) as connection:
        playing = asyncio.create_task(bot.play(await connection.join(room="r1"), first_legal, games=2))
        await server.hears(Rematch)
        opponent = server.room.room.seats.o
        assert opponent is not None
        mine = Seat(id=ME.id, name=ME.name, kind="bot", present=True)
        game = GameView(
            serial=2, id=2, game="tictactoe", start=[], moves=[], to_move="x", legal=[], started=True, result=None
        )
        await server.happens(
            Seated(side="x", seat=opponent), Seated(side="o", seat=mine), Started(game=game, clock=None)
        )
        server.replies = ["b3", "c3"]
        await server.opponent_moves("a3")
        assert await playing == [Result(winner="x", termination="line")] * 2
    assert [move.game for move in server.requests(Move)] == [1, 1, 1, 2, 2]


async def test_a_challenge_that_is_declined_is_the_last_game(server: FakeServer) -> None:
    waiting = server.room.room
    declined = Result(winner=None, termination="aborted", declined=True)
    game = structs.replace(waiting.game, started=False, result=declined)
    server.room.room = structs.replace(waiting, game=game)
    async with connect(server.url) as connection:
        assert await bot.play(await connection.join(room="r1"), first_legal, games=2) == [declined]
    assert not server.requests(Rematch)


async def test_the_documented_bot_plays(server: FakeServer, monkeypatch: pytest.MonkeyPatch) -> None:
    program = re.search(r"```python\n(.*?)```", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL)
    assert program is not None
    code = program[1].replace("http://127.0.0.1:8765", server.url)
    assert len([line for line in code.splitlines() if line.strip()]) <= 10
    monkeypatch.setattr("random.choice", lambda moves: moves[0])
    await asyncio.to_thread(exec, compile(code, str(DOCUMENT), "exec"), {"__name__": "__main__"})
    assert [move.move for move in server.requests(Move)] == ["a1", "b1", "c1"]


@pytest.mark.parametrize("name", client.sdk.__all__)
def test_every_public_name_is_documented(name: str) -> None:
    assert re.search(rf"\b{name}\b", DOCUMENT.read_text(encoding="utf-8"))
    assert hasattr(client.sdk, name)


@pytest.mark.parametrize("package", ["client", "server", "engine"])
def test_type_checkers_see_the_types_of_an_installation(package: str) -> None:
    assert (files(package) / "py.typed").is_file()
