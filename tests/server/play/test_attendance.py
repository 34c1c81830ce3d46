"""Who is at a room, and when it ends or sleeps because nobody is."""

from __future__ import annotations

import pytest

from server.play.attendance import EMPTY_MS, INVITE_MS, LEFT_MS, SLEEP_MS
from server.play.effects import Close, Sleep
from server.play.inputs import (
    KeptAwake,
    MembersChanged,
    PlayerConnected,
    PlayerDisconnected,
    PutToSleep,
    StoreBack,
    Tick,
)
from server.play.requests import ABSENT_MS
from server.wire import BotLimit, Ended, Rematch
from tests.support.rooms.session_driver import ANN, BLITZ, BOB, EVE, Driver, bot_seat


def left(room: Driver) -> Driver:
    """Everybody has gone."""
    for player in (ANN, BOB):
        room.send(PlayerDisconnected(player.id))
    room.send(MembersChanged(0))
    return room


def test_who_has_a_part() -> None:
    assert Driver().session.holders == {ANN.id, BOB.id}
    assert Driver(o=None, target=EVE.id).session.holders == {ANN.id, EVE.id}
    bots = Driver(bot_seat(), bot_seat(), kind="bots", limit=BotLimit(nodes=1)).session
    assert (bots.holders, bots.people) == ({ANN.id}, set())


@pytest.mark.parametrize(
    ("room", "after_ms"),
    [(Driver(o=None, kind="invite"), INVITE_MS), (left(Driver(o=None)), ABSENT_MS), (Driver(o=None), None)],
)
def test_when_what_waits_ends(room: Driver, after_ms: int | None) -> None:
    expires_ms = room.session.expires_ms
    assert (expires_ms is None) if after_ms is None else (expires_ms == room.now_ms + after_ms)


def test_when_what_is_over_ends() -> None:
    room = left(Driver())
    assert room.session.expires_ms is None
    room.act(ANN, "resign")
    assert room.session.expires_ms == room.now_ms + EMPTY_MS
    room.send(MembersChanged(1))
    assert room.session.expires_ms is None


def expiring(*, followed: bool) -> Driver:
    room = left(Driver(o=None))
    room.send(MembersChanged(followed))
    room.now_ms += ABSENT_MS
    return room


def test_who_looks_is_told_that_what_waited_ends() -> None:
    room = expiring(followed=True)
    room.send(Tick())
    assert isinstance(room.entries[-1].event, Ended)
    assert not room.session.closed, "until they have gone too"
    assert room.session.expires_ms is None
    room = expiring(followed=False)
    room.send(Tick())
    assert room.session.closed


def test_what_waited_ends_once_that_can_be_stored() -> None:
    room = expiring(followed=True)
    room.store_works = False
    room.send(Tick())
    assert room.session.deadline_ms() is None, "no timer fires all the time"
    assert room.send(Tick()) == []
    room.store_works = True
    room.send(StoreBack())
    assert isinstance(room.entries[-1].event, Ended)


def test_a_room_sleeps_a_minute_after_the_last_has_gone() -> None:
    room = Driver()
    room.send(MembersChanged(0))
    assert room.session.unattended_since_ms is None, "who sits is connected"
    room.send(PlayerDisconnected(ANN.id))
    room.now_ms += 5_000
    room.send(PlayerDisconnected(BOB.id))
    assert room.session.deadline_ms() == room.now_ms + SLEEP_MS
    room.wait(SLEEP_MS - 1)
    assert not room.session.asleep
    room.wait(1)
    assert room.session.asleep
    assert room.effects[-1] == Sleep()
    assert room.session.deadline_ms() is None


@pytest.mark.parametrize(("kind", "sleeps"), [("invite", True), ("open", False)])
def test_of_the_rooms_that_wait_only_an_invite_sleeps(kind: str, sleeps: bool) -> None:
    room = left(Driver(o=None, kind=kind))
    room.wait(SLEEP_MS)
    assert room.session.asleep == sleeps


@pytest.mark.parametrize("comes", [PlayerConnected(ANN.id), MembersChanged(1)])
def test_who_comes_back_keeps_it_awake(comes: PlayerConnected | MembersChanged) -> None:
    room = left(Driver())
    room.wait(SLEEP_MS - 1)
    room.send(comes)
    room.wait(10 * SLEEP_MS)
    assert not room.session.asleep


def test_a_room_that_was_kept_awake_tries_again_a_minute_later() -> None:
    room = left(Driver())
    room.wait(SLEEP_MS)
    room.session.handle(KeptAwake(), room.now_ms)
    assert not room.session.asleep
    assert room.session.deadline_ms() == room.now_ms + SLEEP_MS
    room.send(MembersChanged(1))
    room.session.handle(KeptAwake(), room.now_ms)
    assert room.session.deadline_ms() is None, "somebody follows it again"


def test_it_can_be_put_to_sleep_where_nobody_follows_it() -> None:
    room = Driver()
    room.send(MembersChanged(1))
    assert room.send(PutToSleep()) == []
    room.send(MembersChanged(0))
    assert room.send(PutToSleep()) == [Sleep()]
    clocked = Driver(clock=BLITZ)
    assert clocked.send(PutToSleep()) == []


def test_a_game_that_is_over_gives_way_once_everybody_has_been_gone_for_a_while() -> None:
    room = left(Driver())
    room.act(ANN, "resign")
    room.wait(LEFT_MS - 1)
    assert room.send(PutToSleep()) == []
    room.wait(1)
    room.send(MembersChanged(1))
    assert room.send(PutToSleep()) == []
    room.send(MembersChanged(0))
    room.wait(LEFT_MS)
    assert room.send(PutToSleep()) == [Close()]
    assert room.session.closed


def test_a_result_that_is_not_committed_yet_gives_way_to_nobody() -> None:
    room = left(Driver())
    room.store_works = False
    room.act(ANN, "resign")
    room.wait(LEFT_MS)
    assert room.send(PutToSleep()) == []
    assert not room.session.closed


def test_who_waits_for_an_answer() -> None:
    room = Driver()
    assert not room.session.is_waited_in_by(ANN.id)
    room.act(ANN, "resign")
    room.ask(BOB, Rematch(room="room1"))
    assert [room.session.is_waited_in_by(player.id) for player in (ANN, BOB, EVE)] == [False, True, False]
    assert Driver(o=None).session.is_waited_in_by(ANN.id)
