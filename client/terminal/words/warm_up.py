"""Why a bot keeps players waiting: after a first start the server compiles its bots' searches, which takes a while."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from client.sdk import LiveRoom, NoughtsError, RoomView
from client.sdk.records import WarmUp

PATIENCE_S = 1.5
"""A bot that answers sooner needs no explanation."""
POLL_S = 2.0


async def explain_waiting(
    room: LiveRoom,
    ask: Callable[[], Awaitable[WarmUp]],
    tell: Callable[[WarmUp], None],
    patience_s: float = PATIENCE_S,
    poll_s: float = POLL_S,
) -> None:
    """While a bot keeps players waiting, say how far the warm-up is; ends once the server is warm, or cannot say."""
    try:
        while await _bot_waits(room, patience_s):
            warm_up = await ask()
            tell(warm_up)
            if warm_up.warm:
                return
            await asyncio.sleep(poll_s)
    except NoughtsError:
        return  # the room itself tells what became of the connection


async def _bot_waits(room: LiveRoom, patience_s: float) -> bool:
    """Wait until a bot has been to move for this long without a sign of thinking; False if the room was left first."""
    while True:
        version, moves = room.version, len(room.view.moves)
        if _bot_to_move(room.view):
            await asyncio.sleep(patience_s)
            if _bot_to_move(room.view) and len(room.view.moves) == moves:
                return True
        elif not await room.changed_since(version):
            return False


def _bot_to_move(view: RoomView) -> bool:
    seat = view.seat(view.to_move) if view.to_move is not None else None
    return seat is not None and seat.bot is not None and view.thinking is None
