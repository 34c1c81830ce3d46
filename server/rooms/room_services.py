"""What rooms need of the world: time, the store, ratings and searches, as functions."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from engine.bots.player import Decision
from server.play.effects import Think
from server.play.inputs import Ticket
from server.play.writes import Write
from server.rooms.load import Loaded
from server.rooms.rating_book import RatingBook


@dataclass(frozen=True, slots=True)
class SearchReport:
    """Where a room hears of its search."""

    started: Callable[[], None]
    progressed: Callable[[int, int, float, tuple[int, ...]], None]
    finished: Callable[[Decision, int], None]
    failed: Callable[[str], None]


@dataclass(frozen=True, slots=True)
class RoomServices:
    """What rooms need of the world. `think` answers what stops the search, or None where no worker takes it."""

    now_ms: Callable[[], int]
    unix_ms: Callable[[], int]
    commit: Callable[[list[Write]], Awaitable[None]]
    """done after the commit; raises StoreUnavailable or Conflict"""
    can_commit: Callable[[], bool]
    """whether the store can commit as far as it knows"""
    load: Callable[[int], Awaitable[Loaded | None]]
    """the room with this number as it is committed, None where nothing of it is; raises StoreUnavailable"""
    new_ticket: Callable[[], Awaitable[Ticket]]
    ratings: RatingBook
    think: Callable[[str, Think, bool, SearchReport], Callable[[], None] | None]
    """game id, what to think about, whether anyone watches"""
    on_changed: Callable[[str, bool], None]
    """the place in the lobby of the room with this id may have changed; True where seats or phase did"""
    on_closed: Callable[[str], None]
