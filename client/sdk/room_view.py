"""What one client knows of a room, kept up to date by the server's messages. Pure: a reducer of `room` and `event`.

The server's `room` starts a view, its events change it one by one, in the order of their `seq`. An event that does not
follow the last raises `MissedEvents`, upon which the room must be resumed from `view.seq`; one seen before changes
nothing.
Times are the server's, so that a device with a wrong clock shows right ones: callers pass the server's present time.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from msgspec import Struct, structs

from client.sdk.errors import MissedEvents, ProtocolError
from engine.rules import registry
from engine.rules.position import IllegalMove, MalformedMove, Position, Rules, UnknownGame, other, play_all
from server.wire import (
    CHAT_LINES,
    ChatLine,
    ClockView,
    Declined,
    Ended,
    GameView,
    Moved,
    Offer,
    Offered,
    OfferKind,
    Present,
    RatingChange,
    Result,
    Room,
    RoomEvent,
    Said,
    Search,
    Seat,
    Seated,
    Side,
    Spectators,
    Started,
    TakenBack,
    Thinking,
    rating_after,
)

You: TypeAlias = Literal["x", "o", "both"] | None


class SequencedEvent(Struct, frozen=True, kw_only=True):
    """A room's event with its place in the room's history. `event` is None for a kind this version does not know."""

    room: str
    seq: int
    ts: int
    event: RoomEvent | None
    unreadable: str | None = None
    """Why an event of a kind that this version does know cannot be read."""


Change: TypeAlias = Room | SequencedEvent | Present | Spectators | Thinking
"""Every message that changes a view."""


@dataclass(frozen=True, slots=True)
class RoomView:
    """A room as one client sees it; a new one for every change."""

    room: str
    seq: int
    me: str | None
    """The viewer's player id."""
    code: str | None
    serial: int
    rules: Rules
    start: tuple[str, ...]
    moves: tuple[str, ...]
    position: Position
    started: bool
    result: Result | None
    x: Seat | None
    o: Seat | None
    clock: ClockView | None
    clock_ts: int
    offers: tuple[Offer, ...]
    chat: tuple[ChatLine, ...]
    spectators: int
    rated: bool
    game_id: int | None = None
    """The game's id in the server's records, once it has started."""
    think_ms: tuple[int | None, ...] = ()
    """How long each move took; None where that was not seen."""
    search: Search | None = None
    """What the last move's bot found, if it was a bot's and is not hidden."""
    thinking: Thinking | None = None
    """What the bot to move has found so far."""
    absent_ms: int | None = None
    """How long one may be without a connection before the opponent may claim the win; None where nobody loses by it."""
    takebacks: bool = True
    """False where a bot plays that cannot go back; rated games have no takebacks either."""

    @property
    def you(self) -> You:
        """The seat or seats of the viewer, None for a spectator."""
        sides: list[Side] = [side for side in ("x", "o") if self.me is not None and self._holds(side)]
        if len(sides) == 2:
            return "both"
        return sides[0] if sides else None

    def _holds(self, side: Side) -> bool:
        seat = self.seat(side)
        return seat is not None and seat.id == self.me

    def seat(self, side: Side) -> Seat | None:
        return self.x if side == "x" else self.o

    @property
    def opponent(self) -> Seat | None:
        """Who sits opposite the viewer, if the viewer has one seat and the other is taken."""
        return self.seat(other(self.you)) if self.you in ("x", "o") else None

    @property
    def running(self) -> bool:
        return self.started and self.result is None

    @property
    def to_move(self) -> Side | None:
        return self.position.to_move if self.running and self.position.outcome is None else None

    @property
    def my_turn(self) -> bool:
        return self.to_move is not None and self.you in (self.to_move, "both")

    @property
    def legal(self) -> tuple[str, ...]:
        """The moves that may be played now, by whoever is to move."""
        if self.to_move is None:
            return ()
        return tuple(map(self.rules.format_move, self.position.legal_moves()))

    @property
    def last(self) -> str | None:
        played = self.start + self.moves
        return played[-1] if played else None

    def offered(self, what: OfferKind, by: Side) -> bool:
        return any(offer.what == what and offer.by == by for offer in self.offers)

    def remaining_ms(self, side: Side, server_now_ms: int) -> int | None:
        """What the side has left at this moment of the server's time; None without a clock."""
        if self.clock is None:
            return None
        left_ms = self.clock.x_ms if side == "x" else self.clock.o_ms
        if self.clock.running == side:
            left_ms -= max(0, server_now_ms - self.clock_ts)
        return max(0, left_ms)

    def apply(self, message: Change) -> RoomView:
        """The view after a message. Raises MissedEvents, ProtocolError."""
        match message:
            case Room():
                return self._refreshed(room_view(message, self.me))
            case SequencedEvent():
                return self._with_event(message)
            case Present():
                return self._present(message)
            case Spectators():
                return replace(self, spectators=message.count)
            case Thinking():
                return replace(self, thinking=message)

    def _refreshed(self, view: RoomView) -> RoomView:
        """A new view of the whole room, with what only events carry."""
        if view.game_id != self.game_id or view.moves[: len(self.moves)] != self.moves:
            return view
        return replace(view, think_ms=self.think_ms)

    def _with_event(self, message: SequencedEvent) -> RoomView:
        if message.seq <= self.seq:
            return self
        if message.seq > self.seq + 1:
            raise MissedEvents(f"{self.room}: event {message.seq} came after {self.seq}")
        if message.unreadable is not None:
            raise ProtocolError(message.unreadable)
        return replace(self._after(message.event, message.ts), seq=message.seq)

    def _after(self, event: RoomEvent | None, ts: int) -> RoomView:
        match event:
            case Seated():
                return self._with_seat(event.side, event.seat)
            case Started():
                return self._started(event, ts)
            case Moved():
                return self._moved(event, ts)
            case Ended():
                return self._ended(event, ts)
            case Offered():
                return replace(self, offers=(*self.offers, Offer(by=event.by, what=event.what)))
            case Declined():
                declined = Offer(by=other(event.by), what=event.what)
                return replace(self, offers=tuple(offer for offer in self.offers if offer != declined))
            case TakenBack():
                return self._taken_back(event, ts)
            case Said():
                line = ChatLine(by=event.by, text=event.text, ts=ts)
                return replace(self, chat=(*self.chat, line)[-CHAT_LINES:])
            case None:
                return self

    def _started(self, event: Started, ts: int) -> RoomView:
        return replace(self._with_game(event.game), clock=event.clock, clock_ts=ts, offers=())

    def _moved(self, event: Moved, ts: int) -> RoomView:
        if event.ply != len(self.moves):
            raise ProtocolError(f"The server sent move {event.ply + 1} when {len(self.moves)} were known.")
        return replace(
            self,
            moves=(*self.moves, event.move),
            position=_played(self.position, [event.move]),
            think_ms=(*self._think_ms_so_far(), event.think_ms),
            clock=self._clock(event.clock),
            clock_ts=ts,
            offers=tuple(offer for offer in self.offers if not _lapses(offer, event.by)),
            search=event.search,
            thinking=None,
        )

    def _think_ms_so_far(self) -> tuple[int | None, ...]:
        return (*self.think_ms, *(None,) * (len(self.moves) - len(self.think_ms)))

    def _ended(self, event: Ended, ts: int) -> RoomView:
        result = event.result
        view = replace(self, result=result, clock=self._clock(event.clock), clock_ts=ts, offers=(), thinking=None)
        if event.ratings is None:
            return view
        return replace(view, x=_rated(self.x, event.ratings.x), o=_rated(self.o, event.ratings.o))

    def _taken_back(self, event: TakenBack, ts: int) -> RoomView:
        return replace(
            self,
            moves=tuple(event.moves),
            position=_played(self.rules.initial, [*self.start, *event.moves]),
            think_ms=self.think_ms[: len(event.moves)],
            clock=self._clock(event.clock),
            clock_ts=ts,
            offers=(),
            search=None,
            thinking=None,
        )

    def _clock(self, clock: ClockView | None) -> ClockView | None:
        """An event's clock with the settings, which only a `room` and a start repeat."""
        if clock is None or self.clock is None:
            return clock
        return structs.replace(self.clock, x_ms=clock.x_ms, o_ms=clock.o_ms, running=clock.running)

    def _with_seat(self, side: Side, seat: Seat) -> RoomView:
        return replace(self, x=seat) if side == "x" else replace(self, o=seat)

    def _present(self, message: Present) -> RoomView:
        seat = self.seat(message.side)
        if seat is None:
            return self
        seat = structs.replace(seat, present=message.present, claim_ms=message.claim_ms)
        return self._with_seat(message.side, seat)

    def _with_game(self, game: GameView) -> RoomView:
        rules = _rules(game.game)
        return replace(
            self,
            serial=game.serial,
            game_id=game.id,
            rules=rules,
            start=tuple(game.start),
            moves=tuple(game.moves),
            position=_played(rules.initial, [*game.start, *game.moves]),
            started=game.started,
            result=game.result,
            think_ms=(),
            search=None,
            thinking=None,
        )


def room_view(room: Room, me: str | None) -> RoomView:
    """The view of a whole room, for the player whose id is `me`. Raises ProtocolError."""
    rules = _rules(room.game.game)
    view = RoomView(
        room=room.room,
        seq=room.seq,
        me=me,
        code=room.code,
        absent_ms=room.absent_ms,
        takebacks=room.takebacks,
        serial=room.game.serial,
        rules=rules,
        start=(),
        moves=(),
        position=rules.initial,
        started=False,
        result=None,
        x=room.seats.x,
        o=room.seats.o,
        clock=room.clock,
        clock_ts=room.ts,
        offers=tuple(room.offers),
        chat=tuple(room.chat),
        spectators=room.spectators,
        rated=room.rated,
    )
    return view._with_game(room.game)


def _rated(seat: Seat | None, change: RatingChange) -> Seat | None:
    """A seat after a rated game."""
    return structs.replace(seat, rating=rating_after(change)) if seat is not None else None


def _rules(game_id: str) -> Rules:
    try:
        return registry.rules(game_id)
    except UnknownGame:
        raise ProtocolError(f"This version does not know the game {game_id!r} that the server plays.") from None


def _played(position: Position, moves: list[str]) -> Position:
    try:
        return play_all(position, map(position.rules.parse_move, moves))
    except (MalformedMove, IllegalMove) as error:
        raise ProtocolError(f"The server sent a move that the rules here forbid. {error}") from None


def _lapses(offer: Offer, mover: Side) -> bool:
    """Whether a move by `mover` ends an offer: takebacks always, a draw if the other side offered it."""
    return offer.what == "takeback" or (offer.what == "draw" and offer.by != mover)
