"""What a session asks to be done, in order; and what it asks to be committed."""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from server.play.inputs import Origin
from server.wire import BotLimit, Ended, ErrorCode, Ratings, RoomEvent, Search, Side


class MoveFigures(Struct, frozen=True):
    """What the records keep of a move besides the event."""

    cell: int
    wait_ms: int = 0
    pruned: int | None = None
    proven: bool = False
    search: Search | None = None


class Fact(Struct, frozen=True):
    """An event to be committed, with its number in the room."""

    seq: int
    event: RoomEvent
    figures: MoveFigures | None = None


class RatedGame(Struct, frozen=True):
    """A game whose result counts for the ratings of its two players."""

    id: int
    game: str
    x: str
    o: str
    x_points: float


class Record(Struct, frozen=True):
    """Commit these together; the answer comes back as Recorded or RecordFailed before any other input.

    With `rates` the end of that game is among the facts: the ratings that it makes are committed with it.
    """

    facts: tuple[Fact, ...]
    rates: RatedGame | None = None


class Publish(Struct, frozen=True):
    """The facts of the last Record hold: show them to every member."""

    facts: tuple[Fact, ...]


class Acknowledge(Struct, frozen=True):
    origin: Origin
    seq: int


class Refuse(Struct, frozen=True):
    origin: Origin
    code: ErrorCode
    message: str


class ShowRoom(Struct, frozen=True):
    """Send the whole room; `answer` where it answers the origin's request."""

    origin: Origin
    answer: bool


class ShowMembers(Struct, frozen=True):
    """Send the whole room to everybody who follows it."""


class Think(Struct, frozen=True):
    """Search a move for a bot. `budget_ms` bounds the time, whatever the limit says."""

    search: int
    side: Side
    bot: str
    cells: tuple[int, ...]
    limit: BotLimit
    budget_ms: int
    seed: int
    person_waits: bool


class StopThinking(Struct, frozen=True):
    search: int


class Close(Struct, frozen=True):
    """The room is over; nothing more will happen in it."""


Effect: TypeAlias = Record | Publish | Acknowledge | Refuse | ShowRoom | ShowMembers | Think | StopThinking | Close


def with_ratings(facts: tuple[Fact, ...], ratings: Ratings) -> tuple[Fact, ...]:
    """The facts, their end of a game with what it made of the ratings."""
    return tuple(
        replace(fact, event=replace(fact.event, ratings=ratings)) if isinstance(fact.event, Ended) else fact
        for fact in facts
    )
