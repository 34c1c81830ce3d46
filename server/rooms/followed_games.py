"""The games that engines follow from the first move to the last, each with a process of its own: how many there are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from server.wire import Side
from server.workers.engines.remembered import IDLE_S, MAX_GAMES

FULL: Final = f"{MAX_GAMES} games with engines that follow a whole game are running; try again when one is over."


class FollowedGames:
    """By the seed of the game and the engine's side; `now_us` is monotonic."""

    def __init__(self, now_us: Callable[[], int]) -> None:
        self._now_us = now_us
        self._asked_us: dict[tuple[int, Side], int] = {}
        """The one that was asked longest ago first."""

    @property
    def are_full(self) -> bool:
        """Whether there is no place for another game. A game whose engine was not asked for long has lost its own."""
        least_us = self._now_us() - round(IDLE_S * 1_000_000)
        for key in [key for key, asked_us in self._asked_us.items() if asked_us <= least_us]:
            del self._asked_us[key]
        return len(self._asked_us) >= MAX_GAMES

    def take(self, seed: int, side: Side) -> bool:
        """Whether this one has a place."""
        if (seed, side) not in self._asked_us and self.are_full:
            return False
        self._asked_us.pop((seed, side), None)
        self._asked_us[seed, side] = self._now_us()
        return True

    def end(self, seed: int) -> bool:
        """The game is over; return whether an engine followed it."""
        followed = [key for key in self._asked_us if key[0] == seed]
        for key in followed:
            del self._asked_us[key]
        return bool(followed)
