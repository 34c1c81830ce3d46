"""A recorded game, to be looked at move by move. Pure."""

from __future__ import annotations

from dataclasses import dataclass, replace

from client.sdk import ProtocolError, RoomView
from client.sdk.records import RecordedGame, RecordedMove, RecordedPlayer
from client.sdk.room_view import room_view
from engine.rules.position import IllegalMove, MalformedMove, Position, play_all
from server.wire import ClockView, GameView, Result, Room, Seat, Seats


@dataclass(frozen=True, slots=True)
class Replay:
    """Every position of a game. A view is that of a room whose game stood there."""

    record: RecordedGame
    moves: tuple[RecordedMove, ...]
    positions: tuple[Position, ...]
    """Positions after the start and after each move."""
    last_view: RoomView

    @property
    def plies(self) -> int:
        return len(self.moves)

    def within(self, ply: int) -> int:
        """The nearest ply that there is."""
        return min(max(ply, 0), self.plies)

    def view(self, ply: int) -> RoomView:
        """The game when `ply` moves had been made; with its result only at the end."""
        at = self.moves[ply - 1] if ply else None
        clock = self.last_view.clock
        if clock is not None and at is not None and at.x_ms is not None and at.o_ms is not None:
            clock = _stopped(self.record, at.x_ms, at.o_ms)
        elif clock is not None:
            clock = _stopped(
                self.record, clock.initial_ms or clock.move_ms or 0, clock.initial_ms or clock.move_ms or 0
            )
        return replace(
            self.last_view,
            moves=self.last_view.moves[:ply],
            position=self.positions[ply],
            result=self.last_view.result if ply == self.plies else None,
            think_ms=self.last_view.think_ms[:ply],
            clock=clock,
        )


def replay_of(record: RecordedGame, me: str | None = None) -> Replay:
    """The replay of a record with its moves, for the player whose id is `me`. Raises ProtocolError."""
    moves = tuple(record.moves or ())
    room = Room(
        room="",
        seq=0,
        game=GameView(
            serial=1,
            id=record.id,
            game=record.game,
            start=record.start,
            moves=[move.move for move in moves],
            to_move=None,
            legal=[],
            started=True,
            result=Result(winner=record.winner, termination=record.termination) if record.termination else None,
        ),
        seats=Seats(x=_seat(record.x), o=_seat(record.o)),
        clock=_stopped(record, 0, 0) if record.clock else None,
        ts=record.started_ms,
        offers=[],
        chat=[],
        spectators=0,
        rated=record.rated,
        you=None,
    )
    last = replace(room_view(room, me), think_ms=tuple(move.think_ms for move in moves))
    return Replay(record, moves, _positions(last), last)


def _seat(player: RecordedPlayer) -> Seat:
    return Seat(id=player.id, name=player.name, kind=player.kind, present=True)


def _stopped(record: RecordedGame, x_ms: int, o_ms: int) -> ClockView | None:
    clock = record.clock
    if clock is None:
        return None
    return ClockView(
        x_ms=x_ms,
        o_ms=o_ms,
        running=None,
        initial_ms=clock.initial_ms,
        increment_ms=clock.increment_ms,
        move_ms=clock.move_ms,
    )


def _positions(view: RoomView) -> tuple[Position, ...]:
    try:
        positions = [play_all(view.rules.initial, map(view.rules.parse_move, view.start))]
        for move in view.moves:
            positions.append(positions[-1].play(view.rules.parse_move(move)))
    except (MalformedMove, IllegalMove) as error:
        raise ProtocolError(f"The record has a move that the rules here forbid. {error}") from None
    return tuple(positions)
