"""What a room says, and to whom."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from server.play import views
from server.play.history import RowBuilder
from server.play.inputs import StoreDown
from server.play.session import Session
from server.rooms.members import SEND_QUEUE_BYTES, Origin
from server.rooms.room import output
from server.rooms.room.load import Loaded
from server.rooms.room.room import Room
from server.wire import EVENTS_KEPT, Act, Author, Join, Said, Say, encode_event, envelope
from tests.support.rooms.fakes import FakeMember, World, kinds, settle
from tests.support.rooms.session_driver import ANN, BLITZ, BOB, EVE, bot_seat
from tests.support.rooms.table import Table, move, table

# Legal moves


async def test_legal_moves_are_for_the_member_to_move_alone() -> None:
    at = await table()
    eve = await at.watcher()
    for member in (at.ann, at.bob, eve):
        member.take()
    await at.play("a1")
    assert [legal_of(member, "moved") for member in (at.ann, at.bob, eve)] == [None, EIGHT, None]
    await at.play("b1")
    assert len(legal_of(at.ann, "moved") or []) == 7
    assert legal_of(at.bob, "moved") is None


EIGHT = ["b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"]


def legal_of(member: FakeMember, kind: str) -> list[str] | None:
    (event,) = [message for message in member.take() if message.get("e") == kind]
    legal: list[str] | None = event.get("legal")
    return legal


async def test_the_start_shows_legal_moves_to_x_alone() -> None:
    world = World()
    room = world.room(x=None, creator=BOB)
    ann, bob, eve = FakeMember(ANN), FakeMember(BOB), FakeMember(EVE)
    for member in (bob, eve):
        room.open(Origin(member, None)) if member is bob else room.watch(Origin(member, None))
    await settle()
    room.watch(Origin(ann, None))
    world.ask(room, ann, Join(room="room1"))
    await settle()
    started = [
        next(message for message in member.take() if message.get("e") == "started") for member in (ann, bob, eve)
    ]
    assert [len(event["game"]["legal"]) for event in started] == [9, 0, 0]


async def test_a_takeback_shows_legal_moves_again() -> None:
    at = await table()
    await at.play("a1")
    at.world.ask(at.room, at.ann, Act(room="room1", game=1, action="offer_takeback"))
    at.world.ask(at.room, at.bob, Act(room="room1", game=1, action="accept_takeback"))
    await settle()
    assert len(legal_of(at.ann, "takenback") or []) == 9
    assert legal_of(at.bob, "takenback") is None


async def test_other_events_carry_no_legal_moves() -> None:
    at = await table()
    at.world.ask(at.room, at.ann, Say(room="room1", text='"legal":[]'))
    at.world.ask(at.room, at.ann, Act(room="room1", game=1, action="offer_draw"))
    await settle()
    events = [message for message in at.ann.take() if message["t"] == "event"]
    assert kinds(events) == ["said", "offered"]
    assert not any("legal" in event for event in events)
    assert events[0]["text"] == '"legal":[]'


@pytest.mark.parametrize(("game", "shown"), [("mnk:9,9,5", True), ("mnk:10,9,5", False), ("ultimate", True)])
async def test_flat_boards_of_more_than_81_cells_send_no_legal_moves(game: str, shown: bool) -> None:
    at = await table(game=game)
    await at.play("a1" if game.startswith("mnk") else "5/5")
    assert (legal_of(at.bob, "moved") is not None) == shown


@pytest.mark.parametrize("game", ["mnk:10,9,5", "mnk:20,20,5"])
async def test_the_start_of_a_game_lists_them_on_every_board(game: str) -> None:
    world = World()
    room = world.room(o=None, game=game)
    ann = FakeMember(ANN)
    room.open(Origin(ann, None))
    await settle()
    world.ask(room, FakeMember(BOB), Join(room="room1"))
    await settle()
    (started,) = [message for message in ann.take() if message.get("e") == "started"]
    assert started["game"]["legal"] == list(room.session.rules.texts)
    world.ask(room, ann, move(0, "a1"))
    world.ask(room, ann, Act(room="room1", game=1, action="offer_takeback"))
    world.ask(room, FakeMember(BOB), Act(room="room1", game=1, action="accept_takeback"))
    await settle()
    (taken_back,) = [message for message in ann.take() if message.get("e") == "takenback"]
    assert "legal" not in taken_back


async def test_on_one_screen_the_side_to_move_sees_what_is_legal() -> None:
    at = await table(o=ANN, kind="self")
    await at.play("a1")
    assert legal_of(at.ann, "moved") == EIGHT


# Coming back


async def played_on(at: Table, lines: int) -> None:
    for number in range(lines):
        at.world.ask(at.room, at.bob, Say(room="room1", text=str(number)))
        if number % 100 == 99:
            await settle()
    await settle()


async def resumed(at: Table, seq: int, member: FakeMember | None = None) -> list[dict[str, Any]]:
    member = member or FakeMember(ANN)
    at.room.catch_up(Origin(member, 4), seq)
    await settle()
    return [message for message in member.take() if message["t"] != "present"]


@pytest.mark.parametrize("seed", range(3))
async def test_who_comes_back_hears_what_those_heard_who_stayed(seed: int) -> None:
    """But for legal moves, which come only with what made it their turn now."""
    at, random = await table(), Random(seed)
    eve = await at.watcher()
    first = at.room.session.seq
    eve.take()
    heard: dict[FakeMember, list[dict[str, Any]]] = {at.ann: [], at.bob: [], eve: []}
    for _ in range(40):
        await something(at, random)
        for member, events in heard.items():
            events += [message for message in member.take() if message["t"] == "event"]
    assert {"moved", "takenback", "said"} <= {*kinds(heard[eve])}
    for member, events in heard.items():
        assert [event["seq"] for event in events] == [*range(first + 1, at.room.session.seq + 1)]
        turn = max(event["seq"] for event in events if event["e"] in ("moved", "takenback"))
        for event in events:
            if event["seq"] != turn:
                event.pop("legal", None)
        for seq in range(first, at.room.session.seq + 1):
            back = FakeMember(member.player)
            ack, *missed = await resumed(at, seq, back)
            assert (ack["t"], ack["seq"]) == ("ack", at.room.session.seq)
            assert missed == [event for event in events if event["seq"] > seq]
            at.room.leave(back)


async def something(at: Table, random: Random) -> None:
    """A move while there are few, talk, or a takeback."""
    game = at.room.session.game
    what = random.choice(("move", "move", "say", "offer_takeback", "accept_takeback", "decline_takeback"))
    member = random.choice((at.ann, at.bob))
    if what == "say":
        at.world.ask(at.room, member, Say(room="room1", text=f"{random.random()}"))
    elif what != "move":
        at.world.ask(at.room, member, Act(room="room1", game=1, action=what))  # type: ignore[arg-type]
    elif len(game.cells) < 4:
        await at.play(game.position.rules.format_move(random.choice(game.position.legal_moves())))
    await settle()


async def test_resume_answers_with_what_was_missed() -> None:
    at = await table()
    await at.play("a1 b1")
    ack, *missed = await resumed(at, 3)
    assert ack == {"t": "ack", "id": 4, "room": "room1", "seq": 5}
    assert [event["seq"] for event in missed] == [4, 5]
    assert "legal" not in missed[0]
    assert len(missed[1]["legal"]) == 7, "it is the turn of the one who came back"
    others = await resumed(at, 3, FakeMember(BOB))
    assert not any("legal" in event for event in others)


async def test_resume_with_nothing_missed_follows_the_room_again() -> None:
    at = await table()
    ann = FakeMember(ANN)
    assert kinds(await resumed(at, 3, ann)) == ["ack"]
    assert at.room.is_member(ann)
    await at.play("a1")
    assert "moved" in kinds(ann.take())


async def test_resume_reaches_back_256_events_and_no_further() -> None:
    at = await table()
    await played_on(at, 300)
    last = at.room.session.seq
    ack, *missed = await resumed(at, last - EVENTS_KEPT)
    assert (ack["t"], ack["seq"]) == ("ack", last)
    assert [event["seq"] for event in missed] == list(range(last - EVENTS_KEPT + 1, last + 1))
    (shown,) = await resumed(at, last - EVENTS_KEPT - 1)
    assert (shown["t"], shown["id"], shown["seq"]) == ("room", 4, last)


async def test_a_replay_always_fits_a_send_queue() -> None:
    at = await table()
    for _ in range(EVENTS_KEPT):
        at.world.ask(at.room, at.bob, Say(room="room1", text="\1" * 300))  # the longest in JSON
        await settle()
    late = FakeMember(ANN)
    at.room.catch_up(Origin(late, 4), 3)
    await settle()
    assert sum(map(len, late.payloads)) < SEND_QUEUE_BYTES
    assert kinds(late.take()) == ["room"]
    assert kinds(await resumed(at, 2 + EVENTS_KEPT)) == ["ack", "said"]


async def test_resume_ahead_of_the_room_gets_the_room() -> None:
    at = await table()
    (shown,) = await resumed(at, 4)
    assert (shown["t"], shown["seq"]) == ("room", 3)


async def test_after_a_restart_resume_replays_what_the_records_kept() -> None:
    at = await table()
    bob = Author(id="2", name="Bob")
    kept = [(seq, envelope("room1", seq, 1, encode_event(Said(by=bob, text=f"{seq}")))) for seq in (1, 2, 3)]
    room = Room(at.room.session, RowBuilder(1, "here", "noughts 0"), None, at.world.services, at.world)
    room.start()
    room.restore(Loaded(at.room.session, 1, None, kept, [], []))
    ann = FakeMember(ANN)
    room.catch_up(Origin(ann, None), 1)
    await settle()
    assert kinds(ann.take()) == ["ack", "said", "said", "present"], "Bob, whose presence is no event, is away"


async def test_who_knows_no_event_of_a_room_whose_events_are_not_kept_is_shown_the_room() -> None:
    at = await table()
    room = Room(at.room.session, RowBuilder(1, "here", "noughts 0"), None, at.world.services, at.world)
    room.start()
    room.restore(Loaded(at.room.session, 1, None, [], [], []))
    ann = FakeMember(ANN)
    room.catch_up(Origin(ann, None), at.room.session.seq)
    await settle()
    assert kinds(ann.take())[0] == "room", "what they know may name somebody who was deleted"


# Views and news


async def test_all_who_watch_are_shown_one_view_and_players_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    at = await table(clock=BLITZ)
    watchers = [await at.watcher() for _ in range(3)]
    everybody = (at.ann, at.bob, *watchers)
    for one in everybody:
        one.take()
    made: list[str] = []

    def room_view(session: Session, viewer: str, **shown: Any) -> object:
        made.append(viewer)
        return views.room_view(session, viewer, **shown)

    monkeypatch.setattr(output, "room_view", room_view)
    at.room.post_input(StoreDown())
    await settle()
    shown = [[message["you"] for message in one.take()] for one in everybody]
    assert shown == [["x"], ["o"], *3 * [[None]]]
    assert len(made) == 3


@pytest.mark.parametrize("rated", [False, True])
async def test_thinking_is_shown_but_not_in_a_rated_game(rated: bool) -> None:
    at = await table(o=bot_seat(), kind="bot", rated=rated, clock=BLITZ)
    await at.play("a1")
    at.ann.take()
    at.world.searches[0].report.progressed(1000, 3, 0.25, (4, 8))
    told = {"t": "thinking", "room": "room1", "nodes": 1000, "depth": 3, "value": 0.25, "pv": ["b2", "c3"]}
    assert at.ann.take() == ([] if rated else [told])


@pytest.mark.parametrize(("value", "win_in"), [(999_999_998.0, 2), (-999_999_997.0, -3), (1234.0, None)])
async def test_an_end_in_sight_is_told_in_plies(value: float, win_in: int | None) -> None:
    at = await table(o=bot_seat(), kind="bot")
    await at.play("a1")
    at.ann.take()
    at.world.searches[0].report.progressed(1000, 3, value, (4, 8))
    (shown,) = at.ann.take()
    assert (shown["value"], shown.get("win_in")) == (value, win_in)


async def test_the_list_of_rooms_hears_what_is_more_than_a_move() -> None:
    at = await table()
    at.world.changes.clear()
    await at.play("a1")
    at.world.ask(at.room, at.ann, Act(room="room1", game=1, action="resign"))
    await settle()
    assert at.world.changes == [("room1", False), ("room1", True)]


async def test_what_is_refused_is_counted_for_who_asked() -> None:
    at = await table()
    at.world.ask(at.room, at.bob, move(0, "a1"), id=4)
    await settle()
    (refused,) = at.bob.take()
    assert (refused["id"], [refused["code"]]) == (4, at.bob.errors)
    assert at.ann.errors == []
