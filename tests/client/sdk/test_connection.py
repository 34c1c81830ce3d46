"""The connection: greeting, requests, events in order, gaps, and a lost connection made again."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from http import HTTPStatus
from typing import Never

import pytest
from msgspec.structs import replace
from websockets.asyncio.server import ServerConnection, serve
from websockets.http11 import Response

from client.sdk import Connection, ConnectionState, LiveRoom, ProtocolError, RequestRefused, ServerUnreachable, connect
from server.wire import (
    Ack,
    Announcement,
    ClockView,
    Error,
    HeldRoom,
    Hello,
    Join,
    LobbyRequest,
    Move,
    Ping,
    Resume,
    Room,
    Say,
    Welcome,
)
from tests.support.terminal import fake_server as fake
from tests.support.terminal.fake_server import AT_ONCE, HELLO_FROM_BOB, ME, SERVER_MS, FakeRoom, FakeServer, fake_server


async def test_hello_tells_who_we_are(server: FakeServer) -> None:
    async with connect(server.url, name="Eve", kind="bot") as connection:
        assert connection.player.name == "Eve"
        assert connection.token == "secret"
    hello = server.requests(Hello)[0]
    assert (hello.v, hello.name, hello.kind, hello.token) == (1, "Eve", "bot", None)


async def test_what_is_played_in_our_rooms_is_known(server: FakeServer) -> None:
    held = HeldRoom(room="r2", game="qubic", opponent=ME)
    server.answers[Hello] = lambda request: Welcome(v=1, player=ME, rooms=["r1", "r2"], held=[held])
    async with connect(server.url) as connection:
        assert (connection.rooms, connection.held) == (["r1", "r2"], {"r2": held})


async def test_an_announcement_is_told_once_though_each_greeting_brings_it(server: FakeServer) -> None:
    async with connect(server.url) as connection:
        told: list[str] = []
        connection.on_announcement = told.append
        for text in ("Restart \x1bat noon", "Restart \x1bat noon", "", "Restart \x1bat noon"):
            await server.send(Announcement(text=text, ts=1))
            await connection.ping()
        assert connection.announcement == told[0]
        assert "\x1b" not in told[0], "nothing that a terminal would obey"
        assert told == [told[0]] * 2


async def test_a_token_is_kept(server: FakeServer) -> None:
    async with connect(server.url, token="mine") as connection:
        assert connection.token == "mine"


async def test_a_refused_hello_is_raised(server: FakeServer) -> None:
    server.answers[Hello] = lambda request: Error(code="unauthorised", message="Nobody \x1b[31mknows this token.")
    with pytest.raises(RequestRefused, match=r"^Nobody knows this token\.$") as refused:
        async with connect(server.url, token="old"):
            pass
    assert refused.value.code == "unauthorised"


async def test_nobody_listens() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
    with pytest.raises(
        ServerUnreachable, match=rf"^No server answers at http://127.0.0.1:{port}: connection refused\.$"
    ):
        async with connect(f"127.0.0.1:{port}"):
            pass


async def test_another_kind_of_server() -> None:
    async with serve(lambda socket: socket.close(), "127.0.0.1", 0, process_request=_not_found) as other:
        port = other.sockets[0].getsockname()[1]
        with pytest.raises(ServerUnreachable, match="HTTP status 404"):
            async with connect(f"127.0.0.1:{port}"):
                pass


def _not_found(connection: ServerConnection, request: object) -> Response:
    return connection.respond(HTTPStatus.NOT_FOUND, "nothing here\n")


async def test_a_server_without_tls() -> None:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1)
        writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as plain:
        address = f"https://127.0.0.1:{plain.sockets[0].getsockname()[1]}"
        with pytest.raises(ServerUnreachable, match=rf"^{address} does not speak TLS \([a-z0-9 ]+\)\.$"):
            async with connect(address):
                pass


async def test_a_proxy_that_needs_a_package(monkeypatch: pytest.MonkeyPatch) -> None:
    async def not_installed(*_: object, **more: object) -> Never:
        raise ImportError("connecting through a SOCKS proxy requires python-socks")

    monkeypatch.setattr("websockets.asyncio.client.connect_socks_proxy", not_installed)  # wherever the tests run
    monkeypatch.setenv("socks_proxy", "socks5h://127.0.0.1:1")
    why = "connecting through a SOCKS proxy requires python-socks"
    with pytest.raises(
        ServerUnreachable, match=rf"^https://noughts\.invalid cannot be reached through the proxy: {why}\.$"
    ):
        async with connect("https://noughts.invalid"):
            pass


@pytest.mark.parametrize("greeting", [b"\xff", b"[]", b" " * (1 << 21)])
async def test_a_websocket_of_another_kind(greeting: bytes) -> None:
    async def greet(socket: ServerConnection) -> None:
        await socket.send(greeting, text=True)
        await socket.wait_closed()

    async with serve(greet, "127.0.0.1", 0) as other:
        address = f"http://127.0.0.1:{other.sockets[0].getsockname()[1]}"
        with pytest.raises(ServerUnreachable, match=rf"^{address} is no noughts server\.$"):
            async with connect(address):
                pass


async def test_a_server_that_closes_at_once(server: FakeServer) -> None:
    server.refuse_to_open = True
    with pytest.raises(ServerUnreachable, match="closed the connection"):
        async with connect(server.url):
            pass


async def test_a_server_that_opens_and_says_nothing(server: FakeServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("client.sdk.connection.OPEN_TIMEOUT_S", 0)
    server.answers[Hello] = lambda request: None
    with pytest.raises(ServerUnreachable, match="does not answer"):
        async with connect(server.url):
            pass


async def test_a_server_that_greets_and_says_nothing_more(server: FakeServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("client.sdk.connection.ANSWER_TIMEOUT_S", 0)
    server.answers[Ping] = lambda request: None
    with pytest.raises(ServerUnreachable, match="does not answer"):
        async with asyncio.timeout(10), connect(server.url):
            pass


async def test_a_connection_on_which_a_request_has_no_answer_is_lost(
    server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.answers[Say] = lambda request: None
    async with connect(server.url, delays_s=AT_ONCE) as connection:
        room = await connection.join(room="r1")
        monkeypatch.setattr("client.sdk.connection.ANSWER_TIMEOUT_S", 0)
        with pytest.raises(ServerUnreachable, match="may or may not") as lost:
            await asyncio.wait_for(room.say("hello"), 10)
    assert lost.value.in_doubt


async def test_what_the_server_says_is_cleaned(server: FakeServer) -> None:
    server.answers[Join] = lambda request: Error(code="not_found", message="no \x1b[31mroom")
    async with connect(server.url) as connection:
        with pytest.raises(RequestRefused) as refused:
            await connection.join(code="x")
    assert refused.value.message == "no room"


async def test_events_of_unknown_kinds_count(server: FakeServer) -> None:
    async with connect(server.url) as connection:
        room = await connection.join(room="r1")
        server.room.seq += 1
        await server.send('{"t":"event","room":"r1","seq":11,"ts":1,"e":"fanfare","loud":true}')
        await server.send('{"t":"weather","sunny":true}')
        await server.opponent_moves("c3")
        async for view in room:
            if view.moves:
                break
        assert view.seq == 12
    assert not server.requests(Resume)


async def test_an_answer_of_an_unknown_kind_is_raised(server: FakeServer) -> None:
    server.answers[Say] = lambda request: None
    async with connect(server.url) as connection:
        room = await connection.join(room="r1")
        saying = asyncio.create_task(room.say("hi"))
        said = await server.hears(Say)
        await server.send(f'{{"t":"error","id":{said.id},"code":"too_hot","message":"Too hot."}}')
        with pytest.raises(ProtocolError):
            await saying


async def test_a_game_that_is_not_ours(server: FakeServer) -> None:
    server.room.room.game.game = "chess"
    async with connect(server.url) as connection:
        with pytest.raises(ProtocolError, match="chess"):
            await connection.join(room="r1")


async def test_a_lost_connection_is_made_again(server: FakeServer) -> None:
    states: list[ConnectionState] = []
    async with connect(server.url, name="Ada", on_state=states.append, delays_s=AT_ONCE) as connection:
        room = await connection.join(room="r1")
        await server.drop()
        server.room.happens(HELLO_FROM_BOB)
        async for view in room:
            if view.chat:
                break
        await connection.ping()
    assert [state.connected for state in states] == [False, True]
    assert "restarts" in states[0].sentence
    assert server.requests(Hello)[1].token == "secret"
    assert server.requests(Resume)[0].seq == 10


async def test_a_callback_that_fails_costs_no_connection(server: FakeServer, caplog: pytest.LogCaptureFixture) -> None:
    def fail(news: object) -> None:
        raise ZeroDivisionError(f"a bug: {type(news).__name__}")

    async with connect(server.url, on_state=fail, delays_s=AT_ONCE) as connection:
        connection.lobby_changed = connection.on_announcement = fail
        await connection.lobby()
        await server.send(Announcement(text="Back at nine.", ts=SERVER_MS))
        await connection.ping()
        await server.drop()
        await server.hears(Hello, 2)
        await connection.ping()
    for news in ("Lobby", "str", "ConnectionState"):
        assert f"ZeroDivisionError: a bug: {news}" in caplog.text


async def test_a_name_is_not_given_again_after_a_lost_connection(server: FakeServer) -> None:
    async with connect(server.url, name="Ada", delays_s=AT_ONCE) as connection:
        await server.drop()
        await server.hears(Hello, 2)
        await connection.rename("Eve")
        server.answers[Hello] = lambda request: Error(code="bad_name", message="A name has 1 to 20 characters.")
        with pytest.raises(RequestRefused):
            await connection.rename("x" * 30)
        del server.answers[Hello]
        await server.drop()
        await server.hears(Hello, 5)
    assert [hello.name for hello in server.requests(Hello)] == ["Ada", None, "Eve", "x" * 30, None]


@asynccontextmanager
async def cut_off(server: FakeServer) -> AsyncIterator[tuple[Connection, LiveRoom]]:
    """In a room, when the connection has just been lost."""
    lost = asyncio.Event()
    async with connect(server.url, delays_s=AT_ONCE, on_state=lambda state: lost.set()) as connection:
        room = await connection.join(room="r1")
        await server.drop()
        await lost.wait()
        yield connection, room


async def test_what_is_wanted_no_longer_is_not_asked_after_a_lost_connection(server: FakeServer) -> None:
    async with cut_off(server) as (connection, room):
        saying = asyncio.create_task(room.say("late"))

        def resume(request: object) -> Room:
            saying.cancel()
            return server.room.snapshot()

        server.answers[Resume] = resume
        await server.hears(Resume)
        await asyncio.gather(*connection._restoring)
        await connection.ping()
        assert not server.requests(Say)
        assert saying.cancelled()


async def test_a_name_that_is_refused_costs_no_connection(server: FakeServer) -> None:
    async with cut_off(server) as (connection, room):
        refused = Error(code="bad_name", message="Level 2 is the name of a bot.")
        welcome = Welcome(v=1, player=ME, rooms=[])
        server.answers[Hello] = lambda request: refused if request.name == "Level 2" else welcome
        with pytest.raises(RequestRefused, match="name of a bot"):
            await connection.rename("Level 2")
        await room.move("a1")


async def test_many_rooms_are_resumed_a_few_at_a_time(server: FakeServer) -> None:
    server.answers[Join] = lambda request: replace(server.room.snapshot(), room=request.room)
    server.answers[Resume] = lambda request: None
    async with connect(server.url, delays_s=AT_ONCE) as connection:
        for number in range(9):
            await connection.join(room=f"r{number}")
        for times in (1, 2):
            await server.drop()
            await server.hears(Resume, 4 * times)
            await connection.ping()
            assert len(server.requests(Resume)) == 4 * times


async def test_a_move_is_asked_again_after_a_lost_connection(server: FakeServer) -> None:
    server.answers[Move] = lambda request: None
    async with connect(server.url, delays_s=AT_ONCE) as connection:
        room = await connection.join(room="r1")
        moving = asyncio.create_task(room.move("b2"))
        first = await server.hears(Move)
        del server.answers[Move]
        await server.drop()
        view = await moving
        assert view.moves == ("b2",)
    again = server.requests(Move)[1]
    assert (again.id, again.ply, again.move) == (first.id, 0, "b2")


async def test_what_cannot_be_asked_twice_is_not(server: FakeServer) -> None:
    server.answers[Say] = lambda request: None
    async with connect(server.url, delays_s=AT_ONCE) as connection:
        room = await connection.join(room="r1")
        saying = asyncio.create_task(room.say("hi"))
        await server.hears(Say)
        await server.drop()
        with pytest.raises(ServerUnreachable, match="may or may not have gone through"):
            await saying
    assert len(server.requests(Say)) == 1


async def test_requests_wait_for_the_connection(server: FakeServer) -> None:
    async with cut_off(server) as (connection, _):
        assert (await connection.lobby()).players == 1
    assert len(server.requests(LobbyRequest)) == 1


async def test_what_is_said_meanwhile_comes_after_its_room_is_resumed(server: FakeServer) -> None:
    async with cut_off(server) as (_, room):
        await room.say("hi")
    assert [type(request) for request in server.heard if isinstance(request, Resume | Say)] == [Resume, Say]


async def test_so_does_what_is_said_in_a_room_that_is_resumed_late(server: FakeServer) -> None:
    server.answers[Join] = lambda request: replace(server.room.snapshot(), room=request.room)
    server.answers[Say] = lambda request: Ack(room="r8")
    lost = asyncio.Event()
    async with connect(server.url, delays_s=AT_ONCE, on_state=lambda state: lost.set()) as connection:
        rooms = [await connection.join(room=f"r{number}") for number in range(9)]
        await server.drop()
        await lost.wait()
        await rooms[8].say("hi")
    resumed_or_said = [request for request in server.heard if isinstance(request, Resume | Say)]
    assert [request.room for request in resumed_or_said] == [*(f"r{number}" for number in range(9)), "r8"]


async def test_a_connection_that_stays_lost_is_given_up(server: FakeServer) -> None:
    async with connect(server.url, delays_s=AT_ONCE[:3]) as connection:
        room = await connection.join(room="r1")
        server.refuse_to_open = True
        await server.drop()
        with pytest.raises(ServerUnreachable):
            async for _ in room:
                pass
        with pytest.raises(ServerUnreachable):
            await room.move("a1")


async def test_an_identity_that_is_gone_is_not_made_anew(server: FakeServer) -> None:
    async with connect(server.url, delays_s=AT_ONCE) as connection:
        room = await connection.join(room="r1")
        server.answers[Hello] = lambda request: Error(code="unauthorised", message="Nobody knows this token.")
        await server.drop()
        with pytest.raises(RequestRefused, match="Nobody knows"):
            async for _ in room:
                pass
    assert len(server.requests(Hello)) == 2


async def test_a_room_that_was_left_is_not_followed_again(server: FakeServer) -> None:
    async with connect(server.url, delays_s=AT_ONCE) as connection:
        room = await connection.join(room="r1")
        await room.leave()
        await server.send(server.room.snapshot())  # it was on its way
        await connection.ping()
        await server.drop()
        await server.hears(Hello, 2)
        await connection.ping()
    assert not server.requests(Resume)


async def test_clocks_follow_the_servers_time() -> None:
    clock = ClockView(x_ms=60_000, o_ms=60_000, running="x", initial_ms=60_000, increment_ms=0)
    async with fake_server(FakeRoom(clock=clock)) as server, connect(server.url) as connection:
        room = await connection.join(room="r1")
        assert abs(connection.server_now_ms() - SERVER_MS) < 5_000
        remaining_ms = room.remaining_ms("x")
        assert remaining_ms is not None
        assert 50_000 < remaining_ms <= 60_000
        assert room.remaining_ms("o") == 60_000


@pytest.mark.parametrize("jump_ms", [3_600_000, -3_600_000])
async def test_a_servers_clock_that_is_set_is_asked_for_again(monkeypatch: pytest.MonkeyPatch, jump_ms: int) -> None:
    async with fake_server() as server, connect(server.url) as connection:
        room = await connection.join(room="r1")
        await room.say("before")
        monkeypatch.setattr(fake, "SERVER_MS", SERVER_MS + jump_ms)
        await room.say("after")
        for _ in range(2):  # the second goes after what is asked now
            await connection.ping()
        assert abs(connection.server_now_ms() - SERVER_MS - jump_ms) < 5_000
