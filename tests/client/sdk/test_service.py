"""A bot as a service: which challenges it takes, how many at once, and what it survives."""

from __future__ import annotations

import asyncio
import logging
import sys
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import pytest
from msgspec.structs import replace

from client.sdk import (
    Accepts,
    BotService,
    ClockSettings,
    ConnectionState,
    Lobby,
    RequestRefused,
    RoomView,
    connect,
    patience,
)
from client.sdk.service import accepts
from server.wire import (
    Act,
    Ended,
    Error,
    ErrorCode,
    Hello,
    Join,
    Leave,
    ListedPlayer,
    LobbyRequest,
    Move,
    RatingView,
    Seek,
    Welcome,
)
from tests.support.terminal.fake_server import ME, FakeServer

BLITZ = ClockSettings(initial_ms=180_000, increment_ms=2_000)
BY = ListedPlayer(id="7", name="Ann", kind="person", rating=RatingView(value=1500, deviation=60, provisional=False))
CHALLENGE = Seek(room="r1", game="tictactoe", clock=None, rated=False, by=BY, seat="x")


@pytest.mark.parametrize(
    ("rules", "changes", "taken"),
    [
        (Accepts(), {}, True),
        (Accepts(games=frozenset({"qubic"})), {}, False),
        (Accepts(games=frozenset({"qubic"})), {"game": "qubic"}, True),
        (Accepts(rated=False), {"rated": True}, False),
        (Accepts(rated=False), {}, True),
        (Accepts(no_clock=False), {}, False),
        (Accepts(no_clock=False), {"clock": BLITZ}, True),
        (Accepts(least_s=260), {"clock": BLITZ}, True),
        (Accepts(least_s=261), {"clock": BLITZ}, False),
        (Accepts(most_s=260), {"clock": BLITZ}, True),
        (Accepts(most_s=259), {"clock": BLITZ}, False),
        (Accepts(most_s=259), {}, True),
        (Accepts(least_s=40), {"clock": ClockSettings(move_ms=1_000)}, True),
        (Accepts(least_s=41), {"clock": ClockSettings(move_ms=1_000)}, False),
        (Accepts(least_rating=1500, most_rating=1500), {}, True),
        (Accepts(least_rating=1501), {}, False),
        (Accepts(most_rating=1499), {}, False),
        (Accepts(least_rating=1), {"by": replace(BY, rating=None)}, False),
        (Accepts(), {"by": replace(BY, rating=None)}, True),
    ],
)
def test_which_challenges_it_takes(rules: Accepts, changes: dict[str, object], taken: bool) -> None:
    assert accepts(rules, replace(CHALLENGE, **changes)) is taken


def lobby(*challenges: Seek, seeks: tuple[Seek, ...] = ()) -> Lobby:
    return Lobby(seeks=list(seeks), rooms=[], players=1, challenges=list(challenges), people=[])


def first_legal(view: RoomView) -> str:
    return view.legal[0]


@asynccontextmanager
async def running(server: FakeServer, rules: Accepts, choose: object = first_legal) -> AsyncIterator[None]:
    async with connect(server.url, kind="bot", delays_s=(0.0,) * 9) as connection:
        service = asyncio.create_task(BotService(connection, choose, rules).run())  # type: ignore[arg-type]
        try:
            yield
        finally:
            service.cancel()
            with suppress(asyncio.CancelledError):
                await service


async def test_it_plays_a_challenge_to_its_end_and_leaves(server: FakeServer) -> None:
    server.replies = ["c3", "c2"]
    server.lobby = lobby(CHALLENGE)
    async with running(server, Accepts()):
        await server.hears(Move, 3)
        server.lobby = lobby()
        assert [move.move for move in server.requests(Move)] == ["a1", "b1", "c1"]
        assert server.requests(Join)[0].room == "r1"
        assert (await server.hears(Leave)).room == "r1"


async def test_it_plays_no_more_at_once_than_it_may_and_open_seats_only_if_told(server: FakeServer) -> None:
    others = [replace(CHALLENGE, room=f"r{number}") for number in (2, 3)]
    server.lobby = lobby(CHALLENGE, *others, seeks=(replace(CHALLENGE, room="r9"),))
    async with running(server, Accepts(at_once=1)):
        await server.hears(Join)
        await server.send(server.lobby)
        await server.hears(Move)
        assert [join.room for join in server.requests(Join)] == ["r1"]
    open_seat = replace(CHALLENGE, room="r9")
    server.lobby = lobby(seeks=(open_seat,))
    async with running(server, Accepts()):
        await server.hears(LobbyRequest, 2)
        await server.send(lobby(replace(CHALLENGE, room="r2"), seeks=(open_seat,)))
        assert (await server.hears(Join, 2)).room == "r2"
    async with running(server, Accepts(seeks=True)):
        assert (await server.hears(Join, 3)).room == "r9"


async def test_a_challenge_that_refuses_it_is_left_alone_for_a_while(server: FakeServer) -> None:
    server.lobby = lobby(CHALLENGE)
    server.answers[Join] = lambda request: Error(code="busy", message="This room is busy just now.")
    async with running(server, Accepts()):
        await server.hears(Join)
        await server.hears(LobbyRequest, 2)
        await server.send(server.lobby)
        del server.answers[Join]
        other = replace(CHALLENGE, room="r2")
        await server.send(lobby(CHALLENGE, other))
        await server.hears(Move)
        assert [join.room for join in server.requests(Join)] == ["r1", "r2"]


async def test_a_lobby_that_is_refused_ends_nothing(server: FakeServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patience, "DELAYS_S", (0.0,))
    server.lobby = lobby(CHALLENGE)
    server.answers[LobbyRequest] = lambda request: Error(code="too_fast", message="Too many messages.")
    async with running(server, Accepts()):
        await server.hears(LobbyRequest)
        del server.answers[LobbyRequest]
        await server.hears(Move)


async def test_it_ends_where_the_server_lets_it_in_no_more(server: FakeServer) -> None:
    async with connect(server.url, kind="bot", delays_s=(0.0,)) as connection:
        service = asyncio.create_task(BotService(connection, first_legal, Accepts()).run())
        await server.hears(LobbyRequest)
        server.answers[Hello] = lambda request: Error(code="unauthorised", message="Nobody has this token.")
        await server.drop()
        with pytest.raises(RequestRefused, match="Nobody has this token"):
            await service


async def test_its_games_outlast_what_the_server_cannot_do_just_now(
    server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(patience, "DELAYS_S", (0.0,))
    server.answers[Hello] = lambda request: Welcome(v=1, player=ME, rooms=["r1"], token="secret")
    server.replies = ["c3", "c2"]
    for kind in (Join, Move, Leave):
        server.answers[kind] = lambda request: Error(code="unavailable", message="The disk is full.")
    async with running(server, Accepts()):
        for kind in (Join, Move, Leave):
            await server.hears(kind, 2)
            del server.answers[kind]
        await server.hears(Leave, 3)
    assert server.room.view.result is not None
    assert not server.requests(Act)


async def test_what_the_bot_raises_loses_its_game_alone(
    server: FakeServer, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(view: RoomView) -> str:
        raise ZeroDivisionError("a bug")

    monkeypatch.setattr(patience, "DELAYS_S", (0.0,))
    server.lobby = lobby(CHALLENGE)
    server.answers[Act] = lambda request: Error(code="too_fast", message="Too many messages.")
    async with running(server, Accepts(), fail):
        await server.hears(Act)
        del server.answers[Act]
        assert (await server.hears(Act, 2)).action == "resign"
    assert "a bug" in caplog.text


@pytest.mark.parametrize("code", ["illegal_move", "malformed", "too_large"])
async def test_so_does_what_is_no_legal_move(
    server: FakeServer, caplog: pytest.LogCaptureFixture, code: ErrorCode
) -> None:
    server.lobby = lobby(CHALLENGE)
    server.answers[Move] = lambda request: Error(code=code, message="There is no such move.")
    async with running(server, Accepts()):
        assert (await server.hears(Act)).action == "resign"
    assert "the bot failed and resigns" in caplog.text
    assert "There is no such move." in caplog.text


async def test_a_bot_that_would_end_the_program_loses_its_game_alone(server: FakeServer) -> None:
    def leave(view: RoomView) -> str:
        sys.exit(3)

    server.lobby = lobby(CHALLENGE)
    async with running(server, Accepts(), leave):
        await server.hears(Act)
        await server.send(lobby(replace(CHALLENGE, room="r2")))
        assert (await server.hears(Join, 2)).room == "r2"


async def test_a_thought_about_a_game_that_is_over_counts_as_a_game(
    server: FakeServer, caplog: pytest.LogCaptureFixture
) -> None:
    thinks, goes_on = threading.Event(), threading.Event()
    caplog.set_level(logging.INFO)

    def hang(view: RoomView) -> str:
        thinks.set()
        assert goes_on.wait(60)
        return view.legal[0]

    server.lobby = lobby(CHALLENGE)
    try:
        async with running(server, Accepts(at_once=1), hang):
            assert await asyncio.to_thread(thinks.wait, 60)
            server.lobby = lobby(replace(CHALLENGE, room="r2"))
            await server.happens(Ended(winner="o", termination="flag", clock=None))
            await server.hears(Leave)
            await server.drop()
            await server.hears(LobbyRequest, 2)
            await server.drop()
            await server.hears(LobbyRequest, 3)  # so the last lobby has been looked at
            assert [join.room for join in server.requests(Join)] == ["r1"]
            goes_on.set()
            assert (await server.hears(Join, 2)).room == "r2"
    finally:
        goes_on.set()
    assert "choose still thinks about a game that is over" in caplog.text


async def test_callbacks_of_the_connection_are_called_as_before(server: FakeServer) -> None:
    said: list[object] = []
    async with connect(server.url, kind="bot", delays_s=(0.0,) * 9, on_state=said.append) as connection:
        connection.lobby_changed = said.append
        service = asyncio.create_task(BotService(connection, first_legal, Accepts()).run())
        await server.hears(LobbyRequest)
        await server.drop()
        await server.hears(LobbyRequest, 2)
        service.cancel()
        with suppress(asyncio.CancelledError):
            await service
        assert [type(news) for news in said[:3]] == [Lobby, ConnectionState, ConnectionState]
        assert (connection.on_state, connection.lobby_changed) == (said.append, said.append)


async def test_it_looks_at_the_lobby_again_after_a_lost_connection(server: FakeServer) -> None:
    server.lobby = lobby(CHALLENGE)
    async with running(server, Accepts()):
        await server.hears(Move)
        server.lobby = lobby(CHALLENGE, replace(CHALLENGE, room="r2"))
        await server.drop()
        assert (await server.hears(Join, 2)).room == "r2"
