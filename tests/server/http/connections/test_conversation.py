"""HTTP on a socket, byte by byte: what h11 and the conversation make of it, without a network."""

from __future__ import annotations

import asyncio
import json

import pytest
from websockets.frames import Opcode

from server.http.connections.conversation import (
    BODY_BYTES,
    HEAD_BYTES,
    KEEP_ALIVE_S,
    OPENING_COST,
    PAUSE_S,
    REQUEST_S,
    STALL_S,
)
from server.http.message import Request, Response, read_request
from server.rooms.fair_queue import COST_AT_ONCE, REST_S
from tests.support.http.sockets import PEER, UPGRADE, House, framed, get
from tests.support.rooms.fakes import settle

# Requests and answers


async def test_a_connection_stays_open_for_the_next_request() -> None:
    house = House()
    client = house.client()
    for path in ("/a", "/b", "/c"):
        await client.send(get(path))
        [(status, headers, body)] = client.answers()
        assert (status, body) == (200, path.encode())
        assert "Connection" not in headers
        assert headers["Date"].endswith(" GMT")
    assert not client.transport.eof
    assert client.transport.reading


async def test_what_h11_reads_is_a_request_of_ours() -> None:
    house = House()
    await house.client().send(get("/a%20b?c=d&e=%C3%A9", "Accept: x", "ACCEPT: y", "X-Odd: \xe9"))
    [request] = house.asked
    assert (request.method, request.path, request.query) == ("GET", "/a b", {"c": "d", "e": "\xe9"})
    assert (request.header("Accept"), request.address) == ("x, y", PEER[0])


async def test_a_client_without_an_address_is_local() -> None:
    house = House()
    await house.client(None).send(get("/"))
    assert house.asked[0].address == "local"


@pytest.mark.parametrize("size", [1, 2, 7, 50])
async def test_requests_in_small_pieces(size: int) -> None:
    client = House().client()
    await client.send(get("/one") + get("/two", "X-Long: " + "x" * 100), size)
    await settle()
    assert [body for _, _, body in client.answers()] == [b"/one", b"/two"]


async def test_pipelined_requests_are_answered_in_order_one_at_a_time() -> None:
    house = House()
    house.waits = asyncio.Event()
    client = house.client()
    await client.send(b"".join(get(f"/{number}") for number in range(5)))
    assert [request.path for request in house.asked] == ["/0"], "one at a time"
    assert not client.transport.reading, "nothing more is read meanwhile"
    house.waits.set()
    await settle()
    await settle()
    assert [body for _, _, body in client.answers()] == [b"/0", b"/1", b"/2", b"/3", b"/4"]
    assert client.transport.reading


async def test_head_has_the_head_of_get() -> None:
    client = House().client()
    await client.send(get("/abc", method="HEAD") + get("/d"))
    (status, headers, body), (_, _, following) = client.answers()
    assert (status, headers["Content-Length"], body) == (200, "4", b"")
    assert following == b"/d"


async def test_other_methods_are_answered_and_their_bodies_thrown_away() -> None:
    house = House()
    client = house.client()
    await client.send(get("/a", "Content-Length: 10", method="POST") + b"0123456789" + get("/b"))
    await client.send(get("/d", method="OPTIONS"), 3)
    assert [(request.method, request.path) for request in house.asked] == [
        ("POST", "/a"),
        ("GET", "/b"),
        ("OPTIONS", "/d"),
    ]
    assert client.statuses() == [200] * 3


async def test_a_body_in_chunks_is_not_read() -> None:
    house = House()
    client = house.client()
    await client.send(get("/c", "Transfer-Encoding: chunked", method="PUT") + b"5\r\nabcde\r\n0\r\n\r\n" + get("/d"))
    [(status, headers, _)] = client.answers()
    assert (status, headers["Connection"]) == (200, "close")
    assert [request.path for request in house.asked] == ["/c"]
    assert client.transport.eof


async def test_a_body_is_bounded() -> None:
    house = House()
    for body in (b"x" * (BODY_BYTES + 1), b""):
        client = house.client()
        await client.send(get("/", f"Content-Length: {BODY_BYTES + 1}", method="POST") + body)
        assert client.statuses() == [413]
        assert client.transport.eof
    fits = house.client()
    await fits.send(get("/", f"Content-Length: {BODY_BYTES}", method="POST") + b"x" * BODY_BYTES, 10_000)
    assert fits.statuses() == [200]
    assert not fits.transport.eof


async def test_who_waits_for_leave_to_send_a_body_gets_the_answer_instead() -> None:
    client = House().client()
    await client.send(get("/", "Content-Length: 5", "Expect: 100-continue", method="POST"))
    [(status, headers, _)] = client.answers()
    assert (status, headers["Connection"]) == (200, "close")
    assert client.transport.eof


async def test_a_client_that_wants_to_close_is_left() -> None:
    for request in (get("/", "Connection: close"), b"GET / HTTP/1.0\r\n\r\n"):
        client = House().client()
        await client.send(request)
        assert client.statuses() == [200]
        assert client.transport.eof
        await client.hang_up()
        assert client.transport.closed


async def test_a_client_that_half_closes_gets_its_answers_first() -> None:
    house = House()
    house.waits = asyncio.Event()
    client = house.client()
    client.socket.data_received(get("/a") + get("/b"))
    await client.hang_up()
    assert not client.transport.closed
    house.waits.set()
    await settle()
    await settle()
    assert client.statuses() == [200, 200]
    assert client.transport.closed


async def test_a_failing_answer_is_told_and_logged(caplog: pytest.LogCaptureFixture) -> None:
    def fail(request: Request) -> Response:
        raise RuntimeError("a fault")

    house = House()
    answered, house.reply = house.reply, fail
    client = house.client()
    await client.send(get("/a"))
    [(status, _, body)] = client.answers()
    assert (status, body) == (500, b"The server could not answer this; its log says why.\n")
    assert "a request failed" in caplog.text
    house.reply = answered
    await client.send(get("/b"))
    assert client.statuses() == [200]


async def test_who_goes_before_the_answer_hears_nothing() -> None:
    house = House()
    house.waits = asyncio.Event()
    client = house.client()
    await client.send(get("/a"))
    client.lost()
    house.waits.set()
    await settle()
    assert client.take() == b""
    assert not house.listener.sockets


# Bad form


@pytest.mark.parametrize(
    "junk",
    [
        b"\x00\xff\xfe" * 100 + b"\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\r\n\r\n",
        b"GET / HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
        b"GET /\x00 HTTP/1.1\r\nHost: a\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\nX\r\n\r\n",
    ],
)
@pytest.mark.parametrize("size", [None, 1])
async def test_what_is_no_http_is_told_so_and_is_the_last(junk: bytes, size: int | None) -> None:
    house = House()
    client = house.client()
    await client.send(junk + get("/never"), size)
    [(status, headers, body)] = client.answers()
    assert (status, headers["Connection"]) == (400, "close")
    assert body.startswith(b"This is not a valid HTTP request: ")
    assert client.transport.eof
    assert house.asked == []
    await client.send(b"more" * 1000)
    await client.hang_up()
    assert client.transport.closed
    assert client.take() == b""


async def test_another_version_of_http_is_refused() -> None:
    client = House().client()
    await client.send(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
    [(status, headers, body)] = client.answers()
    assert (status, headers["Connection"]) == (505, "close")
    assert body == b"This server speaks HTTP/1.1, not 2.0.\n"


@pytest.mark.parametrize("size", [None, 1000])
async def test_a_head_is_bounded(size: int | None) -> None:
    client = House().client()
    await client.send(b"GET / HTTP/1.1\r\nHost: a\r\nX-Long: " + b"x" * (HEAD_BYTES + 8000), size)
    assert client.statuses() == [431]
    assert client.transport.eof
    client = House().client()
    await client.send(get("/", "X-Long: " + "x" * HEAD_BYTES), size)
    assert client.statuses() == [431], "nor may its last piece be more"
    client = House().client()
    await client.send(get("/", "X-Long: " + "x" * (HEAD_BYTES - 100)), size)
    assert client.statuses() == [200]


# Slow and silent clients


async def test_a_request_must_come_in_time_however_it_drips() -> None:
    house = House()
    client = house.client()
    for _ in range(4):
        await client.send(b"G" if _ == 0 else b"E")
        await house.wait(REQUEST_S / 4 - 0.1)
        assert not client.transport.eof
    await house.wait(0.5)
    [(status, _, body)] = client.answers()
    assert (status, body) == (408, b"A request must arrive within 10 s.\n")
    assert client.transport.eof


async def test_so_must_a_body() -> None:
    house = House()
    client = house.client()
    await client.send(get("/", "Content-Length: 10", method="POST") + b"0")
    await house.wait(REQUEST_S)
    assert client.statuses() == [408]


async def test_who_says_nothing_is_left() -> None:
    house = House()
    client = house.client()
    await house.wait(REQUEST_S)
    assert client.transport.eof
    assert client.take() == b""
    await house.wait(STALL_S)
    assert client.transport.aborted, "even if it never hangs up"


async def test_a_connection_is_kept_for_so_long() -> None:
    house = House()
    client = house.client()
    await client.send(get("/"))
    await house.wait(KEEP_ALIVE_S - 0.1)
    await client.send(get("/"))
    assert client.statuses() == [200, 200]
    assert not client.transport.eof
    await house.wait(KEEP_ALIVE_S)
    assert client.transport.eof
    assert client.take() == b""


async def test_a_slow_answer_is_not_the_clients_fault() -> None:
    house = House()
    house.waits = asyncio.Event()
    client = house.client()
    await client.send(get("/"))
    await house.wait(10 * KEEP_ALIVE_S)
    house.waits.set()
    await settle()
    assert client.statuses() == [200]


async def test_who_does_not_read_gets_no_further_answer() -> None:
    house = House()
    client = house.client()
    client.socket.pause_writing()  # as asyncio does above its mark
    await client.send(get("/a") + get("/b"))
    assert [request.path for request in house.asked] == ["/a"]
    client.socket.resume_writing()
    await settle()
    assert client.statuses() == [200, 200]
    client.socket.pause_writing()
    client.transport.unread = 100_000
    await client.send(get("/c") + get("/d"))
    for left in (90_000, 80_000, 1):
        client.transport.unread = left  # slow, but reading
        await house.wait(STALL_S)
        assert not client.transport.aborted
    await house.wait(STALL_S)
    assert client.statuses() == [200]
    assert client.transport.aborted


async def test_many_who_hang_up_at_once_are_closed_in_turns() -> None:
    house = House()
    clients = [house.client((f"192.0.2.{number}", 1)) for number in range(100)]
    for client in clients:
        await client.send(b"GET / HTTP/1.1")
    for client in clients:
        assert client.socket.eof_received()
    await settle()
    assert not any(client.transport.closed for client in clients)
    await house.wait(REST_S)
    assert 0 < sum(client.transport.closed for client in clients) < 50
    await house.all_turns()
    assert all(client.transport.closed for client in clients)


# Limits of an address


async def test_requests_are_charged_to_their_address() -> None:
    house = House(address_rate=1.0)
    house.costs = 5.0  # so that twenty allow three, after the connection
    client, other = house.client(), house.client(("198.51.100.1", 1))
    answered = 0
    while True:
        await client.send(get("/api/bots"))
        [(status, headers, body)] = client.answers()
        if status != 200:
            break
        answered += 1
    assert (status, headers["Retry-After"], answered) == (429, "1", 3)
    assert body == b"Too many requests from your address: come back in 1 s.\n"
    assert "Connection" not in headers
    await other.send(get("/api/bots"))
    assert other.statuses() == [200]
    assert house.metrics.turned_away == 1


async def test_requests_past_a_few_are_answered_one_a_turn_over_however_many_connections() -> None:
    house = House()
    clients = [house.client() for _ in range(4)]
    for client in clients:
        client.socket.data_received(b"".join(get(f"/{number}") for number in range(20)))
    await settle()
    assert len(house.asked) == COST_AT_ONCE
    for turn in range(1, 5):
        await house.wait(REST_S)
        assert len(house.asked) == COST_AT_ONCE + turn
    await house.client(("198.51.100.1", 1)).send(get("/other"))
    assert house.asked[COST_AT_ONCE + 4].path == "/other", "another address waits for nobody"
    await house.all_turns()
    assert [len(client.answers()) for client in clients] == [20] * 4


async def test_websockets_open_in_turns_too() -> None:
    at_once = COST_AT_ONCE // OPENING_COST
    house = House()
    clients = [house.client() for _ in range(at_once + 3)]
    for client in clients:
        client.socket.data_received(UPGRADE)
    await settle()
    assert len(house.connections) == at_once
    clients[-1].lost()  # while it waits
    await house.all_turns()
    assert len(house.connections) == at_once + 2


async def test_refusals_take_turns_too() -> None:
    house = House(address_rate=50)
    clients = [house.client() for _ in range(COST_AT_ONCE + 5)]
    house.gate.charge(read_request("GET", "/", [], PEER[0]), 1_000 - len(clients))  # all that is left
    for client in clients:
        client.socket.data_received(get("/"))
    assert sum(bool(client.transport.written) for client in clients) == COST_AT_ONCE
    await house.all_turns()
    assert [client.statuses() for client in clients] == [[429]] * (COST_AT_ONCE + 5)


async def test_who_goes_while_waiting_for_a_turn_is_not_answered() -> None:
    house = House()
    house.costs = COST_AT_ONCE
    first, second = house.client(), house.client()
    await first.send(get("/first"))
    second.socket.data_received(get("/second"))
    second.lost()
    await house.all_turns()
    assert [request.path for request in house.asked] == ["/first"]


async def test_a_long_head_costs_more() -> None:
    house = House(address_rate=1.0)  # twenty at once, less one for the connection
    client = house.client()
    await client.send(get("/", *["a:b"] * 1_000))
    assert client.statuses() == [200]
    answered = 0
    while True:
        await client.send(get("/"))
        if client.statuses() == [429]:
            break
        answered += 1
    assert answered == 20 - 1 - (1 + 5_000 // 1024)


async def test_who_asks_too_much_is_not_listened_to_for_a_moment() -> None:
    house = House(address_rate=1.0)
    house.costs = 5.0
    client = house.client()
    await client.send(get("/api/bots") * 10)
    await settle()
    assert client.statuses() == [200, 200, 200, 429]
    assert not client.transport.reading
    await house.wait(PAUSE_S)
    await settle()
    assert client.statuses() == [200, 429]
    house.world.now_ms += 60_000
    await house.wait(PAUSE_S)
    await settle()
    assert client.statuses() == [200] * 4


async def test_a_proxy_names_the_address_of_each_request() -> None:
    house = House(address_rate=1.0, trusted_proxy=PEER[0])
    client = house.client()
    for number in range(20):
        await client.send(get("/api/bots", f"X-Forwarded-For: 203.0.113.{number}"))
    assert client.statuses() == [200] * 20


async def test_connections_over_the_limit_of_an_address_are_told_and_those_far_over_dropped() -> None:
    house = House(address_open=2)
    kept = [house.client() for _ in range(2)]
    told = [house.client() for _ in range(16)]
    dropped = house.client()
    for client in told:
        [(status, _, body)] = client.answers()
        assert (status, body) == (
            429,
            b"Too many connections from your address: 2 may be open at a time.\n",
        )
        assert client.transport.eof
        await client.send(get("/"))
        assert client.take() == b""
    assert (dropped.transport.aborted, dropped.take()) == (True, b"")
    for client in kept:
        await client.send(get("/"))
        assert client.statuses() == [200]
    for client in (*told, dropped, kept[0]):
        client.lost()
    await house.client().send(get("/"))
    assert house.gate.open == 2


async def test_connections_past_the_limit_of_files_are_told() -> None:
    house = House()
    house.gate.allowed = 1
    first, second = house.client(), house.client(("198.51.100.1", 1))
    [(status, _, body)] = second.answers()
    assert (status, body) == (503, b"This server has as many connections as it can hold; try again later.\n")
    assert second.transport.eof
    await first.send(get("/"))
    assert first.statuses() == [200]


# Opening a websocket


@pytest.mark.parametrize("size", [None, 1, 5])
async def test_a_websocket_opens_after_other_requests(size: int | None) -> None:
    house = House()
    client = house.client()
    await client.send(get("/a") + UPGRADE, size)
    await settle()
    written = client.take()
    assert b"\r\n\r\n/aHTTP/1.1 101 Switching Protocols\r\n" in written
    assert b"Sec-WebSocket-Accept: " in written
    [connection] = house.connections
    assert connection.open
    assert (house.metrics.connections, len(house.listener._context.keepalive)) == (1, 1)
    await client.send(framed(b'{"t":"ping","ts":1,"id":2}'), size)
    [(opcode, data)] = client.frames()
    assert (opcode, json.loads(data)["code"]) == (Opcode.TEXT, "unauthorised")
    client.lost()
    assert (house.metrics.connections, len(house.listener._context.keepalive), house.gate.open) == (0, 0, 0)


async def test_frames_right_behind_the_opening_request() -> None:
    house = House()
    client = house.client()
    await client.send(UPGRADE + framed(b'{"t":"ping","ts":1,"id":2}') * 3)
    head, _, rest = client.take().partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 101 ")
    assert rest.count(b'"code":"unauthorised"') == 3


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        (get("/ws"), 426),
        (get("/ws", "Upgrade: websocket"), 426),
        (get("/ws", "Upgrade: h2c", "Connection: Upgrade"), 426),
        (get("/ws", "Upgrade: websocket", "Connection: Upgrade", "Origin: http://evil.example"), 403),
        (UPGRADE.replace(b"GET", b"HEAD"), 405),
    ],
)
async def test_what_may_not_open_a_websocket_keeps_the_connection(request_: bytes, status: int) -> None:
    house = House()
    client = house.client()
    await client.send(request_ + get("/next"))
    assert client.statuses() == [status, 200]
    assert house.connections == []


async def test_head_opens_no_websocket_and_is_answered_without_a_body() -> None:
    client = House().client()
    await client.send(UPGRADE.replace(b"GET", b"HEAD"))
    [(status, headers, body)] = client.answers()
    assert (status, headers["Allow"], body) == (405, "GET", b"")


@pytest.mark.parametrize(
    ("upgrade", "status"),
    [
        (get("/ws", "Upgrade: websocket", "Connection: Upgrade"), 400),
        (UPGRADE.replace(b"13", b"12"), 400),
        (UPGRADE.replace(b"AAAA==", b"A"), 400),
        (UPGRADE.replace(b"Host: a\r\n", b"Host: a\r\n" + b"X: y\r\n" * 200), 431),
    ],
)
async def test_an_opening_request_that_is_wrong_is_the_last(upgrade: bytes, status: int) -> None:
    house = House()
    client = house.client()
    await client.send(upgrade + b"and more")
    assert client.statuses() == [status]
    assert client.transport.eof
    assert house.connections == []
    await client.send(b"\x00" * 10_000)
    await client.hang_up()
    assert client.transport.closed
    client.lost()
    assert house.gate.open == 0


@pytest.mark.parametrize(
    ("upgrade", "said"),
    [
        (UPGRADE.replace(b"\r\n\r\n", b"\r\nContent-Length: 8\r\n\r\n"), "unsupported request body"),
        (UPGRADE.replace(b"\r\n\r\n", b"\r\nTransfer-Encoding: chunked\r\n\r\n"), "transfer codings aren't supported"),
        (UPGRADE.replace(b"\r\n\r\n", b"\r\nX: y\r\n z\r\n\r\n"), "invalid HTTP header line:  z"),
        (UPGRADE.replace(b"\r\n", b"\n"), "line without CRLF"),
        (UPGRADE.replace(b"HTTP/1.1", b"HTTP/1.9"), "unsupported protocol"),
    ],
    ids=["body", "chunks", "folded", "LF alone", "HTTP/1.9"],
)
async def test_an_opening_request_that_h11_alone_can_read_is_told_why_not(upgrade: bytes, said: str) -> None:
    house = House()
    client = house.client()
    await client.send(upgrade + b"and more")
    [(status, headers, body)] = client.answers()
    assert (status, headers["Connection"]) == (400, "close")
    assert body.decode().startswith(f"Failed to open a WebSocket connection: {said}")
    assert body.endswith(b".\n")
    assert client.transport.eof
    assert house.connections == []


async def test_a_websocket_through_a_proxy_counts_for_its_client() -> None:
    house = House(address_open=1, trusted_proxy=PEER[0])
    for number in range(3):
        client = house.client()
        opening = UPGRADE.replace(b"Host", b"X-Forwarded-For: 203.0.113.%d\r\nHost" % number)
        await client.send(opening)
        assert client.take().startswith(b"HTTP/1.1 101 ")
    client = house.client()
    await client.send(opening)
    assert client.statuses() == [429]
    await client.send(get("/"))
    assert client.statuses() == [200]


async def test_a_server_that_stops_leaves_idle_connections_and_answers_the_last_request() -> None:
    house = House()
    house.waits = asyncio.Event()
    idle, busy, half = house.client(), house.client(), house.client()
    await busy.send(get("/a"))
    await half.send(b"GET")
    for client in (idle, busy, half):
        client.socket.phase.stop()
    assert (idle.transport.closed, busy.transport.closed, half.transport.closed) == (True, False, True)
    house.waits.set()
    await settle()
    [(status, headers, _)] = busy.answers()
    assert (status, headers["Connection"]) == (200, "close")
    assert busy.transport.eof
