"""What patterns of gomoku are learned from: even openings, moves at random near others, and whole fits."""

from __future__ import annotations

from random import Random

import pytest

from client.lab.learn import patterned
from client.lab.learn.patterned import PatternSubject
from client.lab.learn.records import Games
from client.lab.learn.self_play import play
from engine.rules.flat import FlatRules
from engine.rules.position import Position
from engine.rules.registry import rules
from engine.search import pattern_evaluation
from server.console.progress import Lines


def subject(game: str = "gomoku") -> PatternSubject:
    found = rules(game)
    assert isinstance(found, FlatRules)
    return PatternSubject(found)


@pytest.fixture(autouse=True)
def few_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patterned, "STUDIED_NODES", 200)
    monkeypatch.setattr(patterned, "_EVEN_NODES", 300)


def test_openings_lie_in_the_middle_and_are_even() -> None:
    at = subject()
    drawn = list(at.openings(1, 4))
    assert drawn == list(at.openings(1, 4))
    assert drawn[:2] == list(at.openings(1, 2))
    for opening in drawn:
        position: Position = at.rules.initial
        for move in opening:
            assert 3 <= move % 15 <= 11
            assert 3 <= move // 15 <= 11
            position = position.play(move)
        value = at.decided(position, 300, 0).value
        assert value is not None
        assert abs(value) <= 200


def test_a_board_without_even_openings_has_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patterned, "_EVEN", -1)
    monkeypatch.setattr(patterned, "_TRIES", 2)
    assert [len(opening) for opening in subject("mnk:8,8,5").openings(0, 3)] == [5, 5, 5]


def test_moves_at_random_are_near_others() -> None:
    at, random = subject("mnk:10,8,5"), Random(3)
    position: Position = at.rules.initial.play(44)
    marked = [44]
    while position.outcome is None:
        move = at.random_move(position, random)
        assert any(max(abs(move % 10 - mark % 10), abs(move // 10 - mark // 10)) <= 2 for mark in marked)
        marked.append(move)
        position = position.play(move)
    assert len(marked) > 10


def test_where_nothing_near_is_empty_moves_go_anywhere() -> None:
    at = subject("mnk:20,4,5")
    block = [y * 20 + x for y in range(4) for x in range(4)]
    # Marks so that nobody has five; rows of four, no longer.
    x, o = sum(1 << cell for cell in block[::2]), sum(1 << cell for cell in block[1::2])
    position = at.rules.position(x, o)
    far = at.random_move(position, Random(0))
    assert position.is_legal(far)
    assert far % 20 in (4, 5), "two columns beside the block are near"


def test_the_search_judges_by_a_candidate() -> None:
    at = subject()
    position = at.rules.initial.play(112).play(113)
    before = at.decided(position, 2_000, 0)
    shipped = pattern_evaluation.current()
    nothing = shipped._replace(worth=shipped.worth * 0, tempo=7)
    with at.judging(nothing):
        assert at.decided(position, 500, 0).value in (7.0, -7.0)
    assert at.decided(position, 2_000, 0) == before


def test_the_same_games_and_seed_make_the_same_numbers() -> None:
    at = subject("mnk:9,9,5")
    games = Games()
    play(games, at, 20, 100, 5, lambda line: None)
    found = [at.fitted(games, seed, 2, 0.0, Lines()) for seed in (1, 1, 2)]
    files = [one.to_bytes({"game": at.rules.id}) for one in found]
    assert files[0] == files[1] != files[2]
    _, made = pattern_evaluation.from_bytes(files[0])
    assert made["studied_nodes"] == 200
    assert made["choices"] > 40
    assert 0 <= made["among_ten"] <= 1
    assert found[0].trained > 20 < 100 > found[0].held_out > 0
