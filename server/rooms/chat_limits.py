"""How much may be said: chat goes to everybody in a room and stays in the database."""

from __future__ import annotations

from math import ceil

from server.play.rate_limit import Buckets

BURST_S = 10
"""So many seconds' lines may be said at once."""
SHARED = 5
"""Spectators of a room, and players of an address, together say so many times what one player may."""


class ChatLimits:
    """`rate` is a player's, in lines a second; 0 for no limit. Spectators share a limit, so that they drown nobody."""

    def __init__(self, rate: float) -> None:
        self._players = Buckets(rate, rate * BURST_S)
        self._addresses = Buckets(rate * SHARED, rate * SHARED * BURST_S)
        self._rooms = Buckets(rate * SHARED, rate * SHARED * BURST_S)

    def refusal(self, player: str, address: str, room: str, *, is_seated: bool, now_ms: int) -> str | None:
        """Why a line may not be said now, in one sentence that says when it may."""
        wait_ms = self._players.wait_ms(player, now_ms)
        if wait_ms:
            return f"You say a lot: say this again in {_seconds(wait_ms)}."
        wait_ms = self._addresses.wait_ms(address, now_ms)
        if wait_ms:
            return f"A lot is said from your address: say this again in {_seconds(wait_ms)}."
        wait_ms = 0 if is_seated else self._rooms.wait_ms(room, now_ms)
        if wait_ms:
            return f"The spectators of this room say a lot: say this again in {_seconds(wait_ms)}."
        return None


def _seconds(wait_ms: int) -> str:
    return f"{ceil(wait_ms / 1000)} s"
