"""The server's frames as messages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias, get_args

import msgspec

from client.sdk.room_view import SequencedEvent
from server.wire import RoomEvent, ServerReply, decode_event


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A message that this version cannot read, and the request it answers, if any."""

    id: int | None
    sentence: str


Message: TypeAlias = ServerReply | SequencedEvent | Unreadable


class _Outline(msgspec.Struct):
    t: str
    id: int | None = None
    room: str = ""
    seq: int = 0
    ts: int = 0
    e: Any = None


_outlines = msgspec.json.Decoder(_Outline)
_EVENTS = frozenset(kind.__struct_config__.tag for kind in get_args(RoomEvent))
_replies: msgspec.json.Decoder[ServerReply] = msgspec.json.Decoder(ServerReply)


def decode(frame: str | bytes) -> Message:
    """What a frame says. A newer server may send kinds of messages and events that are unknown here."""
    outline = _Outline(t="")
    unreadable: str | None = None
    try:
        outline = _outlines.decode(frame)
        if outline.t != "event":
            return _replies.decode(frame)
        event = decode_event(frame)
    except (msgspec.MsgspecError, RecursionError, UnicodeError) as error:
        if outline.t != "event":
            return Unreadable(outline.id, f"The server's answer cannot be read: {error}.")
        event = None
        if isinstance(outline.e, str) and outline.e in _EVENTS:
            unreadable = f"The server's event {outline.e!r} cannot be read: {error}."
    return SequencedEvent(room=outline.room, seq=outline.seq, ts=outline.ts, event=event, unreadable=unreadable)
