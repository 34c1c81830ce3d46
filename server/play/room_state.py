"""What committed events made of a room: who sits, the game they play, its clock, offers and chat. Pure.

`apply` folds one event after the other into it, as they are committed and again while a room is rebuilt. What is to
be committed next is decided in `server.play.session`.
"""

from __future__ import annotations

from collections import deque

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from engine.rules.position import Position, Rules, other
from server.play.clock import Clock
from server.play.effects import SequencedEvent
from server.play.game import Game
from server.play.inputs import Ticket
from server.play.room_spec import RoomSpec
from server.play.stored_events import SeededStart
from server.wire import (
    CHAT_LINES,
    Author,
    ChatLine,
    ClockView,
    Declined,
    Ended,
    GameView,
    Moved,
    Offer,
    Offered,
    Player,
    RatingChange,
    RatingView,
    Said,
    Seat,
    Seated,
    Side,
    TakenBack,
    rating_after,
)


class RoomState:
    """Attributes are for reading. `apply` starts no clock: the session does."""

    def __init__(self, room: str, spec: RoomSpec, rules: Rules) -> None:
        self.room = room
        self.spec = spec
        self.rules = rules
        self.seq = 0
        self.seats: dict[Side, Seat | None] = {"x": None, "o": None}
        self.game = Game(1, spec.start, rules)
        self.clock = Clock(spec.clock)
        self.chat: deque[ChatLine] = deque(maxlen=CHAT_LINES)
        self.ticket: Ticket | None = None
        """for the next game"""
        self.ratings: dict[str, RatingView] = {}
        """those of players who may be seated next"""
        self.away_since_ms: dict[str, int] = {}
        """since when players have had no connection to the server"""
        made_for = (spec.creator, spec.x, spec.o)
        self._named: set[str] = {player.id for player in made_for if player is not None}

    # What others read

    def names(self, player: str) -> bool:
        """Whether this player made the room, or has ever sat or said something here."""
        return player in self._named

    @property
    def shown(self) -> set[str]:
        """The players whose names are shown here now, except bots of this server."""
        seats = (self.spec.x, self.spec.o, *self.seats.values())
        seated = {seat.id for seat in seats if seat is not None and seat.bot is None}
        return seated | {line.by.id for line in self.chat} | {self.spec.creator.id}

    @property
    def waiting(self) -> bool:
        return not self.game.started and self.game.result is None

    @property
    def absence_loses(self) -> bool:
        """Whether the opponent of an absent player may claim the win: only between people, and with a clock."""
        return self.spec.clock is not None and self.spec.kind in ("open", "invite", "player")

    @property
    def offers(self) -> list[Offer]:
        return [Offer(by=by, what=what) for by, what in self.game.offers]

    def sides(self, player: str) -> tuple[Side, ...]:
        """The sides that a player holds: none, one, or both."""
        x, o = self.seats["x"], self.seats["o"]
        holds_x = x is not None and x.id == player and x.bot is None
        holds_o = o is not None and o.id == player and o.bot is None
        if holds_x:
            return ("x", "o") if holds_o else ("x",)
        return ("o",) if holds_o else ()

    def is_bot(self, side: Side | None) -> bool:
        """Whether a bot of this server sits there."""
        seat = self.seats[side] if side is not None else None
        return seat is not None and seat.bot is not None

    def holds_both(self, side: Side) -> bool:
        mine, theirs = self.seats[side], self.seats[other(side)]
        return mine is not None and theirs is not None and mine.id == theirs.id

    def legal(self) -> list[str]:
        if not self.game.running:
            return []
        texts = self.rules.texts
        return [texts[cell] for cell in self.game.position.legal_moves()]

    def game_view(self) -> GameView:
        game = self.game
        position = game.position
        line = position.line if game.result is not None and game.result.termination == "line" else ()
        return GameView(
            serial=game.serial,
            id=game.id,
            game=self.rules.id,
            start=[self.rules.format_move(cell) for cell in game.start],
            moves=list(game.texts),
            to_move=game.to_move,
            legal=self.legal(),
            started=game.started,
            result=game.result,
            last=game.texts[-1] if game.texts else None,
            line=[self.rules.format_move(cell) for cell in line] or None,
            forced=self.forced(position, game.running),
            fault=game.fault,
        )

    def forced(self, position: Position, running: bool) -> int | UnsetType | None:
        """The forced board as messages show it."""
        if not self.rules.nested:
            return UNSET
        forced = position.forced if running else None
        return None if forced is None else forced + 1

    # What committed events change

    def apply(self, entry: SequencedEvent, ts: int, position: Position | None = None) -> None:
        """Fold an event that was committed at Unix time `ts`; `position` is the one after a move, where it is known."""
        event = entry.event
        self.seq = entry.seq
        match event:
            case Moved():
                self._apply_move(event, entry, position)
            case Seated():
                self.seats[event.side] = event.seat
                self._named.add(event.seat.id)
            case SeededStart():
                self._apply_start(event, entry.seq)
            case Ended():
                self._apply_end(event)
            case Offered():
                self.game.offers[event.by, event.what] = None
                if event.what == "draw":
                    self.game.draws_asked.add((event.by, len(self.game.cells)))
            case Declined():
                self.game.offers.pop((other(event.by), event.what), None)
            case TakenBack():
                self.game.take_back(event.ply, entry.seq)
                self._set_clock(event.clock)
                self.clock.turn(event.to_move, None)
            case Said():
                self.chat.append(ChatLine(by=event.by, text=event.text, ts=ts))
                self._named.add(event.by.id)

    def remove_player(self, player: Player, text: str) -> bool:
        """Keep nothing of a deleted player but `player`, and `text` for their words; whether anything changed."""
        before = (self.spec, dict(self.seats), list(self.chat))

        def anonymous(seat: Seat | None) -> Seat | None:
            return replace(seat, name=player.name, rating=None) if seat is not None and seat.id == player.id else seat

        self.seats = {side: anonymous(seat) for side, seat in self.seats.items()}
        self.spec = replace(self.spec, x=anonymous(self.spec.x), o=anonymous(self.spec.o))
        if self.spec.creator.id == player.id:
            self.spec = replace(self.spec, creator=player)
        author = Author(id=player.id, name=player.name)
        lines = (replace(line, by=author, text=text) if line.by.id == player.id else line for line in self.chat)
        self.chat = deque(lines, maxlen=CHAT_LINES)
        self.ratings.pop(player.id, None)
        return before != (self.spec, self.seats, list(self.chat))

    def _apply_move(self, event: Moved, entry: SequencedEvent, position: Position | None) -> None:
        game, stats = self.game, entry.stats
        cell = stats.cell if stats is not None else self.rules.parse_move(event.move)
        self._set_clock(event.clock)
        lefts = (self.clock.x_ms, self.clock.o_ms)
        game.extend(cell, event.move, entry.seq, lefts, position)
        if game.offers:
            game.lapse_offers(event.by, other(event.by))
        if event.search is not None:
            # In events from before `proven` was recorded, an end in sight is proven and a draw is not known to be.
            proven = event.search.proven or event.search.win_in is not None
            game.verdicts[event.by] = (event.search.value, proven)
        self.clock.turn(event.to_move, None)

    def _apply_start(self, event: SeededStart, seq: int) -> None:
        self.game = Game(event.game.serial, event.game.start, self.rules)
        self.game.id = event.game.id
        self.game.started = True
        self.game.turn_seq = seq
        self.game.seed = event.seed
        self.ticket = None
        self.clock = Clock(self.spec.clock)
        self.game.lefts = [(self.clock.x_ms, self.clock.o_ms)]
        self.clock.turn(event.game.to_move, None)

    def _apply_end(self, event: Ended) -> None:
        self.game.result = event.result
        self.game.fault = event.fault
        if event.ratings is not None:
            self._apply_rating("x", event.ratings.x)
            self._apply_rating("o", event.ratings.o)
        self.game.offers.clear()
        self._set_clock(event.clock)
        self.clock.turn(None, None)

    def _apply_rating(self, side: Side, change: RatingChange) -> None:
        seat = self.seats[side]
        assert seat is not None, "a rated game ends with both seats taken"
        self.seats[side] = replace(seat, rating=rating_after(change))

    def _set_clock(self, view: ClockView | None) -> None:
        if view is not None:
            self.clock.set(view.x_ms, view.o_ms)
