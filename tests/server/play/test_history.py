"""From entries to rows, and from rows back to the session."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.stats.glicko import NEW, Rating, after_game
from server.db.statements import SQL
from server.play.effects import Commit, Effect, RatedGame
from server.play.history import RowBuilder, rate, rebuild
from server.play.inputs import BotFaulted, Input, Opened, Restored
from server.play.room_spec import RoomSpec, decode_spec, encode_spec
from server.play.session import Session
from server.play.writes import Statement, Write
from server.wire import (
    BotLimit,
    ClockSettings,
    Join,
    Player,
    RatingChange,
    RatingView,
    Rematch,
    Say,
    Seat,
    encode_event,
)
from tests.support.rooms.session_driver import ANN, BLITZ, BOB, EVE, Driver, bot_seat

TS = 1_700_000_000_000
ROOM = 5


class Recording(Driver):
    """A driver that keeps the rows of every record, as a room makes them."""

    def __init__(self, *arguments: Any, **settings: Any) -> None:
        super().__init__(*arguments, **settings, open=False)
        self.written: list[list[Write]] = []
        self._rows = RowBuilder(ROOM, "here", "noughts 0")
        self.session.handle = self._handle  # type: ignore[method-assign]
        self.send(Opened("1"))

    def _handle(self, event: Input, now_ms: int) -> list[Effect]:
        effects = Session.handle(self.session, event, now_ms)
        if effects and isinstance(effects[-1], Commit):
            entries = effects[-1].entries
            bodies = [encode_event(entry.event) for entry in entries]
            self.written.append(self._rows.writes(self.session, entries, bodies, TS))
        return effects

    def rows(self, statement: Statement) -> list[tuple[Any, ...]]:
        return [values for writes in self.written for kind, values in writes if kind is statement]

    @property
    def last(self) -> list[tuple[str, tuple[Any, ...]]]:
        """The rows of the last record, events by their kind alone."""
        return [
            (kind.name, values[1:4:2] if kind is Statement.ADD_EVENT else values) for kind, values in self.written[-1]
        ]


# Rows


def test_a_seat_alone_is_an_event_alone() -> None:
    room = Recording(o=None)
    ((kind, values),) = room.written[0]
    assert kind is Statement.ADD_EVENT
    assert values[:4] == (ROOM, 1, TS, "seated")
    assert values[4] == encode_event(room.events[0]).decode()


def test_joining_and_starting_are_one_record() -> None:
    clock = ClockSettings(initial_ms=60_000, increment_ms=1_000)
    room = Recording(o=None, clock=clock, rated=True, game="qubic")
    room.ask(BOB, Join(room="room1"))
    assert [name for name, _ in room.last] == ["ADD_EVENT", "ADD_EVENT", "START_GAME"]
    (row,) = room.rows(Statement.START_GAME)
    game = room.session.game
    assert row == (
        game.id,
        ROOM,
        1,
        "room",
        "qubic",
        1,
        2,
        60_000,
        1_000,
        None,
        None,
        None,
        "[]",
        1,
        game.seed,
        None,
        None,
        None,
        "here",
        "noughts 0",
        TS,
    )
    assert game.seed == (game.id or 0) * 7


def test_limits_are_those_of_bots_and_a_start_is_kept() -> None:
    room = Recording(
        o=bot_seat(), kind="bot", limit=BotLimit(depth=2), clock=ClockSettings(move_ms=5_000), start=["a1", "b1"]
    )
    (row,) = room.rows(Statement.START_GAME)
    assert (row[5], row[6], row[7:10]) == (1, 9, (None, None, 5_000))
    assert row[10] is None
    assert json.loads(row[11]) == {"depth": 2}
    assert (json.loads(row[12]), row[13]) == (["a1", "b1"], 0)


def test_a_persons_move() -> None:
    room = Recording(clock=BLITZ)
    room.now_ms += 700
    room.move(ANN, "b1")
    assert room.last == [
        ("ADD_EVENT", (4, "moved")),
        ("ADD_PERSONS_MOVE", (room.session.game.id, 0, 1, TS, 700, 60_300, 60_000)),
    ]


def test_a_move_without_a_clock() -> None:
    room = Recording()
    room.move(ANN, "a1")
    (row,) = room.rows(Statement.ADD_PERSONS_MOVE)
    assert row[4:] == (0, None, None)


def test_a_bots_move_has_its_figures() -> None:
    room = Recording(o=bot_seat(), kind="bot")
    room.move(ANN, "a1")
    room.now_ms += 30
    room.decide("b2", think_us=20_750, nodes=99, depth=3, value=-0.5, win_in=-4, pruned=7)
    (row,) = room.rows(Statement.ADD_MOVE)
    assert row[1:7] == (1, 4, TS, 20, 20_750, 10)
    assert row[9:] == (99, 3, -0.5, -4, 7)


def test_the_last_move_and_the_end_are_one_record() -> None:
    room = Recording()
    room.play("a1 b1 a2 b2 a3")
    assert [name for name, _ in room.last] == ["ADD_EVENT", "ADD_PERSONS_MOVE", "ADD_EVENT", "END_GAME"]
    assert room.rows(Statement.END_GAME) == [(TS, "x", "line", 5, room.session.game.id)]


def test_an_end_between_moves() -> None:
    room = Recording()
    room.play("a1 b1")
    room.act(ANN, "resign")
    assert room.rows(Statement.END_GAME) == [(TS, "o", "resignation", 2, room.session.game.id)]


def test_what_a_bot_did_wrong_is_recorded_with_the_end() -> None:
    room = Recording(o=bot_seat(), kind="bot")
    room.move(ANN, "a1")
    assert room.thinking is not None
    room.send(BotFaulted(room.thinking.search, "crash", "ended with exit status 1"))
    loser = room.session.seats["o"]
    assert loser is not None
    [row] = room.rows(Statement.ADD_FAULT)
    assert row == (room.session.game.id, int(loser.id), f"Move 2: {loser.name} (O) ended with exit status 1.")


def test_a_seek_that_was_aborted_has_no_game() -> None:
    room = Recording(o=None)
    room.act(ANN, "abort")
    assert [name for name, _ in room.last] == ["ADD_EVENT"]


def test_a_takeback_moves_its_rows() -> None:
    room = Recording(o=bot_seat(), kind="bot")
    room.move(ANN, "a1")
    room.decide("b2")
    room.act(ANN, "offer_takeback")
    game = room.session.game.id
    assert room.last == [
        ("ADD_EVENT", (6, "offered")),
        ("ADD_EVENT", (7, "takenback")),
        ("KEEP_TAKEN_BACK", (7, game, 0)),
        ("DELETE_TAKEN_BACK", (game, 0)),
    ]
    room.move(ANN, "c3")
    assert [row[1:3] for row in room.rows(Statement.ADD_PERSONS_MOVE)] == [(0, 0), (0, 8)]
    assert [row[1:3] for row in room.rows(Statement.ADD_MOVE)] == [(1, 4)]


def test_a_rematch_has_its_players_swapped() -> None:
    room = Recording(limit=BotLimit(depth=1))
    room.play("a1 b1 a2 b2 a3")
    room.ask(ANN, Rematch(room="room1"))
    room.ask(BOB, Rematch(room="room1"))
    assert [name for name, _ in room.last] == ["ADD_EVENT"] * 4 + ["START_GAME"]
    first, second = room.rows(Statement.START_GAME)
    assert (first[5:7], second[5:7]) == ((1, 2), (2, 1))
    assert (first[2], second[2]) == (1, 2)
    assert first[0] != second[0], "a game of its own"
    assert first[14] != second[14], "with a seed of its own"
    room.move(BOB, "a1")
    assert room.rows(Statement.ADD_PERSONS_MOVE)[-1][:2] == (second[0], 0)


def test_talk_and_offers_are_events_alone() -> None:
    room = Recording()
    room.ask(EVE, Say(room="room1", text="hello"))
    room.act(ANN, "offer_draw")
    room.act(BOB, "decline_draw")
    assert [row[3] for row in room.rows(Statement.ADD_EVENT)] == [
        "seated",
        "seated",
        "started",
        "said",
        "offered",
        "declined",
    ]
    assert {kind for writes in room.written[1:] for kind, _ in writes} == {Statement.ADD_EVENT}


def test_rows_fit_their_statements() -> None:
    room = Recording(o=bot_seat(), kind="bot")
    room.move(ANN, "a1")
    room.decide("b2")
    room.act(ANN, "offer_takeback")
    room.act(ANN, "resign")
    seen = {kind for writes in room.written for kind, _ in writes}
    assert seen >= {
        Statement.ADD_MOVE,
        Statement.ADD_PERSONS_MOVE,
        Statement.KEEP_TAKEN_BACK,
        Statement.DELETE_TAKEN_BACK,
        Statement.END_GAME,
    }
    for writes in room.written:
        for kind, values in writes:
            numbered = [int(number) for number in re.findall(r"\?(\d+)", SQL[kind])]
            assert len(values) == (max(numbered) if numbered else SQL[kind].count("?")), kind.name


# Ratings


def test_what_a_rated_game_makes_of_two_ratings() -> None:
    settled = Rating(rating=1600.4, deviation=60.0, games=40, updated_ms=TS - 60_000)
    ratings, rows = rate(RatedGame(id=17, game="qubic", x="1", o="9", x_points=1.0), NEW, settled, TS)
    x, o = after_game(NEW, settled, 1.0, TS)
    assert rows == [
        (Statement.SET_RATING, (1, "qubic", x.rating, x.deviation, x.volatility, 1, TS)),
        (Statement.ADD_RATING_CHANGE, (17, 1, 1500.0, x.rating, x.deviation, x.volatility)),
        (Statement.SET_RATING, (9, "qubic", o.rating, o.deviation, o.volatility, 41, TS)),
        (Statement.ADD_RATING_CHANGE, (17, 9, 1600.4, o.rating, o.deviation, o.volatility)),
    ]
    assert ratings.x == RatingChange(before=1500, after=round(x.rating), deviation=round(x.deviation), provisional=True)
    assert ratings.o == RatingChange(before=1600, after=round(o.rating), deviation=round(o.deviation))


# Specs

players = st.builds(
    Player, id=st.integers(1, 10**18).map(str), name=st.text(min_size=1), kind=st.sampled_from(["person", "bot"])
)
seats = st.builds(
    Seat,
    id=st.integers(1, 10**18).map(str),
    name=st.text(min_size=1),
    kind=st.sampled_from(["person", "bot"]),
    present=st.booleans(),
    rating=st.none() | st.builds(RatingView, value=st.integers(), deviation=st.integers(), provisional=st.booleans()),
    bot=st.none() | st.sampled_from(["random", "alphabeta:2"]),
)
specs = st.builds(
    RoomSpec,
    game=st.sampled_from(["qubic", "mnk:5,4,4"]),
    kind=st.sampled_from(["open", "invite", "player", "bot", "self", "bots"]),
    creator=players,
    x=st.none() | seats,
    o=st.none() | seats,
    target=st.none() | st.integers(1, 10**18).map(str),
    clock=st.none() | st.builds(ClockSettings, initial_ms=st.integers(), increment_ms=st.integers()),
    limit=st.none() | st.builds(BotLimit, depth=st.integers(1, 99)),
    rated=st.booleans(),
    start=st.lists(st.text(max_size=4), max_size=3),
)


@given(specs)
def test_a_spec_comes_back_as_it_was(spec: RoomSpec) -> None:
    text = encode_spec(spec)
    assert decode_spec(text) == spec
    assert decode_spec(text.encode()) == spec
    assert json.loads(text)["game"] == spec.game


# Back from the database


def rebuilt(room: Driver, *, text: bool = False) -> Session:
    events = [(entry.seq, TS + entry.seq, encode_event(entry.event)) for entry in room.entries]
    return rebuild(
        "room1",
        decode_spec(encode_spec(room.spec)),
        room.session.rules,
        [(seq, ts, body.decode() if text else body) for seq, ts, body in events],
        opened_ms=0,
        pace=room.session.pace,
    )


def same(session: Session, other: Session) -> None:
    assert session.game_view() == other.game_view()
    assert (session.seq, session.seats, session.offers) == (other.seq, other.seats, other.offers)
    assert [(line.by, line.text) for line in session.chat] == [(line.by, line.text) for line in other.chat]
    assert (session.clock.x_ms, session.clock.o_ms) == (other.clock.x_ms, other.clock.o_ms)
    assert session.clock.running == other.clock.running
    for attribute in ("cells", "texts", "seqs", "lefts", "positions", "draws_asked", "taken_back_seq", "turn_seq"):
        assert getattr(session.game, attribute) == getattr(other.game, attribute), attribute


@pytest.mark.parametrize("text", [True, False])
def test_a_room_comes_back_as_it_was(text: bool) -> None:
    room = Driver(clock=BLITZ, game="ultimate")
    room.play("5/5 5/1 1/5")
    room.now_ms += 3_000
    room.act(ANN, "offer_takeback")
    room.act(BOB, "accept_takeback")
    room.play("1/2")
    room.ask(EVE, Say(room="room1", text='"legal":[]'))
    room.act(BOB, "offer_draw")
    same(rebuilt(room, text=text), room.session)


def test_a_finished_room_and_its_rematch_come_back() -> None:
    room = Driver(clock=ClockSettings(move_ms=5_000), start=["b2"])
    room.act(ANN, "resign")
    same(rebuilt(room), room.session)
    room.ask(BOB, Rematch(room="room1"))
    same(rebuilt(room), room.session)
    room.ask(ANN, Rematch(room="room1"))
    room.move(ANN, "a1")
    assert room.session.game.texts == ["a1"]
    same(rebuilt(room), room.session)


def test_a_rated_game_comes_back_rated_and_is_not_rated_again() -> None:
    room = Driver(clock=BLITZ, rated=True)
    room.play("a1 b1 a2 b2 a3")
    session = rebuilt(room)
    same(session, room.session)
    assert session.seats["x"] is not None
    assert session.seats["x"].rating == RatingView(value=1662, deviation=290, provisional=True, change=162)
    assert not any(isinstance(effect, Commit) for effect in session.handle(Restored(), 5))


def test_a_bots_judgement_comes_back() -> None:
    room = Driver(o=bot_seat(), kind="bot")
    room.move(ANN, "a1")
    room.decide("b2", value=-1.0, win_in=-3, proven=True)
    assert rebuilt(room).game.verdicts == room.session.game.verdicts == {"o": (-1.0, True)}


def test_chat_keeps_its_time() -> None:
    room = Driver()
    room.ask(ANN, Say(room="room1", text="hello"))
    assert [line.ts for line in rebuilt(room).chat] == [TS + 4]


def test_no_clock_runs_before_it_goes_on() -> None:
    room = Driver(clock=BLITZ)
    room.play("a1")
    session = rebuilt(room)
    assert session.clock.since_ms is None
    assert session.clock.remaining_ms("o", 10**12) == 60_000
    assert session.clock.deadline_ms is None


def test_every_entry_has_its_body() -> None:
    room = Driver()
    with pytest.raises(ValueError, match="shorter"):
        RowBuilder(ROOM, "here", "noughts 0").writes(room.session, tuple(room.entries), [], TS)
