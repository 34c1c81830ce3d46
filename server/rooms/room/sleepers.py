"""Rooms that have left memory: unfinished ones that nobody is in and where nothing happens, found in the database."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from typing import Protocol

import msgspec

from server.db.play import RoomRow, SleepingRow
from server.play.attendance import INVITE_MS
from server.play.room_spec import decode_spec
from server.play.session import Session
from server.play.writes import Statement, Write
from server.rooms.room.load import Loaded
from server.wire import HeldRoom, Player

log = logging.getLogger(__name__)

EXPIRED_AT_ONCE = 100


class SleepingRows(Protocol):
    """What the database has of sleeping rooms; each raises StoreUnavailable."""

    async def sleeping_room(self, id: str) -> RoomRow | None: ...

    async def sleeping_room_by_code(self, code: str) -> RoomRow | None: ...

    async def sleeping_rooms_of(self, player: int) -> list[SleepingRow]: ...

    async def expired_rooms(self, made_before_ms: int, limit: int) -> list[SleepingRow]: ...


class Sleepers:
    """`is_awake` says whether a room is in memory: the database learns of its waking with its next commit alone."""

    def __init__(
        self,
        rows: SleepingRows,
        load: Callable[[int], Awaitable[Loaded | None]],
        is_awake: Callable[[str], bool],
    ) -> None:
        self._rows = rows
        self._load = load
        self._is_awake = is_awake

    async def load(self, id: str | None, code: str | None) -> Loaded | None:
        """The sleeping room with this id, or else with this code."""
        if id is not None:
            row = await self._rows.sleeping_room(id)
        else:
            row = await self._rows.sleeping_room_by_code(code) if code is not None else None
        return await self._load(row.number) if row is not None else None

    async def of(self, player: str) -> list[SleepingRow]:
        """A player's part in rooms that sleep."""
        return [row for row in await self._rows.sleeping_rooms_of(int(player)) if not self._is_awake(row.id)]

    async def expired(self, now_ms: int) -> list[SleepingRow]:
        """Some of the invites that nobody has taken up in time, as of this Unix time."""
        rows = await self._rows.expired_rooms(now_ms - INVITE_MS, EXPIRED_AT_ONCE)
        return [row for row in rows if not self._is_awake(row.id)]


def held_asleep(row: SleepingRow) -> HeldRoom | None:
    """A sleeping room for one who holds a seat in it; None for one that could not wake, as its row is damaged."""
    try:
        spec = decode_spec(row.spec)
    except msgspec.MsgspecError as error:
        log.error("a sleeping room cannot be read", extra={"room": row.id, "error": str(error)})
        return None
    bot = next((seat for seat in (spec.x, spec.o) if seat is not None and seat.bot is not None), None)
    opponent: Player | None = None
    if row.opponent_id is not None:
        opponent = Player(id=str(row.opponent_id), name=row.opponent_name or "", kind=row.opponent_kind or "person")
    elif bot is not None:
        opponent = Player(id=bot.id, name=bot.name, kind=bot.kind)
    elif spec.kind == "self":
        opponent = spec.creator
    return HeldRoom(room=row.id, game=spec.game, opponent=opponent)


def sleep_writes(session: Session, number: int, now_ms: int) -> list[Write]:
    """A room falls asleep at this Unix time."""
    writes: list[Write] = [(Statement.LET_ROOM_SLEEP, (now_ms, number)), (Statement.DROP_SLEEPERS, (number,))]
    for player in sorted(session.holders):
        made = int(player == session.spec.creator.id)
        part = (int(player), number, made, int(bool(session.sides(player))), int(session.waiting))
        writes.append((Statement.ADD_SLEEPER, part))
    return writes


def wake_writes(number: int) -> list[Write]:
    """A sleeping room is awake: they go with what is committed in it next."""
    return [(Statement.WAKE_ROOM, (number,)), (Statement.DROP_SLEEPERS, (number,))]


def close_writes(number: int, now_ms: int, *, sleeps: bool) -> list[Write]:
    """A room is over; `sleeps` where the database has it as a sleeping one."""
    closed: Write = (Statement.CLOSE_ROOM, (now_ms, number))
    return [closed, (Statement.DROP_SLEEPERS, (number,))] if sleeps else [closed]
