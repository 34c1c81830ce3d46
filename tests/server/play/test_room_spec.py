"""What a room was opened with."""

from __future__ import annotations

from server.play.room_spec import Pace, RoomSpec, decode_spec
from server.wire import Player


def test_bots_take_half_a_minute_at_most_and_keep_a_quarter_of_a_second_apart() -> None:
    assert Pace() == Pace(think_ms=30_000, between_ms=250)


def test_what_a_stored_room_does_not_say_it_did_not_have() -> None:
    ann = '{"id":"1","name":"Ann","kind":"person"}'
    spec = decode_spec(f'{{"game":"qubic","kind":"open","creator":{ann},"x":null,"o":null}}')
    assert spec == RoomSpec(
        game="qubic", kind="open", creator=Player(id="1", name="Ann", kind="person"), x=None, o=None
    )
    assert (spec.x, spec.o, spec.target, spec.clock, spec.limit, spec.pace) == (None,) * 6
    assert (spec.rated, spec.start) == (False, [])
