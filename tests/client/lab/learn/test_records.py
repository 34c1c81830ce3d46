"""Reading games to learn from: what counts, and what is left out."""

from __future__ import annotations

import json
import math
from random import Random
from typing import Any

import pytest

from client.lab.learn import records
from client.lab.learn.records import Games, Scale
from engine.rules.nested import NestedRules
from engine.rules.position import Position, X
from engine.rules.registry import rules

ULTIMATE = rules("ultimate")
assert isinstance(ULTIMATE, NestedRules)


def played(seed: int, rules: NestedRules = ULTIMATE) -> tuple[str, tuple[int, ...], float]:
    random, moves = Random(seed), list[int]()
    position: Position = rules.initial
    while position.outcome is None:
        moves.append(random.choice(position.legal_moves()))
        position = position.play(moves[-1])
    winner = position.outcome.winner
    texts = [rules.format_move(move) for move in moves]
    line = {
        "game": rules.id,
        "x": {"name": "random"},
        "start": texts[:3],
        "moves": [{"cell": text} for text in texts[3:]],
    }
    return json.dumps(line), tuple(moves), 0.5 if winner is None else float(winner == X)


def read(*lines: str) -> Games:
    games = Games()
    records.add(games, ULTIMATE, Scale(256, since_version=2), "games.jsonl", lines)
    return games


def test_openings_and_moves_make_a_game_and_the_rules_its_result() -> None:
    lines, moves, results = zip(*(played(seed) for seed in range(12)), strict=True)
    games = read(*lines)
    assert tuple(games.moves) == moves
    assert tuple(games.results) == results
    assert (games.left_out, games.complaint) == (0, None)


def test_values_of_strongest_are_chances_of_x_and_others_unknown() -> None:
    line = json.loads(played(1)[0])
    for move, value in zip(line["moves"], (0.0, 256.0, 256.0, 999_999_997.0), strict=False):
        move["value"] = value
    ours = {"name": "strongest", "kind": "bot", "version": 2}
    values = read(changed(json.dumps(line), x=ours, o=ours)).values[0]
    assert len(values) == 3 + len(line["moves"])
    odds = math.e / (1 + math.e)
    assert values[3:7] == pytest.approx((0.5, odds, 1 - odds, 1.0))
    assert all(map(math.isnan, values[:3] + values[7:]))
    for x in ({**ours, "version": 1}, {**ours, "name": "level:5"}, {**ours, "kind": "person"}):
        assert all(map(math.isnan, read(changed(json.dumps(line), x=x)).values[0]))


def changed(line: str, **fields: Any) -> str:
    return json.dumps({**json.loads(line), **fields})


def test_other_games_and_unfinished_ones_are_left_out_without_a_word() -> None:
    line = played(1)[0]
    games = read(changed(line, game="super"), changed(line, moves=json.loads(line)["moves"][:-1]), line)
    assert len(games.moves) == 1
    assert (games.left_out, games.complaint) == (2, None)


def test_the_first_line_that_breaks_the_rules_is_told() -> None:
    line = played(1)[0]
    illegal = changed(line, start=["1/1", "2/2"])
    games = read(line, illegal, "{", changed(line, start=["z"]))
    assert len(games.moves) == 1
    assert games.left_out == 3
    assert games.complaint is not None
    assert games.complaint.startswith("games.jsonl, line 2: 2/2 is not in board 1")


def test_a_line_nested_too_deep_is_no_game() -> None:
    games = read(played(1)[0], '{"game": "ultimate", "moves": [], "more": ' + "[" * 5000 + "]" * 5000 + "}")
    assert (len(games.moves), games.left_out) == (1, 1)
    assert games.complaint is not None
    assert games.complaint.startswith("games.jsonl, line 2: not a game as noughts export writes it")


def test_values_of_the_other_side_are_unknown_where_one_is_ours() -> None:
    line = json.loads(played(1)[0])
    for move in line["moves"]:
        move["value"] = 0.0
    values = read(changed(json.dumps(line), o={"name": "strongest", "kind": "bot", "version": 2})).values[0]
    assert [math.isnan(value) for value in values[3:]] == [ply % 2 == 0 for ply in range(3, len(values))]
