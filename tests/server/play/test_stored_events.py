"""What the database keeps of an event, and what of it members are shown."""

from __future__ import annotations

import json

from server.play.room_spec import RoomSpec
from server.play.stored_events import SeededStart, decode_stored, public_body
from server.wire import Moved, Search, Started, decode_event, encode_event
from tests.support.rooms.session_driver import ANN, Driver, bot_seat


def test_nobody_is_shown_the_seed_of_a_bot() -> None:
    room = Driver()
    start = room.events[-1]
    body = encode_event(start)
    assert json.loads(body)["seed"] == start.seed == 7
    shown = public_body(start, body, room.spec)
    assert json.loads(shown) == {name: value for name, value in json.loads(body).items() if name != "seed"}
    assert decode_event(shown) == Started(game=start.game, clock=start.clock)


def test_events_come_back_as_they_were() -> None:
    room = Driver(ANN, bot_seat(), kind="bot")
    room.move(ANN, "a1")
    room.decide("b2", value=0.0, proven=True)
    for event in room.events:
        body = encode_event(event)
        assert decode_stored(body) == decode_stored(body.decode()) == event


def test_events_of_earlier_versions_are_read() -> None:
    start = Driver().events[-1]
    earlier = decode_stored(encode_event(Started(game=start.game, clock=start.clock)))
    assert earlier == SeededStart(game=start.game, clock=start.clock, seed=0)
    text = (
        '{"e":"moved","ply":1,"move":"b2","by":"o","think_ms":5,"clock":null,"to_move":"x",'
        '"search":{"nodes":1,"depth":1,"value":0.5,"win_in":null,"pv":[]}}'
    )
    moved = decode_stored(text)
    assert isinstance(moved, Moved)
    assert moved.search == Search(nodes=1, depth=1, value=0.5, win_in=None, pv=[], proven=False)


def test_what_a_bot_found_in_a_rated_game_is_for_the_records_alone() -> None:
    room = Driver(ANN, bot_seat(), kind="bot")
    room.move(ANN, "a1")
    room.decide("b2", pv=(4, 0), depth=3)
    persons, bots = room.events[-2:]
    assert bots.search is not None
    rated = RoomSpec(**{field: getattr(room.spec, field) for field in RoomSpec.__struct_fields__} | {"rated": True})
    body = encode_event(bots)
    assert public_body(bots, body, room.spec) is body
    shown = json.loads(public_body(bots, body, rated))
    assert "search" not in shown
    assert shown == {name: value for name, value in json.loads(body).items() if name != "search"}
    for event in (persons, room.events[0]):
        body = encode_event(event)
        assert public_body(event, body, rated) is body
