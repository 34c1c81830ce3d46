"""Rooms put back after a restart, from the events that the database has of them. Those that sleep go on sleeping."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable

import msgspec

from server.db.store import Store
from server.play.writes import Statement, Write
from server.rooms.load import RoomLoader
from server.rooms.lobby import Lobby

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
    for row in await store.awake_rooms():
        try:
            loaded = await loader.by_row(row)
            if loaded.session.waiting and loaded.session.spec.kind != "invite":
                # Seeks and challenges do not outlive a restart.
                await commit([(Statement.CLOSE_ROOM, (unix_ms(), row.number))])
                continue
            lobby.restore(loaded)
            restored += 1
        except (msgspec.MsgspecError, ValueError, AssertionError):
            log.exception("a room cannot be restored and is left alone", extra={"room": row.id})
    if restored:
        log.info("rooms restored", extra={"rooms": restored})
