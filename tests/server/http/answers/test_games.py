"""The JSON answers about games, made from records."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from server.db.play import GameExtras, VariationRow
from server.http.answers.games import GamesAnswer, game_answer
from server.wire import ClockSettings
from tests.support.http.record_examples import GAME, MOVE, RUNNING_GAME


def sent(answer: object) -> Any:
    return json.loads(msgspec.json.encode(answer))


def test_a_game_without_its_moves() -> None:
    assert sent(game_answer(GAME)) == {
        "id": 17,
        "game": "tictactoe",
        "source": "room",
        "x": {"id": "1", "name": "Ann", "kind": "person"},
        "o": {"id": "9", "name": "random", "kind": "bot"},
        "rated": False,
        "start": ["a1"],
        "clock": {"initial_ms": 60_000, "increment_ms": 0},
        "started_ms": 1_700_000_000_000,
        "ended_ms": 1_700_000_060_000,
        "winner": "o",
        "termination": "resignation",
        "plies": 1,
        "room": "r1",
        "serial": 1,
        "o_version": 1,
        "o_limit": {"depth": 2},
    }


def test_a_running_game_says_null() -> None:
    answer = sent(game_answer(RUNNING_GAME))
    assert [answer[field] for field in ("ended_ms", "winner", "termination", "plies")] == [None] * 4


@pytest.mark.parametrize(
    ("columns", "clock"),
    [
        ({"initial_ms": None, "increment_ms": None, "move_ms": None}, None),
        ({"initial_ms": None, "increment_ms": None, "move_ms": 100}, {"move_ms": 100}),
        ({"initial_ms": 1_000, "increment_ms": 5}, {"initial_ms": 1_000, "increment_ms": 5}),
    ],
)
def test_clocks(columns: dict[str, Any], clock: dict[str, int] | None) -> None:
    answer = game_answer(replace(GAME, **columns))
    assert answer.clock == (ClockSettings(**clock) if clock is not None else None)


def test_the_room_of_a_private_game_is_not_told() -> None:
    answer = sent(game_answer(replace(GAME, private=1)))
    assert "room" not in answer
    assert answer["serial"] == 1


def test_a_game_of_no_room() -> None:
    answer = sent(game_answer(replace(GAME, room=None, serial=None, source="match")))
    assert "room" not in answer
    assert "serial" not in answer


def test_a_game_of_a_ladder() -> None:
    row = replace(GAME, source="ladder", run_id="night/small/3f", pair_id=4, opening_id="a1 b2", x_limit='{"nodes":9}')
    answer = sent(game_answer(row, [], extras=GameExtras(fault="random stalled.", pair_game=18)))
    told = {name: answer[name] for name in ("run", "pair", "opening", "x_limit", "fault", "pair_game")}
    assert told == {
        "run": "night/small/3f",
        "pair": 4,
        "opening": "a1 b2",
        "x_limit": {"nodes": 9},
        "fault": "random stalled.",
        "pair_game": 18,
    }
    assert "private" not in answer
    assert sent(game_answer(replace(GAME, private=1)))["private"] is True


@pytest.mark.parametrize("limit", ['{"plies":3}', '{"depth":0.5}', "7"])
def test_a_limit_that_no_bot_has_is_not_told(limit: str) -> None:
    assert "o_limit" not in sent(game_answer(replace(GAME, o_limit=limit)))


@pytest.mark.parametrize("start", ["[nope", "5", "[1]"])
def test_a_start_that_is_damaged_costs_no_answer(start: str) -> None:
    damaged = replace(GAME, start=start)
    assert (game_answer(damaged).id, game_answer(damaged, [MOVE]).start) == (GAME.id, [])


def test_the_winning_line_is_told_with_the_moves() -> None:
    row = replace(GAME, start='["a1","a2"]', winner="x", termination="line", plies=3)
    moves = [replace(MOVE, ply=ply, cell=cell) for ply, cell in enumerate((1, 4, 2))]
    assert sent(game_answer(row, moves))["line"] == ["a1", "b1", "c1"]
    assert "line" not in sent(game_answer(row))
    assert "line" not in sent(game_answer(replace(row, termination="resignation"), moves))
    assert "line" not in sent(game_answer(row, [replace(MOVE, cell=0)])), "moves that break the rules"
    assert "line" not in sent(game_answer(replace(row, start='["z9"]'), moves))


def test_moves_are_text_with_their_side_and_figures() -> None:
    (move,) = sent(game_answer(GAME, [MOVE]))["moves"]
    assert move == {
        "ply": 0,
        "move": "b1",
        "by": "o",
        "at_ms": 1_700_000_000_500,
        "think_ms": 500,
        "think_us": 500_250,
        "wait_ms": 0,
        "x_ms": 60_000,
        "o_ms": 59_500,
        "nodes": 10,
        "depth": 2,
        "value": 0.5,
        "pruned": 3,
    }


def test_a_variation_is_told_with_the_move_of_its_time() -> None:
    """A ply that was taken back has an older one."""
    older = VariationRow(ply=0, at_ms=MOVE.at_ms - 1, pv='["a3"]')
    told = VariationRow(ply=0, at_ms=MOVE.at_ms, pv='["b1","c3"]')
    (move,) = sent(game_answer(GAME, [MOVE], [told, older]))["moves"]
    assert move["pv"] == ["b1", "c3"]
    (move,) = sent(game_answer(GAME, [MOVE], [older]))["moves"]
    assert "pv" not in move


def test_sides_alternate_from_the_start() -> None:
    moves = [replace(MOVE, ply=ply) for ply in range(3)]
    assert [move["by"] for move in sent(game_answer(GAME, moves))["moves"]] == ["o", "x", "o"], "the start has one"
    even = replace(GAME, start="[]")
    assert [move["by"] for move in sent(game_answer(even, moves))["moves"]] == ["x", "o", "x"]
    assert sent(game_answer(even, []))["moves"] == []
    assert "moves" not in sent(game_answer(even))


def test_the_last_page_has_no_next() -> None:
    assert sent(GamesAnswer(games=[], next=None)) == {"games": [], "next": None}
