"""What rooms need of the world: time, secrets, the store, ratings, searches, and who keeps the list of rooms."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from engine.bots.player import Decision
from engine.rules.termination import FaultTermination
from server.play.effects import Think
from server.play.inputs import Ticket
from server.play.writes import Committer
from server.rooms.room.load import Loaded
from server.rooms.room.rating_book import RatingBook


@dataclass(frozen=True, slots=True)
class SearchReport:
    """Where a room hears of its search."""

    started: Callable[[], None]
    progressed: Callable[[int, int, float, tuple[int, ...]], None]
    finished: Callable[[Decision, int], None]
    """Called with the decision and the microseconds that it took."""
    failed: Callable[[str], None]
    faulted: Callable[[FaultTermination, str], None]
    """The bot did something wrong, which ends a sentence that begins with its name."""


class Clock(Protocol):
    """Two times, in milliseconds."""

    def now_ms(self) -> int:
        """Monotonic."""

    def unix_ms(self) -> int: ...


class Secrets(Protocol):
    """What is drawn: see the module `secrets`."""

    def randbelow(self, number: int, /) -> int: ...

    def randbits(self, number: int, /) -> int: ...

    def token_hex(self, number: int, /) -> str: ...

    def token_urlsafe(self, number: int, /) -> str: ...


class Loader(Protocol):
    async def by_number(self, number: int) -> Loaded | None:
        """A room as it is committed, None where nothing of it is. Raises StoreUnavailable."""


class Tickets(Protocol):
    async def new_ticket(self) -> Ticket:
        """The ticket of a room's next game. Raises StoreUnavailable."""


class Thinker(Protocol):
    def think(self, game: str, think: Think, watched: bool, report: SearchReport) -> Callable[[], None] | None:
        """Have a move of this game decided; `watched` where anybody looks. What stops it, or None where no worker takes
        it now."""

    def end_game(self, seed: int) -> None:
        """The game of this seed is over."""


class RoomWatcher(Protocol):
    """Who keeps the list of rooms."""

    draining: bool
    """whether no game may begin"""

    def on_room_changed(self, id: str, listing: bool) -> None:
        """The place of a room may have changed; `listing` where its seats or phase did."""

    def on_room_closed(self, id: str) -> None: ...


@dataclass(frozen=True, slots=True)
class RoomServices:
    """What rooms need of the world."""

    clock: Clock
    secrets: Secrets
    committer: Committer
    loader: Loader
    tickets: Tickets
    ratings: RatingBook
    thinking: Thinker
