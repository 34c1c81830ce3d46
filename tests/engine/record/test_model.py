from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from engine.record.model import Clock, Limits, MalformedRecord, Player, RecordedMove
from engine.rules.limit import NO_LIMIT, Limit
from tests.support.engine.records import FULL, GAME


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


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"game": "chess"}, "There is no game 'chess'"),
        ({"game": "mnk:3,3,3"}, "'mnk:3,3,3' is not the canonical id tictactoe."),
        ({"start": (1,)}, "Move 2 is illegal: b1 is taken by X."),
        ({"moves": (*GAME.moves, RecordedMove(2))}, "Move 6 is illegal: c1 cannot be played: the game is over"),
        ({"moves": GAME.moves[:-1]}, "The moves do not end in line with the winner x."),
        ({"winner": "o"}, "The moves do not end in line with the winner o."),
        ({"winner": None}, "The moves do not end in line with the winner nobody."),
        ({"moves": (dataclasses.replace(GAME.moves[0], value=float("inf")), *GAME.moves[1:])}, "a finite number"),
        ({"clock": Clock()}, "A clock has either initial_ms or move_ms."),
        ({"clock": Clock(5, 1, 3)}, "A clock has either initial_ms or move_ms."),
        ({"clock": Clock(5)}, "A clock has initial_ms and increment_ms together."),
        ({"clock": Clock(increment_ms=1, move_ms=3)}, "A clock has initial_ms and increment_ms together."),
        ({"limits": Limits()}, "Limits are those of x, of o or of both."),
        ({"limits": Limits(o=NO_LIMIT)}, "A limit has one of move_ms, nodes and depth."),
        ({"limits": Limits(x=Limit(nodes=1 << 63))}, "nodes is beyond 64 bits."),
    ],
)
def test_fields_that_make_no_record_are_refused(change: dict[str, Any], sentence: str) -> None:
    with pytest.raises(MalformedRecord) as refused:
        dataclasses.replace(FULL, **change)
    assert sentence in str(refused.value)


def with_number(name: str, number: int) -> dict[str, Any]:
    """The fields of a record in which this number stands."""
    match name.split("."):
        case ["clock", "move_ms"]:
            return {"clock": Clock(move_ms=number)}
        case ["clock", field]:
            return {"clock": Clock(**({"initial_ms": 0, "increment_ms": 0} | {field: number}))}
        case ["move", field]:
            return {"moves": (dataclasses.replace(GAME.moves[0], **{field: number}), *GAME.moves[1:])}
        case [("x" | "o") as side, "version"]:
            return {side: Player("A", "bot", number)}
    return {name: number}


@pytest.mark.parametrize(
    "name",
    ["id", "started", "ended", "pair", "seed", "x.version", "o.version"]
    + [f"clock.{field}" for field in ("initial_ms", "increment_ms", "move_ms")]
    + [f"move.{field}" for field in ("at", "think_ms", "think_us", "wait_ms", "remaining_ms", "nodes", "depth")]
    + ["move.win_in"],
)
def test_numbers_have_64_bits_and_few_may_be_negative(name: str) -> None:
    field = name.rpartition(".")[2]
    least = -(1 << 63) if field in ("seed", "win_in") else 0
    for number in (least, (1 << 63) - 1):
        dataclasses.replace(FULL, **with_number(name, number))
    for number in (-(1 << 63) - 1, 1 << 63, *([] if least else [-1])):
        with pytest.raises(MalformedRecord, match=f"^{field} (is beyond 64 bits|cannot be negative)"):
            dataclasses.replace(FULL, **with_number(name, number))
