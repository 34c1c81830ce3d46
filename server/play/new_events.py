"""What may happen next in a room, as events that are to be committed: room in, event out. Pure."""

from __future__ import annotations

from msgspec.structs import replace

from engine.rules.position import Position
from engine.search.decision import Decision
from server.play.clock import Clock
from server.play.effects import MoveStats
from server.play.game import Game
from server.play.room_state import RoomState
from server.play.stored_events import SeededStart
from server.wire import (
    ClockView,
    Ended,
    GameView,
    Moved,
    RoomEvent,
    Search,
    Seat,
    Seated,
    Side,
    TakenBack,
    Termination,
)


def seated(room: RoomState, side: Side, seat: Seat) -> Seated:
    """Somebody takes a seat, with their known rating."""
    rating = room.ratings.get(seat.id, seat.rating)
    if rating is not None and rating.change is not None:
        rating = replace(rating, change=None)
    return Seated(side=side, seat=replace(seat, rating=rating))


def started(room: RoomState, serial: int = 1) -> SeededStart:
    ticket = room.ticket
    assert ticket is not None, "a game needs a ticket before it can start"
    position = Game(serial, room.spec.start, room.rules).position
    clock = Clock(room.spec.clock)
    clock.turn(position.to_move, None)
    view = GameView(
        serial=serial,
        id=ticket.id,
        game=room.rules.id,
        start=room.spec.start,
        moves=[],
        to_move=position.to_move,
        legal=[],
        started=True,
        result=None,
        forced=room.forced(position, True),
    )
    return SeededStart(game=view, clock=clock.view(0), seed=ticket.seed)


def another_game(room: RoomState) -> list[RoomEvent]:
    """A rematch begins, with sides swapped."""
    x, o = room.seats["x"], room.seats["o"]
    assert x is not None
    assert o is not None
    return [seated(room, "x", o), seated(room, "o", x), started(room, room.game.serial + 1)]


def moved(room: RoomState, position: Position, side: Side, spent_ms: int, stats: MoveStats) -> list[RoomEvent]:
    """A move that leads to `position`, and the end of the game where it ends there."""
    outcome = position.outcome
    next_side = None if outcome is not None else position.to_move
    clock = _clock_view(room, *room.clock.after_move(side, spent_ms), next_side)
    texts = room.rules.texts
    move = Moved(
        ply=len(room.game.cells),
        move=texts[stats.cell],
        by=side,
        think_ms=spent_ms,
        clock=clock,
        to_move=next_side,
        forced=room.forced(position, outcome is None),
        search=_search_view(room, stats.decision),
    )
    if outcome is None:
        return [move]
    line = [texts[cell] for cell in position.line] or None
    return [move, Ended(winner=outcome.winner, termination=outcome.termination, clock=clock, line=line)]


def ended(
    room: RoomState, winner: Side | None, termination: Termination, now_ms: int, fault: str | None = None
) -> Ended:
    """The game ends other than by a move."""
    left = room.clock.remaining_ms
    clock = _clock_view(room, left("x", now_ms), left("o", now_ms), None) if room.game.started else None
    return Ended(winner=winner, termination=termination, clock=clock, fault=fault)


def taken_back(room: RoomState, plies: int) -> TakenBack:
    game = room.game
    ply = len(game.cells) - plies
    position = game.positions[ply]
    return TakenBack(
        ply=ply,
        moves=game.texts[:ply],
        clock=_clock_view(room, *game.lefts[ply], position.to_move),
        to_move=position.to_move,
        forced=room.forced(position, True),
    )


def _search_view(room: RoomState, decision: Decision | None) -> Search | None:
    """What members see of a bot's search; None where it did not search."""
    if decision is None or decision.depth == 0:
        return None
    return Search(
        nodes=decision.nodes,
        depth=decision.depth,
        value=decision.value,
        win_in=decision.win_in,
        pv=[room.rules.format_move(cell) for cell in decision.pv],
        proven=decision.proven,
        interpreted=decision.interpreted,
        at_most=decision.bound,
    )


def _clock_view(room: RoomState, x_ms: int, o_ms: int, running: Side | None) -> ClockView | None:
    if room.clock.settings is None:
        return None
    return ClockView(x_ms=x_ms, o_ms=o_ms, running=running)
