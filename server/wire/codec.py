"""Frames to messages and back. `parse` raises BadFrame and nothing else."""

from __future__ import annotations

import json
import re
from typing import Any

import msgspec
from msgspec import Struct

from server.wire.events import RoomEvent
from server.wire.explain import explain
from server.wire.fields import FRAME_BYTES, REQUEST_ID_MAX, ErrorCode
from server.wire.replies import ServerReply
from server.wire.requests import REQUEST_TYPES, ClientMessage, Hello


class BadFrame(Exception):
    """A frame that is not a message of ours; `id` is its request number where it had one, `field` what was wrong in
    it."""

    def __init__(self, code: ErrorCode, message: str, id: int | None = None, field: str | None = None) -> None:
        super().__init__(message)
        self.field = field
        self.code: ErrorCode = code
        self.message = message
        self.id = id


class _Outline(Struct):
    """As much of a bad frame as is needed to answer it."""

    t: Any = None
    id: Any = None


_request_decoder = msgspec.json.Decoder(ClientMessage)
_outline_decoder = msgspec.json.Decoder(_Outline)
_event_decoder = msgspec.json.Decoder(RoomEvent)
_encoder = msgspec.json.Encoder()
_PARTS = re.compile(rb'"(?:[^"\\]|\\.)*"?|[\[\]{}]|[^"\[\]{}]+', re.DOTALL)
"""Splits JSON into texts, brackets and what is between them."""
_STEPS = {b"[": 1, b"{": 1, b"]": -1, b"}": -1}
_NO_LEGAL = b'"legal":[]'
"""in a committed `started`, whose game has a place for them; no text of a player can look like it"""


def parse(frame: bytes | bytearray, *, greeted: bool = True) -> ClientMessage:
    """The request in a frame. Raises BadFrame and nothing else.

    Before the greeting every message but `hello` is `unauthorised`, whatever else may be wrong with it.
    """
    if len(frame) > FRAME_BYTES:
        raise BadFrame("too_large", f"A message may be at most {FRAME_BYTES} bytes long.", _outline(frame).id)
    try:
        request: ClientMessage = _request_decoder.decode(frame)
    except (msgspec.MsgspecError, RecursionError, UnicodeError):
        raise _bad_frame(frame, greeted) from None
    if not greeted and type(request) is not Hello:
        raise BadFrame("unauthorised", "Say hello first.", request.id)
    return request


def _outline(frame: bytes | bytearray) -> _Outline:
    """Type and request number of a frame, each None where it has no sound one."""
    try:
        outline = _outline_decoder.decode(frame)
    except RecursionError:
        outline = _lenient_outline(_without_nested(frame[:FRAME_BYTES]))
    except (msgspec.MsgspecError, UnicodeError):
        outline = _lenient_outline(frame)
    type_ = outline.t if isinstance(outline.t, str) else None
    id = outline.id if type(outline.id) is int and 0 <= outline.id <= REQUEST_ID_MAX else None
    return _Outline(t=type_, id=id)


def _lenient_outline(frame: bytes | bytearray) -> _Outline:
    """Outline of a frame that msgspec cannot read: JSON in which half a surrogate pair is a character too."""
    try:
        fields = json.loads(frame.decode())
    except (ValueError, RecursionError):
        return _Outline()
    return _Outline(t=fields.get("t"), id=fields.get("id")) if isinstance(fields, dict) else _Outline()


def _without_nested(frame: bytes | bytearray) -> bytes:
    """The outermost object with null in place of all that is nested in it, however deeply."""
    kept: list[bytes] = []
    depth = 0
    for part in _PARTS.findall(frame):
        before, depth = depth, depth + _STEPS.get(part, 0)
        if before <= 1:
            kept.append(part if depth <= 1 else b"null")
    return b"".join(kept)


def _bad_frame(frame: bytes | bytearray, greeted: bool) -> BadFrame:
    outline = _outline(frame)
    if not greeted and outline.t not in (None, "hello"):
        return BadFrame("unauthorised", "Say hello first.", outline.id)
    is_known = outline.t is None or outline.t in REQUEST_TYPES
    wrong = explain(frame, ClientMessage)
    return BadFrame("malformed" if is_known else "unknown_type", wrong.sentence, outline.id, wrong.field)


def encode(message: ServerReply | Struct) -> bytes:
    return _encoder.encode(message)


def encode_event(event: RoomEvent) -> bytes:
    """The event alone, as the database keeps it."""
    return _encoder.encode(event)


def decode_event(body: str | bytes) -> RoomEvent:
    event: RoomEvent = _event_decoder.decode(body)
    return event


def envelope(room: str, seq: int, ts: int, body: bytes) -> bytes:
    """The frame of an encoded event. `room` holds no character that JSON escapes."""
    return b'{"t":"event","room":"%b","seq":%d,"ts":%d,%b' % (room.encode(), seq, ts, body[1:])


def with_legal(payload: bytes, legal: bytes) -> bytes:
    """An encoded `started`, `moved` or `takenback` with the legal moves, a JSON list, added for the member to move."""
    moves = b'"legal":%b' % legal
    if _NO_LEGAL in payload:
        return payload.replace(_NO_LEGAL, moves, 1)
    return b"%b,%b}" % (payload[:-1], moves)
