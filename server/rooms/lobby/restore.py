"""Rooms put back after a restart, from the events that the database has of them. Those that sleep stay asleep."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable

import msgspec

from server.db.store import Store
from server.play.writes import Statement, StoreUnavailable, Write
from server.rooms.lobby.lobby import Lobby
from server.rooms.room.load import RoomLoader

log = logging.getLogger(__name__)


async def restore_rooms(
    lobby: Lobby,
    store: Store,
    loader: RoomLoader,
    commit: Callable[[list[Write]], Awaitable[None]],
    unix_ms: Callable[[], int],
) -> None:
    """Put every room that was awake back in the lobby. Raises StoreUnavailable."""
    restored = 0
    closed: list[Write] = []
    for row in await store.awake_rooms():
        try:
            loaded = await loader.by_row(row)
            if loaded.session.waiting and loaded.session.spec.kind != "invite":
                # Seeks and challenges do not outlive a restart.
                closed.append((Statement.CLOSE_ROOM, (unix_ms(), row.number)))
                continue
            lobby.restore(loaded)
            restored += 1
        except (msgspec.MsgspecError, ValueError, AssertionError):
            log.exception("a room cannot be restored and is left alone", extra={"room": row.id})
    if closed:
        await _close(closed, commit)
    if restored:
        log.info("rooms restored", extra={"rooms": restored})


async def _close(writes: list[Write], commit: Callable[[list[Write]], Awaitable[None]]) -> None:
    """On a full disk the next start does it."""
    try:
        await commit(writes)
    except StoreUnavailable as error:
        log.warning("rooms that nobody waits in any more cannot be closed now", extra={"error": str(error)})
