"""The moves of a room's bots: what a search may cost, and what is made of its answer. Pure."""

from __future__ import annotations

from msgspec import Struct

from engine.rules.position import IllegalMove, Position, other
from server.play.effects import MoveStats, Think
from server.play.human_pace import delay_ms
from server.play.inputs import BotFaulted, SearchDone
from server.play.room_spec import Pace
from server.play.room_state import RoomState
from server.wire import BotLimit, Side


class FoundMove(Struct):
    """A move that a bot has found and makes at `due_ms`."""

    due_ms: int
    position: Position
    spent_ms: int
    stats: MoveStats


class BotSearch(Struct):
    """A search that a bot's move waits for; at a human pace the found move waits too."""

    number: int
    side: Side
    ply: int
    asked_ms: int
    found: FoundMove | None = None


def think(room: RoomState, pace: Pace, number: int, side: Side) -> Think:
    """Ask for a search of this bot's move."""
    seat = room.seats[side]
    assert seat is not None
    assert seat.bot is not None
    limit = room.spec.limit or BotLimit()
    return Think(
        search=number,
        side=side,
        bot=seat.bot,
        cells=(*room.game.start, *room.game.cells),
        limit=limit,
        budget_ms=_budget_ms(room, pace, side, limit),
        seed=room.game.seed,
        human_waiting=not room.is_bot(other(side)),
        person=_person(room, other(side)),
        rated=room.spec.rated,
    )


def _person(room: RoomState, opponent: Side) -> str:
    seat = room.seats[opponent]
    return seat.id if seat is not None and seat.bot is None else room.spec.creator.id


def _budget_ms(room: RoomState, pace: Pace, side: Side, limit: BotLimit) -> int:
    """A twentieth of the time left and most of the increment, within the limits and the time left."""
    budget_ms = min(limit.move_ms or pace.think_ms, pace.think_ms)
    settings = room.clock.settings
    if settings is None:
        return budget_ms
    left_ms = room.clock.x_ms if side == "x" else room.clock.o_ms
    if settings.move_ms is None:
        budget_ms = min(budget_ms, left_ms // 20 + (settings.increment_ms or 0) * 3 // 4)
    return max(1, min(budget_ms, left_ms * 4 // 5))


def found_move(room: RoomState, search: BotSearch, done: SearchDone, now_ms: int) -> FoundMove | BotFaulted:
    """The move that a search's answer gives, or why the bot loses by it."""
    began_ms = room.clock.since_ms if room.clock.since_ms is not None else now_ms
    left_ms = room.clock.remaining_ms(search.side, began_ms) if room.clock.settings is not None else None
    if left_ms is not None and done.think_ms > left_ms:
        return BotFaulted(search.number, "flag", f"took {done.think_ms} ms of the {left_ms} ms on its clock")
    before = room.game.position
    try:
        position = before.play(done.decision.move)
    except IllegalMove:
        return BotFaulted(search.number, "illegal_move", "played an illegal move")
    wait_ms = max(0, now_ms - search.asked_ms - done.think_ms)
    due_ms = now_ms
    if room.spec.pace == "human":
        # Its clock runs while it seems to ponder, from the start of the search; the wait for a worker counts as
        # pondering and costs nothing.
        due_ms = max(now_ms, search.asked_ms + delay_ms(before, done.decision.move, room.game.seed, left_ms))
    pondered_ms = due_ms - now_ms
    stats = MoveStats(done.decision.move, done.think_us + 1000 * pondered_ms, wait_ms, done.decision)
    return FoundMove(due_ms, position, done.think_ms + pondered_ms, stats)
