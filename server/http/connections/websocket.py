"""The second half of a socket's life: frames in, messages to its `Connection`, frames out.

websockets' sans-I/O `ServerProtocol` reads the opening request and the frames, and keeps the rules of closing. What is
ours: text goes on at once, nothing waits; whatever is sent, pongs too, goes through one bounded buffer; a client over
its limits is refused, then not read for a while, then closed.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from http import HTTPStatus

from websockets.exceptions import InvalidMessage
from websockets.frames import CloseCode, Frame, Opcode
from websockets.http11 import Request
from websockets.protocol import Event, State
from websockets.server import ServerProtocol

from server.http.connections.socket import Socket, SocketContext
from server.http.message import LOCAL
from server.play.rate_limit import Patience, Verdict, network_of
from server.rooms.connection import Connection
from server.rooms.members import SEND_QUEUE_BYTES
from server.wire import FRAME_BYTES_FATAL

log = logging.getLogger(__name__)

PAUSE_S = 1.0
"""How long a client that floods is not read."""
FRAGMENT_COST = 1 / 8
"""How much a fragment of a message counts towards the limit of messages."""
TURN_FRAMES = 10
"""After this many, which take the library a quarter of a millisecond, the rest waits for another turn."""
PIECE_BYTES = 128
"""Bytes given to the library at a time, since it reads all their frames: twenty of the shortest, and most messages."""


class WebSocket:
    """Frames on a socket. `open` from the handshake to whatever closes first."""

    TURN_BYTES = 1024

    __slots__ = ("_awaited", "_connection", "_context", "_fragments", "_patience", "_protocol", "_socket", "address",
                 "open")  # fmt: skip

    def __init__(self, socket: Socket, context: SocketContext) -> None:
        self._socket = socket
        self._context = context
        self._protocol = ServerProtocol(max_size=FRAME_BYTES_FATAL)
        self._fragments: bytearray | None = None
        self._awaited: bytes | None = None
        """what the pong that we wait for must say"""
        self._patience: Patience | None = None
        self._connection: Connection | None = None
        self.address = socket.counted or LOCAL
        self.open = False

    def begin(self, head: bytes) -> None:
        """Answer the opening request, which is all of `head`, even if only to say that it opens no websocket."""
        protocol = self._protocol
        protocol.receive_data(head)
        for event in protocol.events_received():
            assert isinstance(event, Request)
            protocol.send_response(protocol.accept(event))
        if isinstance(protocol.handshake_exc, InvalidMessage):
            self._refuse_form(protocol.handshake_exc)
        self.open = protocol.state is State.OPEN
        self._flush()
        if self.open:
            self._connection = self._context.connect(self)
            self._context.keepalive.add(self)

    def _refuse_form(self, error: BaseException) -> None:
        """h11 accepts some requests that the library cannot read and would drop without an answer."""
        while error.__cause__ is not None:
            error = error.__cause__
        refused = self._protocol.reject(HTTPStatus.BAD_REQUEST, f"Failed to open a WebSocket connection: {error}.\n")
        self._socket.transport.write(refused.serialize())

    # What comes in

    def receive(self, data: bytes) -> int:
        protocol = self._protocol
        taken = frames = 0
        while taken < len(data) and frames < TURN_FRAMES and not self._socket.held:
            piece = data[taken : taken + PIECE_BYTES]
            protocol.receive_data(piece)
            taken += len(piece)
            events = protocol.events_received()
            frames += len(events)
            self._process(events)
        return taken

    def eof(self) -> None:
        self._protocol.receive_eof()
        self._flush()
        self._socket.close()

    def resume_writing(self) -> None:
        """Nothing waits for it: a reader is dropped by how much it leaves unread."""

    def stop(self) -> None:
        self.close(CloseCode.SERVICE_RESTART, "the server restarts")

    def lost(self) -> None:
        self.open = False
        self._context.keepalive.discard(self)
        if self._connection is not None:
            self._connection.on_closed()
        # Each would keep itself in memory: the connection holds this, and the protocol its own generators and errors.
        self._connection = None
        vars(self._protocol).clear()

    def _process(self, events: Sequence[Event]) -> None:
        for frame in events:
            assert isinstance(frame, Frame)
            whole = frame.opcode is Opcode.TEXT and frame.fin
            if not (self._message(frame.data) if whole else self._take(frame)):
                self._over_limits()
        self._flush()

    def _take(self, frame: Frame) -> bool:
        """Handle a frame that is no whole message; False where the client sends too fast."""
        connection, opcode = self._connection, frame.opcode
        assert connection is not None
        if opcode is Opcode.TEXT:
            self._fragments = bytearray(frame.data)
            return connection.take(FRAGMENT_COST)
        if opcode is Opcode.CONT and self._fragments is not None:
            self._fragments += frame.data
            if not frame.fin:
                return connection.take(FRAGMENT_COST)
            whole, self._fragments = self._fragments, None
            return self._message(whole)
        if opcode is Opcode.BINARY or opcode is Opcode.CONT:
            if frame.fin:
                connection.receive_binary()
            return connection.take(FRAGMENT_COST)
        if opcode is Opcode.PONG and bytes(frame.data) == self._awaited:
            self._awaited = None
            return True
        return connection.take(1.0)

    def _message(self, data: bytes | bytearray | memoryview) -> bool:
        assert self._connection is not None
        assert not isinstance(data, memoryview)
        if not data.isascii():
            try:
                data.decode()
            except UnicodeDecodeError:
                self.close(CloseCode.INVALID_DATA, "text that is not UTF-8")
                return True
        return self._connection.receive(data)

    def _over_limits(self) -> None:
        if not self.open or self._socket.held:
            return
        now_ms = self._context.now_ms()
        if self._patience is None:
            self._patience = Patience(now_ms)
        verdict = self._patience.judge(now_ms)
        if verdict is Verdict.PAUSE:
            self._context.metrics.limits.met("flood", self.address)
            self._socket.hold()
            self._socket.deadline(PAUSE_S, self._socket.release)
        elif verdict is Verdict.CLOSE:
            self._context.metrics.limits.met("flood_closed", self.address)
            self._protocol.fail(CloseCode.POLICY_VIOLATION, "too many messages for too long")
            self._flush()

    # What goes out

    def write(self, frames: bytes) -> None:
        """Send without waiting. A reader that does not keep up is dropped rather than waited for."""
        if not self.open:
            return
        transport = self._socket.transport
        if transport.get_write_buffer_size() + len(frames) > SEND_QUEUE_BYTES:
            self._drop_slow_reader()
        else:
            transport.write(frames)

    def close(self, code: CloseCode, reason: str) -> None:
        if not self.open:
            return
        if self._protocol.state is State.OPEN:  # or a later frame of the same bytes has made it close already
            self._protocol.send_close(code, reason)
        self._flush()
        self._socket.expect_end()

    def ping(self) -> None:
        """Called once in a period: whoever has not answered the last ping is gone."""
        if self._awaited is not None:
            self._protocol.fail(CloseCode.INTERNAL_ERROR, "keepalive ping timeout")
        elif self.open:
            self._awaited = self._context.now_ms().to_bytes(8, "big")
            self._protocol.send_ping(self._awaited)
        self._flush()

    def _flush(self) -> None:
        """Send what the protocol has to say, pongs as well, within the bound of all that is sent."""
        said = self._protocol.data_to_send()
        if not said:
            return
        closing = self._protocol.state is not State.OPEN
        frames = b"".join(said)
        if self._socket.transport.get_write_buffer_size() + len(frames) > SEND_QUEUE_BYTES:
            self._drop_slow_reader()
        elif frames:
            self._socket.transport.write(frames)
        if closing:
            self.open = False
        if not said[-1]:  # the protocol's sign for the end of the stream
            self._socket.end()

    def _drop_slow_reader(self) -> None:
        if self._socket.transport.is_closing():
            return  # already dropped
        self.open = False
        self._context.metrics.slow_readers += 1
        player = self._connection.name if self._connection is not None else None
        log.info("slow reader dropped", extra={"player": player, "network": network_of(self.address)})
        self._socket.transport.abort()
