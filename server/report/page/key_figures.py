"""The key figures of a report, which are stored beside it for the next one to compare with."""

from __future__ import annotations

from msgspec import Struct


class Place(Struct, frozen=True):
    """A bot in a list."""

    bot: str
    place: int
    rating: float
    games: int
    low: float | None = None
    high: float | None = None
    superiority: float | None = None
    """Superiority over the next; missing in older reports, like the interval."""
    gone: bool = False
    """Retired, or no longer in the list; missing in older reports."""
    name: str = ""
    """`bot` without what tells it from others of one name, such as its version; missing in older reports."""
    version: int | None = None


class List(Struct, frozen=True):
    run: str
    title: str
    places: list[Place]

    @property
    def leader(self) -> Place | None:
        """The best bot that still plays there."""
        return next((place for place in self.places if not place.gone), None)


class Key(Struct, frozen=True):
    """The key figures of a report, and the files it wrote."""

    as_of_ms: int
    games: int
    moves: int
    by_game: dict[str, int]
    lists: list[List]
    files: list[str] = []
    chosen: str = ""
    """Which games it covers, in words; standings always cover all."""
