"""When a win may be claimed: the server says beforehand how long that will take, and nothing when the time has come."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from client.sdk import LiveRoom, NoughtsError, RoomView
from client.terminal.words.room import claim_sentence
from engine.rules.position import other
from server.wire import Seat


async def tell_claims(room: LiveRoom, tell: Callable[[str], None], marks: tuple[str, str]) -> None:
    """Say when an absent opponent's win may be claimed, once for each absence; ends once the room was left."""
    now_s = asyncio.get_running_loop().time
    seen: Seat | None = None
    due_s: float | None = None
    told = False
    following = True
    try:
        while following:
            version, seat = room.version, _absent_opponent(room.view)
            if seat is None or seat.claim_ms is None:
                due_s, told = None, False
            elif seat is not seen and not told:
                due_s = now_s() + seat.claim_ms / 1000
            seen = seat
            try:
                async with asyncio.timeout_at(due_s):
                    following = await room.changed_since(version)
            except TimeoutError:
                tell(claim_sentence(room.view, marks))
                due_s, told = None, True
    except NoughtsError:
        return  # the room itself tells what became of the connection


def _absent_opponent(view: RoomView) -> Seat | None:
    return view.seat(other(view.you)) if view.running and view.you in ("x", "o") else None
