"""The first half of a socket's life: HTTP requests and their answers, by h11, until one opens a websocket.

One request at a time: while it is answered, and until most of the answer is on its way, the socket is held. A request
that is too large, too slow or not HTTP is answered, and is the last one; after any other the connection stays open.
"""

from __future__ import annotations

import asyncio
import logging
from email.utils import formatdate
from functools import partial
from http import HTTPStatus

import h11

from server.http.connections.socket import Socket, SocketContext
from server.http.connections.websocket import WebSocket
from server.http.message import Request, Response, read_request
from server.http.responses import refusal

log = logging.getLogger(__name__)

HEAD_BYTES = 16 * 1024
BODY_BYTES = 64 * 1024
"""No request needs a body: up to this much is read and thrown away, to keep the connection."""
REQUEST_S = 10.0
"""How long a request may take to arrive, from its first byte or the connection's start."""
KEEP_ALIVE_S = 15.0
"""How long a connection is kept for a next request."""
STALL_S = 30.0
"""How long a client may read nothing of an answer, or not hang up after the last one."""
PAUSE_S = 1.0
"""How long a client that asks too much is not read."""
REFUSAL_COST = 1
"""Cost of refusing a request, in turns."""
OPENING_COST = 2
"""Cost of a new websocket."""
WEBSOCKET = "/ws"


class Conversation:
    TURN_BYTES = 4096

    def __init__(self, socket: Socket, context: SocketContext) -> None:
        self._socket = socket
        self._context = context
        self._http = h11.Connection(h11.SERVER, max_incomplete_event_size=HEAD_BYTES)
        self._received = b""
        """since the present request began"""
        self._asked: Request | None = None
        self._body_bytes = 0
        self._answering: asyncio.Task[None] | None = None
        self._busy = False
        """true from the end of a request until the next one is read"""
        self._over = False
        self._stopping = False
        socket.deadline(REQUEST_S, self._late)
        self._enter()

    def _enter(self) -> None:
        gate = self._context.gate
        self._socket.counted, response = gate.enter(self._socket.address)
        if response is None:
            return
        if gate.crowded(self._socket.counted):
            self._over = True
            self._socket.transport.abort()
        else:
            self._send(response, last=True)

    # What the socket calls

    def receive(self, data: bytes) -> int:
        if not self._over:
            self._receive(data)
        return len(data)

    def _receive(self, data: bytes) -> None:
        if self._asked is None:
            if not self._received:
                self._socket.deadline(REQUEST_S, self._late)
            self._received += data
        self._http.receive_data(data)
        self._read()

    def eof(self) -> None:
        self._over = True
        self._socket.close()

    def resume_writing(self) -> None:
        self._next()

    def stop(self) -> None:
        self._stopping = True
        if not self._busy and not self._over:
            self._over = True
            self._socket.close()

    def lost(self) -> None:
        self._over = True

    # Requests

    def _read(self) -> None:
        """Up to the end of one request, or of what there is."""
        while not self._over and not self._busy:
            try:
                event = self._http.next_event()
            except h11.RemoteProtocolError as error:
                self._refuse_form(error)
                return
            if isinstance(event, h11.Request):
                self._begin(event)
            elif isinstance(event, h11.Data):
                self._body_bytes += len(event.data)
                if self._body_bytes > BODY_BYTES:
                    self._refuse_body()
            elif isinstance(event, h11.EndOfMessage):
                self._answer()
            else:
                return  # more is needed

    def _begin(self, head: h11.Request) -> None:
        headers = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in head.headers]
        target = head.target.decode("latin-1")
        self._asked = read_request(head.method.decode("latin-1"), target, headers, self._socket.address)
        self._body_bytes = 0
        if not head.http_version.startswith(b"1."):
            sentence = f"This server speaks HTTP/1.1, not {head.http_version.decode()}."
            self._send(refusal(HTTPStatus.HTTP_VERSION_NOT_SUPPORTED, sentence), last=True)
            return
        if len(self._received) - len(self._http.trailing_data[0]) > HEAD_BYTES:
            # h11 bounds a head that is incomplete; its last piece may bring more than that.
            sentence = f"The head of a request may have {HEAD_BYTES} bytes at most."
            self._send(refusal(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, sentence), last=True)
            return
        length = self._asked.header("Content-Length")
        if length.isdecimal() and int(length) > BODY_BYTES:
            self._refuse_body()
        elif self._http.they_are_waiting_for_100_continue or "Transfer-Encoding" in self._asked.headers:
            self._answer()  # for the last time: nothing here takes a body, and chunks are dear to read

    def _answer(self) -> None:
        asked = self._asked
        assert asked is not None
        self._busy = True
        self._socket.hold()
        self._socket.cancel_deadline()
        gate, fair_queue = self._context.gate, self._context.fair_queue
        if asked.path == WEBSOCKET and asked.method in ("GET", "HEAD"):
            fair_queue.take(gate.counted(asked), OPENING_COST, partial(self._open_websocket, asked))
            return
        rest, _ = self._http.trailing_data
        head_kib = (len(self._received) - len(rest)) // 1024  # a long head is dear to read
        address, cost = gate.counted(asked), self._context.cost(asked) + head_kib
        over_limit = gate.charge(asked, cost)
        misdirected = gate.misdirected(asked)
        if misdirected is not None:
            fair_queue.take(address, REFUSAL_COST, partial(self._send, misdirected))
        elif over_limit is not None:
            fair_queue.take(address, REFUSAL_COST, partial(self._send, over_limit, pause_s=PAUSE_S))
        else:
            fair_queue.take(address, cost, partial(self._begin_reply, asked))

    def _begin_reply(self, asked: Request) -> None:
        if not self._over:
            self._answering = asyncio.get_running_loop().create_task(self._reply(asked))

    async def _reply(self, asked: Request) -> None:
        try:
            response = await self._context.answer(asked)
        except Exception:
            log.exception("a request failed", extra={"path": asked.logged_path})
            response = refusal(HTTPStatus.INTERNAL_SERVER_ERROR, "The server could not answer this; its log says why.")
        self._answering = None
        self._send(response)

    def _open_websocket(self, asked: Request) -> None:
        if self._over:
            return
        self._socket.counted, response = self._context.gate.admit(asked, self._socket.counted)
        if response is not None:
            self._send(response)
            return
        self._over = True
        rest, _ = self._http.trailing_data
        self._socket.phase = websocket = WebSocket(self._socket, self._context)
        websocket.begin(self._received[: len(self._received) - len(rest)])
        self._socket.unread(rest)
        self._socket.release()

    # Malformed requests: the refusal is the last answer

    def _refuse_form(self, error: h11.RemoteProtocolError) -> None:
        status = HTTPStatus(error.error_status_hint)
        self._send(refusal(status, f"This is not a valid HTTP request: {error}."), last=True)

    def _refuse_body(self) -> None:
        sentence = f"A request body may have {BODY_BYTES} bytes at most; nothing here needs one."
        self._send(refusal(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, sentence), last=True)

    def _late(self) -> None:
        if self._received:
            sentence = f"A request must arrive within {REQUEST_S:g} s."
            self._send(refusal(HTTPStatus.REQUEST_TIMEOUT, sentence), last=True)
        else:
            self._end()

    # Answers

    def _send(self, response: Response, *, last: bool = False, pause_s: float = 0.0) -> None:
        if self._over:
            return
        last = last or self._stopping or self._http.their_state is h11.SEND_BODY
        headers = [*response.headers.items(), ("Date", formatdate(usegmt=True))]
        if last:
            headers.append(("Connection", "close"))
        head = h11.Response(
            status_code=response.status.value,
            reason=response.status.phrase.encode(),
            headers=[(name.encode(), value.encode("latin-1")) for name, value in headers],
        )
        http, asked = self._http, self._asked
        told = http.send(head)
        if asked is None or asked.method != "HEAD":
            told += http.send(h11.Data(data=response.body))
        self._socket.transport.write(told + http.send(h11.EndOfMessage()))
        if http.our_state is not h11.DONE or http.their_state is not h11.DONE:
            self._end()
            return
        self._received = http.trailing_data[0]
        self._asked = None
        http.start_next_cycle()
        if pause_s:
            self._socket.deadline(pause_s, self._next)
        else:
            # In a turn of its own: many requests may have come at once.
            asyncio.get_running_loop().call_soon(self._next)

    def _next(self) -> None:
        """Listen again once the client has read most of the answer."""
        if self._over or not self._busy or self._asked is not None:
            return
        socket = self._socket
        if not socket.writable:
            socket.watch_reader(STALL_S)
            return
        socket.deadline(REQUEST_S if self._received else KEEP_ALIVE_S, self._late)
        self._busy = False
        self._read()
        if not self._busy:
            socket.release()

    def _end(self) -> None:
        self._over = True
        self._socket.end()
        self._socket.watch_reader(STALL_S)
