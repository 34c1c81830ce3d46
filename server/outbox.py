"""What a room or the lobby knows of a connection: who it is and how to send to it."""

from __future__ import annotations

from typing import Protocol

from websockets.frames import Frame, Opcode

from server.protocol import Player, ServerReply, encode


class Followed(Protocol):
    """What a connection knows of a room that it follows."""

    def leave(self, member: Member) -> None:
        """The member is gone."""


class Member(Protocol):
    """A greeted connection."""

    following: set[Followed]
    """the rooms whose messages it receives; they keep it"""

    @property
    def player(self) -> Player: ...

    @property
    def open(self) -> bool: ...

    def write(self, frame: bytes) -> None:
        """Send a frame made by `text_frame`; never blocks, never raises."""


class Origin:
    """A request to be answered: on which connection and under which number."""

    __slots__ = ("id", "member")

    def __init__(self, member: Member, id: int | None) -> None:
        self.member = member
        self.id = id

    def send(self, message: ServerReply) -> None:
        self.member.write(text_frame(encode(message)))


def text_frame(payload: bytes) -> bytes:
    """A message framed once, for however many connections it goes to: servers do not mask."""
    return Frame(Opcode.TEXT, payload).serialize(mask=False)
