"""How much may be said: chat goes to everybody in a room and stays in the database."""

from __future__ import annotations

from math import ceil

from server.play.rate_limit import Buckets, Refusal

BURST_S = 10
"""The lines of this many seconds may be said at once."""
SHARED = 5
"""All spectators of a room, and all players of an address, may say this many times what one player may."""


class ChatLimits:
    """`rate` is a player's, in lines a second; 0 for no limit.

    Spectators share a limit, so that they cannot drown out the players.
    """

    def __init__(self, rate: float) -> None:
        self._players = Buckets(rate, rate * BURST_S)
        self._addresses = Buckets(rate * SHARED, rate * SHARED * BURST_S)
        self._rooms = Buckets(rate * SHARED, rate * SHARED * BURST_S)

    def refusal(self, player: str, address: str, room: str, *, is_seated: bool, now_ms: int) -> Refusal | None:
        """Why a line is refused now; None if it is not."""
        wait_ms = self._players.wait_ms(player, now_ms)
        if wait_ms:
            return _refusal("You are sending many messages", wait_ms)
        wait_ms = self._addresses.wait_ms(address, now_ms)
        if wait_ms:
            return _refusal("Your address is sending many messages", wait_ms)
        wait_ms = 0 if is_seated else self._rooms.wait_ms(room, now_ms)
        if wait_ms:
            return _refusal("This room's spectators are sending many messages", wait_ms)
        return None


def _refusal(what: str, wait_ms: int) -> Refusal:
    return Refusal("chat_rate", f"{what}: try again in {ceil(wait_ms / 1000)} s.")
