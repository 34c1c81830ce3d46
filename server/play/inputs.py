"""What happens to a session, and what it asks to be done.

Inputs are what a room hears: requests, the passing of time, answers of the store and of a search. Effects are what it
must do, in order. An `origin` is whoever asked; a session hands it back without looking at it.
"""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from server.wire import (
    Act,
    BotLimit,
    Ended,
    ErrorCode,
    Join,
    Move,
    Player,
    Ratings,
    Rematch,
    RoomEvent,
    Say,
    Search,
    Side,
)

Origin: TypeAlias = Any


class Ticket(Struct, frozen=True):
    """What the next game of a room will be known by: its database id and the seed of its bots."""

    id: int
    seed: int


# Inputs


class Opened(Struct):
    """The room was made; `origin` is its creator."""

    origin: Origin


class Asked(Struct):
    """A request of a player for this room."""

    origin: Origin
    player: Player
    request: Move | Act | Rematch | Say | Join


class Online(Struct):
    """A seat holder, the creator or who is challenged has a connection to the server again."""

    player: str


class Offline(Struct):
    """The last connection to the server of a seat holder, the creator or who is challenged closed."""

    player: str


class Renamed(Struct):
    """A seat holder, the creator or who is challenged has another name now."""

    player: Player


class Forgotten(Struct):
    """Somebody's data was deleted: `player` is what they are called now, `said` what stands for what they said."""

    player: Player
    said: str


class Withdrawn(Struct):
    """Somebody waits here for an opponent no longer: they are about to be deleted."""

    player: str


class Audience(Struct):
    """How many connections follow the room now."""

    members: int


class Tick(Struct):
    """The session's deadline has passed."""


class Recorded(Struct):
    """What the last `Record` named is committed, stamped with the Unix time `ts`.

    `ratings` is what a rated game made of its players' ratings, committed with it.
    """

    ts: int
    ratings: Ratings | None = None


class RecordFailed(Struct):
    """What the last `Record` named is not committed, and never will be."""


class StoreDown(Struct):
    """Nothing can be committed for now."""


class StoreBack(Struct):
    """The store commits again."""


class SearchStarted(Struct):
    """A worker has begun a search: from here the bot's time passes."""

    search: int


class Decided(Struct):
    """A search is done. `think_ms` is measured by the worker."""

    search: int
    move: int
    think_ms: int
    nodes: int
    depth: int
    value: float | None
    win_in: int | None
    proven: bool
    pruned: int
    pv: tuple[int, ...]


class SearchFailed(Struct):
    """A search gave no move. `busy`: no worker would take it; the others were tried twice."""

    search: int
    reason: Literal["busy", "crash", "stall"]


Input: TypeAlias = (
    Opened
    | Asked
    | Online
    | Offline
    | Renamed
    | Forgotten
    | Withdrawn
    | Audience
    | Tick
    | Recorded
    | RecordFailed
    | StoreDown
    | StoreBack
    | SearchStarted
    | Decided
    | SearchFailed
)


# Effects


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
