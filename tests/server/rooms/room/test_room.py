"""A room: what it says to whom and when, its timer, its followers. Store, workers and time are played by hand."""

from __future__ import annotations

import asyncio
import json
import logging

import pytest

from server.play.attendance import EMPTY_MS
from server.play.effects import Effect, ShowMembers
from server.play.inputs import (
    Input,
    MembersChanged,
    PlayerDisconnected,
    PlayerRenamed,
    PlayerRequest,
    StoreBack,
    StoreDown,
)
from server.play.requests import ABSENT_MS
from server.play.session import Session
from server.play.writes import Conflict, Statement
from server.rooms.members import Origin
from server.rooms.room.commits import COMMIT_RETRY_S
from server.rooms.room.followers import SPECTATORS_S
from server.rooms.room.mailbox import MAILBOX_LENGTH
from server.rooms.room.room import MAILS_AT_ONCE, Room
from server.wire import Act, BotLimit, ClockSettings, Join, Player, Rematch, Resume, Say
from tests.support.rooms.fakes import UNIX_MS, FakeMember, World, kinds, settle
from tests.support.rooms.session_driver import ANN, BLITZ, BOB, EVE, bot_seat
from tests.support.rooms.table import DOWN, Table, move, table

# Commit, then tell


async def test_nobody_hears_of_a_room_before_it_is_committed() -> None:
    world = World()
    world.by_hand = True
    room = world.room()
    ann = FakeMember(ANN)
    room.open(Origin(ann, 7))
    await settle()
    assert (ann.payloads, room.session.seq, world.changes) == ([], 0, [])
    await world.commit()
    (shown,) = ann.take()
    assert (shown["t"], shown["id"], shown["seq"], shown["you"]) == ("room", 7, 3, "x")
    assert shown["seats"]["o"] == {"id": "2", "name": "Bob", "kind": "person", "present": False}
    assert world.changes == [("room1", True), ("room1", False)], "it is made, and somebody follows it"


async def test_a_move_is_told_after_its_commit_to_all_and_acknowledged_to_its_sender() -> None:
    at = await table()
    at.world.by_hand = True
    at.world.ask(at.room, at.ann, move(0, "a1"), id=5)
    await settle()
    assert at.take() == ([], [])
    await at.world.commit()
    to_ann, (event,) = at.ann.take(), at.bob.take()
    assert sorted(kinds(to_ann)) == ["ack", "moved"]
    assert {"t": "ack", "id": 5, "room": "room1", "seq": 4} in to_ann
    assert (event["t"], event["room"], event["seq"], event["e"]) == ("event", "room1", 4, "moved")
    assert event["ts"] == UNIX_MS + at.world.now_ms


async def test_the_first_record_makes_the_room_too() -> None:
    world = World()
    room = world.room()
    made = (Statement.ADD_ROOM, (1, "room1", "{}", None, 0))
    room.open(Origin(FakeMember(ANN), None), [made])
    await settle()
    await Table(world, room, FakeMember(ANN), FakeMember(BOB)).play("a1")
    assert world.rows[0] == made
    assert world.rows.count(made) == 1
    assert [row[1] for row in world.recorded(Statement.ADD_EVENT)] == [1, 2, 3, 4]


async def test_a_joiner_is_shown_the_room_first_as_it_is_after_the_start() -> None:
    world = World()
    room = world.room(o=None)
    ann, bob = FakeMember(ANN), FakeMember(BOB)
    room.open(Origin(ann, None))
    await settle()
    world.ask(room, bob, Join(room="room1"), id=3)
    await settle()
    assert kinds(ann.take()) == ["room", "seated", "started", "present"]
    (shown,) = bob.take()
    assert (shown["t"], shown["id"], shown["seq"], shown["you"], shown["game"]["started"]) == ("room", 3, 3, "o", True)


async def test_events_reach_members_in_order_without_a_gap() -> None:
    at = await table()
    eve = await at.watcher()
    eve.take()
    at.ann.take()
    at.bob.take()
    at.world.ask(at.room, at.ann, Say(room="room1", text="hello"))
    await at.play("a1 b1 a2 b2 a3")
    everyone = [[message for message in member.take() if message["t"] == "event"] for member in (at.ann, at.bob, eve)]
    for events in everyone:
        assert [event["seq"] for event in events] == list(range(4, 11))
        assert kinds(events) == ["said", *["moved"] * 5, "ended"]


async def test_a_stale_move_gets_the_error_and_then_the_room_without_an_id() -> None:
    at = await table()
    await at.play("a1")
    at.take()
    at.world.ask(at.room, at.bob, move(0, "b2"), id=9)
    await settle()
    error, shown = at.bob.take()
    assert (error["code"], error["id"], error["room"]) == ("stale", 9, "room1")
    assert (shown["t"], "id" in shown, shown["seq"]) == ("room", False, 4)
    elsewhere = FakeMember(BOB)
    at.world.ask(at.room, elsewhere, move(0, "b2"))
    await settle()
    assert kinds(elsewhere.take()) == ["stale", "room"]
    assert not at.room.is_member(elsewhere), "being shown a room is not following it"


# A store that fails


async def test_what_is_not_recorded_did_not_happen_and_may_be_done_again() -> None:
    at = await table(clock=BLITZ)
    at.world.failure, at.world.available = DOWN, False
    at.world.ask(at.room, at.ann, move(0, "a1"), id=5)
    await settle()
    error, standing = at.ann.take()
    assert (error["t"], error["id"], error["code"], error["room"]) == ("error", 5, "unavailable", "room1")
    assert standing["clock"]["running"] is None
    assert kinds(at.bob.take()) == ["room"], "nothing but the clock has changed"
    await at.world.wait(30_000)
    assert at.room.session.clock.remaining_ms("x", at.world.now_ms) == 60_000, "clocks stand while nothing commits"
    at.world.failure, at.world.available = None, True
    at.room.post_input(StoreBack())
    await at.play("a1")
    assert sorted(kinds(at.ann.take())) == ["ack", "moved", "room"]
    assert at.room.session.seq == 4


async def test_a_record_that_the_schema_refuses_is_not_tried_in_a_busy_loop() -> None:
    at = await table(o=bot_seat(), kind="bot")
    await at.play("a1")
    at.world.failure = Conflict("a second row")
    began_ms = at.world.now_ms
    at.world.tries_ms.clear()
    at.world.searches[0].decide("b2")
    await settle()
    assert at.world.tries_ms == [began_ms]
    await at.world.wait(3_500)
    assert at.world.tries_ms == [began_ms + number * round(COMMIT_RETRY_S * 1000) for number in range(4)]
    at.world.failure = None
    await at.world.wait(1_000)
    assert at.room.session.game.texts == ["a1", "b2"], "the bot's move is not lost"


async def test_a_conflict_of_one_request_lets_play_go_on() -> None:
    at = await table(clock=BLITZ)
    at.world.failure = Conflict("a second row")
    at.world.ask(at.room, at.ann, move(0, "a1"))
    await settle()
    refusal, standing = at.ann.take()
    assert (refusal["code"], standing["clock"]["running"]) == ("unavailable", None)
    at.world.failure = None
    await at.world.wait(1_000)
    (shown,) = at.ann.take()
    assert shown["clock"]["running"] == "x", "the clock runs again"
    await at.play("a1")
    assert at.room.session.game.texts == ["a1"]


async def test_nothing_is_recorded_over_what_still_waits_to_be() -> None:
    """A bot's move that could not be stored is stored later; until then nobody resigns in between."""
    at = await table(o=bot_seat(), kind="bot")
    await at.play("a1")
    at.world.failure = Conflict("once")
    at.world.searches[0].decide("b2")
    await settle()
    at.world.failure = None
    at.ann.take()
    for request in (
        Act(room="room1", game=1, action="resign"),
        Act(room="room1", game=1, action="offer_takeback"),
        move(1, "c3"),
    ):
        at.world.ask(at.room, at.ann, request)
        await settle()
    assert "ended" not in kinds(at.ann.take())
    await at.world.wait(1_000)
    assert at.room.session.game.texts == ["a1", "b2"]
    assert at.room.session.game.running


# Ratings


async def test_a_rated_end_is_told_with_the_ratings_that_were_committed_with_it() -> None:
    at = await table(clock=BLITZ, rated=True)
    await at.play("a1 b1 a2 b2")
    before = len(at.world.tries_ms)
    await at.play("a3")
    assert len(at.world.tries_ms) == before + 1, "one commit"
    (ended,) = [message for message in at.bob.take() if message.get("e") == "ended"]
    assert ended["ratings"] == {
        "x": {"before": 1500, "after": 1662, "deviation": 290, "provisional": True},
        "o": {"before": 1500, "after": 1338, "deviation": 290, "provisional": True},
    }
    written = {values[0]: round(values[2]) for values in at.world.recorded(Statement.SET_RATING)}
    assert written == {1: 1662, 2: 1338}
    assert [values[:2] for values in at.world.recorded(Statement.ADD_RATING_CHANGE)] == [(1, 1), (1, 2)]
    kept = json.loads(at.world.recorded(Statement.ADD_EVENT)[-1][4])
    assert kept["ratings"] == ended["ratings"], "as it will be replayed"


async def test_nothing_is_rated_that_could_not_be_committed() -> None:
    at = await table(clock=BLITZ, rated=True)
    await at.play("a1 b1 a2 b2")
    at.world.failure = Conflict("a second row")
    at.world.ask(at.room, at.ann, move(4, "a3"))
    await settle()
    assert at.world.recorded(Statement.SET_RATING) == []
    assert at.room.session.game.running
    at.world.failure = None
    await at.world.wait(1_000)
    await at.play("a3")
    assert {values[5] for values in at.world.recorded(Statement.SET_RATING)} == {1}, "the first game of both"


async def test_a_rating_that_cannot_be_read_lets_the_game_go_on() -> None:
    at = await table(clock=BLITZ, rated=True)
    await at.play("a1 b1 a2 b2")
    at.world.readable = False
    at.world.ask(at.room, at.ann, move(4, "a3"))
    await settle()
    assert "unavailable" in kinds(at.ann.take())
    assert at.room.session.game.running
    at.world.readable = True
    await at.world.wait(1_000)
    await at.play("a3")
    assert not at.room.session.game.running


async def test_games_of_one_player_that_end_together_are_rated_one_after_the_other() -> None:
    world = World()
    at, other = await table(world, clock=BLITZ, rated=True), await table(world, clock=BLITZ, rated=True)
    for board in (at, other):
        await board.play("a1 b1 a2 b2")
    world.by_hand = True
    for board in (at, other):
        world.ask(board.room, board.ann, move(4, "a3"))
    await settle()
    assert len(world.waiting) == 1, "the second waits for what the first makes of the ratings"
    await world.commit()
    await world.commit()
    rows = [values for values in world.recorded(Statement.SET_RATING) if values[0] == 1]
    assert [values[5] for values in rows] == [1, 2]
    assert rows[0][2] < rows[1][2]
    changes = [values for values in world.recorded(Statement.ADD_RATING_CHANGE) if values[1] == 1]
    assert changes[1][2] == rows[0][2], "from where the first left it"


async def test_an_end_that_failed_leaves_the_rating_to_the_game_that_waited_for_it() -> None:
    world = World()
    at, other = await table(world, clock=BLITZ, rated=True), await table(world, clock=BLITZ, rated=True)
    for board in (at, other):
        await board.play("a1 b1 a2 b2")
    world.by_hand = True
    for board in (at, other):
        world.ask(board.room, board.ann, move(4, "a3"))
    await settle()
    await world.refuse(DOWN)
    await world.commit()
    assert [values[5] for values in world.recorded(Statement.SET_RATING)] == [1, 1]
    assert [board.room.session.game.running for board in (at, other)] == [True, False]


async def test_who_sits_down_again_is_shown_with_their_rating() -> None:
    world = World()
    first = await table(world, clock=BLITZ, rated=True)
    await first.play("a1 b1 a2 b2 a3")
    at = await table(world, o=None)
    at.ann.take()
    world.ask(at.room, at.bob, Join(room="room1"))
    await settle()
    joined = next(message for message in at.bob.take() if message["t"] == "room")
    assert joined["seats"]["x"]["rating"] == {"value": 1662, "deviation": 290, "provisional": True}
    assert joined["seats"]["o"]["rating"]["value"] == 1338
    seated = next(message for message in at.ann.take() if message.get("e") == "seated")
    assert seated["seat"]["rating"]["value"] == 1338


async def test_nobody_is_seated_whose_rating_cannot_be_read() -> None:
    at = await table(o=None)
    at.world.readable = False
    at.world.ask(at.room, at.bob, Join(room="room1"), id=3)
    await settle()
    (refusal,) = [message for message in at.bob.take() if message["t"] == "error"]
    assert (refusal["id"], refusal["code"]) == (3, "unavailable")
    assert at.room.session.waiting


async def test_a_new_name_does_not_push_out_what_waits_to_be_recorded() -> None:
    at = await table(o=bot_seat(), kind="bot")
    await at.play("a1")
    at.world.failure = Conflict("once")
    at.world.searches[0].decide("b2")
    at.room.post_input(PlayerRenamed(Player(id=ANN.id, name="Anna", kind="person")))
    await settle()
    at.world.failure = None
    at.ann.take()
    await at.world.wait(1_000)
    assert [kind for kind in kinds(at.ann.take()) if kind != "spectators"] == ["moved", "seated"]
    assert at.room.session.game.texts == ["a1", "b2"]
    renamed = at.room.session.seats["x"]
    assert renamed is not None
    assert renamed.name == "Anna"


async def test_a_store_that_comes_back_twice_gives_nobody_time() -> None:
    at = await table(clock=BLITZ)
    at.world.now_ms += 5_000
    at.room.post_input(StoreBack())
    await settle()
    assert at.room.session.clock.remaining_ms("x", at.world.now_ms) == 55_000


async def test_a_room_that_could_not_be_opened_closes() -> None:
    world = World()
    world.failure, world.available = DOWN, True
    room = world.room()
    ann = FakeMember(ANN)
    room.open(Origin(ann, 1))
    await settle()
    (error,) = ann.take()
    assert (error["code"], error["id"]) == ("unavailable", 1)
    assert world.closed == ["room1"]
    assert not ann.following


async def test_without_ids_no_game_begins() -> None:
    world = World()
    room = world.room(o=None)
    ann, bob = FakeMember(ANN), FakeMember(BOB)
    room.open(Origin(ann, None))
    await settle()
    room.session.ticket = None
    world.available = False
    world.ask(room, bob, Join(room="room1"), id=2)
    await settle()
    (error,) = bob.take()
    assert (error["code"], error["id"]) == ("unavailable", 2)
    world.available = True
    world.ask(room, bob, Join(room="room1"), id=2)
    await settle()
    assert kinds(bob.take()) == ["room"]


async def test_the_clock_stands_while_the_store_is_down() -> None:
    at = await table(clock=BLITZ)
    at.world.now_ms += 1_000
    at.room.post_input(StoreDown())
    await settle()
    await at.world.wait(100_000)
    assert at.room.session.game.running
    at.room.post_input(StoreBack())
    await settle()
    assert at.room.session.clock.remaining_ms("x", at.world.now_ms) == 59_000


# Time


async def test_the_flag_falls_by_the_timer() -> None:
    at = await table(clock=ClockSettings(move_ms=5_000))
    began_ms = at.world.now_ms
    assert at.world.due_ms[0] <= began_ms + 5_001
    await at.world.wait(5_000)
    assert "ended" not in at.take()[0]
    await at.world.wait(1)
    (ended,) = [message for message in at.ann.take() if message.get("e") == "ended"]
    assert (ended["winner"], ended["termination"]) == ("o", "flag")


async def test_one_timer_is_set_and_it_follows_the_game() -> None:
    at = await table(clock=ClockSettings(move_ms=5_000))
    await at.world.wait(round(SPECTATORS_S * 1000))
    await at.world.wait(2_000)
    await at.play("a1")
    assert len(at.world.due_ms) == 1
    await at.world.wait(4_999)
    await at.play("b1")
    await at.world.wait(5_000)
    assert at.room.session.game.running, "each move had its own five seconds"
    assert len(at.world.due_ms) == 1
    await at.world.wait(1)
    assert at.room.session.game.result is not None


async def test_an_earlier_deadline_replaces_a_later_one() -> None:
    at = await table(o=None, clock=ClockSettings(move_ms=1_000))
    at.room.post_input(PlayerDisconnected(ANN.id))
    await settle()
    assert at.world.now_ms + ABSENT_MS in at.world.due_ms
    at.world.ask(at.room, at.bob, Join(room="room1"))
    await settle()
    assert min(at.world.due_ms) <= at.world.now_ms + 1_001
    await at.world.wait(1_001)
    assert at.room.session.game.result is not None


async def test_a_frame_that_arrived_in_time_counts_though_handled_later() -> None:
    at = await table(clock=ClockSettings(move_ms=5_000))
    arrived_ms = at.world.now_ms + 5_000
    at.world.now_ms += 5_500
    at.world.ask(at.room, at.ann, move(0, "a1"), arrived_ms=arrived_ms)
    await settle()
    assert at.room.session.game.texts == ["a1"]


async def test_a_frame_that_arrived_late_finds_the_game_over() -> None:
    at = await table(clock=ClockSettings(move_ms=5_000))
    at.world.now_ms += 5_001
    at.world.ask(at.room, at.ann, move(0, "a1"))
    await settle()
    assert kinds(at.ann.take()) == ["ended", "game_over"]


# Bots


async def test_a_bot_is_asked_and_its_move_is_told() -> None:
    at = await table(o=bot_seat(), kind="bot", limit=BotLimit(depth=2))
    await at.play("a1")
    (search,) = at.world.searches
    assert (search.game, search.think.cells, search.think.limit.depth, search.watched) == (
        "tictactoe",
        (0,),
        2,
        True,
    )
    at.ann.take()
    search.report.started()
    search.decide("b2", value=0.5, nodes=99, pv=(4, 0))
    await settle()
    (moved,) = at.ann.take()
    assert (moved["by"], moved["move"], moved["think_ms"]) == ("o", "b2", 5)
    assert moved["search"] == {"nodes": 99, "depth": 1, "value": 0.5, "win_in": None, "pv": ["b2", "a1"]}


async def test_a_search_that_no_longer_matters_is_stopped() -> None:
    at = await table(o=bot_seat(), kind="bot")
    await at.play("a1")
    at.world.ask(at.room, at.ann, Act(room="room1", game=1, action="offer_takeback"))
    await settle()
    (search,) = at.world.searches
    assert search.stopped
    before = at.room.session.seq
    search.decide("b2")
    await settle()
    assert at.room.session.seq == before, "an answer that comes all the same is nothing"


async def test_a_search_that_no_worker_takes_is_asked_for_again() -> None:
    world = World()
    world.workers_full = True
    at = await table(world, o=bot_seat(), kind="bot")
    await at.play("a1")
    assert world.searches == []
    world.workers_full = False
    await world.wait(1_000)
    assert len(world.searches) == 1


@pytest.mark.parametrize("reason", ["crash", "stall"])
async def test_a_search_that_failed_loses_the_game(reason: str) -> None:
    at = await table(o=bot_seat(), kind="bot")
    await at.play("a1")
    at.ann.take()
    at.world.searches[0].report.failed(reason)
    await settle()
    (ended,) = at.ann.take()
    assert (ended["winner"], ended["termination"]) == ("x", reason)


async def test_what_a_bot_found_in_a_rated_game_is_recorded_and_not_told() -> None:
    at = await table(o=bot_seat(), kind="bot", rated=True, clock=BLITZ)
    await at.play("a1")
    since = at.room.session.seq
    at.ann.take()
    at.world.searches[0].report.started()
    at.world.searches[0].decide("b2", value=0.5, nodes=99, pv=(4, 0))
    await settle()
    (moved,) = at.ann.take()
    assert "search" not in moved
    at.room.catch_up(Origin(at.ann, 9), since)
    await settle()
    assert at.ann.take()[1:] == [moved]
    kept = [str(parameters[-1]) for statement, parameters in at.world.rows if statement is Statement.ADD_EVENT]
    assert json.loads(kept[-1])["search"]["pv"] == ["b2", "a1"]


# Bounds and faults


async def test_a_move_waits_for_none_of_the_lines_that_spectators_say() -> None:
    at = await table()
    eve = await at.watcher()
    at.world.by_hand = True
    for _ in range(9):
        at.world.ask(at.room, eve, Say(room="room1", text="Well?"))
    await settle()
    at.world.ask(at.room, at.ann, move(0, "b2"))
    at.world.by_hand = False
    await at.world.commit()
    assert [message["e"] for message in at.bob.take() if message["t"] == "event"] == ["said", "moved"] + 8 * ["said"]


async def test_others_have_their_turn_while_all_who_watch_leave() -> None:
    at = await table()
    watchers = [await at.watcher() for _ in range(4 * MAILS_AT_ONCE)]
    for watcher in watchers:
        at.room.leave(watcher)
    left, most = len(watchers), 0
    while left:
        await asyncio.sleep(0)
        now = sum(map(at.room.is_member, watchers))
        left, most = now, max(most, left - now)
    assert most <= MAILS_AT_ONCE


async def test_a_full_mailbox_is_busy_for_every_kind_of_request() -> None:
    at = await table()
    at.world.by_hand = True
    at.world.ask(at.room, at.ann, Say(room="room1", text="first"))
    await settle()
    for _ in range(MAILBOX_LENGTH):
        at.world.ask(at.room, at.ann, Say(room="room1", text="more"))
    assert at.ann.take() == []
    eve = FakeMember(EVE)
    at.world.ask(at.room, at.ann, Say(room="room1", text="too much"), id=1)
    at.room.watch(Origin(eve, 2))
    at.room.catch_up(Origin(eve, 3), 0)
    at.room.leave(eve, Origin(eve, 4))
    assert [(message["code"], message["id"]) for message in at.ann.take() + eve.take()] == [
        ("busy", 1),
        ("busy", 2),
        ("busy", 3),
        ("busy", 4),
    ]
    at.room.leave(at.bob)
    at.world.by_hand = False
    await at.world.commit()
    await at.room.settled()
    assert not at.room.is_member(at.bob), "who is gone leaves all the same"
    assert at.room.session.seq == 3 + 1 + MAILBOX_LENGTH


async def test_a_session_hears_only_whether_anybody_follows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of each who leaves, it would pass by all others who wait to leave: 1.3 s for 5,000."""
    at = await table()
    heard: list[Input] = []

    def handle(session: Session, event: Input, now_ms: int) -> list[Effect]:
        heard.append(event)
        return handled(session, event, now_ms)

    handled = Session.handle
    monkeypatch.setattr(Session, "handle", handle)
    for watcher in [await at.watcher() for _ in range(5)]:
        at.room.leave(watcher)
    await settle()
    assert heard == []
    for one in (at.ann, at.bob):
        at.room.leave(one)
    await settle()
    assert heard[-1] == MembersChanged(0)


async def test_no_move_is_refused_for_all_who_come_to_watch_at_once() -> None:
    at = await table()
    watchers = [FakeMember(EVE) for _ in range(MAILBOX_LENGTH + 1)]
    for id, watcher in enumerate(watchers):
        at.room.watch(Origin(watcher, id))
    at.world.ask(at.room, at.ann, move(0, "b2"))
    while not at.room.idle:  # noqa: ASYNC110 - a turn of the loop at a time
        await asyncio.sleep(0)
    assert [kinds(watcher.take()[:1]) for watcher in watchers[-2:]] == [["room"], ["busy"]]
    assert "ack" in kinds(at.ann.take())


async def test_a_fault_in_handling_does_not_end_the_room(caplog: pytest.LogCaptureFixture) -> None:
    at = await table()
    with caplog.at_level(logging.ERROR):
        at.room.post_request(PlayerRequest(Origin(at.ann, 1), ANN, Resume(room="room1", seq=0)), at.world.now_ms)  # type: ignore[arg-type]
        await settle()
    assert "room failed" in caplog.text
    at.take()
    await at.play("a1")
    assert sorted(at.take()[0]) == ["ack", "moved"]
    assert at.room.idle


async def test_an_empty_room_closes_and_says_so() -> None:
    at = await table()
    await at.play("a1 b1 a2 b2 a3")
    at.room.leave(at.ann)
    at.room.leave(at.bob)
    await at.world.wait(EMPTY_MS - 1)
    assert at.world.closed == []
    await at.world.wait(1)
    assert at.world.closed == ["room1"]
    assert at.world.due_ms == []


async def test_a_room_with_followers_stays() -> None:
    at = await table()
    await at.play("a1 b1 a2 b2 a3")
    await at.world.wait(3 * EMPTY_MS)
    assert at.world.closed == []


async def test_closing_lets_go_of_followers() -> None:
    at = await table(o=None)
    await at.room.shut()
    assert at.world.closed == ["room1"]
    assert not at.ann.following
    assert not at.bob.following


async def test_requests_behind_the_end_of_a_room_are_answered() -> None:
    at = await table(o=None)
    eve = FakeMember(EVE)
    at.room.shut()
    at.room.post_input(MembersChanged(2))
    at.room.watch(Origin(eve, 1))
    at.room.catch_up(Origin(eve, 2), 0)
    at.world.ask(at.room, eve, Join(room="room1"), id=3)
    at.room.leave(eve, Origin(eve, 4))
    at.room.leave(at.bob)
    await settle()
    assert [(message["code"], message["id"]) for message in eve.take()] == [
        ("not_found", 1),
        ("not_found", 2),
        ("not_found", 3),
        ("not_found", 4),
    ]


async def test_stopping_ends_the_search_the_timers_and_the_task() -> None:
    at = await table(o=bot_seat(), kind="bot", clock=BLITZ)
    await at.play("a1")
    at.room.stop()
    await settle()
    assert at.world.searches[0].stopped
    assert at.world.due_ms == []
    assert not [task for task in asyncio.all_tasks() if task.get_name() == "room room1"]


async def test_who_thinks_for_it_is_told_once_that_its_game_is_over() -> None:
    at = await table(o=bot_seat(), kind="bot")
    await at.play("a1")
    assert at.world.games_over == []
    seed = at.room.session.game.seed
    at.world.ask(at.room, at.ann, Act(room="room1", game=1, action="resign"), id=1)
    at.world.ask(at.room, at.ann, Say(room="room1", text="well played"), id=2)
    at.world.ask(at.room, at.ann, Rematch(room="room1"), id=3)
    await settle()
    assert at.room.session.game.seed != seed
    assert at.world.games_over == [seed]


async def test_an_effect_that_fails_takes_no_commit_with_it(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    at = await table(clock=BLITZ)
    at.world.failure, at.world.available = DOWN, False
    await at.world.wait(70_000)
    assert at.room.session.game.running, "the fall of the flag could not be committed"
    at.world.failure, at.world.available = None, True

    def fail(room: Room, effect: ShowMembers) -> None:
        raise RuntimeError("a bug")

    monkeypatch.setitem(Room._CARRY, ShowMembers, fail)
    at.room.post_input(StoreBack())
    await at.world.wait(1)
    assert not at.room.session.game.running
    assert "room failed and goes on" in caplog.text
    monkeypatch.undo()
    at.world.ask(at.room, at.ann, Rematch(room="room1"), id=9)
    await settle()
    assert {"t": "ack", "id": 9, "room": "room1", "seq": 5} in at.ann.take(), "the room goes on"
