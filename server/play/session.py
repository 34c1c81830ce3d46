"""One room's life: who sits, the game they play, what they offered, said and agreed. Pure.

`handle(input, now_ms) -> effects` is the only way in. Whatever changes the room is first named in a `Commit`; it
happens when `Committed` comes back, and did not happen if `CommitFailed` does. So nobody sees a move that is not
committed, and a session rebuilt by applying the recorded events is the same session.

    phase     moves on                                                            to
    waiting   the free seat is taken (seated, started)                            running
    waiting   abort by its creator                                                over
    waiting   the creator is away for 60 s; an invite is 24 h old                 closed
    running   line, board_full, count, resignation, flag, agreement,
              disconnection, illegal_move, crash, stall, abort before ply 2       over
    over      both want a rematch (seated, seated, started; sides swapped)        running
    over      nobody has followed the room for 10 min                             closed

Times are one monotonic count of milliseconds. A request is handled at the time at which it arrived.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any, ClassVar

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from engine.rules.position import IllegalMove, MalformedMove, Position, Rules, other
from server.play.clock import Clock
from server.play.effects import (
    Acknowledge,
    Close,
    Commit,
    Effect,
    MoveStats,
    Publish,
    RatedGame,
    Refuse,
    SequencedEvent,
    ShowMembers,
    ShowRoom,
    StopThinking,
    Think,
    with_ratings,
)
from server.play.game import Game
from server.play.human_pace import delay_ms
from server.play.inputs import (
    Audience,
    CommitFailed,
    Committed,
    Input,
    Offline,
    Online,
    Opened,
    Origin,
    PlayerDeleted,
    PlayerRequest,
    Renamed,
    SearchDone,
    SearchFailed,
    SearchStarted,
    StoreBack,
    StoreDown,
    Tick,
    Ticket,
    Withdrawn,
)
from server.wire import (
    CHAT_LINES,
    Act,
    Author,
    BotLimit,
    ChatLine,
    ClockSettings,
    ClockView,
    Declined,
    Ended,
    GameView,
    Join,
    Move,
    Moved,
    Offer,
    Offered,
    OfferKind,
    PaceAsked,
    Player,
    RatingChange,
    RatingView,
    Rematch,
    Result,
    RoomEvent,
    Said,
    Say,
    Search,
    Seat,
    Seated,
    Side,
    Started,
    TakenBack,
    Termination,
    rating_after,
)

ABSENT_MS = 60_000
"""How long a creator may be away before a seek goes, and an opponent before a win may be claimed."""
INVITE_MS = 24 * 60 * 60 * 1000
EMPTY_MS = 10 * 60 * 1000
"""How long a room without a running game and without members stays."""
RESTART_GRACE_MS = 30_000
"""How long after a restart a clock waits for its side to come back."""
RATED_PLIES = 2
"""A rated game that ends before so many counts for nothing."""
UNRATED_ENDS: tuple[Termination, ...] = ("aborted", "adjudication")
SEARCH_RETRY_MS = 1_000
"""How long to wait when no worker would take a search."""


class RoomSpec(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a room was made for; kept as JSON in the records. `kind` tells how its seats are filled."""

    game: str
    kind: str
    """open, invite, player, bot, self or bots"""
    creator: Player
    x: Seat | None
    o: Seat | None
    target: str | None = None
    """the only player who may take the free seat of a challenge"""
    clock: ClockSettings | None = None
    limit: BotLimit | None = None
    rated: bool = False
    start: list[str] = []
    pace: PaceAsked | None = None
    """how its bots answer: None is as soon as they can"""


class Pace(Struct, frozen=True):
    """How long bots take: at most `think_ms`, whatever limit was asked for; two bots `between_ms` apart."""

    think_ms: int = 30_000
    between_ms: int = 250


class _Pending(Struct):
    """Facts on their way to the store, and what follows once they are there."""

    entries: tuple[SequencedEvent, ...]
    origin: Origin = None
    answer: Effect | None = None
    then: PlayerRequest | None = None


class _Answer(Struct):
    """A move that a bot has found and makes at `due_ms`."""

    due_ms: int
    position: Position
    spent_ms: int
    stats: MoveStats


class _Thinking(Struct):
    """A search that a bot's move waits for; at a human pace the found move waits too."""

    number: int
    side: Side
    ply: int
    asked_ms: int
    answer: _Answer | None = None


class Session:
    """See the head of this file. Attributes are for reading; `handle` alone changes them."""

    def __init__(self, room: str, spec: RoomSpec, rules: Rules, *, opened_ms: int, pace: Pace | None = None) -> None:
        self.room = room
        self.spec = spec
        self.rules = rules
        self.pace = pace or Pace()
        self.seq = 0
        self.seats: dict[Side, Seat | None] = {"x": None, "o": None}
        self.game = Game(1, spec.start, rules)
        self.clock = Clock(spec.clock)
        self.chat: deque[ChatLine] = deque(maxlen=CHAT_LINES)
        self.closed = False
        self.ticket: Ticket | None = None
        """for the next game; the room puts a new one here when it is used up"""
        self.ratings: dict[str, RatingView] = {}
        """of players who may be seated next; the room puts here what is known"""
        self._opened_ms = opened_ms
        self._offline: dict[str, int] = {}
        self._empty_since_ms: int | None = opened_ms
        self._pending: _Pending | None = None
        self._held: _Pending | None = None
        self._down = False
        self._clock_resumes_ms: int | None = None
        self._search: _Thinking | None = None
        self._searches = 0
        self._think_at_ms: int | None = None

    # What others read

    @property
    def waiting(self) -> bool:
        return not self.game.started and self.game.result is None

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

    def legal(self) -> list[str]:
        if not self.game.running:
            return []
        texts = self.rules.texts
        return [texts[cell] for cell in self.game.position.legal_moves()]

    def game_view(self, *, legal: bool = True) -> GameView:
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
            legal=self.legal() if legal else [],
            started=game.started,
            result=game.result,
            last=game.texts[-1] if game.texts else None,
            line=[self.rules.format_move(cell) for cell in line] or None,
            forced=self._forced(position, game.running),
        )

    def clock_view(self, now_ms: int) -> ClockView | None:
        """The clock as of now; nobody's time runs while clocks stand."""
        view = self.clock.view(now_ms)
        stands = self._down or self._clock_resumes_ms is not None
        return replace(view, running=None) if view is not None and stands else view

    def deadline_ms(self) -> int | None:
        """When `Tick` is due, None where nothing waits for time to pass."""
        flag_ms = self.clock.deadline_ms if self._flag_may_fall() else None
        candidates = (
            flag_ms + 1 if flag_ms is not None else None,
            self._clock_resumes_ms,
            self._bot_due_ms if self._held is None else None,  # bots go on when what is held is recorded
            self._expires_ms(),
        )
        return min((at_ms for at_ms in candidates if at_ms is not None), default=None)

    # The only way in

    def handle(self, event: Input, now_ms: int) -> list[Effect]:
        """The effects of an input, to be carried out in order. Raises AssertionError on an input out of turn."""
        if self._pending is not None:
            assert isinstance(event, Committed | CommitFailed), "the store has not answered yet"
        return self._INPUTS[type(event)](self, event, now_ms)

    def drop_offers(self, player: str) -> bool:
        """Nobody is left to play the game that an offer of this deleted player would begin; whether there was one."""
        theirs = [(by, what) for by, what in self.game.offers if by in self.sides(player)]
        for offer in theirs:
            del self.game.offers[offer]
        return bool(theirs)

    def restore(self, seq: int, ts: int, event: RoomEvent) -> None:
        """Apply a recorded event while a room is rebuilt."""
        self._apply(SequencedEvent(seq, event), None, ts)

    def resume(self, now_ms: int) -> list[Effect]:
        """Go on after a restart: clocks stand until their side comes back, bots think."""
        self._empty_since_ms = now_ms
        for seat in self.seats.values():
            if seat is not None and seat.bot is None:
                self._offline[seat.id] = now_ms
        self._offline[self.spec.creator.id] = now_ms
        if self.game.running and not self.is_bot(self.game.to_move):
            self.clock.turn(self.game.to_move, None)
            self._clock_resumes_ms = now_ms + RESTART_GRACE_MS
        return self._go_on(now_ms)

    # Inputs

    def _opened(self, event: Opened, now_ms: int) -> list[Effect]:
        events: list[RoomEvent] = []
        if self.spec.x is not None:
            events.append(self._seated("x", self.spec.x))
        if self.spec.o is not None:
            events.append(self._seated("o", self.spec.o))
        if self.spec.x is not None and self.spec.o is not None:
            events.append(self._start())
        return self._commit(events, event.origin, ShowRoom(event.origin, answer=True))

    def _asked(self, event: PlayerRequest, now_ms: int) -> list[Effect]:
        if self._flag_due(now_ms):
            return self._flag(now_ms, then=event)
        if self._held is not None and isinstance(event.request, Move | Act | Rematch):
            return [_unavailable(event.origin)]  # what it would change is not recorded yet
        effects: list[Effect] = self._REQUESTS[type(event.request)](self, event, event.request, now_ms)
        return effects

    def _online(self, event: Online, now_ms: int) -> list[Effect]:
        self._offline.pop(event.player, None)
        to_move = self.game.to_move
        if self._clock_resumes_ms is not None and to_move in self.sides(event.player):
            return self._resume_clock(now_ms)
        return []

    def _went_offline(self, event: Offline, now_ms: int) -> list[Effect]:
        self._offline[event.player] = now_ms
        return []

    def _renamed(self, event: Renamed, now_ms: int) -> list[Effect]:
        player = event.player
        seats = [(side, self.seats[side]) for side in self.sides(player.id)]
        events: list[RoomEvent] = [
            Seated(side=side, seat=replace(seat, name=player.name)) for side, seat in seats if seat is not None
        ]
        return self._commit(events) if events else []

    def _player_deleted(self, event: PlayerDeleted, now_ms: int) -> list[Effect]:
        """The records say so already; followers are sent what is left."""
        id, name = event.player.id, event.player.name
        before = (self.spec, dict(self.seats), list(self.chat))

        def nameless(seat: Seat | None) -> Seat | None:
            return replace(seat, name=name, rating=None) if seat is not None and seat.id == id else seat

        self.seats = {side: nameless(seat) for side, seat in self.seats.items()}
        self.spec = replace(self.spec, x=nameless(self.spec.x), o=nameless(self.spec.o))
        if self.spec.creator.id == id:
            self.spec = replace(self.spec, creator=event.player)
        author = Author(id=id, name=name)
        lines = (replace(line, by=author, text=event.said) if line.by.id == id else line for line in self.chat)
        self.chat = deque(lines, maxlen=CHAT_LINES)
        self.ratings.pop(id, None)
        self.drop_offers(id)
        return [ShowMembers()] if before != (self.spec, self.seats, list(self.chat)) else []

    def _withdrawn(self, event: Withdrawn, now_ms: int) -> list[Effect]:
        if not self.waiting or not self.sides(event.player):
            return []
        return self._commit([self._end(None, "aborted", now_ms)])

    def _audience(self, event: Audience, now_ms: int) -> list[Effect]:
        if event.members:
            self._empty_since_ms = None
        elif self._empty_since_ms is None:
            self._empty_since_ms = now_ms
        return []

    def _tick(self, event: Tick, now_ms: int) -> list[Effect]:
        if self._flag_due(now_ms):
            return self._flag(now_ms)
        if self._clock_resumes_ms is not None and now_ms >= self._clock_resumes_ms:
            return self._resume_clock(now_ms)
        if self._held is None and self._bot_due_ms is not None and now_ms >= self._bot_due_ms:
            return self._make_answer() if self._search is not None else self._go_on(now_ms)
        expires_ms = self._expires_ms()
        if expires_ms is not None and now_ms >= expires_ms:
            self.closed = True
            return [Close()]
        return []

    def _committed(self, event: Committed, now_ms: int) -> list[Effect]:
        pending = self._pending
        assert pending is not None, "nothing was to be recorded"
        self._pending = None
        entries = pending.entries if event.ratings is None else with_ratings(pending.entries, event.ratings)
        for entry in entries:
            self._apply(entry, now_ms, event.ts)
        effects: list[Effect] = [Publish(entries)]
        if pending.answer is not None:
            effects.append(pending.answer)
        effects += self._go_on(now_ms)
        if pending.then is not None:
            effects += self.handle(pending.then, now_ms)
        return effects

    def _commit_failed(self, event: CommitFailed, now_ms: int) -> list[Effect]:
        pending = self._pending
        assert pending is not None, "nothing was to be recorded"
        self._pending = None
        effects = self._stop_time(now_ms)
        if pending.origin is None:
            held = self._held.entries if self._held is not None else ()
            self._held = _Pending((*held, *pending.entries))
        origin = pending.then.origin if pending.then is not None else pending.origin
        return effects if origin is None else [_unavailable(origin), *effects]

    def _store_down(self, event: StoreDown, now_ms: int) -> list[Effect]:
        return self._stop_time(now_ms)

    def _store_back(self, event: StoreBack, now_ms: int) -> list[Effect]:
        was_down, self._down = self._down, False
        held, self._held = self._held, None
        effects: list[Effect] = []
        if was_down and self._clock_resumes_ms is None:
            self._start_turn(now_ms)
            effects = self._show_clock()
        if held is not None:
            events = [entry.event for entry in held.entries]
            return [*effects, *self._commit(events, stats=[entry.stats for entry in held.entries])]
        return [*effects, *self._go_on(now_ms)]

    def _search_started(self, event: SearchStarted, now_ms: int) -> list[Effect]:
        if self._search is not None and self._search.number == event.search and not self._down:
            self.clock.turn(self._search.side, now_ms)
        return []

    def _search_done(self, event: SearchDone, now_ms: int) -> list[Effect]:
        search = self._search
        if search is None or search.number != event.search or search.answer is not None:
            return []
        side = search.side
        left_ms = self.clock.remaining_ms(side, self._turn_began(now_ms)) if self.clock.settings is not None else None
        if left_ms is not None and event.think_ms > left_ms:
            return self._forfeit("flag", now_ms)
        before = self.game.position
        try:
            position = before.play(event.move)
        except IllegalMove:
            return self._forfeit("illegal_move", now_ms)
        answer = _Answer(now_ms, position, event.think_ms, self._stats(event, search.asked_ms, now_ms))
        if self.spec.pace == "human":
            # Its clock runs on while it seems to ponder, from the start of the search; the wait for a worker counts
            # as pondering and costs nothing.
            answer.due_ms = max(now_ms, search.asked_ms + delay_ms(before, event.move, self.game.seed, left_ms))
            answer.spent_ms += answer.due_ms - now_ms
        search.answer = answer
        return self._make_answer() if now_ms >= answer.due_ms else []

    def _stats(self, event: SearchDone, asked_ms: int, now_ms: int) -> MoveStats:
        text = self.rules.format_move
        found = Search(
            nodes=event.nodes,
            depth=event.depth,
            value=event.value,
            win_in=event.win_in,
            pv=[text(cell) for cell in event.pv],
        )
        return MoveStats(
            cell=event.move,
            wait_ms=max(0, now_ms - asked_ms - event.think_ms),
            pruned=event.pruned,
            search=found,
            proven=event.proven,
        )

    def _make_answer(self) -> list[Effect]:
        """Make the move that the bot to move has found."""
        search = self._search
        assert search is not None
        answer = search.answer
        assert answer is not None
        self._search = None
        return self._commit_move(answer.position, search.side, answer.spent_ms, answer.stats)

    def _forfeit(self, termination: Termination, now_ms: int) -> list[Effect]:
        """The bot that was to answer loses."""
        search, self._search = self._search, None
        assert search is not None
        return self._commit([self._end(other(search.side), termination, now_ms)])

    def _search_failed(self, event: SearchFailed, now_ms: int) -> list[Effect]:
        if self._search is None or self._search.number != event.search:
            return []
        if event.reason == "busy":
            self._search = None
            self._think_at_ms = now_ms + SEARCH_RETRY_MS
            return []
        return self._forfeit(event.reason, now_ms)

    # Requests

    def _move(self, asked: PlayerRequest, move: Move, now_ms: int) -> list[Effect]:
        origin = asked.origin
        game = self.game
        held = self.sides(asked.player.id)
        if not held:
            return [_not_seated(origin)]
        if move.game != game.serial:
            return self._stale(origin, f"This room now plays its game {game.serial}.")
        played = len(game.cells)
        if move.ply < played and move.move == game.texts[move.ply] and game.side_at(move.ply) in held:
            return [Acknowledge(origin, game.seqs[move.ply])]
        if move.ply != played:
            return self._stale(origin, f"The next ply is {played}, not {move.ply}.")
        if move.after is not None and move.after < game.taken_back_seq:
            return self._stale(origin, "A takeback came in between.")
        if game.result is not None:
            return [_game_over(origin)]
        to_move = game.to_move
        if to_move is None:
            return [Refuse(origin, "not_your_turn", "The game has not started: the other seat is free.")]
        if to_move not in held:
            return [Refuse(origin, "not_your_turn", f"It is {to_move.upper()}'s turn.")]
        try:
            cell = self.rules.parse_move(move.move)
            position = game.positions[-1].play(cell)
        except MalformedMove as error:
            return [Refuse(origin, "malformed", str(error))]
        except IllegalMove as error:
            return [Refuse(origin, "illegal_move", str(error))]
        return self._commit_move(position, to_move, self.clock.elapsed_ms(now_ms), MoveStats(cell), origin)

    def _act(self, asked: PlayerRequest, act: Act, now_ms: int) -> list[Effect]:
        origin = asked.origin
        game = self.game
        held = self.sides(asked.player.id)
        if not held:
            return [_not_seated(origin)]
        if act.game != game.serial:
            return [Refuse(origin, "stale", f"This room now plays its game {game.serial}.")]
        if game.result is not None:
            return [_game_over(origin)]
        if not game.started:
            if act.action == "abort":
                return self._agree(origin, [self._end(None, "aborted", now_ms)])
            return [_not_now(origin, "The game has not started: the other seat is free.")]
        # On one screen the side to move acts, and answers itself.
        side = held[0] if len(held) == 1 else game.position.to_move
        action = act.action
        if action == "resign":
            return self._agree(origin, [self._end(other(side), "resignation", now_ms)])
        if action == "abort":
            if len(game.cells) >= 2:
                return [_not_now(origin, "A game can be aborted before its second move only; resign instead.")]
            return self._agree(origin, [self._end(None, "aborted", now_ms)])
        if action == "claim_win":
            return self._claim_win(origin, side, now_ms)
        if action == "offer_draw":
            return self._offer_draw(origin, side, now_ms)
        if action == "offer_takeback":
            return self._offer_takeback(origin, side if len(held) == 1 else other(side), now_ms)
        what: OfferKind = "draw" if action.endswith("draw") else "takeback"
        return self._answer(origin, side, what, action.startswith("accept"), now_ms)

    def _claim_win(self, origin: Origin, side: Side, now_ms: int) -> list[Effect]:
        seat = self.seats[other(side)]
        away_since_ms = self._offline.get(seat.id) if seat is not None and seat.bot is None else None
        if away_since_ms is None:
            return [_not_now(origin, "Your opponent is connected.")]
        if now_ms - away_since_ms < ABSENT_MS:
            return [_not_now(origin, f"A win can be claimed {ABSENT_MS // 1000} s after the opponent left.")]
        return self._agree(origin, [self._end(side, "disconnection", now_ms)])

    def _offer_draw(self, origin: Origin, side: Side, now_ms: int) -> list[Effect]:
        game = self.game
        opponent = other(side)
        offered = Offered(by=side, what="draw")
        agreed = self._end(None, "agreement", now_ms)
        if (opponent, "draw") in game.offers or self._holds_both(side):
            return self._agree(origin, [offered, agreed])
        if (side, len(game.cells)) in game.draws_asked:
            return [_not_now(origin, "You offered a draw at this move already.")]
        if self.is_bot(opponent):
            accepts = self._bot_takes_draw(opponent)
            return self._agree(origin, [offered, agreed if accepts else Declined(by=opponent, what="draw")])
        return self._agree(origin, [offered])

    def _offer_takeback(self, origin: Origin, side: Side, now_ms: int) -> list[Effect]:
        game = self.game
        plies = self._plies_to_take_back(side)
        if self.spec.rated:
            return [_not_now(origin, "There are no takebacks in rated games.")]
        if plies > len(game.cells):
            return [_not_now(origin, "You have no move to take back.")]
        offered = Offered(by=side, what="takeback")
        if self.is_bot(other(side)) or self._holds_both(side):
            return self._agree(origin, [offered, self._take_back(plies)])
        if (side, "takeback") in game.offers:
            return [_not_now(origin, "You asked for a takeback already.")]
        return self._agree(origin, [offered])

    def _answer(self, origin: Origin, side: Side, what: OfferKind, accept: bool, now_ms: int) -> list[Effect]:
        offerer = other(side)
        if (offerer, what) not in self.game.offers:
            return [_not_now(origin, f"No {what} was offered to you.")]
        if not accept:
            return self._agree(origin, [Declined(by=side, what=what)])
        if what == "draw":
            return self._agree(origin, [self._end(None, "agreement", now_ms)])
        return self._agree(origin, [self._take_back(self._plies_to_take_back(offerer))])

    def _rematch(self, asked: PlayerRequest, request: Rematch, now_ms: int) -> list[Effect]:
        origin = asked.origin
        held = self.sides(asked.player.id)
        asks_for_bots = self.spec.kind == "bots" and asked.player.id == self.spec.creator.id
        if not held and not asks_for_bots:
            return [_not_seated(origin)]
        if self.game.result is None or not self.game.started:
            return [_not_now(origin, "A rematch can be asked for when the game is over.")]
        if asks_for_bots:
            return self._agree(origin, self._play_again())
        side = held[0]
        if (side, "rematch") in self.game.offers:
            return [Acknowledge(origin, self.seq)]
        offered = Offered(by=side, what="rematch")
        agreed = len(held) == 2 or self.is_bot(other(side)) or (other(side), "rematch") in self.game.offers
        return self._agree(origin, [offered, *self._play_again()] if agreed else [offered])

    def _say(self, asked: PlayerRequest, say: Say, now_ms: int) -> list[Effect]:
        author = Author(id=asked.player.id, name=asked.player.name)
        return self._agree(asked.origin, [Said(by=author, text=say.text)])

    def _join(self, asked: PlayerRequest, join: Join, now_ms: int) -> list[Effect]:
        origin, player = asked.origin, asked.player
        if self.sides(player.id):
            return [ShowRoom(origin, answer=True)]
        free: Side | None = next((side for side, seat in self.seats.items() if seat is None), None)
        if free is None or (self.spec.target is not None and self.spec.target != player.id):
            return [Refuse(origin, "seat_taken", "No seat is free for you; you can watch.")]
        if not self.waiting:
            return [_game_over(origin)]
        seat = Seat(id=player.id, name=player.name, kind=player.kind, present=True)
        events: list[RoomEvent] = [self._seated(free, seat), self._start()]
        waited = self.seats[other(free)]
        if waited is not None and self.ratings.get(waited.id, waited.rating) != waited.rating:
            events.insert(0, self._seated(other(free), waited))  # who has played elsewhere meanwhile
        return self._commit(events, origin, ShowRoom(origin, answer=True))

    # Making events

    def _commit_move(
        self, position: Position, side: Side, spent_ms: int, stats: MoveStats, origin: Origin = None
    ) -> list[Effect]:
        outcome = position.outcome
        next_side = None if outcome is not None else position.to_move
        clock = self._clock_view(*self.clock.after_move(side, spent_ms), next_side)
        game = self.game
        found = stats.search
        moved = Moved(
            ply=len(game.cells),
            move=self.rules.format_move(stats.cell),
            by=side,
            think_ms=spent_ms,
            clock=clock,
            to_move=next_side,
            forced=self._forced(position, outcome is None),
            search=found if found is not None and found.depth > 0 else None,
        )
        entries: tuple[SequencedEvent, ...] = (SequencedEvent(self.seq + 1, moved, stats),)
        rates: RatedGame | None = None
        if outcome is not None:
            line = [self.rules.format_move(cell) for cell in position.line] or None
            ended = Ended(winner=outcome.winner, termination=outcome.termination, clock=clock, line=line)
            entries += (SequencedEvent(self.seq + 2, ended),)
            rates = self._rates(entries)
        answer = Acknowledge(origin, self.seq + 1) if origin is not None else None
        self._pending = _Pending(entries, origin, answer)
        return [Commit(entries, rates)]

    def _commit(
        self,
        events: list[RoomEvent],
        origin: Origin = None,
        answer: Effect | None = None,
        stats: list[MoveStats | None] | None = None,
        then: PlayerRequest | None = None,
    ) -> list[Effect]:
        entries = tuple(
            SequencedEvent(self.seq + index + 1, event, stats[index] if stats is not None else None)
            for index, event in enumerate(events)
        )
        self._pending = _Pending(entries, origin, answer, then)
        return [Commit(entries, self._rates(entries))]

    def _rates(self, entries: tuple[SequencedEvent, ...]) -> RatedGame | None:
        """The game that these entries end, where it counts for ratings."""
        ended = next((entry.event for entry in entries if isinstance(entry.event, Ended)), None)
        x, o = self.seats["x"], self.seats["o"]
        if not self.spec.rated or ended is None or ended.termination in UNRATED_ENDS:
            return None
        if len(self.game.cells) < RATED_PLIES or self.game.id is None or x is None or o is None:
            return None
        x_points = 0.5 if ended.winner is None else float(ended.winner == "x")
        return RatedGame(self.game.id, self.rules.id, x.id, o.id, x_points)

    def _agree(self, origin: Origin, events: list[RoomEvent]) -> list[Effect]:
        """Commit what a request brought about and acknowledge it with the number of its last event."""
        return self._commit(events, origin, Acknowledge(origin, self.seq + len(events)))

    def _seated(self, side: Side, seat: Seat) -> Seated:
        rating = self.ratings.get(seat.id, seat.rating)
        if rating is not None and rating.change is not None:
            rating = replace(rating, change=None)
        return Seated(side=side, seat=replace(seat, rating=rating))

    def _start(self, serial: int = 1) -> Started:
        ticket = self.ticket
        assert ticket is not None, "a game needs a ticket before it can start"
        game = Game(serial, self.spec.start, self.rules)
        clock = Clock(self.spec.clock)
        clock.turn(game.position.to_move, None)
        view = GameView(
            serial=serial,
            id=ticket.id,
            game=self.rules.id,
            start=self.spec.start,
            moves=[],
            to_move=game.position.to_move,
            legal=[],
            started=True,
            result=None,
            forced=self._forced(game.position, True),
        )
        return Started(game=view, clock=clock.view(0))

    def _play_again(self) -> list[RoomEvent]:
        x, o = self.seats["x"], self.seats["o"]
        assert x is not None
        assert o is not None
        return [self._seated("x", o), self._seated("o", x), self._start(self.game.serial + 1)]

    def _end(self, winner: Side | None, termination: Termination, now_ms: int) -> Ended:
        clock = self._clock_view(self.clock.remaining_ms("x", now_ms), self.clock.remaining_ms("o", now_ms), None)
        return Ended(winner=winner, termination=termination, clock=clock if self.game.started else None)

    def _flag(self, now_ms: int, then: PlayerRequest | None = None) -> list[Effect]:
        loser = self.game.position.to_move
        return self._commit([self._end(other(loser), "flag", now_ms)], then=then)

    def _take_back(self, plies: int) -> TakenBack:
        game = self.game
        ply = len(game.cells) - plies
        position = game.positions[ply]
        return TakenBack(
            ply=ply,
            moves=game.texts[:ply],
            clock=self._clock_view(*game.lefts[ply], position.to_move),
            to_move=position.to_move,
            forced=self._forced(position, True),
        )

    def _plies_to_take_back(self, side: Side) -> int:
        return 2 if self.game.position.to_move == side else 1

    def _clock_view(self, x_ms: int, o_ms: int, running: Side | None) -> ClockView | None:
        if self.clock.settings is None:
            return None
        return ClockView(x_ms=x_ms, o_ms=o_ms, running=running)

    def _forced(self, position: Position, running: bool) -> int | UnsetType | None:
        if not self.rules.nested:
            return UNSET
        forced = position.forced if running else None
        return None if forced is None else forced + 1

    def _holds_both(self, side: Side) -> bool:
        mine, theirs = self.seats[side], self.seats[other(side)]
        return mine is not None and theirs is not None and mine.id == theirs.id

    def _bot_takes_draw(self, side: Side) -> bool:
        value, proven = self.game.verdicts.get(side, (None, False))
        return value is not None and (value < 0 or (value == 0 and proven))

    # What committed events change

    def _apply(self, entry: SequencedEvent, now_ms: int | None, ts: int) -> None:
        """`now_ms` is None while a room is rebuilt: then no clock runs."""
        event = entry.event
        self.seq = entry.seq
        match event:
            case Moved():
                self._apply_move(event, entry, now_ms)
            case Seated():
                self.seats[event.side] = event.seat
            case Started():
                self._apply_start(event, entry, now_ms)
            case Ended():
                self.game.result = Result(winner=event.winner, termination=event.termination)
                if event.ratings is not None:
                    self._apply_rating("x", event.ratings.x)
                    self._apply_rating("o", event.ratings.o)
                self.game.offers.clear()
                self._set_clock(event.clock)
                self.clock.turn(None, None)
                self._clock_resumes_ms = None
            case Offered():
                self.game.offers[event.by, event.what] = None
                if event.what == "draw":
                    self.game.draws_asked.add((event.by, len(self.game.cells)))
            case Declined():
                self.game.offers.pop((other(event.by), event.what), None)
            case TakenBack():
                self._apply_takeback(event, entry, now_ms)
            case Said():
                self.chat.append(ChatLine(by=event.by, text=event.text, ts=ts))

    def _apply_move(self, event: Moved, entry: SequencedEvent, now_ms: int | None) -> None:
        game = self.game
        cell = entry.stats.cell if entry.stats is not None else self.rules.parse_move(event.move)
        self._set_clock(event.clock)
        game.extend(cell, event.move, entry.seq, (self.clock.x_ms, self.clock.o_ms))
        if game.offers:
            game.lapse_offers(event.by, other(event.by))
        if event.search is not None:
            proven = entry.stats.proven if entry.stats is not None else event.search.win_in is not None
            game.verdicts[event.by] = (event.search.value, proven)
        self.clock.turn(event.to_move, None)
        if now_ms is not None:
            self._start_turn(now_ms)

    def _apply_start(self, event: Started, entry: SequencedEvent, now_ms: int | None) -> None:
        self.game = Game(event.game.serial, event.game.start, self.rules)
        self.game.id = event.game.id
        self.game.started = True
        self.game.turn_seq = entry.seq
        if self.ticket is not None:
            self.game.seed = self.ticket.seed
            self.ticket = None
        self.clock = Clock(self.spec.clock)
        self.game.lefts = [(self.clock.x_ms, self.clock.o_ms)]
        self.clock.turn(event.game.to_move, None)
        if now_ms is not None:
            self._start_turn(now_ms)

    def _apply_takeback(self, event: TakenBack, entry: SequencedEvent, now_ms: int | None) -> None:
        self.game.take_back(event.ply, entry.seq)
        self._set_clock(event.clock)
        self.clock.turn(event.to_move, None)
        if now_ms is not None:
            self._start_turn(now_ms)

    def _apply_rating(self, side: Side, change: RatingChange) -> None:
        seat = self.seats[side]
        assert seat is not None, "a rated game ends with both seats taken"
        self.seats[side] = replace(seat, rating=rating_after(change))

    def _set_clock(self, view: ClockView | None) -> None:
        if view is not None:
            self.clock.set(view.x_ms, view.o_ms)

    # Time and searches

    def _start_turn(self, now_ms: int) -> None:
        """Let the time of the side to move pass; a bot's waits for its search to start."""
        to_move = self.game.to_move
        runs = not self._down and not self.is_bot(to_move)
        self.clock.turn(to_move, now_ms if runs else None)

    def _stop_time(self, now_ms: int) -> list[Effect]:
        if self._down:
            return []
        self._down = True
        if self.is_bot(self.clock.running):
            self.clock.turn(self.clock.running, None)  # its search tells what it took
        else:
            self.clock.pause(now_ms)
        return self._show_clock()

    def _resume_clock(self, now_ms: int) -> list[Effect]:
        """Time passes again after a restart."""
        self._clock_resumes_ms = None
        self._start_turn(now_ms)
        return self._show_clock()

    def _show_clock(self) -> list[Effect]:
        """No event tells that clocks stand or run again, so members are sent the room."""
        return [ShowMembers()] if self.clock.settings is not None and self.game.running else []

    def _turn_began(self, now_ms: int) -> int:
        return self.clock.since_ms if self.clock.since_ms is not None else now_ms

    def _flag_may_fall(self) -> bool:
        """A bot's time is bounded by its search, not by the clock's deadline."""
        return self.game.running and self._held is None and not self.is_bot(self.clock.running)

    def _flag_due(self, now_ms: int) -> bool:
        deadline_ms = self.clock.deadline_ms
        return deadline_ms is not None and now_ms > deadline_ms and self._flag_may_fall()

    @property
    def _bot_due_ms(self) -> int | None:
        """When the bot to move begins to think or makes the move it has found; None while it is searching."""
        if self._search is None:
            return self._think_at_ms
        return self._search.answer.due_ms if self._search.answer is not None else None

    def _expires_ms(self) -> int | None:
        if self.waiting:
            if self.spec.kind == "invite":
                return self._opened_ms + INVITE_MS
            away_since_ms = self._offline.get(self.spec.creator.id)
            return None if away_since_ms is None else away_since_ms + ABSENT_MS
        if self.game.running or self._empty_since_ms is None:
            return None
        return self._empty_since_ms + EMPTY_MS

    def _go_on(self, now_ms: int) -> list[Effect]:
        """Stop a search that no longer matters and begin the one that the position asks for."""
        effects: list[Effect] = []
        game = self.game
        ply = len(game.cells)
        if self._search is not None and not (game.running and self._search.ply == ply):
            effects.append(StopThinking(self._search.number))
            self._search = None
        to_move = game.to_move
        if not self.is_bot(to_move):
            self._think_at_ms = None
            return effects
        if self._search is not None or self._held is not None:
            return effects
        if self._think_at_ms is None and ply and self.is_bot(other(game.position.to_move)) and self.pace.between_ms:
            self._think_at_ms = now_ms + self.pace.between_ms
        if self._think_at_ms is not None and now_ms < self._think_at_ms:
            return effects
        effects.append(self._think(game.position.to_move, now_ms))
        return effects

    def _think(self, side: Side, now_ms: int) -> Think:
        self._think_at_ms = None
        self._searches += 1
        self._search = _Thinking(self._searches, side, len(self.game.cells), now_ms)
        self.clock.turn(side, None)
        seat = self.seats[side]
        assert seat is not None
        assert seat.bot is not None
        limit = self.spec.limit or BotLimit()
        return Think(
            search=self._searches,
            side=side,
            bot=seat.bot,
            cells=(*self.game.start, *self.game.cells),
            limit=limit,
            budget_ms=self._budget_ms(side, limit),
            seed=self.game.seed,
            human_waiting=not self.is_bot(other(side)),
        )

    def _budget_ms(self, side: Side, limit: BotLimit) -> int:
        """A twentieth of the time left and most of the increment, within the limits and the time left."""
        budget_ms = min(limit.move_ms or self.pace.think_ms, self.pace.think_ms)
        settings = self.clock.settings
        if settings is None:
            return budget_ms
        left_ms = self.clock.x_ms if side == "x" else self.clock.o_ms
        if settings.move_ms is None:
            budget_ms = min(budget_ms, left_ms // 20 + (settings.increment_ms or 0) * 3 // 4)
        return max(1, min(budget_ms, left_ms * 4 // 5))

    def _stale(self, origin: Origin, message: str) -> list[Effect]:
        return [Refuse(origin, "stale", message), ShowRoom(origin, answer=False)]

    _INPUTS: ClassVar[dict[type, Callable[..., list[Effect]]]] = {
        Opened: _opened,
        PlayerRequest: _asked,
        Online: _online,
        Offline: _went_offline,
        Renamed: _renamed,
        PlayerDeleted: _player_deleted,
        Withdrawn: _withdrawn,
        Audience: _audience,
        Tick: _tick,
        Committed: _committed,
        CommitFailed: _commit_failed,
        StoreDown: _store_down,
        StoreBack: _store_back,
        SearchStarted: _search_started,
        SearchDone: _search_done,
        SearchFailed: _search_failed,
    }
    _REQUESTS: ClassVar[dict[type, Callable[[Any, PlayerRequest, Any, int], list[Effect]]]] = {
        Move: _move,
        Act: _act,
        Rematch: _rematch,
        Say: _say,
        Join: _join,
    }


def _not_seated(origin: Origin) -> Refuse:
    return Refuse(origin, "not_seated", "You hold no seat in this room.")


def _not_now(origin: Origin, message: str) -> Refuse:
    return Refuse(origin, "not_now", message)


def _game_over(origin: Origin) -> Refuse:
    return Refuse(origin, "game_over", "The game is over.")


def _unavailable(origin: Origin) -> Refuse:
    return Refuse(origin, "unavailable", "The server cannot store anything just now; it goes on by itself.")
