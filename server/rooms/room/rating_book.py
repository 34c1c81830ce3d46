"""The ratings of players while the server runs: read from the database, and changed by one game at a time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import Protocol
from weakref import WeakValueDictionary

from engine.stats.glicko import NEW, Rating
from server.play.effects import RatedGame


class CommittedRatings(Protocol):
    async def rating(self, player: int, game: str) -> Rating | None:
        """A player's rating in a kind of game. Raises StoreUnavailable."""


class RatingBook:
    """Keeps nothing in memory, so a failed commit leaves nothing to repair."""

    def __init__(self, ratings: CommittedRatings) -> None:
        self._ratings = ratings
        self._locks: WeakValueDictionary[tuple[str, str], asyncio.Lock] = WeakValueDictionary()

    async def known(self, game: str, players: Iterable[str]) -> dict[str, Rating]:
        """The ratings of those who have one."""
        found = {player: await self._ratings.rating(int(player), game) for player in players}
        return {player: rating for player, rating in found.items() if rating is not None}

    @asynccontextmanager
    async def held(self, rated: RatedGame) -> AsyncIterator[tuple[Rating, Rating]]:
        """The ratings of X and O before a game, which nobody else changes inside the block.

        The block commits what comes of them. Another game of one of the two that ends meanwhile waits, and goes on
        from there.
        """
        first, second = sorted((rated.x, rated.o))  # always in this order, or two games could deadlock
        async with self._lock(first, rated.game), self._lock(second, rated.game):
            x = await self._ratings.rating(int(rated.x), rated.game)
            o = await self._ratings.rating(int(rated.o), rated.game)
            yield x or NEW, o or NEW

    def _lock(self, player: str, game: str) -> asyncio.Lock:
        return self._locks.setdefault((player, game), asyncio.Lock())
