"""Who is at a room, and when it ends or falls asleep because nobody is. Pure."""

from __future__ import annotations

from engine.rules.position import Rules
from server.play.requests import ABSENT_MS
from server.play.room_spec import RoomSpec
from server.play.room_state import RoomState

INVITE_MS = 24 * 60 * 60 * 1000
SLEEP_MS = 60_000
"""An unfinished room sleeps once nobody has followed it, and no seat holder was connected, for this long."""
EMPTY_MS = 10 * 60 * 1000
"""How long a room without a running game and without members stays."""
LEFT_MS = 60_000
"""The same where others need its place."""


class AttendedRoom(RoomState):
    """What a room knows of its attendance: since when nobody follows it, and in `away_since_ms` which of its people are
    not connected."""

    def __init__(self, room: str, spec: RoomSpec, rules: Rules, *, opened_ms: int) -> None:
        super().__init__(room, spec, rules)
        self._opened_ms = opened_ms
        self._empty_since_ms: int | None = opened_ms

    @property
    def people(self) -> set[str]:
        """Seat holders who can be connected: not the server's bots."""
        return {seat.id for seat in self.seats.values() if seat is not None and seat.bot is None}

    @property
    def holders(self) -> set[str]:
        """Who has a part in the room: people who sit, its creator, and who is challenged."""
        target = self.spec.target
        return self.people | {self.spec.creator.id} | ({target} if target is not None else set())

    def is_waited_in_by(self, player: str) -> bool:
        """Whether this player waits here for an opponent or for an answer to an offer."""
        sides = self.sides(player)
        return bool(sides) and (self.waiting or any(by in sides for by, _ in self.game.offers))

    @property
    def expires_ms(self) -> int | None:
        """When the room closes: a seek whose creator left, an old invite, or a finished game that everybody left."""
        if self.waiting:
            if self.spec.kind == "invite":
                return self._opened_ms + INVITE_MS
            away_since_ms = self.away_since_ms.get(self.spec.creator.id)
            return None if away_since_ms is None else away_since_ms + ABSENT_MS
        if self.game.running or self._empty_since_ms is None:
            return None
        return self._empty_since_ms + EMPTY_MS

    @property
    def unattended_since_ms(self) -> int | None:
        """Since when nobody follows the room and none of its seat holders is connected; None if somebody is."""
        if self._empty_since_ms is None or not self.people <= self.away_since_ms.keys():
            return None
        return max([self._empty_since_ms, *(self.away_since_ms[player] for player in self.people)])

    @property
    def waits_for_people(self) -> bool:
        """Whether nothing will happen here until somebody acts, however long that takes."""
        if self.waiting:
            return self.spec.kind == "invite"
        return self.game.running and self.clock.settings is None and not self.is_bot(self.game.to_move)
