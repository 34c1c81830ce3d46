"""The games that engines follow from the first move to the last, each with a process of its own: how many there are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from server.play.rate_limit import share_of_address
from server.wire import Side
from server.workers.engines.remembered import IDLE_S, MAX_GAMES

FULL: Final = f"{MAX_GAMES} games with engines that follow a whole game are running; try again when one is over."
MANY: Final = "You have many games with engines that follow a whole game; end one of them first."
GAMES_AN_ADDRESS: Final = 4
"""Games that an address may have, however few places are left."""


class _Followed(NamedTuple):
    asked_us: int
    holder: str


class FollowedGames:
    """Keyed by the game's seed and the engine's side; `now_us` is monotonic. A `holder` is an address, or a player."""

    def __init__(self, now_us: Callable[[], int]) -> None:
        self._now_us = now_us
        self._games: dict[tuple[int, Side], _Followed] = {}
        """The one that was asked longest ago first."""

    def refusal(self, holder: str) -> str | None:
        """Why there is no place for another game of theirs; None if there is one. A game whose engine has not been
        asked for long has lost its place."""
        least_us = self._now_us() - round(IDLE_S * 1_000_000)
        for key in [key for key, game in self._games.items() if game.asked_us <= least_us]:
            del self._games[key]
        free = MAX_GAMES - len(self._games)
        if free <= 0:
            return FULL
        held = sum(game.holder == holder for game in self._games.values())
        return MANY if held >= share_of_address(free, GAMES_AN_ADDRESS) else None

    def take(self, seed: int, side: Side, holder: str) -> bool:
        """Whether this one has a place."""
        known = self._games.pop((seed, side), None)
        if known is None and self.refusal(holder) is not None:
            return False
        self._games[seed, side] = _Followed(self._now_us(), holder if known is None else known.holder)
        return True

    def end(self, seed: int) -> bool:
        """The game is over; return whether an engine followed it."""
        followed = [key for key in self._games if key[0] == seed]
        for key in followed:
            del self._games[key]
        return bool(followed)
