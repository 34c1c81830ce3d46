"""Websocket frames on a socket, byte by byte, without a network. What their messages do is test_connection's."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

import pytest
from websockets.frames import CloseCode, Opcode

import server
from server.http.connections import websocket
from server.http.connections.socket import CLOSE_S, DEAF_S
from server.http.connections.websocket import PAUSE_S, PIECE_BYTES, TURN_FRAMES, WebSocket
from server.play.rate_limit import Patience
from server.rooms.connection_context import Limits
from server.rooms.fair_queue import LITTLE_AT_ONCE
from server.rooms.members import SEND_QUEUE_BYTES, text_frame
from server.wire import FRAME_BYTES_FATAL
from tests.support.http.sockets import PEER, Client, House, framed
from tests.support.rooms.fakes import settle
from tests.support.rooms.loopback import ANNS_TOKEN, HELLO

PING = framed(b'{"t":"ping","ts":1}')
CONTROL = framed(b"", Opcode.PING)
LIMITS = Limits(connection_rate=50, connection_burst=200, player_rate=0)


async def greeted(house: House) -> Client:
    return await greeted_from(house, PEER[0])


async def greeted_from(house: House, address: str) -> Client:
    client = await house.client((address, 4711)).upgraded()
    await client.send(framed(json.dumps(HELLO | {"token": ANNS_TOKEN}).encode()))
    [(_, welcome)] = client.frames()
    assert json.loads(welcome)["t"] == "welcome"
    return client


def texts(client: Client) -> list[dict[str, Any]]:
    return [json.loads(data) for opcode, data in client.frames() if opcode is Opcode.TEXT]


# Frames in


async def test_bytes_that_are_wrong_twice_close_once() -> None:
    """The protocol sees the end of the bytes before the messages at their beginning are read."""
    client = await greeted(House())
    await client.send(framed(b"\xff") + b"\xf3\x80")
    assert client.close_code() == CloseCode.PROTOCOL_ERROR
    assert client.transport.eof or client.transport.closed


@pytest.mark.parametrize("size", [None, 1, 3, 1000])
async def test_messages_however_they_are_cut(size: int | None) -> None:
    client = await greeted(House())
    message = b'{"t":"ping","ts":7,"id":1}'
    parts = [
        framed(message),
        framed(message[:9], fin=False),
        framed(b"in between", Opcode.PING),
        framed(b"", Opcode.CONT, fin=False),
        framed(message[9:], Opcode.CONT),
        framed(b'{"t":"ping","ts":8' + b" " * 3000 + b"}"),
        framed(b"\x00\x01", Opcode.BINARY),
    ]
    await client.send(b"".join(parts), size)
    for _ in range(5):
        await settle()
    heard = client.frames()
    assert [opcode for opcode, _ in heard].count(Opcode.PONG) == 1
    assert (Opcode.PONG, b"in between") in heard
    answers = [json.loads(data) for opcode, data in heard if opcode is Opcode.TEXT]
    assert [answer.get("ts", answer.get("code")) for answer in answers] == [7, 7, 8, "malformed"]


@pytest.mark.parametrize(
    ("frame", "code"),
    [
        (b"\x81\x05hello", CloseCode.PROTOCOL_ERROR),
        (b"\xf1\x80\x00\x00\x00\x00", CloseCode.PROTOCOL_ERROR),
        (b"\x8f\x80\x00\x00\x00\x00", CloseCode.PROTOCOL_ERROR),
        (framed(b"", Opcode.CONT), CloseCode.PROTOCOL_ERROR),
        (framed(b"a", fin=False) + framed(b"b"), CloseCode.PROTOCOL_ERROR),
        (framed(b'{"t":"\xff"}'), CloseCode.INVALID_DATA),
        (framed(b"x" * (FRAME_BYTES_FATAL + 1)), CloseCode.MESSAGE_TOO_BIG),
    ],
    ids=["unmasked", "reserved bit", "unknown opcode", "nothing to go on", "begun twice", "not UTF-8", "too big"],
)
async def test_frames_against_the_rules_close(frame: bytes, code: CloseCode) -> None:
    house = House()
    client = await greeted(house)
    await client.send(frame + PING)
    for _ in range(10):
        await settle()
    assert client.close_code() == code
    assert not house.connections[0].open
    await client.send(PING)
    assert client.take() == b"", "nothing more is taken"
    await house.wait(CLOSE_S)
    assert client.transport.aborted


async def test_fragments_are_bounded_as_a_whole() -> None:
    client = await greeted(House())
    await client.send(framed(b"x" * 60_000, fin=False) + framed(b"x" * 10_000, Opcode.CONT))
    assert client.close_code() == CloseCode.MESSAGE_TOO_BIG


async def test_much_is_taken_in_turns_and_not_read_on_meanwhile() -> None:
    house = House()
    client = await greeted(house)
    client.socket.data_received(PING * 1000)
    assert client.transport.written == b"", "not at once"
    assert not client.transport.reading
    await house.all_turns()
    assert len(texts(client)) == 1000
    assert client.transport.reading


async def test_what_was_sent_before_hanging_up_is_handled() -> None:
    house = House()
    client = await greeted(house)
    client.socket.data_received(PING * 500)
    await client.hang_up()
    await house.all_turns()
    assert len(texts(client)) == 500
    assert client.transport.closed


# Closing


async def test_a_client_says_goodbye() -> None:
    house = House()
    client = await greeted(house)
    await client.send(framed(b"\x03\xe8bye", Opcode.CLOSE))
    assert client.frames() == [(Opcode.CLOSE, b"\x03\xe8bye")]
    assert client.transport.eof
    assert not house.connections[0].open
    client.lost()
    assert (house.metrics.connections, house.gate.open, house.context.lobby.players) == (0, 0, 0)


async def test_a_server_says_goodbye_and_waits_a_moment() -> None:
    house = House()
    client = await greeted(house)
    house.connections[0].end("enough")
    house.connections[0].end("enough")
    house.connections[0].write(text_frame(b"too late"))
    assert client.frames() == [(Opcode.CLOSE, b"\x03\xe8enough")]
    assert not client.transport.eof
    await client.send(PING)
    assert client.take() == b""
    await client.send(framed(b"\x03\xe8", Opcode.CLOSE))
    assert client.transport.eof
    assert client.take() == b""


async def test_who_does_not_say_goodbye_is_dropped() -> None:
    house = House()
    client = await greeted(house)
    house.connections[0].end("enough")
    await house.wait(CLOSE_S)
    assert client.transport.aborted


async def test_a_restart_closes_with_1012_and_waits_for_all() -> None:
    house = House()
    clients = [await greeted(house), await house.client().upgraded()]
    for client in clients:
        client.socket.phase.stop()
        assert client.close_code() == CloseCode.SERVICE_RESTART
    assert not house.listener._context.emptied.is_set()
    for client in clients:
        client.lost()
    assert house.listener._context.emptied.is_set()


async def test_one_who_hangs_up_while_it_is_closed() -> None:
    house = House()
    client = await greeted(house)
    house.connections[0].end("enough")
    await client.hang_up()
    assert client.transport.closed
    client.lost()
    await house.wait(CLOSE_S)
    assert not client.transport.aborted


# Keepalive


def ping_all(house: House) -> None:
    for pinged in tuple(house.listener._context.keepalive._slot_of):
        pinged.ping()


async def test_who_answers_pings_stays() -> None:
    house = House()
    client = await greeted(house)
    for _ in range(5):
        ping_all(house)
        [(opcode, data)] = client.frames()
        assert (opcode, len(data)) == (Opcode.PING, 8)
        await client.send(framed(data, Opcode.PONG))
    assert house.connections[0].open


@pytest.mark.parametrize("answer", [None, b"", b"1234"])
async def test_who_misses_two_is_gone(answer: bytes | None) -> None:
    house = House()
    client = await greeted(house)
    ping_all(house)
    client.take()
    if answer is not None:
        await client.send(framed(answer, Opcode.PONG))
    ping_all(house)
    assert client.close_code() == CloseCode.INTERNAL_ERROR
    assert not house.connections[0].open
    ping_all(house)
    await house.wait(CLOSE_S)
    assert client.transport.aborted


# Slow readers


async def test_pongs_count_in_the_bound_of_what_is_sent() -> None:
    house = House()
    client = await greeted(house)
    client.transport.unread = SEND_QUEUE_BYTES - 2
    await client.send(CONTROL)
    assert client.frames() == [(Opcode.PONG, b"")]
    client.transport.unread = SEND_QUEUE_BYTES - 1
    await client.send(CONTROL * 3)
    assert client.take() == b""
    assert client.transport.aborted
    assert house.metrics.slow_readers == 1
    assert not house.connections[0].open


async def test_so_do_answers_and_the_servers_own_pings() -> None:
    for send in (lambda client: client.send(PING), lambda client: settle()):
        house = House()
        client = await greeted(house)
        client.transport.unread = SEND_QUEUE_BYTES
        await send(client)
        ping_all(house)
        assert (client.take(), client.transport.aborted) == (b"", True)
        assert house.metrics.slow_readers == 1


# Floods


@pytest.mark.parametrize("frame", [PING, CONTROL, framed(b"", Opcode.PONG)], ids=["message", "ping", "pong"])
async def test_a_flood_is_refused_then_not_read_then_closed(frame: bytes) -> None:
    house = House(LIMITS)
    client = await greeted(house)
    pauses = 0
    client.socket.data_received(frame * 20_000)
    while client.socket.phase.open:  # type: ignore[attr-defined]
        await house.all_turns()
        if not client.socket.held:
            continue
        pauses += 1
        assert not client.transport.reading
        await house.wait(PAUSE_S)
    assert pauses == Patience.PAUSES == house.metrics.limits.counts["flood"]
    assert house.metrics.limits.counts["flood_closed"] == 1
    answered = client.frames()
    assert answered[-1][0] is Opcode.CLOSE
    assert answered[-1][1] == b"\x03\xf0too many messages for too long"
    assert len(answered) < 200 + Patience.REFUSALS + (pauses + 1) * 300
    assert client.transport.eof
    assert client.transport.reading, "to throw the rest away"


async def test_a_flood_after_the_end_is_thrown_away_slowly() -> None:
    house = House()
    client = await greeted(house)
    client.socket.end()
    client.socket.data_received(PING)
    assert client.transport.reading, "what is left of somebody who does hang up"
    client.socket.data_received(PING * 1_000)
    assert not client.transport.reading
    await house.wait(DEAF_S)
    assert client.transport.reading
    assert texts(client) == []


async def test_a_modest_excess_is_refused_with_a_sentence_each() -> None:
    house = House(LIMITS)
    client = await greeted(house)
    await client.send(PING * 400)
    codes = [answer.get("code") for answer in texts(client)]
    assert len(codes) == 400
    assert codes[:199] == [None] * 199
    assert set(codes[199:]) == {None, "too_fast"}
    assert codes.count("too_fast") > 190, "but for the few that the time of reading allows"
    assert not client.socket.held


async def test_parts_of_messages_are_limited_too() -> None:
    house = House(LIMITS)
    client = await greeted(house)
    await client.send(framed(b'{"t":"ping"', fin=False) + framed(b"", Opcode.CONT, fin=False) * 3_000)
    assert client.socket.held
    client = await greeted(house)
    message = b'{"t":"ping","ts":1}'
    parts = [framed(message[:1], fin=False)] + [framed(bytes([byte]), Opcode.CONT, fin=False) for byte in message[1:]]
    for _ in range(20):
        await client.send(b"".join(parts) + framed(b"", Opcode.CONT))
    assert [answer["t"] for answer in texts(client)] == ["pong"] * 20


async def test_no_limits_mean_no_pauses() -> None:
    house = House()
    client = await greeted(house)
    client.socket.data_received(CONTROL * 20_000)
    await house.all_turns()
    assert len(client.frames()) == 20_000
    assert not house.metrics.limits.counts


async def test_a_pause_ends_early_with_the_connection() -> None:
    house = House(LIMITS)
    client = await greeted(house)
    client.socket.data_received(PING * 2_000)
    await house.all_turns()
    assert client.socket.held
    client.socket.phase.stop()
    assert client.transport.reading or client.socket._unread
    client.lost()
    await house.wait(PAUSE_S)


async def test_a_flood_takes_bounded_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[int] = []
    taken: list[int] = []
    receive = WebSocket.receive

    def counted(self: WebSocket, data: bytes) -> int:
        given.append(len(data))
        taken.append(receive(self, data))
        return taken[-1]

    monkeypatch.setattr(WebSocket, "receive", counted)
    house = House()
    client = await house.client().upgraded()
    given.clear()
    taken.clear()
    client.socket.data_received(CONTROL * 5_000)
    client.socket.data_received(CONTROL * 5_000)
    await house.all_turns()
    assert max(given) == WebSocket.TURN_BYTES
    assert max(taken) == PIECE_BYTES, "which holds more frames than a turn may have"
    assert sum(taken) == 60_000
    client.socket.data_received(framed(b"x" * 5_000))
    await house.all_turns()
    assert max(taken) == WebSocket.TURN_BYTES, "of a single frame"


async def test_many_frames_that_come_at_once_are_read_in_several_turns_too() -> None:
    house = House(LIMITS)
    client = await greeted(house)
    await house.wait(10)
    client.socket.data_received(CONTROL * 100)
    at_once = len(client.frames())
    assert 0 < at_once <= 2 * TURN_FRAMES + 2
    await house.all_turns()
    assert at_once + len(client.frames()) == 100


async def test_who_sends_little_is_read_at_once_while_many_addresses_flood() -> None:
    house = House(LIMITS)
    floods = [await greeted_from(house, f"198.51.100.{number}") for number in range(10)]
    calm = await greeted_from(house, "192.0.2.7")
    await house.wait(10)
    for flood in floods:
        for _ in range(50):
            flood.socket.data_received(PING)
    calm.socket.data_received(PING)
    await settle()
    assert len(texts(calm)) == 1
    answered = [len(texts(flood)) for flood in floods]
    little = 10 * LITTLE_AT_ONCE
    assert all(little - 1 <= count < little + 5 for count in answered[1:]), (
        "after the first nobody gets more than its little"
    )
    assert not any(flood.transport.reading for flood in floods[1:])
    await house.all_turns()
    assert [count + len(texts(flood)) for count, flood in zip(answered, floods, strict=True)] == [50] * 10


@pytest.mark.parametrize(
    "message",
    [
        {"t": "create", "game": "tictactoe", "opponent": {"kind": "self"}},
        {"t": "lobby", "on": False},
        {"t": "review", "id": 1, "game": 404},
    ],
)
async def test_what_is_dear_takes_turns(message: dict[str, Any]) -> None:
    house = House(LIMITS)
    client = await greeted(house)
    await house.wait(10)
    for _ in range(10):
        client.socket.data_received(framed(json.dumps(message).encode()))
    await settle()
    at_once = len(texts(client))
    assert 1 <= at_once < 10
    await house.all_turns()
    assert at_once + len(texts(client)) == 10


# The library


DOCUMENTED = {f"websockets.{module}" for module in ("exceptions", "frames", "http11", "protocol", "server")}
SANS_IO = {"accept", "data_to_send", "events_received", "fail", "handshake_exc", "receive_data", "receive_eof",
           "reject", "send_close", "send_ping", "send_response", "state"}  # fmt: skip
"""https://websockets.readthedocs.io/en/stable/reference/sansio/server.html"""


def test_of_websockets_only_what_is_documented_is_used() -> None:
    """Its sans-I/O layer, its frames and its types; nothing private, no class of it made ours."""
    trees = {path: ast.parse(path.read_text()) for path in Path(server.__file__).parent.rglob("*.py")}
    imported: dict[str, str] = {}
    for path, tree in trees.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                assert not any(name.name.partition(".")[0] == "websockets" for name in node.names), path
            elif isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "websockets":
                assert node.module in DOCUMENTED, path
                imported |= {name.name: str(path) for name in node.names}
    assert set(imported) == {
        "CloseCode", "Event", "Frame", "InvalidMessage", "Opcode", "Request", "ServerProtocol", "State"
    }  # fmt: skip
    for tree in trees.values():
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                assert not {base.id for base in node.bases if isinstance(base, ast.Name)} & {"ServerProtocol", "Frame"}
    used = {
        node.attr
        for node in ast.walk(trees[Path(websocket.__file__)])
        if isinstance(node, ast.Attribute) and ast.unparse(node.value) in ("self._protocol", "protocol")
    }
    assert used == SANS_IO
