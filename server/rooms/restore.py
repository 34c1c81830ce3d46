"""Rooms put back after a restart, from the events that the database has of them."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable

import msgspec

from engine.rules.registry import rules
from server.db.play import EventRow, RoomRow
from server.db.store import Store
from server.play.history import rebuild
from server.play.room_spec import Pace, RoomSpec, decode_spec
from server.play.session import Session
from server.play.stored_events import decode_stored, public_body
from server.play.writes import Statement, Write
from server.rooms.lobby import Lobby
from server.wire import EVENTS_KEPT, envelope

log = logging.getLogger(__name__)


async def restore_rooms(
    lobby: Lobby,
    store: Store,
    commit: Callable[[list[Write]], Awaitable[None]],
    pace: Pace,
    now_ms: Callable[[], int],
    unix_ms: Callable[[], int],
) -> None:
    """Put every open room back in the lobby. Raises StoreUnavailable."""
    restored = 0
    for row in await store.open_rooms():
        try:
            events = await store.room_events(row.number)
            session = _session(row, [(event.seq, event.ts, event.body) for event in events], pace, now_ms() - unix_ms())
            if session.waiting and session.spec.kind != "invite":
                # Seeks and challenges do not outlive a restart.
                await commit([(Statement.CLOSE_ROOM, (unix_ms(), row.number))])
                continue
            kept = [_frame(row, event, session.spec) for event in events[-EVENTS_KEPT:]]
            lobby.restore(session, row.number, row.code, kept)
            restored += 1
        except (msgspec.MsgspecError, ValueError, AssertionError):
            log.exception("a room cannot be restored and is left alone", extra={"room": row.id})
    if restored:
        log.info("rooms restored", extra={"rooms": restored})


def _session(row: RoomRow, events: list[tuple[int, int, str]], pace: Pace, monotonic_less_unix_ms: int) -> Session:
    spec = decode_spec(row.spec)
    opened_ms = row.created_ms + monotonic_less_unix_ms
    return rebuild(row.id, spec, rules(spec.game), events, opened_ms=opened_ms, pace=pace)


def _frame(row: RoomRow, event: EventRow, spec: RoomSpec) -> tuple[int, bytes]:
    """An event with its number, as members are shown it."""
    body = public_body(decode_stored(event.body), event.body.encode(), spec)
    return event.seq, envelope(row.id, event.seq, event.ts, body)
