"""Who follows a room, who is present, who only watches."""

from __future__ import annotations

from server.rooms.members import Origin
from server.wire import (
    Act,
    Join,
    Rematch,
    Say,
)
from tests.support.rooms.fakes import FakeMember, World, kinds, settle
from tests.support.rooms.session_driver import ANN, BOB, EVE
from tests.support.rooms.table import move, table


async def test_spectators_are_counted_at_most_once_a_second() -> None:
    at = await table()
    await at.world.wait(2_000)
    at.take()
    guests = [await at.watcher() for _ in range(5)]
    assert at.room.spectators == 5
    assert at.take() == ([], [])
    await at.world.wait(1_000)
    assert at.ann.take() == [{"t": "spectators", "room": "room1", "count": 5}]
    for guest in guests[:3]:
        at.room.leave(guest)
    at.room.leave(guests[3], Origin(guests[3], 8))
    await settle()
    assert guests[3].take()[-1] == {"t": "ack", "id": 8, "room": "room1", "seq": 3}
    await at.world.wait(1_000)
    assert at.ann.take() == [{"t": "spectators", "room": "room1", "count": 1}]
    at.room.leave(guests[4])
    at.room.watch(Origin(guests[4], None))
    await at.world.wait(1_000)
    assert at.ann.take() == [], "the count is what it was"


async def test_whoever_was_shown_more_is_told_that_it_is_as_before() -> None:
    at = await table()
    gone = await at.watcher()
    await at.world.wait(2_000)
    late = await at.watcher()
    assert late.take()[-1]["spectators"] == 2
    at.room.leave(gone)
    await at.world.wait(1_000)
    assert late.take() == [{"t": "spectators", "room": "room1", "count": 1}]


async def test_who_plays_hears_first_however_late_they_come() -> None:
    at = await table(o=None)
    watchers = [await at.watcher() for _ in range(20)]
    at.room.leave(at.bob)
    at.room.watch(Origin(at.bob, None))
    at.world.ask(at.room, at.bob, Join(room="room1"))
    await settle()
    at.room.leave(at.ann)
    at.room.watch(Origin(at.ann, None))
    await settle()
    assert list(at.room._followers) == [at.ann, at.bob, *watchers]


async def test_who_resumes_is_told_who_came_and_how_many_watch_since() -> None:
    at = await table()
    at.room.leave(at.bob)
    at.room.leave(at.ann)  # her line is cut, with Bob away and nobody else there
    await at.watcher()
    at.room.watch(Origin(at.bob, None))
    await at.world.wait(2_000)
    at.take()
    at.room.catch_up(Origin(at.ann, 1), at.room.session.seq)
    await at.world.wait(1_000)
    ack, *told = at.ann.take()
    assert ack["t"] == "ack"
    assert told == [
        {"t": "present", "room": "room1", "side": "o", "present": True},
        {"t": "spectators", "room": "room1", "count": 1},
    ]


async def test_a_spectator_who_takes_the_seat_is_none_any_more() -> None:
    world = World()
    room = world.room(o=None)
    ann, bob = FakeMember(ANN), FakeMember(BOB)
    room.open(Origin(ann, None))
    room.watch(Origin(bob, None))
    await world.wait(2_000)
    assert ann.take()[-1] == {"t": "spectators", "room": "room1", "count": 1}
    world.ask(room, bob, Join(room="room1"))
    await world.wait(1_000)
    assert ann.take()[-1] == {"t": "spectators", "room": "room1", "count": 0}


async def test_who_is_seated_in_their_absence_is_not_present() -> None:
    at = await table()
    at.world.ask(at.room, at.ann, Act(room="room1", game=1, action="resign"))
    at.world.ask(at.room, at.ann, Rematch(room="room1"))
    at.room.leave(at.ann)
    await settle()
    at.bob.take()
    at.world.ask(at.room, at.bob, Rematch(room="room1"))
    await settle()
    told = at.bob.take()
    assert kinds(told) == ["offered", "seated", "seated", "started", "ack", "present"]
    assert (told[-1]["side"], told[-1]["present"]) == ("o", False)


async def test_presence_is_told_once_a_player() -> None:
    at = await table()
    second = FakeMember(BOB)
    at.room.watch(Origin(second, None))
    await settle()
    at.room.leave(at.bob)
    await settle()
    assert at.ann.take() == [], "Bob follows by another connection"
    at.room.leave(second)
    at.room.leave(second)
    await settle()
    assert at.ann.take() == [{"t": "present", "room": "room1", "side": "o", "present": False}]
    at.room.watch(Origin(second, None))
    await settle()
    assert at.ann.take() == [{"t": "present", "room": "room1", "side": "o", "present": True}]
    assert [message["t"] for message in second.take()] == ["room", "room"], "his own coming is in the room"


async def test_one_who_sits_on_both_sides_is_present_on_both() -> None:
    at = await table(o=ANN, kind="self")
    at.bob.take()
    at.room.leave(at.ann)
    await settle()
    assert [(message["side"], message["present"]) for message in at.bob.take()] == [("x", False), ("o", False)]


async def test_a_watcher_who_is_gone_already_is_not_added() -> None:
    at = await table()
    eve = FakeMember(EVE)
    at.room.watch(Origin(eve, None))
    eve.open = False
    await settle()
    assert not at.room.is_member(eve)
    assert not eve.following
    assert at.room.spectators == 0


async def test_who_left_hears_no_more() -> None:
    at = await table()
    at.room.leave(at.bob, Origin(at.bob, None))
    await settle()
    at.bob.take()
    await at.play("a1")
    assert at.bob.take() == []
    assert "moved" in kinds(at.ann.take())
    at.world.ask(at.room, at.bob, move(1, "b1"))
    await settle()
    assert kinds(at.bob.take()) == ["ack"], "a seat holder may move without following"


async def test_only_followers_speak() -> None:
    at = await table()
    eve = FakeMember(EVE)
    at.world.ask(at.room, eve, Say(room="room1", text="hello"), id=1)
    await settle()
    assert kinds(eve.take()) == ["not_seated"]
    eve = await at.watcher()
    eve.take()
    at.world.ask(at.room, eve, Say(room="room1", text="hello"))
    await settle()
    assert kinds(eve.take()) == ["said", "ack"]


async def test_an_invite_room_is_seen_by_its_holders_and_followers() -> None:
    at = await table(kind="invite", code="secret")
    assert at.room.visible_to(FakeMember(BOB))
    assert not at.room.visible_to(FakeMember(EVE))
    eve = await at.watcher()
    assert at.room.visible_to(eve)
    (shown,) = eve.take()
    assert "code" not in shown
    at.room.watch(Origin(at.ann, None))
    await settle()
    assert at.ann.take()[-1]["code"] == "secret"


async def test_a_rematch_swaps_sides_and_goes_on_counting() -> None:
    at = await table()
    await at.play("a1 b1 a2 b2 a3")
    at.take()
    at.world.ask(at.room, at.ann, Rematch(room="room1"))
    at.world.ask(at.room, at.bob, Rematch(room="room1"))
    await settle()
    events = [message for message in at.bob.take() if message["t"] == "event"]
    assert kinds(events) == ["offered", "offered", "seated", "seated", "started"]
    assert (events[-1]["game"]["serial"], events[-1]["seq"]) == (2, 14)
    assert len(events[-1]["game"]["legal"]) == 9, "Bob is x now"
    assert events[-1]["game"]["id"] != 1
