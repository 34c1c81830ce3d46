"""What rooms and the lobby know of a connection: its player and how to send to it."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from itertools import islice
from typing import Protocol

from server.wire import ErrorCode, Player, ServerReply, encode

log = logging.getLogger(__name__)

SEND_QUEUE_BYTES = 256 * 1024
"""A reader that leaves more than this unread is dropped; it can resume."""

MEMBERS_AT_ONCE = 16
"""Members of a room who are written to in one turn of the event loop."""


class Followed(Protocol):
    """What a connection knows of a room that it follows."""

    def leave(self, member: Member) -> None:
        """The member is gone."""


class Member(Protocol):
    """A greeted connection."""

    following: dict[Followed, None]
    """the rooms whose messages it receives, in the order in which it came to them; the rooms maintain it"""

    player: Player
    """replaced when they change their name, perhaps on another connection"""

    address: str
    """where it comes from, as limits count it"""

    @property
    def open(self) -> bool: ...

    def end(self, reason: str) -> None:
        """Close, after what was written."""

    def write(self, frames: bytes) -> None:
        """Send one or several frames made by `text_frame`; never blocks, never raises."""

    def count_error(self, code: ErrorCode) -> None:
        """Called with each error that a room answers."""


class Origin:
    """A request to be answered: on which connection and under which number."""

    __slots__ = ("id", "member")

    def __init__(self, member: Member, id: int | None) -> None:
        self.member = member
        self.id = id

    def send(self, message: ServerReply) -> None:
        self.member.write(text_frame(encode(message)))


class SendQueue:
    """Frames on their way from a room. What it says to a member at one time goes out together, as an acknowledgement
    and its event do: a system call costs more than all the rest of sending.

    The first members hear at once, and a thousand who watch a few at a time: writing to all takes tens of milliseconds.
    """

    __slots__ = ("_frames", "_late", "_late_due")

    def __init__(self) -> None:
        self._frames: dict[Member, list[bytes]] = {}
        self._late: dict[Member, list[bytes]] = {}
        self._late_due = False

    def put(self, member: Member, frame: bytes) -> None:
        self._frames.setdefault(member, []).append(frame)

    def flush(self) -> None:
        """Never raises: one member's broken connection is no other's concern."""
        queued, self._frames = self._frames, {}
        for number, (member, frames) in enumerate(queued.items()):
            if number < MEMBERS_AT_ONCE and member not in self._late:
                write(member, b"".join(frames))
            else:
                self._late.setdefault(member, []).extend(frames)
        if self._late and not self._late_due:
            self._flush_late_soon()

    def _flush_late_soon(self) -> None:
        self._late_due = True
        asyncio.get_running_loop().call_soon(self._flush_late)

    def _flush_late(self) -> None:
        self._late_due = False
        for member in list(islice(self._late, MEMBERS_AT_ONCE)):
            write(member, b"".join(self._late.pop(member)))
        if self._late:
            self._flush_late_soon()


def write(member: Member, frames: bytes) -> None:
    """Send to one of several members, whom its broken connection does not concern."""
    try:
        member.write(frames)
    except Exception:
        drop(member)


def drop(member: Member) -> None:
    """Called where a write has raised: whoever comes back can resume."""
    log.exception("a connection failed and is dropped", extra={"player": member.player.id})
    with suppress(Exception):
        member.end("this connection failed")


def text_frame(payload: bytes) -> bytes:
    """A message framed once, for however many connections it goes to.

    By hand, at a quarter of the library's price: FIN and the opcode of a text in one byte, then the length in one, or
    126 and the length in two, or 127 and the length in eight. Servers do not mask.
    """
    length = len(payload)
    if length < 126:
        return b"\x81%c%b" % (length, payload)
    if length < 65536:
        return b"\x81\x7e%b%b" % (length.to_bytes(2, "big"), payload)
    return b"\x81\x7f%b%b" % (length.to_bytes(8, "big"), payload)
