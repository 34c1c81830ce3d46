"""What the operator tells everybody: one announcement at a time, shown at once and to whoever comes later."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable

from server.rooms.members import Member, SendQueue, text_frame
from server.wire import Announcement, encode


class Announcements:
    """`members` are all greeted connections."""

    def __init__(self, members: Callable[[], Iterable[Member]], unix_ms: Callable[[], int]) -> None:
        self._members = members
        self._unix_ms = unix_ms
        self._send_queue = SendQueue()
        self._frame: bytes | None = None
        self._end: asyncio.TimerHandle | None = None

    def announce(self, text: str, ms: int | None) -> None:
        """Replaces an earlier one. It lasts for `ms`, or until it is withdrawn."""
        self._stop_timer()
        self._send(text)
        if ms is not None:
            self._end = asyncio.get_running_loop().call_later(ms / 1000, self.withdraw)

    def withdraw(self) -> bool:
        """Return whether there was one."""
        self._stop_timer()
        announced = self._frame is not None
        if announced:
            self._send("")
        self._frame = None
        return announced

    def greet(self, member: Member) -> None:
        """Show the announcement to a member who has just connected."""
        if self._frame is not None:
            member.write(self._frame)

    def _send(self, text: str) -> None:
        self._frame = text_frame(encode(Announcement(text=text, ts=self._unix_ms())))
        for member in self._members():
            self._send_queue.put(member, self._frame)
        self._send_queue.flush()

    def _stop_timer(self) -> None:
        if self._end is not None:
            self._end.cancel()
            self._end = None
