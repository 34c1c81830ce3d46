"""One room's life: who sits, the game they play, what they offered, said and agreed. Pure.

`handle(input, now_ms) -> effects` is the only way in. Whatever changes the room is first named in a `Commit`; it
happens when `Committed` comes back, and did not happen if `CommitFailed` does. So nobody sees a move that is not
committed, and a session rebuilt by applying the committed events is the same session.

    phase     moves on                                                            to
    waiting   the free seat is taken (seated, started)                            running
    waiting   abort by its creator                                                over
    waiting   the creator is away for 60 s; an invite is 24 h old                 closed
    waiting   an invite that nobody follows                                       asleep
    running   no clock, a person to move, and nobody is there                     asleep
    running   line, board_full, count, resignation, flag, agreement,
              disconnection, illegal_move, crash, stall, abort before ply 2       over
    over      both want a rematch (seated, seated, started; sides swapped)        running
    over      nobody has followed the room for 10 min                             closed
    any       the operator shuts it; a game that waits or runs is aborted first   closed

Times are one monotonic count of milliseconds. A request is handled at the time at which it arrived.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from engine.rules.position import Position, Rules, other
from server.play.attendance import LEFT_MS, SLEEP_MS, AttendedRoom
from server.play.bot_searches import BotSearch, found_move, think
from server.play.effects import (
    Close,
    Commit,
    Effect,
    MoveStats,
    Publish,
    RatedGame,
    Refuse,
    SequencedEvent,
    ShowMembers,
    ShowPresence,
    ShowRoom,
    Sleep,
    StopThinking,
    Think,
    with_ratings,
)
from server.play.inputs import (
    BotFaulted,
    CommitFailed,
    Committed,
    Input,
    KeptAwake,
    MembersChanged,
    NotOpened,
    Opened,
    Origin,
    PlayerConnected,
    PlayerDeleted,
    PlayerDisconnected,
    PlayerRenamed,
    PlayerRequest,
    Prepared,
    PutToSleep,
    Restored,
    SearchDone,
    SearchFailed,
    SearchStarted,
    ServerEnding,
    Shut,
    StoreBack,
    StoreDown,
    Tick,
    Withdrawn,
)
from server.play.new_events import ended, moved, seated, started
from server.play.requests import Change, requested
from server.play.room_spec import Pace, RoomSpec
from server.wire import (
    Act,
    ClockView,
    Declined,
    Ended,
    Move,
    Moved,
    Rematch,
    RoomEvent,
    Seated,
    Side,
    Started,
    TakenBack,
    Termination,
)

RESTART_GRACE_MS = 30_000
"""How long after a restart a clock waits for its side to come back."""
RATED_PLIES = 2
"""A rated game that ends before this many plies does not count."""
UNRATED_ENDS: tuple[Termination, ...] = ("aborted", "adjudication")
SEARCH_RETRY_MS = 1_000
"""How long to wait when no worker would take a search."""


class _Pending(Struct):
    """Events on their way to the store, and what follows once they are there."""

    entries: tuple[SequencedEvent, ...]
    since_ms: int
    """when the input that led to them arrived"""
    origin: Origin = None
    answer: Effect | None = None
    then: PlayerRequest | None = None
    position: Position | None = None
    """the position that their move leads to"""


class Session(AttendedRoom):
    """See the head of this file. Attributes are for reading; `handle` alone changes them."""

    def __init__(self, room: str, spec: RoomSpec, rules: Rules, *, opened_ms: int, pace: Pace | None = None) -> None:
        super().__init__(room, spec, rules, opened_ms=opened_ms)
        self.pace = pace or Pace()
        self.closed = False
        self.asleep = False
        """rebuilt when somebody comes"""
        self._pending: _Pending | None = None
        self._held: _Pending | None = None
        self._down = False
        self._ending = False
        self._clock_resumes_ms: int | None = None
        self._search: BotSearch | None = None
        self._searches = 0
        self._think_at_ms: int | None = None

    def clock_view(self, now_ms: int) -> ClockView | None:
        """The clock as of now; nobody's time runs while clocks are stopped."""
        view = self.clock.view(now_ms)
        stands = self._down or self._ending or self._clock_resumes_ms is not None
        return replace(view, running=None) if view is not None and stands else view

    @property
    def searches(self) -> int:
        """How many searches were asked for."""
        return self._searches

    def deadline_ms(self) -> int | None:
        """When `Tick` is due, None where nothing waits for time to pass."""
        flag_ms = self.clock.deadline_ms if self._flag_may_fall() else None
        due_ms: int | None = None
        for at_ms in (
            flag_ms + 1 if flag_ms is not None else None,
            self._clock_resumes_ms,
            self._bot_due_ms if self._held is None else None,  # bots go on once what is held is committed
            self.expires_ms if self._held is None else None,
            self._sleeps_ms() if self._empty_since_ms is not None else None,
        ):
            if at_ms is not None and (due_ms is None or at_ms < due_ms):
                due_ms = at_ms
        return due_ms

    # The only way in

    def handle(self, event: Input, now_ms: int) -> list[Effect]:
        """The effects of an input, to be carried out in order. Raises AssertionError on an input out of turn."""
        if self._pending is not None:
            assert isinstance(event, Committed | CommitFailed), "the store has not answered yet"
        return self._INPUTS[type(event)](self, event, now_ms)

    def restore(self, seq: int, ts: int, event: RoomEvent) -> None:
        """Apply a committed event while a room is rebuilt."""
        self.apply(SequencedEvent(seq, event), ts)

    # Inputs

    def _opened(self, event: Opened, now_ms: int) -> list[Effect]:
        events: list[RoomEvent] = []
        if self.spec.x is not None:
            events.append(seated(self, "x", self.spec.x))
        if self.spec.o is not None:
            events.append(seated(self, "o", self.spec.o))
        if self.spec.x is not None and self.spec.o is not None:
            events.append(started(self))
        return self._commit(events, now_ms, event.origin, ShowRoom(event.origin, answer=True))

    def _not_opened(self, event: NotOpened, now_ms: int) -> list[Effect]:
        assert self.seq == 0, "the room was opened"
        self.closed = True
        return [Close()]

    def _restored(self, event: Restored, now_ms: int) -> list[Effect]:
        """Go on from what is committed: clocks stand until their side comes back, bots think."""
        self._empty_since_ms = None if event.members else now_ms
        self._searches = event.searches
        if event.away_since_ms is not None:
            self.away_since_ms = dict(event.away_since_ms)
        else:
            self.away_since_ms = dict.fromkeys(self.holders, now_ms)
        to_move = self.game.to_move
        if to_move is not None and not self.is_bot(to_move):
            seat = self.seats[to_move]
            if seat is not None and seat.id in self.away_since_ms:
                self._clock_resumes_ms = now_ms + RESTART_GRACE_MS
            elif event.clock is not None:
                since_ms = event.clock.since_ms
                self.clock.go_on(now_ms if since_ms is None else since_ms, event.clock.spent_ms)
            else:
                self._start_turn(now_ms)
        elif to_move is not None and event.searches:
            # The last search, or its answer, may be what failed, so do not search again at once.
            self._think_at_ms = now_ms + SEARCH_RETRY_MS
        return self._go_on(now_ms)

    def _prepared(self, event: Prepared, now_ms: int) -> list[Effect]:
        self.ticket = event.ticket
        self.ratings = event.ratings
        return []

    def _requested(self, event: PlayerRequest, now_ms: int) -> list[Effect]:
        if self._flag_due(now_ms):
            return self._flag(now_ms, then=event)
        if self._held is not None and isinstance(event.request, Move | Act | Rematch):
            return [_unavailable(event.origin)]  # what it would change is not committed yet
        answer = requested(self, event, now_ms)
        if not isinstance(answer, Change):
            return answer
        return self._commit(
            answer.events, now_ms, event.origin, answer.answer, [answer.stats], position=answer.position
        )

    def _player_connected(self, event: PlayerConnected, now_ms: int) -> list[Effect]:
        was_away = self.away_since_ms.pop(event.player, None) is not None
        to_move = self.game.to_move
        if self._clock_resumes_ms is not None and to_move in self.sides(event.player):
            return self._resume_clock(now_ms)
        return self._show_presence(event.player) if was_away else []

    def _player_disconnected(self, event: PlayerDisconnected, now_ms: int) -> list[Effect]:
        self.away_since_ms[event.player] = now_ms
        return self._show_presence(event.player)

    def _show_presence(self, player: str) -> list[Effect]:
        """Show whether a player is present, if absence may lose them the game."""
        return [ShowPresence(player)] if self.game.running and self.absence_loses and self.sides(player) else []

    def _player_renamed(self, event: PlayerRenamed, now_ms: int) -> list[Effect]:
        player = event.player
        seats = [(side, self.seats[side]) for side in self.sides(player.id)]
        events: list[RoomEvent] = [
            Seated(side=side, seat=replace(seat, name=player.name)) for side, seat in seats if seat is not None
        ]
        return self._commit(events, now_ms) if events else []

    def _player_deleted(self, event: PlayerDeleted, now_ms: int) -> list[Effect]:
        """The database says so already; followers are sent what is left."""
        return [ShowMembers()] if self.remove_player(event.player, event.said) else []

    def _withdrawn(self, event: Withdrawn, now_ms: int) -> list[Effect]:
        sides = self.sides(event.player)
        if self.waiting and sides:
            return self._commit([ended(self, None, "aborted", now_ms)], now_ms)
        events: list[RoomEvent] = [
            Declined(by=other(by), what=what, lapsed=True) for by, what in self.game.offers if by in sides
        ]
        return self._commit(events, now_ms) if events else []

    def _shut(self, event: Shut, now_ms: int) -> list[Effect]:
        if self.waiting or self.game.running:
            return self._commit([ended(self, None, "aborted", now_ms)], now_ms) if self._held is None else []
        self.closed = True
        return [Close()]

    def _members_changed(self, event: MembersChanged, now_ms: int) -> list[Effect]:
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
            return self._make_found_move(now_ms) if self._search is not None else self._go_on(now_ms)
        sleeps_ms = self._sleeps_ms()
        if sleeps_ms is not None and now_ms >= sleeps_ms:
            return self._fall_asleep()
        expires_ms = self.expires_ms
        if expires_ms is not None and now_ms >= expires_ms and self._held is None:
            return self._expire(now_ms)
        return []

    def _expire(self, now_ms: int) -> list[Effect]:
        if self.waiting and self._empty_since_ms is None:
            return self._commit([ended(self, None, "aborted", now_ms)], now_ms)  # whoever looks is told
        self.closed = True
        return [Close()]

    def _put_to_sleep(self, event: PutToSleep, now_ms: int) -> list[Effect]:
        if self.is_left(now_ms):
            self.closed = True
            return [Close()]
        return self._fall_asleep() if self.can_sleep else []

    def _kept_awake(self, event: KeptAwake, now_ms: int) -> list[Effect]:
        self.asleep = False
        if self._empty_since_ms is not None:
            self._empty_since_ms = now_ms
        return []

    def _fall_asleep(self) -> list[Effect]:
        self.asleep = True
        return [Sleep()]

    def _committed(self, event: Committed, now_ms: int) -> list[Effect]:
        pending = self._pending
        assert pending is not None, "nothing was to be committed"
        self._pending = None
        entries = pending.entries if event.ratings is None else with_ratings(pending.entries, event.ratings)
        for entry in entries:
            self._apply(entry, now_ms, event.ts, pending.position)
        effects: list[Effect] = [Publish(entries)]
        if pending.answer is not None:
            effects.append(pending.answer)
        effects += self._go_on(now_ms)
        if pending.then is not None:
            effects += self.handle(pending.then, now_ms)
        return effects

    def _commit_failed(self, event: CommitFailed, now_ms: int) -> list[Effect]:
        pending = self._pending
        assert pending is not None, "nothing was to be committed"
        self._pending = None
        since_ms = pending.since_ms
        effects = self._stop_time(since_ms)  # the side to move is not charged for the wait
        if pending.origin is None:
            held = self._held or _Pending((), since_ms)
            entries, position = (*held.entries, *pending.entries), pending.position or held.position
            # At most one move is among them, since bots wait for what is held.
            self._held = _Pending(entries, since_ms, position=position)
        origin = pending.then.origin if pending.then is not None else pending.origin
        return effects if origin is None else [_unavailable(origin), *effects]

    def _store_down(self, event: StoreDown, now_ms: int) -> list[Effect]:
        return self._stop_time(now_ms)

    def _server_ending(self, event: ServerEnding, now_ms: int) -> list[Effect]:
        self._ending = True
        self._pause(now_ms)
        return []

    def _store_back(self, event: StoreBack, now_ms: int) -> list[Effect]:
        was_down, self._down = self._down, False
        held, self._held = self._held, None
        effects: list[Effect] = []
        if was_down and self._clock_resumes_ms is None:
            self._let_time_pass(now_ms)
            effects = self._show_clock()
        if held is None:
            return [*effects, *self._go_on(now_ms)]
        events = [entry.event for entry in held.entries]
        stats = [entry.stats for entry in held.entries]
        return [*effects, *self._commit(events, now_ms, stats=stats, position=held.position)]

    def _search_started(self, event: SearchStarted, now_ms: int) -> list[Effect]:
        if self._search is not None and self._search.number == event.search and not (self._down or self._ending):
            self.clock.turn(self._search.side, now_ms)
        return []

    def _search_done(self, event: SearchDone, now_ms: int) -> list[Effect]:
        search = self._search
        if search is None or search.number != event.search or search.found is not None:
            return []
        found = found_move(self, search, event, now_ms)
        if isinstance(found, BotFaulted):
            return self._bot_faulted(found, now_ms)
        search.found = found
        return self._make_found_move(now_ms) if now_ms >= found.due_ms else []

    def _make_found_move(self, now_ms: int) -> list[Effect]:
        """Make the move that the bot to move has found."""
        search, self._search = self._search, None
        assert search is not None
        assert search.found is not None
        found = search.found
        events = moved(self, found.position, search.side, found.spent_ms, found.stats)
        return self._commit(events, now_ms, stats=[found.stats], position=found.position)

    def _forfeit(self, termination: Termination, now_ms: int, fault: str | None = None) -> list[Effect]:
        """The bot that was to answer loses."""
        search, self._search = self._search, None
        assert search is not None
        return self._commit([ended(self, other(search.side), termination, now_ms, fault)], now_ms)

    def _bot_faulted(self, event: BotFaulted, now_ms: int) -> list[Effect]:
        search = self._search
        if search is None or search.number != event.search:
            return []
        seat = self.seats[search.side]
        assert seat is not None
        side, ply = search.side.upper(), self.game.position.ply + 1
        return self._forfeit(event.termination, now_ms, f"Move {ply}: {seat.name} ({side}) {event.what.rstrip('.')}.")

    def _search_failed(self, event: SearchFailed, now_ms: int) -> list[Effect]:
        if self._search is None or self._search.number != event.search:
            return []
        if event.reason == "busy":
            self._search = None
            self._think_at_ms = now_ms + SEARCH_RETRY_MS
            return []
        return self._forfeit(event.reason, now_ms)

    # Committing

    def _commit(
        self,
        events: list[RoomEvent],
        now_ms: int,
        origin: Origin = None,
        answer: Effect | None = None,
        stats: list[MoveStats | None] | None = None,
        then: PlayerRequest | None = None,
        position: Position | None = None,
    ) -> list[Effect]:
        """`stats` belong to the first events; later ones have none."""
        known = stats or []
        first = self.seq + 1
        entries = tuple(
            [
                SequencedEvent(first + index, event, known[index] if index < len(known) else None)
                for index, event in enumerate(events)
            ]
        )
        self._pending = _Pending(entries, now_ms, origin, answer, then, position)
        return [Commit(entries, self._rates(entries), answer)]

    def _rates(self, entries: tuple[SequencedEvent, ...]) -> RatedGame | None:
        """The game that these events end, where it counts for ratings."""
        if not self.spec.rated:
            return None
        ended = next((entry.event for entry in entries if isinstance(entry.event, Ended)), None)
        x, o = self.seats["x"], self.seats["o"]
        if ended is None or ended.termination in UNRATED_ENDS:
            return None
        if len(self.game.cells) < RATED_PLIES or self.game.id is None or x is None or o is None:
            return None
        x_points = 0.5 if ended.winner is None else float(ended.winner == "x")
        return RatedGame(self.game.id, self.rules.id, x.id, o.id, x_points)

    def _flag(self, now_ms: int, then: PlayerRequest | None = None) -> list[Effect]:
        loser = self.game.position.to_move
        return self._commit([ended(self, other(loser), "flag", now_ms)], now_ms, then=then)

    def _apply(self, entry: SequencedEvent, now_ms: int, ts: int, position: Position | None) -> None:
        self.apply(entry, ts, position)
        if isinstance(entry.event, Moved | Started | TakenBack):
            self._start_turn(now_ms)
        if isinstance(entry.event, Started):
            self.away_since_ms = dict.fromkeys(self.away_since_ms, now_ms)  # earlier absence does not count
        elif isinstance(entry.event, Ended):
            self._clock_resumes_ms = None

    # Time and searches

    def _start_turn(self, now_ms: int) -> None:
        to_move = self.game.to_move
        self.clock.turn(to_move, now_ms if self._time_passes(to_move) else None)

    def _let_time_pass(self, now_ms: int) -> None:
        """Let time pass in the turn under way."""
        if self._time_passes(self.game.to_move):
            self.clock.go_on(now_ms)

    def _time_passes(self, to_move: Side | None) -> bool:
        """A bot's time waits for its search to start."""
        return to_move is not None and not (self._down or self._ending or self.is_bot(to_move))

    def _stop_time(self, now_ms: int) -> list[Effect]:
        if self._down:
            return []
        self._down = True
        self._pause(now_ms)
        return self._show_clock()

    def _pause(self, now_ms: int) -> None:
        if self.is_bot(self.clock.running):
            self.clock.turn(self.clock.running, None)  # its search measures its time
        else:
            self.clock.pause(now_ms)

    def _resume_clock(self, now_ms: int) -> list[Effect]:
        """Time passes again after a restart."""
        self._clock_resumes_ms = None
        self._let_time_pass(now_ms)
        return self._show_clock()

    def _show_clock(self) -> list[Effect]:
        """There is no event for clocks that stop or run again, so members are sent the room."""
        return [ShowMembers()] if self.clock.settings is not None and self.game.running else []

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
        return self._search.found.due_ms if self._search.found is not None else None

    @property
    def can_sleep(self) -> bool:
        """Whether nobody follows the room and nothing happens in it until somebody does something."""
        if self._empty_since_ms is None or self.seq == 0 or self._down or self._pending is not None:
            return False
        if self._search is not None or self._think_at_ms is not None or self._held is not None:
            return False
        return self.waits_for_people

    def is_left(self, now_ms: int) -> bool:
        """Whether the game is over, nobody waits for an answer, and everybody has been gone for longer than a reload
        of the page takes."""
        if self.game.result is None or self.game.offers or self._empty_since_ms is None:
            return False
        return self._pending is None and self._held is None and now_ms - self._empty_since_ms >= LEFT_MS

    def _sleeps_ms(self) -> int | None:
        """When the room falls asleep if nobody comes; a connected seat holder may come at any moment, so not while
        there is one."""
        if self.asleep or not self.can_sleep:
            return None
        since_ms = self.unattended_since_ms
        return None if since_ms is None else since_ms + SLEEP_MS

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
        self._search = BotSearch(self._searches, side, len(self.game.cells), now_ms)
        self.clock.turn(side, None)
        return think(self, self.pace, self._searches, side)

    _INPUTS: ClassVar[dict[type, Callable[..., list[Effect]]]] = {
        Opened: _opened,
        NotOpened: _not_opened,
        Restored: _restored,
        Prepared: _prepared,
        PlayerRequest: _requested,
        PlayerConnected: _player_connected,
        PlayerDisconnected: _player_disconnected,
        PlayerRenamed: _player_renamed,
        PlayerDeleted: _player_deleted,
        Withdrawn: _withdrawn,
        Shut: _shut,
        MembersChanged: _members_changed,
        PutToSleep: _put_to_sleep,
        KeptAwake: _kept_awake,
        Tick: _tick,
        Committed: _committed,
        CommitFailed: _commit_failed,
        StoreDown: _store_down,
        StoreBack: _store_back,
        ServerEnding: _server_ending,
        SearchStarted: _search_started,
        SearchDone: _search_done,
        SearchFailed: _search_failed,
        BotFaulted: _bot_faulted,
    }


def _unavailable(origin: Origin) -> Refuse:
    return Refuse(origin, "unavailable", "The server cannot store anything just now; it will recover by itself.")
