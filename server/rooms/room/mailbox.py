"""What a room has been asked to do, in order: first what its players ask and what happens by itself, then the rest.

So a move waits for none of the hundreds of lines that spectators may say at once, each with a commit of its own.
What one connection asks stays in its order.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any

from msgspec import Struct

from server.rooms.members import Member, Origin
from server.rooms.room.quietly import quietly
from server.wire import Error, ErrorCode

MAILBOX_LENGTH = 1000
"""Past that a request is `busy`; what gives way does not count for what does not."""


class Mail(Struct):
    """Something for the room to do.

    It has an `origin` if it is a request to be answered, a `sender` if it comes from a connection, and `done` if
    somebody waits for it. If it `gives_way`, mail that does not comes first.
    """

    work: Callable[..., Awaitable[None]]
    argument: Any
    at_ms: int
    origin: Origin | None = None
    sender: Member | None = None
    gives_way: bool = False
    done: asyncio.Future[None] | None = None
    tries: int = 0

    def signal(self) -> None:
        """Nothing more will be done about it."""
        if self.done is not None and not self.done.done():
            self.done.set_result(None)


class Mailbox:
    """Refusals from here name `room`."""

    def __init__(self, room: str) -> None:
        self._room = room
        self.mails: deque[Mail] = deque()
        """the next one first"""
        self.filled: asyncio.Future[None] | None = None
        """done when the room is to begin on what came into the mailbox, empty until then"""
        self._ended = False

    def post(self, mail: Mail, *, begin: bool = True) -> None:
        """After the end nothing is done about it. Without `begin`, it waits for `begin` or for other mail."""
        if self._ended:
            mail.signal()
            return
        place = len(self.mails)
        if not mail.gives_way:
            while place and _gives_way_to(mail, self.mails[place - 1]):
                place -= 1
                self.mails[place].at_ms = mail.at_ms  # as if it had come after, so that time never goes back
        self.mails.insert(place, mail)
        if begin and self.filled is not None and not self.filled.done():
            self.filled.set_result(None)  # not by `begin`: a move would pay for the call

    def begin(self) -> None:
        """Let the room begin on what is here."""
        if self.mails and self.filled is not None and not self.filled.done():
            self.filled.set_result(None)

    def put_back(self, mail: Mail) -> None:
        """Try it again, before all others."""
        self.mails.appendleft(mail)

    def is_busy_for(self, origin: Origin, *, gives_way: bool) -> bool:
        """Whether the mailbox is full; if so, the request is refused here. What gives way fills it only for its like:
        a thousand who come to watch at once refuse nobody's move."""
        full = len(self.mails) >= MAILBOX_LENGTH
        if full and not gives_way:
            full = sum(not mail.gives_way for mail in self.mails) >= MAILBOX_LENGTH
        if full:
            self.refuse(origin, "busy", "This room is busy just now; send this again in a moment.")
        return full

    def refuse(self, origin: Origin, code: ErrorCode, message: str) -> None:
        """At once, past the room's send queue."""
        origin.member.count_error(code)
        quietly(origin.send, Error(id=origin.id, code=code, message=message, room=self._room))

    def refuse_requests(self, but: Callable[..., Awaitable[None]], code: ErrorCode, message: str) -> None:
        """Refuse what waits for an answer, except for one kind of work; the rest stays."""
        kept: deque[Mail] = deque()
        for mail in self.mails:
            if mail.origin is None or mail.work == but:
                kept.append(mail)
            else:
                self.refuse(mail.origin, code, message)
        self.mails = kept

    def end(self, code: ErrorCode, message: str) -> None:
        """Discard what waits, and whatever comes later."""
        self._ended = True
        while self.mails:
            mail = self.mails.popleft()
            mail.signal()
            if mail.origin is not None:
                self.refuse(mail.origin, code, message)


def _gives_way_to(mail: Mail, waiting: Mail) -> bool:
    return waiting.gives_way and (mail.sender is None or mail.sender is not waiting.sender)
