"""A room rebuilt from its committed events: after a restart, or after a failure halfway through something."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Set
from dataclasses import dataclass
from typing import Protocol

from engine.rules.registry import rules
from server.db.play import EventRow, PlayerRow, RoomRow
from server.play.history import rebuild
from server.play.room_spec import Pace, RoomSpec, decode_spec
from server.play.session import Session
from server.play.stored_events import decode_stored, public_body
from server.play.writes import DELETED_TEXT
from server.rooms.anonymous import anonymous
from server.wire import EVENTS_KEPT, Player, envelope

EVENTS_AT_ONCE = 500
"""Events that are read and applied before others get their turn: an old room may have hundreds of thousands."""


class RoomRows(Protocol):
    """What the database has of rooms; each raises StoreUnavailable."""

    async def room(self, number: int) -> RoomRow | None: ...

    async def room_events(self, number: int, after: int, limit: int) -> list[EventRow]:
        """The next `limit` events after one."""

    async def people(self, ids: list[int]) -> list[PlayerRow]:
        """The players among these who have a token."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """A room as its committed events left it."""

    session: Session
    number: int
    code: str | None
    kept: list[tuple[int, bytes]]
    """the last events with their numbers, as members are shown them; none where somebody was deleted"""
    renamed: list[Player]
    """those who sit here under a name that they no longer have"""
    deleted: list[str]
    """those who sit here and were deleted"""


class RoomLoader:
    def __init__(self, rows: RoomRows, pace: Pace, now_ms: Callable[[], int], unix_ms: Callable[[], int]) -> None:
        self._rows = rows
        self._pace = pace
        self._now_ms = now_ms
        self._unix_ms = unix_ms

    async def by_number(self, number: int) -> Loaded | None:
        """None where nothing of the room is committed."""
        row = await self._rows.room(number)
        return await self.by_row(row) if row is not None else None

    async def by_row(self, row: RoomRow) -> Loaded:
        events = await self._rows.room_events(row.number, 0, EVENTS_AT_ONCE)
        session = self._session(row, events)
        last = deque(events, maxlen=EVENTS_KEPT)
        while len(events) == EVENTS_AT_ONCE:
            events = await self._rows.room_events(row.number, session.seq, EVENTS_AT_ONCE)
            for event in events:
                session.restore(event.seq, event.ts, decode_stored(event.body))
            last += events
        known = {str(row.id): row for row in await self._rows.people([int(player) for player in session.shown])}
        kept = [(event.seq, _frame(row, event, session.spec)) for event in last]
        deleted = session.shown - known.keys()
        if deleted:
            kept = []  # whoever comes back may know their names
            _anonymise(session, deleted)
        sitting = {seat.id: seat for seat in session.seats.values() if seat is not None and seat.bot is None}
        renamed = [
            Player(id=player, name=known[player].name, kind=seat.kind)
            for player, seat in sitting.items()
            if player in known and known[player].name != seat.name
        ]
        return Loaded(session, row.number, row.code, kept, renamed, [player for player in sitting if player in deleted])

    def _session(self, row: RoomRow, events: list[EventRow]) -> Session:
        spec = decode_spec(row.spec)
        # If the wall clock was set back, the room counts as new, not as from the future.
        opened_ms = self._now_ms() - max(0, self._unix_ms() - row.created_ms)
        entries = [(event.seq, event.ts, event.body) for event in events]
        return rebuild(row.id, spec, rules(spec.game), entries, opened_ms=opened_ms, pace=self._pace)


def _anonymise(session: Session, deleted: Set[str]) -> None:
    """Their names and words may still stand in the rows, and their ratings do in the end of a rated game."""
    for player in deleted:
        left = anonymous(Player(id=player, name="", kind=session.spec.creator.kind))  # the only kind that is kept
        session.remove_player(left, DELETED_TEXT)


def _frame(row: RoomRow, event: EventRow, spec: RoomSpec) -> bytes:
    return envelope(row.id, event.seq, event.ts, public_body(decode_stored(event.body), event.body.encode(), spec))
