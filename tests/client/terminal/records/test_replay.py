"""A recorded game as every position of it."""

from __future__ import annotations

import pytest
from msgspec import structs

from client.sdk import ProtocolError
from client.sdk.records import RecordedGame
from client.terminal.records.replay import replay_of
from tests.support.terminal.fake_server import ME
from tests.support.terminal.records import WON, recorded


def test_a_replay_holds_every_position() -> None:
    replay = replay_of(WON, ME.id)
    assert replay.plies == 5
    assert [len(replay.view(ply).moves) for ply in range(6)] == list(range(6))
    assert replay.view(4).result is None
    assert replay.view(5).position.line
    assert [replay.within(ply) for ply in (-3, 2, 99)] == [0, 2, 5]


def test_clocks_are_those_after_the_move() -> None:
    replay = replay_of(WON)
    assert [replay.view(ply).remaining_ms("x", 0) for ply in (0, 1, 5)] == [60_000, 60_000, 58_000]
    assert replay_of(structs.replace(WON, clock=None)).view(3).remaining_ms("x", 0) is None


@pytest.mark.parametrize(
    "record",
    [recorded("a1 a1"), recorded("z9"), structs.replace(WON, game="newer:9"), recorded("b2", start=["?"])],
)
def test_a_record_of_other_rules_is_not_understood(record: RecordedGame) -> None:
    with pytest.raises(ProtocolError):
        replay_of(record)
