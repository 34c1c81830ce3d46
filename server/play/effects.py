"""What a session asks to be done, in order; and what it asks to be committed."""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from engine.search.decision import Decision
from server.play.inputs import Origin
from server.wire import BotLimit, Ended, ErrorCode, Ratings, RoomEvent, Side


class MoveStats(Struct, frozen=True):
    """What the database keeps of a move besides the event: for a bot's, how long it waited and how it was found.

    `think_us` is what its clock was charged; None for a person, whose time is measured in milliseconds.
    """

    cell: int
    think_us: int | None = None
    wait_ms: int = 0
    decision: Decision | None = None


class SequencedEvent(Struct, frozen=True):
    """An event to be committed, with its number in the room."""

    seq: int
    event: RoomEvent
    stats: MoveStats | None = None


class RatedGame(Struct, frozen=True):
    """A game whose result counts for the ratings of its two players."""

    id: int
    game: str
    x: str
    o: str
    x_points: float


class Commit(Struct, frozen=True):
    """Commit these together; the answer comes back as Committed or CommitFailed before any other input.

    With `rates` the end of that game is among the events: the ratings that it makes are committed with it. `answer`
    is what the request that brought them about will be answered with.
    """

    entries: tuple[SequencedEvent, ...]
    rates: RatedGame | None = None
    answer: Effect | None = None


class Publish(Struct, frozen=True):
    """The events of the last Commit are committed: show them to every member."""

    entries: tuple[SequencedEvent, ...]


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


class ShowPresence(Struct, frozen=True):
    """Tell all followers when a win may be claimed from this absent player, or that it may not be."""

    player: str


class Think(Struct, frozen=True):
    """Search a move for a bot. `budget_ms` bounds the time, whatever the limit says."""

    search: int
    side: Side
    bot: str
    cells: tuple[int, ...]
    limit: BotLimit
    budget_ms: int
    seed: int
    human_waiting: bool
    person: str
    """the player for whom it is searched: the bot's opponent, or whoever made two bots play"""
    rated: bool = False


class StopThinking(Struct, frozen=True):
    search: int


class Sleep(Struct, frozen=True):
    """Nobody is here and nothing happens by itself: the room may leave memory until somebody comes."""


class Close(Struct, frozen=True):
    """The room is over; nothing more will happen in it."""


Effect: TypeAlias = (
    Commit
    | Publish
    | Acknowledge
    | Refuse
    | ShowRoom
    | ShowMembers
    | ShowPresence
    | Think
    | StopThinking
    | Sleep
    | Close
)


def with_ratings(entries: tuple[SequencedEvent, ...], ratings: Ratings) -> tuple[SequencedEvent, ...]:
    """The events, with what the end of a game made of the ratings."""
    return tuple(
        replace(entry, event=replace(entry.event, ratings=ratings)) if isinstance(entry.event, Ended) else entry
        for entry in entries
    )
