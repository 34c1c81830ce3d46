"""Shared records of private games: a link with a secret, for whoever holds it, until it is withdrawn."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from math import ceil

from server.db.store import Store
from server.play.rate_limit import Buckets, Refusal
from server.play.writes import Statement
from server.rooms.room.services import Secrets

AT_ONCE = 20
PER_HOUR = 60
"""Links that one player may make at once, and then per hour."""
_SECRET = re.compile(r"[\w-]{22}", re.ASCII)
"""128 random bits, as those of an invitation."""


class SharedRecords:
    """Reading and committing raise StoreUnavailable."""

    def __init__(self, store: Store, now_ms: Callable[[], int], unix_ms: Callable[[], int], secrets: Secrets) -> None:
        self._store = store
        self._now_ms = now_ms
        self._unix_ms = unix_ms
        self._secrets = secrets
        self._made = Buckets(PER_HOUR / 3600, AT_ONCE)

    async def opens(self, game: int, secret: str) -> bool:
        """Whether this is the secret of the game's link."""
        return bool(_SECRET.fullmatch(secret)) and await self._store.is_shared(game, _hash(secret))

    async def made_ms(self, game: int) -> int | None:
        """When the game's link was made, None where it has none."""
        return await self._store.share_made_ms(game)

    def refusal(self, player: str) -> Refusal | None:
        """Why this player may make no link now, None where they may."""
        wait_ms = self._made.wait_ms(player, self._now_ms())
        if not wait_ms:
            return None
        wait_s = ceil(wait_ms / 1000)
        return Refusal("shares", f"You are making too many links: try again in {wait_s} s.", wait_s)

    async def make(self, game: int, player: str) -> tuple[str, int]:
        """The secret of a new link and when it was made; an earlier link of this game ends.

        Where the player was deleted meanwhile, nothing changes and the secret opens nothing.
        """
        secret, made_ms = self._secrets.token_urlsafe(16), self._unix_ms()
        await self._store.write([(Statement.SHARE_GAME, (game, _hash(secret), made_ms, int(player)))])
        return secret, made_ms

    async def withdraw(self, game: int) -> None:
        await self._store.write([(Statement.WITHDRAW_SHARE, (game,))])


def _hash(secret: str) -> bytes:
    """The secret is random bits, so a plain hash is enough at rest."""
    return hashlib.sha256(secret.encode()).digest()
