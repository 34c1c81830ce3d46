from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from engine.record.model import Clock, GameRecord, MalformedRecord, Player, RecordedMove

GAME = GameRecord(
    game="tictactoe",
    x=Player("Zoë", "person"),
    o=Player("alphabeta:2", "bot", 1),
    start=(4,),
    moves=(
        RecordedMove(1, think_ms=12, nodes=64, depth=2, value=-1.5),
        RecordedMove(0, think_ms=2000, remaining_ms=298000),
        RecordedMove(3),
        RecordedMove(8),
    ),
    winner="x",
    termination="line",
    clock=Clock(300000, 2000),
    started=1_700_000_000_000,
    seed=7,
    source="server",
    id=12,
)


def test_a_record_contradicting_itself_is_never_made() -> None:
    with pytest.raises(MalformedRecord, match="has no winner"):
        dataclasses.replace(GAME, moves=GAME.moves[:2], termination=None)
    with pytest.raises(MalformedRecord, match="has no winner"):
        dataclasses.replace(GAME, moves=GAME.moves[:2], termination="agreement")
    with pytest.raises(MalformedRecord, match="has a termination"):
        dataclasses.replace(GAME, moves=GAME.moves[:2], winner=None, termination=None, ended=1_700_000_009_000)
    with pytest.raises(MalformedRecord, match="do not end in flag"):
        dataclasses.replace(GAME, termination="flag")


@pytest.mark.parametrize(
    ("winner", "termination", "result"),
    [("x", "flag", "1-0"), ("o", "resignation", "0-1"), (None, "agreement", "1/2-1/2"), (None, None, "*"),
     (None, "aborted", "*")],
)  # fmt: skip
def test_results(winner: Any, termination: Any, result: str) -> None:
    record = dataclasses.replace(GAME, moves=GAME.moves[:2], winner=winner, termination=termination)
    assert record.result == result
    assert record.cells() == (4, 1, 0)
    assert record.final_position().ply == 3
