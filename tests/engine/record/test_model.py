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
    with pytest.raises(MalformedRecord, match=r"^Move 2 is no integer\.$"):
        dataclasses.replace(GAME, moves=(RecordedMove("b2"), *GAME.moves[1:]))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("winner", "termination", "sentence"),
    [
        ("z", "flag", "A winner is x or o, not 'z'."),
        (None, "foo", "There is no termination 'foo'."),
        ("x", "foo", "There is no termination 'foo'."),
        *((None, one, f"A game with the termination {one} has a winner.")
          for one in ("resignation", "disconnection", "flag", "crash", "stall", "illegal_move")),
    ],
)  # fmt: skip
def test_a_result_that_no_game_has_is_refused(winner: Any, termination: Any, sentence: str) -> None:
    with pytest.raises(MalformedRecord) as refused:
        dataclasses.replace(GAME, moves=GAME.moves[:2], winner=winner, termination=termination)
    assert str(refused.value) == sentence


@pytest.mark.parametrize(
    ("winner", "termination", "result"),
    [("x", "flag", "1-0"), ("o", "resignation", "0-1"), (None, "agreement", "1/2-1/2"), (None, None, "*"),
     (None, "aborted", "*"), (None, "adjudication", "1/2-1/2"), ("o", "adjudication", "0-1")],
)  # fmt: skip
def test_results(winner: Any, termination: Any, result: str) -> None:
    record = dataclasses.replace(GAME, moves=GAME.moves[:2], winner=winner, termination=termination)
    assert record.result == result
    assert record.cells() == (4, 1, 0)
    assert record.final_position().ply == 3
