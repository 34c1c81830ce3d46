"""A room followed through a connection: its updates, gaps, what is asked in it, and a lost connection."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from random import Random
from typing import Any

import pytest

from client.sdk import LiveRoom, ProtocolError, RequestRefused, RoomView, connect, patience
from client.sdk.room import UPDATES_KEPT
from client.sdk.room_view import SequencedEvent
from server.wire import (
    Ack,
    ClockView,
    Error,
    Join,
    Leave,
    Move,
    Opponent,
    Present,
    Request,
    Resume,
    Say,
    Watch,
)
from tests.support.terminal.fake_server import AT_ONCE, HELLO_FROM_BOB, SERVER_MS, FakeRoom, FakeServer


async def test_create_and_move(server: FakeServer) -> None:
    server.replies = ["a1"]
    async with connect(server.url) as connection:
        room = await connection.create("tictactoe", opponent=Opponent(kind="bot", bot="random"), seat="x")
        assert room.view.my_turn
        view = await room.move("b2")
        assert view.moves[0] == "b2"
        async for view in room:
            if view.my_turn:
                break
        assert view.moves == ("b2", "a1")
    move = server.requests(Move)[0]
    assert (move.room, move.game, move.ply, move.move, move.after) == ("r1", 1, 0, "b2", 10)


async def test_a_refused_move_changes_nothing(server: FakeServer) -> None:
    async with connect(server.url) as connection:
        room = await connection.join(room="r1")
        await room.move("b2")
        with pytest.raises(RequestRefused, match="taken") as refused:
            await room.move("b2")
        assert refused.value.code == "illegal_move"
        assert room.view.moves == ("b2",)


async def test_every_update_comes_with_its_view(server: FakeServer) -> None:
    async with connect(server.url) as connection:
        room = await connection.join(room="r1")
        await server.happens(HELLO_FROM_BOB)
        await server.opponent_moves("c3")
        await server.send(Present(room="r1", side="o", present=False))
        seen = []
        async for update in room.updates():
            seen.append((len(update.view.chat), update.view.moves))
            if update.view.o is not None and not update.view.o.present:
                break
        assert seen == [(0, ()), (1, ()), (1, ("c3",)), (1, ("c3",))]


async def test_a_gap_is_resumed(server: FakeServer) -> None:
    async with connect(server.url) as connection:
        room = await connection.join(room="r1")
        server.room.happens(HELLO_FROM_BOB)  # lost on the way
        await server.opponent_moves("c3")
        async for view in room:
            if view.moves:
                break
        assert len(view.chat) == 1
    assert [resume.seq for resume in server.requests(Resume)] == [10]


async def test_rules_that_are_not_ours_end_the_room(server: FakeServer) -> None:
    async with connect(server.url) as connection:
        room = await connection.join(room="r1")
        await server.send(
            '{"t":"event","room":"r1","seq":11,"ts":1,"e":"moved","ply":0,"move":"z9","by":"x","think_ms":1,'
            '"clock":null,"to_move":"o"}'
        )
        with pytest.raises(ProtocolError, match="rules here forbid"):
            async for _ in room:
                pass


async def test_what_was_missed_is_told_as_such(server: FakeServer) -> None:
    async with connect(server.url, delays_s=AT_ONCE) as connection:
        room = await connection.join(room="r1")
        room.take_updates()
        for move in ("a1", "b1"):
            for event in server.room.moves(move):
                server.room.happens(event)
        await server.drop()
        while len(room.view.moves) < 2:
            await room.changed_since(room.version)
        assert room.missed
        assert [update.missed for update in room.take_updates() if isinstance(update.message, SequencedEvent)] == [
            True,
            True,
        ]
        await server.opponent_moves("c1")
        while len(room.view.moves) < 3:
            await room.changed_since(room.version)
        assert not room.missed
        assert [update.missed for update in room.take_updates()] == [False]


async def test_rooms_outlast_what_a_restarted_server_cannot_do_at_once(
    server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(patience, "DELAYS_S", (0.0,))
    server.room = FakeRoom(clock=ClockView(x_ms=60_000, o_ms=60_000, running="x", initial_ms=60_000, increment_ms=0))
    async with connect(server.url, delays_s=AT_ONCE) as connection:
        room = await connection.join(room="r1")
        server.answers[Resume] = server.answers[Join] = lambda request: Error(code="busy", message="Not now.")
        await server.drop()
        await server.hears(Resume, 3)
        del server.answers[Resume]
        await server.hears(Join, 3)
        del server.answers[Join]
        await server.opponent_moves("a1")
        async for view in room:
            if view.moves:
                break


async def test_watching_by_code_starts_again_with_the_code(server: FakeServer) -> None:
    async with connect(server.url, delays_s=AT_ONCE) as connection:
        room = await connection.watch("r1", code="abc")
        server.answers[Resume] = lambda request: Error(code="not_found", message="No such room.")
        server.room.happens(HELLO_FROM_BOB)
        await server.drop()
        async for view in room:
            if view.chat:
                break
    assert [watch.code for watch in server.requests(Watch)] == ["abc", "abc"]


async def test_watching_by_code_ends_where_the_code_would_not_help(server: FakeServer) -> None:
    async with connect(server.url, delays_s=AT_ONCE) as connection:
        room = await connection.watch("r1", code="abc")
        server.answers[Resume] = lambda request: Error(code="malformed", message="Nobody can read this.")
        server.answers[Watch] = lambda request: Error(code="not_found", message="Watched again.")
        await server.drop()
        with pytest.raises(RequestRefused, match="can read this"):
            async for _ in room:
                pass


async def test_a_room_that_is_gone_ends(server: FakeServer) -> None:
    async with connect(server.url, delays_s=AT_ONCE) as connection:
        room = await connection.join(room="r1")
        server.answers[Resume] = lambda request: Error(code="not_found", message="No such room.")
        await server.drop()
        with pytest.raises(RequestRefused, match="No such room"):
            async for _ in room:
                pass


async def test_leaving_ends_the_iteration(server: FakeServer) -> None:
    async with connect(server.url) as connection:
        room = await connection.join(room="r1")
        views = [view async for view in _leave_at_once(room)]
        assert len(views) == 1
        await server.happens(HELLO_FROM_BOB)
        await connection.ping()
        assert not room.view.chat


async def _leave_at_once(room: LiveRoom) -> AsyncIterator[RoomView]:
    async for view in room:
        yield view
        await room.leave()


async def test_an_ack_without_a_seq_is_enough(server: FakeServer) -> None:
    server.answers[Say] = lambda request: Ack(room="r1")
    async with connect(server.url) as connection:
        room = await connection.join(room="r1")
        await room.say("hi")


class Played:
    """A connection in whose place the test answers: `resume` is what a gap is filled with."""

    def __init__(self) -> None:
        self.asked: list[Request] = []
        self.unfollowed: list[str] = []
        self.resume: Callable[[int], Ack] = lambda seq: Ack(seq=seq)
        self._work: set[asyncio.Task[None]] = set()

    def server_now_ms(self) -> int:
        return SERVER_MS

    async def ping(self) -> int:
        return 7

    async def request(self, request: Request, answer: type[Any]) -> Any:
        self.asked.append(request)
        return self.resume(request.seq) if isinstance(request, Resume) else Ack(seq=11)

    def start(self, work: Coroutine[Any, Any, None]) -> None:
        self._work.add(asyncio.create_task(work))

    def unfollow(self, room: str) -> None:
        self.unfollowed.append(room)

    async def settles(self) -> None:
        await asyncio.gather(*self._work)


def said(seq: int) -> SequencedEvent:
    return SequencedEvent(room="r1", seq=seq, ts=SERVER_MS, event=HELLO_FROM_BOB)


@pytest.fixture
def played() -> Played:
    return Played()


@pytest.fixture
def live(played: Played) -> LiveRoom:
    fake = FakeRoom()
    return LiveRoom(played, fake.view, fake.snapshot())


async def later() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


async def test_a_request_is_answered_once_the_view_includes_its_event(live: LiveRoom) -> None:
    saying = asyncio.create_task(live.say("hello"))
    await later()
    assert not saying.done()
    live._receive(said(11))
    assert len((await saying).chat) == 1


async def test_leaving_ends_what_waits_for_the_room(live: LiveRoom, played: Played) -> None:
    saying = asyncio.create_task(live.say("hello"))
    waiting = asyncio.create_task(live.changed_since(live.version))
    await later()
    await live.leave()
    assert await waiting is False
    assert (await saying).chat == ()
    assert [type(request) for request in played.asked] == [Say, Leave]
    assert played.unfollowed == ["r1"]
    live._receive(said(11))
    assert await live.changed_since(0) is False


@pytest.mark.parametrize("seed", range(5))
async def test_whatever_is_lost_or_comes_twice_the_view_has_every_event_once(
    live: LiveRoom, played: Played, seed: int
) -> None:
    random = Random(seed)
    sent = 10

    def resume(seq: int) -> Ack:
        for missed in range(seq + 1, sent + 1):
            asyncio.get_running_loop().call_soon(live._receive, said(missed))
        return Ack(seq=sent)

    played.resume = resume
    versions = [live.version]
    for sent in range(11, 60):
        for _ in range(random.choice((0, 1, 1, 2))):
            live._receive(said(sent))
        if random.random() < 0.3:
            await later()
        versions.append(live.version)
    sent = 60
    live._receive(said(60))
    await played.settles()
    assert live.view.seq == 60
    assert len(live.view.chat) == 50
    assert versions == sorted(versions)
    resumed = [request.seq for request in played.asked if isinstance(request, Resume)]
    assert resumed == sorted(set(resumed)), "a gap is asked for once"
    told = [update.view.seq for update in live.take_updates()]
    assert told == list(range(10, 61))
    assert live.take_updates() == []


async def test_of_updates_that_nobody_reads_the_oldest_go(live: LiveRoom) -> None:
    for seq in range(11, 20 + UPDATES_KEPT):
        live._receive(said(seq))
    assert [update.view.seq for update in live.take_updates()] == list(range(20, 20 + UPDATES_KEPT))
