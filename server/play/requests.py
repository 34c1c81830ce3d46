"""What players ask of a room, and what comes of it: a refusal, an answer, or events to be committed. Pure.

Nothing is changed here. `requested` answers with effects where nothing is to be committed, and else with a `Change`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from engine.rules.position import IllegalMove, MalformedMove, Position, other
from server.play.effects import Acknowledge, Effect, MoveStats, Refuse, ShowRoom
from server.play.inputs import Origin, PlayerRequest
from server.play.new_events import another_game, ended, moved, seated, started, taken_back
from server.play.room_state import RoomState
from server.wire import (
    Act,
    Author,
    Declined,
    Join,
    Move,
    Offered,
    OfferKind,
    Player,
    Rematch,
    RoomEvent,
    Said,
    Say,
    Seat,
    Side,
)

ABSENT_MS = 60_000
"""How long a creator may be away before a seek closes, and a side in a game with a clock before it may lose."""
OPENING_PLIES = 20
"""Bots decline draws for this long, or half of a smaller board: there is a game to play, even if it is a draw."""


class Change(Struct):
    """Events to be committed. A move brings its stats and the position that it leads to."""

    events: list[RoomEvent]
    answer: Effect
    """once they are committed"""
    stats: MoveStats | None = None
    position: Position | None = None


Answer: TypeAlias = list[Effect] | Change


def requested(room: RoomState, asked: PlayerRequest, now_ms: int) -> Answer:
    answer: Answer = REQUESTS[type(asked.request)](room, asked.origin, asked.player, asked.request, now_ms)
    return answer


def _move(room: RoomState, origin: Origin, player: Player, move: Move, now_ms: int) -> Answer:
    game = room.game
    held = room.sides(player.id)
    if not held:
        return [_not_seated(origin)]
    if move.game != game.serial:
        return _stale(origin, f"This room is now playing game {game.serial}.")
    played = len(game.cells)
    if move.ply < played and move.move == game.texts[move.ply] and game.side_at(move.ply) in held:
        return [Acknowledge(origin, game.seqs[move.ply])]
    if move.ply != played:
        return _stale(origin, f"The next ply is {played}, not {move.ply}.")
    if move.after is not None and move.after < game.taken_back_seq:
        return _stale(origin, "A takeback came in between.")
    if game.result is not None:
        return [_game_over(origin)]
    to_move = game.to_move
    if to_move is None:
        return [Refuse(origin, "not_your_turn", "The game has not started: the other seat is free.")]
    if to_move not in held:
        return [Refuse(origin, "not_your_turn", f"It is {to_move.upper()}'s turn.")]
    try:
        cell = room.rules.parse_move(move.move)
        position = game.positions[-1].play(cell)
    except MalformedMove as error:
        return [Refuse(origin, "malformed", str(error))]
    except IllegalMove as error:
        return [Refuse(origin, "illegal_move", str(error))]
    stats = MoveStats(cell)
    events = moved(room, position, to_move, room.clock.elapsed_ms(now_ms), stats)
    return Change(events, Acknowledge(origin, room.seq + 1), stats, position)


def _act(room: RoomState, origin: Origin, player: Player, act: Act, now_ms: int) -> Answer:
    game = room.game
    held = room.sides(player.id)
    if not held and not _may_act_without_seat(room, player, act):
        return [_not_seated(origin)]
    if act.game != game.serial:
        return [Refuse(origin, "stale", f"This room is now playing game {game.serial}.")]
    if game.result is not None and act.action != "decline_rematch":
        return [_game_over(origin)]
    if not held:
        declined = act.action == "decline_challenge"
        return _agree(room, origin, [replace(ended(room, None, "aborted", now_ms), declined=declined)])
    if not game.started:
        if act.action == "abort":
            return _agree(room, origin, [ended(room, None, "aborted", now_ms)])
        return [_not_now(origin, "The game has not started: the other seat is free.")]
    if act.action == "decline_challenge":
        return [_not_now(origin, "The game has started, so there is no challenge to decline.")]
    # If one player has both sides, the side to move acts, and answers itself.
    side = held[0] if len(held) == 1 else game.position.to_move
    action = act.action
    if action == "resign":
        return _agree(room, origin, [ended(room, other(side), "resignation", now_ms)])
    if action == "abort":
        if len(game.cells) >= 2:
            return [_not_now(origin, "A game can be aborted only before its second move; resign instead.")]
        return _agree(room, origin, [ended(room, None, "aborted", now_ms)])
    if action == "claim_win":
        return _claim_win(room, origin, side, now_ms)
    if action == "offer_draw":
        return _offer_draw(room, origin, side, now_ms)
    if action == "offer_takeback":
        return _offer_takeback(room, origin, side if len(held) == 1 else other(side))
    what: OfferKind = "draw" if action.endswith("draw") else "takeback"
    if action == "decline_rematch":
        what = "rematch"
    return _answer_offer(room, origin, side, what, action.startswith("accept"), now_ms)


def _may_act_without_seat(room: RoomState, player: Player, act: Act) -> bool:
    """A challenged player may decline, and whoever made two bots play may stop them."""
    if act.action == "decline_challenge":
        return not room.game.started and room.spec.target == player.id
    return act.action == "abort" and room.spec.kind == "bots" and room.spec.creator.id == player.id


def claim_at_ms(room: RoomState, absent: Side) -> int | None:
    """When the opponent of this side may claim the win; None if they may not."""
    seat = room.seats[absent]
    if not room.game.running or not room.absence_loses or seat is None:
        return None
    away_since_ms = room.away_since_ms.get(seat.id)
    return None if away_since_ms is None else away_since_ms + ABSENT_MS


def _claim_win(room: RoomState, origin: Origin, side: Side, now_ms: int) -> Answer:
    if room.spec.clock is None:
        return [_not_now(origin, "A game without a clock ends by playing, resigning or agreeing on a draw.")]
    at_ms = claim_at_ms(room, other(side))
    if at_ms is None:
        return [_not_now(origin, "Your opponent is connected.")]
    if now_ms < at_ms:
        return [_not_now(origin, f"A win can be claimed {ABSENT_MS // 1000} s after the opponent left.")]
    return _agree(room, origin, [ended(room, side, "disconnection", now_ms)])


def _offer_draw(room: RoomState, origin: Origin, side: Side, now_ms: int) -> Answer:
    game = room.game
    opponent = other(side)
    offered = Offered(by=side, what="draw")
    agreed = ended(room, None, "agreement", now_ms)
    if (opponent, "draw") in game.offers or room.holds_both(side):
        return _agree(room, origin, [offered, agreed])
    if (side, len(game.cells)) in game.draws_asked:
        return [_not_now(origin, "You have already offered a draw at this move.")]
    if room.is_bot(opponent):
        accepts = _bot_takes_draw(room, opponent)
        return _agree(room, origin, [offered, agreed if accepts else Declined(by=opponent, what="draw")])
    return _agree(room, origin, [offered])


def _bot_takes_draw(room: RoomState, side: Side) -> bool:
    """A bot accepts if its last search proved that it can do no better, and not in the opening."""
    value, proven = room.game.verdicts.get(side, (None, False))
    opening = min(room.rules.cells // 2, OPENING_PLIES)
    return proven and value is not None and value <= 0 and room.game.position.ply > opening


def _offer_takeback(room: RoomState, origin: Origin, side: Side) -> Answer:
    game = room.game
    plies = _plies_to_take_back(room, side)
    if room.spec.rated:
        return [_not_now(origin, "There are no takebacks in rated games.")]
    if not room.spec.takebacks:
        return [_not_now(origin, "This bot follows the game as it goes, so no move can be taken back.")]
    if plies > len(game.cells):
        return [_not_now(origin, "You have no move to take back.")]
    offered = Offered(by=side, what="takeback")
    if room.is_bot(other(side)) or room.holds_both(side):
        return _agree(room, origin, [offered, taken_back(room, plies)])
    if (side, "takeback") in game.offers:
        return [_not_now(origin, "You have already asked for a takeback.")]
    return _agree(room, origin, [offered])


def _plies_to_take_back(room: RoomState, side: Side) -> int:
    return 2 if room.game.position.to_move == side else 1


def _answer_offer(room: RoomState, origin: Origin, side: Side, what: OfferKind, accept: bool, now_ms: int) -> Answer:
    offerer = other(side)
    if (offerer, what) not in room.game.offers:
        return [_not_now(origin, f"No {what} was offered to you, or the offer has lapsed.")]
    if not accept:
        return _agree(room, origin, [Declined(by=side, what=what)])
    if what == "draw":
        return _agree(room, origin, [ended(room, None, "agreement", now_ms)])
    return _agree(room, origin, [taken_back(room, _plies_to_take_back(room, offerer))])


def _rematch(room: RoomState, origin: Origin, player: Player, request: Rematch, now_ms: int) -> Answer:
    held = room.sides(player.id)
    asks_for_bots = room.spec.kind == "bots" and player.id == room.spec.creator.id
    if not held and not asks_for_bots:
        return [_not_seated(origin)]
    if room.game.result is None or not room.game.started:
        return [_not_now(origin, "You can ask for a rematch once the game is over.")]
    if asks_for_bots:
        return _agree(room, origin, another_game(room))
    side = held[0]
    if (side, "rematch") in room.game.offers:
        return [Acknowledge(origin, room.seq)]
    offered = Offered(by=side, what="rematch")
    agreed = len(held) == 2 or room.is_bot(other(side)) or (other(side), "rematch") in room.game.offers
    return _agree(room, origin, [offered, *another_game(room)] if agreed else [offered])


def _say(room: RoomState, origin: Origin, player: Player, say: Say, now_ms: int) -> Answer:
    author = Author(id=player.id, name=player.name)
    return _agree(room, origin, [Said(by=author, text=say.text)])


def _join(room: RoomState, origin: Origin, player: Player, join: Join, now_ms: int) -> Answer:
    if room.sides(player.id):
        return [ShowRoom(origin, answer=True)]
    free: Side | None = next((side for side, seat in room.seats.items() if seat is None), None)
    if free is None or (room.spec.target is not None and room.spec.target != player.id):
        return [Refuse(origin, "seat_taken", "No seat is free for you; you can watch.")]
    if not room.waiting:
        return [_game_over(origin)]
    seat = Seat(id=player.id, name=player.name, kind=player.kind, present=True)
    events: list[RoomEvent] = [seated(room, free, seat), started(room)]
    waited = room.seats[other(free)]
    if waited is not None and room.ratings.get(waited.id, waited.rating) != waited.rating:
        events.insert(0, seated(room, other(free), waited))  # they may have played elsewhere meanwhile
    return Change(events, ShowRoom(origin, answer=True))


def _agree(room: RoomState, origin: Origin, events: list[RoomEvent]) -> Change:
    """Commit what a request brought about and acknowledge it with the number of its last event."""
    return Change(events, Acknowledge(origin, room.seq + len(events)))


def _stale(origin: Origin, message: str) -> list[Effect]:
    return [Refuse(origin, "stale", message), ShowRoom(origin, answer=False)]


def _not_seated(origin: Origin) -> Refuse:
    return Refuse(origin, "not_seated", "You hold no seat in this room.")


def _not_now(origin: Origin, message: str) -> Refuse:
    return Refuse(origin, "not_now", message)


def _game_over(origin: Origin) -> Refuse:
    return Refuse(origin, "game_over", "The game is over.")


REQUESTS: dict[type, Callable[[RoomState, Origin, Player, Any, int], Answer]] = {
    Move: _move,
    Act: _act,
    Rematch: _rematch,
    Say: _say,
    Join: _join,
}
