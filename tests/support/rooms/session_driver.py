"""Plays a session by hand: time is a number, the store says yes at once or no on demand, searches answer on demand."""

from __future__ import annotations

from typing import Any

from engine.rules.registry import rules
from engine.search.decision import Decision
from engine.stats.glicko import NEW, Rating
from server.play.effects import Acknowledge, Commit, Effect, Publish, RatedGame, Refuse, SequencedEvent, ShowRoom, Think
from server.play.history import rate
from server.play.inputs import (
    CommitFailed,
    Committed,
    Input,
    KeptAwake,
    Opened,
    PlayerRequest,
    Prepared,
    SearchDone,
    Tick,
    Ticket,
)
from server.play.room_spec import Pace, RoomSpec
from server.play.session import Session
from server.play.writes import Statement
from server.wire import (
    Act,
    BotLimit,
    ClockSettings,
    ClockView,
    Join,
    Move,
    PaceAsked,
    Player,
    RatingView,
    Rematch,
    Say,
    Seat,
)

ANN = Player(id="1", name="Ann", kind="person")
BOB = Player(id="2", name="Bob", kind="person")
EVE = Player(id="3", name="Eve", kind="person")
BLITZ = ClockSettings(initial_ms=60_000, increment_ms=1_000)
LONG = ClockSettings(initial_ms=600_000, increment_ms=0)


def seat(player: Player) -> Seat:
    return Seat(id=player.id, name=player.name, kind=player.kind, present=True)


def bot_seat(name: str = "random", id: str = "9") -> Seat:
    return Seat(id=id, name=name, kind="bot", present=True, bot=name)


class Driver:
    """A session and everything that ever came out of it. The origin of a request is its player's id."""

    def __init__(
        self,
        x: Player | Seat | None = ANN,
        o: Player | Seat | None = BOB,
        *,
        game: str = "tictactoe",
        kind: str = "open",
        clock: ClockSettings | None = None,
        limit: BotLimit | None = None,
        rated: bool = False,
        start: list[str] | None = None,
        target: str | None = None,
        creator: Player = ANN,
        pace: Pace | None = None,
        asked_pace: PaceAsked | None = None,
        takebacks: bool = True,
        open: bool = True,
    ) -> None:
        self.now_ms = 1_000_000
        self.store_works = True
        self.store_takes_ms = 0
        """how long a commit takes"""
        self.entries: list[SequencedEvent] = []
        self.stamps: list[int] = []
        """when each was committed"""
        self.effects: list[Effect] = []
        self.thinking: Think | None = None
        self.rated: list[RatedGame] = []
        """games that were committed as rated"""
        self.rating_of: dict[str, Rating] = {}
        """of players by their ids, as the database has them"""
        self._tickets = 0
        self.spec = RoomSpec(
            game=game,
            kind=kind,
            creator=creator,
            x=seat(x) if isinstance(x, Player) else x,
            o=seat(o) if isinstance(o, Player) else o,
            target=target,
            clock=clock,
            limit=limit,
            rated=rated,
            start=start or [],
            pace=asked_pace,
            takebacks=takebacks,
        )
        self.session = Session(
            "room1", self.spec, rules(game), opened_ms=self.now_ms, pace=pace or Pace(think_ms=1_000, between_ms=0)
        )
        if open:
            self.send(Opened("1"))

    @property
    def clock(self) -> ClockView:
        """What the clock of the game shows now."""
        view = self.session.clock_view(self.now_ms)
        assert view is not None
        return view

    def send(self, event: Input) -> list[Effect]:
        """All effects of an input, the store's answer included."""
        if self.session.ticket is None:
            self.prepare(self.session.ratings)
        if self.session.asleep:
            self.session.handle(KeptAwake(), self.now_ms)  # as a room is where something comes meanwhile
        effects = self.session.handle(event, self.now_ms)
        done: list[Effect] = []
        while True:
            commit = next((effect for effect in effects if isinstance(effect, Commit)), None)
            done += effects
            if commit is None:
                break
            assert effects[-1] is commit, "nothing may follow a commit before its answer"
            self.now_ms += self.store_takes_ms
            effects = self.session.handle(self._commit(commit) if self.store_works else CommitFailed(), self.now_ms)
        for effect in done:
            if isinstance(effect, Publish):
                self.entries += effect.entries
                self.stamps += [self.now_ms] * len(effect.entries)
            if isinstance(effect, Think):
                self.thinking = effect
        self.effects += done
        return done

    def prepare(self, ratings: dict[str, RatingView]) -> None:
        """Players may be seated with these ratings, and a game may start."""
        ticket = self.session.ticket
        if ticket is None:
            self._tickets += 1
            ticket = Ticket(id=self._tickets, seed=self._tickets * 7)
        assert self.session.handle(Prepared(ticket, ratings), self.now_ms) == []

    def _commit(self, commit: Commit) -> Committed:
        rated = commit.rates
        if rated is None:
            return Committed(self.now_ms)
        before = {player: self.rating_of.get(player, NEW) for player in (rated.x, rated.o)}
        ratings, rows = rate(rated, before[rated.x], before[rated.o], self.now_ms)
        for statement, values in rows:
            if statement is Statement.SET_RATING:
                self.rating_of[str(values[0])] = Rating(*values[2:])  # type: ignore[arg-type]
        self.rated.append(rated)
        return Committed(self.now_ms, ratings)

    def ask(self, player: Player, request: Move | Act | Rematch | Say | Join) -> list[Effect]:
        return self.send(PlayerRequest(player.id, player, request))

    def move(self, player: Player, move: str, *, ply: int | None = None, **more: Any) -> list[Effect]:
        game = self.session.game
        ply = len(game.cells) if ply is None else ply
        return self.ask(player, Move(room="room1", game=more.pop("game", game.serial), ply=ply, move=move, **more))

    def act(self, player: Player, action: Any, *, game: int | None = None) -> list[Effect]:
        return self.ask(player, Act(room="room1", game=game or self.session.game.serial, action=action))

    def decide(self, move: str, **stats: Any) -> list[Effect]:
        """Answer the last search."""
        assert self.thinking is not None, "no search was asked for"
        found: dict[str, Any] = {
            "nodes": 10,
            "depth": 1,
            "value": 0.0,
            "win_in": None,
            "proven": False,
            "pruned": 0,
            "pv": (),
        }
        cell = self.session.rules.parse_move(move)
        think_us = stats.pop("think_us", 1000 * stats.pop("think_ms", 5))
        decision = Decision(move=cell, **(found | stats))
        return self.send(SearchDone(self.thinking.search, decision, think_us))

    def play(self, moves: str) -> None:
        """Moves of Ann as x and Bob as o in turn."""
        for text in moves.split():
            player = ANN if self.session.game.to_move == "x" else BOB
            refusals = refused(self.move(player, text))
            assert not refusals, refusals

    def wait(self, ms: int) -> None:
        """Let time pass; deadlines on the way are kept."""
        end_ms = self.now_ms + ms
        while True:
            due_ms = self.session.deadline_ms()
            if self.session.closed or due_ms is None or due_ms > end_ms:
                break
            self.now_ms = max(self.now_ms, due_ms)
            self.send(Tick())
        self.now_ms = end_ms

    @property
    def events(self) -> list[Any]:
        return [entry.event for entry in self.entries]


def refused(effects: list[Effect]) -> list[str]:
    return [effect.code for effect in effects if isinstance(effect, Refuse)]


def acked(effects: list[Effect]) -> list[int]:
    return [effect.seq for effect in effects if isinstance(effect, Acknowledge)]


def shown(effects: list[Effect]) -> int:
    return sum(isinstance(effect, ShowRoom) for effect in effects)
