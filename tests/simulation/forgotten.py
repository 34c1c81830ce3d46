"""Who asked to be forgotten: what may be left of them, and what nobody is shown any more."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

from msgspec.structs import replace

from server.wire import RoomEvent, Said, Seated
from tests.simulation.broken import Broken

SHOWN_US = 20_000_000
"""What was sent before a deletion arrives no later."""


@dataclass
class Request:
    """`unanswered` are those that may still be granted, the last of them asked of server number `server`."""

    unanswered: int
    server: int


class Deletion(NamedTuple):
    """`called` is the word that all names of the player begin with."""

    called: str
    known_us: int


class Forgotten:
    """By the ids of players."""

    def __init__(self) -> None:
        self.asked: dict[str, Request] = {}
        """whose deletion may have happened, or may yet"""
        self.done: dict[str, Deletion] = {}
        """who are deleted, for good"""

    # What people learn

    def ask(self, id: str, server: int) -> None:
        known = self.asked.get(id)
        self.asked[id] = Request(known.unanswered + 1 if known is not None else 1, server)

    def refuse(self, id: str) -> None:
        """One of the requests."""
        known = self.asked.get(id)
        if known is not None:
            known.unanswered -= 1
            if known.unanswered == 0:
                del self.asked[id]

    def known_still(self, id: str, server: int) -> None:
        """A server greets this player: an earlier one has not deleted them."""
        known = self.asked.get(id)
        if known is not None and known.server < server:
            del self.asked[id]

    def confirm(self, id: str, called: str, now_us: int) -> None:
        self.asked.pop(id, None)
        self.done[id] = Deletion(called, now_us)

    # What follows from it

    def same(self, event: RoomEvent, other: RoomEvent) -> bool:
        """But for what a deletion takes away, where there may have been one."""
        return self._reduced(event) == self._reduced(other)

    def _reduced(self, event: RoomEvent) -> RoomEvent:
        if isinstance(event, Seated) and self.may_be(event.seat.id):
            return replace(event, seat=replace(event.seat, name="-", rating=None))
        if isinstance(event, Said) and self.may_be(event.by.id):
            return replace(event, by=replace(event.by, name="-"), text="-")
        return event

    def may_be(self, id: str) -> bool:
        return id in self.asked or id in self.done

    def settling(self, now_us: int) -> set[str]:
        """Whose deletion may be under way at this moment, or may have been when the server died."""
        lately = {id for id, deletion in self.done.items() if now_us - deletion.known_us < SHOWN_US}
        return lately | set(self.asked)

    def named_in(self, text: str, *, before_us: int | None = None) -> str | None:
        """Somebody who is named there, of those who were deleted before."""
        for deletion in self.done.values():
            if before_us is None or deletion.known_us < before_us:
                found = re.search(rf"(?<![\w-]){deletion.called}(?![\w-])", text)
                if found is not None:
                    return deletion.called
        return None

    def check_shown(self, data: bytes, who: str, now_us: int) -> None:
        """Raises Broken."""
        named = self.named_in(data.decode(), before_us=now_us - SHOWN_US) if self.done else None
        if named is not None:
            raise Broken("forgotten", f"{who} is shown {named}, who was deleted: {data[:200]!r}")
