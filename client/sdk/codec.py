"""The server's frames as messages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import msgspec

from client.sdk.room_view import SequencedEvent
from server.wire import ServerReply, decode_event


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


_outlines = msgspec.json.Decoder(_Outline)
_replies: msgspec.json.Decoder[ServerReply] = msgspec.json.Decoder(ServerReply)


def decode(frame: str | bytes) -> Message:
    """What a frame says. A newer server may send kinds of messages and events that are unknown here."""
    outline = _Outline(t="")
    try:
        outline = _outlines.decode(frame)
        if outline.t != "event":
            return _replies.decode(frame)
        event = decode_event(frame)
    except (msgspec.MsgspecError, RecursionError, UnicodeError) as error:
        if outline.t != "event":
            return Unreadable(outline.id, f"The server's answer cannot be read: {error}.")
        event = None
    return SequencedEvent(room=outline.room, seq=outline.seq, ts=outline.ts, event=event)
