"""What a server answers over HTTP about positions, ladders and players, as far as a client needs it.

Fields that are not needed here, and those of newer servers, are passed over.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from server.wire import BotLimit, Kind, Side


class ExploredMove(Struct, frozen=True):
    """A move that was played, and how the games with it ended; `alike` are the same by a symmetry."""

    move: str
    games: Annotated[int, Meta(ge=1)]
    x_won: int
    drawn: int
    o_won: int
    last_game: int
    alike: list[str] = []


class Explored(Struct, frozen=True):
    """A position and its games. `set_up` holds moves that were made beforehand, `pending` games are not counted yet."""

    to_move: Side | None
    games: int
    x_won: int
    drawn: int
    o_won: int
    next: list[ExploredMove]
    set_up: list[ExploredMove] = []
    pending: int = 0
    forced: int | None = None
    winner: Side | None = None


class LadderList(Struct, frozen=True):
    """A list of a ladder: bots of one game under one limit."""

    run: str
    ladder: str
    list: str
    game: str
    games: int
    limit: BotLimit | None = None
    running: bool = False


class Standing(Struct, frozen=True):
    """A bot of a list; place, rating and interval (Elo) are None until they are computed."""

    player: str
    bot: str
    games: int
    won: int
    drawn: int
    lost: int
    points: float
    place: int | None = None
    rating: float | None = None
    low: float | None = None
    high: float | None = None
    version: int | None = None
    versions: int = 1
    retired: bool = False


class _Cell(Struct, frozen=True):
    points: float
    games: int


class Crosstable(Struct, frozen=True):
    """What the row's bot scored against the column's; None where they have not met."""

    bots: list[str]
    cells: list[list[_Cell | None]]

    def __post_init__(self) -> None:
        if {len(self.cells), *map(len, self.cells)} != {len(self.bots)}:
            raise ValueError("a crosstable is square")


class LadderPage(LadderList, frozen=True, kw_only=True):
    standings: list[Standing]
    crosstable: Crosstable


class OnlineRating(Struct, frozen=True):
    game: str
    rating: float
    deviation: float
    games: int
    history: list[RatingPoint] = []


class RatingPoint(Struct, frozen=True):
    rating: float


class LadderPlace(Struct, frozen=True):
    """A player's place in a list; the interval is in Elo."""

    run: str
    ladder: str
    list: str
    game: str
    place: int
    of: int
    rating: float
    low: float
    high: float
    retired: bool = False


class BotFamily(Struct, frozen=True):
    family: str
    character: str
    version: int


class Profile(Struct, frozen=True):
    """A player: who it is, online ratings and places in ladders."""

    id: str
    name: str
    kind: Kind
    since_ms: int
    bot: BotFamily | None = None
    ratings: list[OnlineRating] = []
    ladder: list[LadderPlace] = []
