"""A failure at every step from a message to its answer: the room goes on, and says what is true."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from server.play.effects import Acknowledge, Publish, Refuse, ShowRoom, StopThinking, Think
from server.play.inputs import Committed, PlayerRenamed, PlayerRequest, SearchDone, StoreBack, StoreDown, Tick
from server.play.writes import StoreUnavailable
from server.rooms.members import Origin
from server.rooms.room import commits
from server.rooms.room import output as room_output
from server.rooms.room.commits import Commits
from server.rooms.room.output import RoomOutput
from server.rooms.room.room import RECOVERY_RETRY_S
from server.wire import Act, Join, Player, Rematch, Resume, Say
from tests.support.rooms.broken_room import (
    POINTS,
    Put,
    Scene,
    after_the_commit,
    before,
    broken,
    effect,
    handling,
    move,
    service,
)
from tests.support.rooms.fakes import FakeMember, World, kinds, settle
from tests.support.rooms.session_driver import ANN, BOB, EVE, bot_seat

FOR_EVER = 10**9


@pytest.mark.parametrize("times", [1, 2, FOR_EVER])
@pytest.mark.parametrize("point", POINTS)
async def test_a_move_is_answered_with_what_is_true_and_the_room_goes_on(point: str, times: int) -> None:
    scene = await Scene.made()
    with broken(POINTS[point], scene, times) as fault:
        answers = await scene.ask(scene.ann, move(0, "a1"), id=5)
        happened = scene.room.session.game.texts == ["a1"]
        if point not in ("views", "loading"):  # those are met on other ways
            assert fault.met
    if point == "the flush of the send queue" and times == FOR_EVER:
        answers = [message for message in scene.ann.take() if message.get("id") == 5] or answers
    if point == "loading":
        assert fault.met == 0, "nothing fails, so nothing is loaded"
    loaded = await scene.room._services.loader.by_number(1)
    assert loaded is not None
    assert happened == (loaded.session.game.texts == ["a1"]), "the room knows what is committed"
    if answers:
        (answer,) = answers
        assert (answer["t"], answer.get("seq")) == (("ack", 4) if happened else ("error", None)), answer
        assert happened or answer["code"] == "unavailable"
    else:
        assert point == "the flush of the send queue", "nothing could be sent"
    await scene.check()


@pytest.mark.parametrize("times", [1, FOR_EVER])
@pytest.mark.parametrize(
    ("point", "request_", "expected"),
    [
        (effect(Refuse), move(0, "?"), {"malformed", "unavailable"}),
        (effect(ShowRoom), move(3, "a1"), {"stale"}),
        (effect(Acknowledge), Act(room="room1", game=1, action="resign"), {"ack"}),
        (before(room_output, "room_view"), move(3, "a1"), {"stale"}),
    ],
)
async def test_a_refusal_or_an_end(point: Put, request_: Any, expected: set[str], times: int) -> None:
    scene = await Scene.made()
    with broken(point, scene, times) as fault:
        (answer,) = await scene.ask(scene.ann, request_, id=5)
        assert fault.met
    assert answer.get("code", answer["t"]) in expected
    await scene.check()


@pytest.mark.parametrize("times", [1, FOR_EVER])
@pytest.mark.parametrize("point", [before(room_output, "room_view"), effect(ShowRoom), effect(Publish)])
async def test_a_join_that_is_committed_is_never_refused(point: Put, times: int) -> None:
    scene = await Scene.made(o=None)
    with broken(point, scene, times) as fault:
        (answer,) = await scene.ask(scene.bob, Join(room="room1"), id=5)
        assert fault.met
    assert answer["t"] in ("room", "ack")
    assert answer["seq"] == scene.room.session.seq == 3
    await scene.check()


@pytest.mark.parametrize("times", [1, FOR_EVER])
async def test_who_watches_or_resumes_is_answered(times: int) -> None:
    scene = await Scene.made()
    eve = FakeMember(EVE)
    with broken(before(room_output, "room_view"), scene, times):
        scene.room.watch(Origin(eve, 4))
        await settle()
        scene.room.catch_up(Origin(eve, 5), Resume(room="room1", seq=99).seq)
        await settle()
        answers = [(message["id"], message.get("code", message["t"])) for message in eve.take() if "id" in message]
    assert answers == ([(4, "room"), (5, "room")] if times == 1 else [(4, "unavailable"), (5, "unavailable")])
    await scene.check()


async def test_members_who_missed_an_event_are_sent_the_room() -> None:
    scene = await Scene.made()
    with broken(before(RoomOutput, "_broadcast"), scene, 1):
        await scene.ask(scene.ann, move(0, "a1"), id=5)
    shown = [message for message in scene.bob.take() if message["t"] == "room"]
    assert [room["game"]["moves"] for room in shown] == [["a1"]]
    scene.room.catch_up(Origin(scene.bob, 6), 3)
    await settle()
    assert kinds(scene.bob.take()) == ["ack", "moved", "present"], "whoever comes back is sent it"


async def test_what_waits_behind_a_failure_is_done_in_order() -> None:
    scene = await Scene.made()
    with broken(handling(PlayerRequest), scene, 1):
        scene.world.ask(scene.room, scene.ann, move(0, "a1"), id=1)
        scene.world.ask(scene.room, scene.bob, move(1, "b1"), id=2)
        await settle()
    assert scene.room.session.game.texts == ["a1", "b1"]
    await scene.check()


async def test_one_broken_connection_is_no_other_ones_concern(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene = await Scene.made()

    def fail(frames: bytes) -> None:
        raise OSError("broken")

    monkeypatch.setattr(scene.bob, "write", fail)
    (answer,) = await scene.ask(scene.ann, move(0, "a1"), id=5)
    assert answer["t"] == "ack"
    assert not scene.bob.open, "it is closed"
    assert "room failed" not in caplog.text
    monkeypatch.setattr(scene.ann, "write", fail)
    monkeypatch.setattr(scene.ann, "end", fail)
    assert await scene.ask(scene.ann, move(0, "a1"), id=6) == []
    scene.bob = FakeMember(BOB)
    await scene.check()


async def test_while_the_room_cannot_be_read_requests_are_told_so() -> None:
    scene = await Scene.made()
    scene.world.readable = False
    with broken(effect(Publish), scene, 1):
        scene.world.ask(scene.room, scene.ann, move(0, "a1"), id=5)
        await settle()
        (unknown,) = scene.ann.take()
        assert (unknown["id"], unknown["code"]) == (5, "unavailable")
        assert "cannot tell yet whether it happened" in unknown["message"]
        scene.world.ask(scene.room, scene.bob, move(1, "b1"), id=6)
        scene.room.leave(scene.bob, Origin(scene.bob, 7))
        await scene.world.wait(round(RECOVERY_RETRY_S * 1000))
        (refused,) = scene.bob.take()
        assert (refused["id"], refused["code"]) == (6, "unavailable")
    scene.world.readable = True
    await scene.world.wait(round(RECOVERY_RETRY_S * 1000))
    assert scene.room.session.game.texts == ["a1"], "it had been committed"
    assert 7 in [message.get("id") for message in scene.bob.take()]
    assert [message["t"] for message in scene.ann.take() if message["t"] == "room"], "and Ann is shown so"
    await scene.check()


@pytest.mark.parametrize("point", [before(Commits, "commit"), before(commits, "encode_event"), after_the_commit])
@pytest.mark.parametrize("times", [1, FOR_EVER])
async def test_a_room_that_cannot_be_opened_says_so_and_is_gone(point: Put, times: int) -> None:
    world = World()
    scene = Scene(world, world.room())
    with broken(point, scene, times) as fault:
        scene.room.open(Origin(scene.ann, 5))
        await world.wait(round(3 * RECOVERY_RETRY_S * 1000))
        assert fault.met
    (answer,) = [message for message in scene.ann.take() if message.get("id") == 5]
    if answer["t"] == "room":
        await scene.check()
    else:
        assert answer["code"] == "unavailable"
        assert world.closed == ["room1"]
        assert world.rows == []


# Bots


async def with_bot() -> Scene:
    return await Scene.made(o=bot_seat(), kind="bot")


@pytest.mark.parametrize("times", [1, 3])
async def test_a_search_that_cannot_be_asked_for_is_asked_for_again(times: int) -> None:
    scene = await with_bot()
    with broken(service("think"), scene, times) as fault:
        (answer,) = await scene.ask(scene.ann, move(0, "a1"), id=5)
        assert answer["t"] == "ack"
        await scene.world.wait(4_000)
        assert fault.met == times
    assert scene.room.session.game.running
    scene.world.searches[-1].decide("b2")
    await settle()
    assert scene.room.session.game.texts == ["a1", "b2"]
    await scene.check()


@pytest.mark.parametrize("times", [1, 3])
async def test_a_fault_of_ours_at_an_answer_is_no_crash_of_the_bot(times: int) -> None:
    scene = await with_bot()
    with broken(handling(SearchDone), scene, times) as fault:
        await scene.ask(scene.ann, move(0, "a1"), id=5)
        while fault.left:
            searches = len(scene.world.searches)
            scene.world.searches[-1].decide("b2")
            await scene.world.wait(900)
            assert len(scene.world.searches) == searches, "the search is asked for again, but not at once"
            await scene.world.wait(200)
            assert len(scene.world.searches) == searches + 1
        scene.world.searches[0].decide("c3")
        await settle()
        assert scene.room.session.game.texts == ["a1"], "nobody waits for the answer to an earlier one"
    scene.world.searches[-1].decide("b2")
    await settle()
    assert scene.room.session.game.texts == ["a1", "b2"]
    assert scene.room.session.game.running
    await scene.check()


@pytest.mark.parametrize("times", [1, FOR_EVER])
@pytest.mark.parametrize("point", [effect(Think), effect(StopThinking), before(RoomOutput, "show_thinking")])
async def test_thinking_and_stopping(point: Put, times: int) -> None:
    scene = await with_bot()
    with broken(point, scene, times):
        (answer,) = await scene.ask(scene.ann, move(0, "a1"), id=5)
        assert answer["t"] == "ack"
        if scene.world.searches:
            scene.world.searches[-1].report.progressed(1, 1, 0.0, (3,))
        (answer,) = await scene.ask(scene.ann, Act(room="room1", game=1, action="resign"), id=6)
        assert answer["t"] == "ack"
    await scene.check()


async def test_a_search_that_runs_is_asked_for_again() -> None:
    scene = await with_bot()
    await scene.ask(scene.ann, move(0, "a1"), id=5)
    scene.bob = FakeMember(EVE)
    scene.room.watch(Origin(scene.bob, None))
    await settle()
    with broken(effect(Publish), scene, 1):
        await scene.ask(scene.bob, Say(room="room1", text="hello"), id=6)
    assert scene.world.searches[0].stopped
    await scene.world.wait(1_000)
    assert len(scene.world.searches) == 2
    scene.world.searches[1].decide("b2")
    await settle()
    assert scene.room.session.game.texts == ["a1", "b2"]


# Inputs and time


async def test_a_clock_goes_on_as_it_was() -> None:
    scene = await Scene.made()
    await scene.world.wait(20_000)
    with broken(effect(Publish), scene, 1):
        await scene.ask(scene.bob, Say(room="room1", text="hello"), id=6)
    view = scene.room.session.clock_view(scene.world.now_ms)
    assert view is not None
    assert (view.x_ms, view.running) == (60_000 - 20_000 - 3_000, "x"), "3 s for the answer to come"
    await scene.world.wait(60_000)
    result = scene.room.session.game.result
    assert result is not None
    assert result.termination == "flag"


async def test_a_timer_that_fails_each_time_is_tried_once_a_second() -> None:
    scene = await Scene.made()
    with broken(handling(Tick), scene, FOR_EVER) as fault:
        await scene.world.wait(60_000)
        met = fault.met
        await scene.world.wait(10_000)
        assert met < fault.met <= met + 2 * 11, "each twice"
    await scene.world.wait(2_000)
    assert not scene.room.session.game.running
    (answer,) = await scene.ask(scene.ann, Rematch(room="room1"), id=9)
    assert answer["t"] == "ack"


async def test_a_room_that_recovers_while_the_store_is_down_waits_for_it() -> None:
    scene = await Scene.made()
    scene.world.available, scene.world.failure = False, StoreUnavailable("The disk is full.")
    scene.room.post_input(StoreDown())
    await settle()
    with broken(handling(PlayerRequest), scene, 1):
        (answer,) = await scene.ask(scene.ann, move(0, "a1"), id=5)
        assert answer["code"] == "unavailable"
    view = scene.room.session.clock_view(scene.world.now_ms)
    assert view is not None
    assert view.running is None
    scene.world.available, scene.world.failure = True, None
    scene.room.post_input(StoreBack())
    (answer,) = await scene.ask(scene.ann, move(0, "a1"), id=6)
    assert answer["t"] == "ack"
    await scene.check()


async def test_who_waits_for_the_room_is_told_in_the_end() -> None:
    scene = await Scene.made(o=None)
    with broken(handling(Committed), scene, FOR_EVER):
        done = scene.room.withdraw(ANN.id)
        await scene.world.wait(3_000)
        assert done.done()
    result = scene.room.session.game.result
    assert result is not None
    assert result.termination == "aborted", "it was committed"


async def test_a_name_that_was_lost_is_found_again() -> None:
    scene = await Scene.made()
    anna = Player(id=ANN.id, name="Anna", kind="person")
    scene.world.people[ANN.id] = anna
    with broken(handling(PlayerRenamed), scene, 2):
        scene.room.post_input(PlayerRenamed(anna))
        await settle()
    seat = scene.room.session.seats["x"]
    assert seat is not None
    assert seat.name == "Anna"


async def test_a_room_that_closes_badly_is_gone_all_the_same() -> None:
    scene = await Scene.made()
    with broken(service("on_room_closed"), scene, 1):
        scene.room.session.closed = True
        done = scene.room.settled()
        await settle()
        assert done.done()
    assert not [task for task in asyncio.all_tasks() if task.get_name() == "room room1"]
    assert json.dumps(scene.ann.take()) == "[]"
