"""What a server answers over HTTP about positions, as far as a client needs it.

Fields that are not needed here, and those of newer servers, are passed over.
"""

from __future__ import annotations

from msgspec import Struct

from server.wire import Side


class ExploredMove(Struct, frozen=True):
    """A move that was played, and how the games with it ended; `alike` are the same by a symmetry."""

    move: str
    games: int
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
