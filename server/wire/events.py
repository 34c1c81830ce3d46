"""What happens in a room: committed, numbered per room, replayed by `resume`.

Their JSON is what the database keeps; `codec.envelope` adds t, room, seq and ts.
"""

from __future__ import annotations

from typing import Annotated, TypeAlias, Union

from msgspec import UNSET, Meta, Struct, UnsetType

from server.wire.fields import Forced, LegalShown, MoveText, Ms, OfferKind, Ply, Side, Termination, Text
from server.wire.parts import Author, ClockView, GameView, Ratings, Result, Search, Seat


class Event(Struct, tag_field="e", kw_only=True, omit_defaults=True):
    """One entry of a room's append-only history."""


class Seated(Event, tag="seated"):
    """Somebody took a seat."""

    side: Side
    seat: Seat


class Started(Event, tag="started"):
    """A game began; `legal` is filled in for the member to move."""

    game: GameView
    clock: ClockView | None


class Moved(Event, tag="moved"):
    """A move, with the clock after it."""

    ply: Ply
    move: MoveText
    by: Side
    think_ms: Ms
    clock: ClockView | None
    to_move: Side | None
    legal: LegalShown | None = None
    forced: Forced | UnsetType | None = UNSET
    search: Search | None = None


class Ended(Event, tag="ended"):
    """The game is over: who won, apart from why. `ratings` where it counted for them."""

    winner: Side | None
    termination: Termination
    clock: ClockView | None
    line: list[MoveText] | None = None
    ratings: Ratings | None = None
    fault: Annotated[Text, Meta(description="what a bot did that lost it the game")] | None = None
    declined: Annotated[bool, Meta(description="aborted because who was challenged does not want to play")] = False

    @property
    def result(self) -> Result:
        return Result(winner=self.winner, termination=self.termination, declined=self.declined)


class Offered(Event, tag="offered"):
    """A side offers a draw or a rematch, or asks for a takeback."""

    by: Side
    what: OfferKind


class Declined(Event, tag="declined"):
    """A side declines its opponent's offer."""

    by: Side
    what: OfferKind
    lapsed: Annotated[bool, Meta(description="nobody declined it: who made the offer is gone")] = False


class TakenBack(Event, tag="takenback"):
    """Moves were taken back; `moves` and `clock` are as they were before them."""

    ply: Annotated[int, Meta(description="the next to play")]
    moves: list[MoveText]
    clock: ClockView | None
    to_move: Side | None
    legal: LegalShown | None = None
    forced: Forced | UnsetType | None = UNSET


class Said(Event, tag="said"):
    """A line of chat."""

    by: Author
    text: Text


RoomEvent: TypeAlias = Union[  # noqa: UP007
    Seated, Started, Moved, Ended, Offered, Declined, TakenBack, Said
]
