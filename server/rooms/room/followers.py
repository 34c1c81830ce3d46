"""Who follows a room: its members, whether seat holders are among them, and how many only watch."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable, Iterator

from server.play.session import Session
from server.play.views import presence_view
from server.rooms.members import Member, SendQueue, text_frame
from server.wire import Player, Seated, Side, Spectators, encode

SPECTATORS_S = 1.0
"""`spectators` goes out at most this often."""


class Followers:
    """The members of one room. What they are sent of each other waits in the room's send queue."""

    def __init__(self, session: Session, send_queue: SendQueue, now_ms: Callable[[], int]) -> None:
        self.session = session
        self._now_ms = now_ms
        self._send_queue = send_queue
        self._members: dict[Member, None] = {}
        """seat holders first, since messages are sent in this order"""
        self._connections: Counter[str] = Counter()
        """by player"""
        self._spectators_timer: asyncio.TimerHandle | None = None
        self._spectators_shown: int | None = 0
        """None if somebody has not been told"""

    def __len__(self) -> int:
        return len(self._members)

    def __iter__(self) -> Iterator[Member]:
        return iter(self._members)

    def __contains__(self, member: object) -> bool:
        return member in self._members

    @property
    def spectators(self) -> int:
        """Connections that follow without a seat."""
        seated = {seat.id for seat in self.session.seats.values() if seat is not None}
        return len(self._members) - sum(self._connections[player] for player in seated)

    def is_present(self, player: str) -> bool:
        return self._connections[player] > 0

    def add(self, member: Member) -> bool:
        """Return whether it is new."""
        if member in self._members or not member.open:
            return False
        player = member.player.id
        if self.session.sides(player):
            self._members = {member: None, **self._members}
        else:
            self._members[member] = None
        self._connections[player] += 1
        if self._connections[player] == 1:
            self._show_presence(member.player, present=True, but=member)
        self.count_spectators()
        return True

    def remove(self, member: Member) -> bool:
        """Return whether it was there."""
        if member not in self._members:
            return False
        del self._members[member]
        player = member.player.id
        self._connections[player] -= 1
        if not self._connections[player]:
            del self._connections[player]
            self._show_presence(member.player, present=False)
        self.count_spectators()
        return True

    def send(self, frame: bytes, but: Member | None = None) -> None:
        for member in self._members:
            if member is not but:
                self._send_queue.put(member, frame)

    def check_seats(self, newly_seated: Iterable[Seated]) -> None:
        """`seated` shows everybody as present, and a follower who sits down is no longer a spectator."""
        for seated in newly_seated:
            mine = {member: None for member in self._members if member.player.id == seated.seat.id}
            self._members = mine | self._members
            if seated.seat.bot is None and not self.is_present(seated.seat.id):
                self.send(self.presence_frame(seated.side, False))
        self.count_spectators()

    def count_spectators(self) -> None:
        """Tell everybody soon how many watch, if that has changed."""
        if self._spectators_timer is None:
            self._spectators_timer = asyncio.get_running_loop().call_later(SPECTATORS_S, self._show_spectators)

    def on_shown(self) -> None:
        """One member is shown the room, with how many watch. If others were told another number, all are told again."""
        if self.spectators != self._spectators_shown:
            self._spectators_shown = None

    def tell_spectators_again(self) -> None:
        """Somebody missed how many watch: tell everybody again, even if the number is the same."""
        self._spectators_shown = None
        self.count_spectators()

    def stop(self) -> None:
        if self._spectators_timer is not None:
            self._spectators_timer.cancel()

    def _show_presence(self, player: Player, *, present: bool, but: Member | None = None) -> None:
        for side in self.session.sides(player.id):
            self.send(self.presence_frame(side, present), but)

    def show_absence(self, player: str) -> None:
        """Tell everybody when a win may be claimed from one who is not here, or that it may not any more."""
        if not self.is_present(player):
            for side in self.session.sides(player):
                self.send(self.presence_frame(side, False))

    def presence_frame(self, side: Side, present: bool) -> bytes:
        return text_frame(encode(presence_view(self.session, side, present, self._now_ms())))

    def _show_spectators(self) -> None:
        self._spectators_timer = None
        if self.spectators != self._spectators_shown:
            self._spectators_shown = self.spectators
            self.send(text_frame(encode(Spectators(room=self.session.room, count=self.spectators))))
            self._send_queue.flush()
