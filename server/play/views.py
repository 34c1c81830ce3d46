"""What a viewer is shown: session and viewer in, message out. Pure."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from msgspec.structs import replace

from engine.rules.nested import NestedPosition
from engine.rules.position import other
from engine.stats.glicko import Rating
from server.play.requests import ABSENT_MS, claim_at_ms
from server.play.session import Session
from server.wire import (
    LEGAL_CELLS,
    HeldRoom,
    ListedPlayer,
    Player,
    Present,
    RatingView,
    Room,
    RunningRoom,
    Seat,
    Seats,
    Seek,
    Side,
)

IsPresent = Callable[[str], bool]
"""Whether a player follows the room just now."""


def seat_view(seat: Seat | None, is_present: IsPresent, claim_ms: int | None = None) -> Seat | None:
    if seat is None:
        return None
    present = seat.bot is not None or is_present(seat.id)
    return seat if seat.present == present and claim_ms is None else replace(seat, present=present, claim_ms=claim_ms)


def claim_ms(session: Session, absent: Side, now_ms: int) -> int | None:
    """Milliseconds until the opponent of this side may claim the win; None if they may not."""
    at_ms = claim_at_ms(session, absent)
    return None if at_ms is None else max(0, at_ms - now_ms)


def presence_view(session: Session, side: Side, present: bool, now_ms: int) -> Present:
    return Present(
        room=session.room, side=side, present=present, claim_ms=None if present else claim_ms(session, side, now_ms)
    )


def viewer_side(session: Session, player: str) -> Literal["x", "o", "both"] | None:
    sides = session.sides(player)
    return "both" if len(sides) == 2 else sides[0] if sides else None


def held_view(session: Session, player: str) -> HeldRoom:
    """A room for one who holds a seat in it."""
    sides = session.sides(player)
    seat = session.seats[other(sides[0])] if sides else None
    opponent = Player(id=seat.id, name=seat.name, kind=seat.kind) if seat is not None else None
    return HeldRoom(room=session.room, game=session.spec.game, opponent=opponent)


def room_view(
    session: Session,
    viewer: str,
    *,
    code: str | None,
    is_present: IsPresent,
    spectators: int,
    now_ms: int,
    ts: int,
    id: int | None = None,
) -> Room:
    """The whole room. The code of an invite room is for those who hold a seat in it."""
    you = viewer_side(session, viewer)
    return Room(
        id=id,
        room=session.room,
        seq=session.seq,
        game=session.game_view(),
        seats=Seats(
            x=seat_view(session.seats["x"], is_present, claim_ms(session, "x", now_ms)),
            o=seat_view(session.seats["o"], is_present, claim_ms(session, "o", now_ms)),
        ),
        clock=session.clock_view(now_ms),
        ts=ts,
        offers=session.offers,
        chat=list(session.chat),
        spectators=spectators,
        rated=session.spec.rated,
        you=you,
        code=code if you is not None else None,
        absent_ms=ABSENT_MS if session.absence_loses else None,
        takebacks=session.spec.takebacks,
    )


def carries_legal(session: Session) -> bool:
    """Whether the event that made it their turn lists the legal moves for the member to move.

    A `started` always does: its game has the list, and an empty one would mean that there are none.
    """
    game = session.game
    begins = not game.cells and game.turn_seq != game.taken_back_seq
    return begins or session.rules.nested or session.rules.cells <= LEGAL_CELLS


def seek_view(session: Session) -> Seek:
    """A waiting room as the lobby lists it."""
    side: Side = "x" if session.seats["x"] is not None else "o"
    seat = session.seats[side]
    return Seek(
        room=session.room,
        game=session.rules.id,
        clock=session.spec.clock,
        rated=session.spec.rated,
        by=_player(seat),
        seat=side,
    )


def running_view(session: Session, spectators: int, *, board: bool = False) -> RunningRoom:
    """A running room as the lobby lists it, with its `board` or without."""
    row = RunningRoom(
        room=session.room,
        game=session.rules.id,
        x=_player(session.seats["x"]),
        o=_player(session.seats["o"]),
        plies=len(session.game.cells),
        spectators=spectators,
        clock=session.spec.clock,
        rated=session.spec.rated,
    )
    if board:
        row.board = board_text(session)
        row.owners = owners_text(session)
        row.last = session.game.texts[-1] if session.game.texts else None
    return row


def board_text(session: Session) -> str:
    """One character for each cell, so its size depends on the board alone."""
    marks = bytearray(b"." * session.rules.cells)
    for ply, cell in enumerate((*session.game.start, *session.game.cells)):
        marks[cell] = b"xo"[ply % 2]
    return marks.decode()


def owners_text(session: Session) -> str | None:
    """The winner of each of nine boards; in super it depends on the order of moves, which `board_text` leaves out."""
    position = session.game.position
    if not isinstance(position, NestedPosition):
        return None
    return "".join(position.board_owner(board) or "." for board in range(9))


def rating_view(rating: Rating, at_ms: int) -> RatingView:
    """A rating at a Unix time: it becomes less certain while its player stays away."""
    return RatingView(
        value=round(rating.rating),
        deviation=round(rating.deviation_at(at_ms)),
        provisional=rating.provisional_at(at_ms),
    )


def _player(seat: Seat | None) -> ListedPlayer:
    assert seat is not None, "nobody sits there"
    return ListedPlayer(id=seat.id, name=seat.name, kind=seat.kind, rating=seat.rating)
