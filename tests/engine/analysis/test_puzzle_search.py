"""Puzzles: what is told of positions whose answer is known by plain minimax."""

from __future__ import annotations

from functools import cache

import pytest

from engine.analysis import puzzle_search
from engine.analysis.puzzle import Puzzle
from engine.analysis.puzzle_search import Judge, Undecided, puzzle_at
from engine.rules.position import Position, play_all
from engine.rules.registry import rules
from tests.support.engine.games import replay_texts

FORK = "a1 c3 c1 b1"
"""X to play: a3 makes two lines that lack one cell."""


def moves(game: str, text: str) -> list[int]:
    return [rules(game).parse_move(move) for move in text.split()]


def at(game: str, text: str) -> Puzzle | None:
    return puzzle_at(rules(game), moves(game, text))


def position_of(puzzle: Puzzle) -> Position:
    return play_all(rules(puzzle.game).initial, puzzle.moves)


@cache
def plain(position: Position, plies: int) -> bool:
    """Does the side to move win within so many plies? By minimax and nothing else."""
    for move in position.legal_moves() if plies > 0 else ():
        after = position.play(move)
        if after.outcome is not None:
            if after.outcome.winner == position.to_move:
                return True
        elif plies > 2 and all(
            then.outcome.winner == position.to_move if then.outcome else plain(then, plies - 2)
            for then in map(after.play, after.legal_moves())
        ):
            return True
    return False


# What is found


def test_a_fork_is_a_puzzle_whose_every_move_is_answered() -> None:
    found = at("tictactoe", FORK)
    assert found is not None
    texts = rules("tictactoe").texts
    assert (found.kind, found.plies, found.alone, texts[found.key]) == ("win", 3, True, "a3")
    assert len(found.turn.right) + len(found.turn.wrong) == 5
    assert len(found.line) == found.plies
    assert at("tictactoe", "a1 a3 c3 b2") is None  # a fork too, but O threatens to play there


def test_a_move_that_alone_saves_the_game() -> None:
    found = at("tictactoe", "a1")
    assert found is not None
    assert (found.kind, rules("tictactoe").texts[found.key], found.alone) == ("save", "b2", True)
    assert found.turn.right == {found.key: None}
    assert len(found.turn.wrong) == 7
    for move, reply in found.turn.wrong.items():
        assert plain(position_of(found).play(move).play(reply), 7) is False  # O does not win,
        assert plain(position_of(found).play(move), 7) is True  # and X does


@pytest.mark.parametrize(
    ("game", "text"),
    [
        ("tictactoe", "a1 b1 a2 b2"),  # a line to complete at once
        ("tictactoe", "b2 a1"),  # drawn, by several moves
        ("tictactoe", "b2 b1 a1 c3 a3 a2 c1"),  # over
        ("tictactoe", "b2 a1 c1 a3 a2 c2 b1 b3"),  # one cell left
        ("mnk:4,3,3", "b2"),  # lost
        pytest.param("nine-board", "5/5", marks=pytest.mark.slow),
    ],
)
def test_what_is_no_puzzle(game: str, text: str) -> None:
    assert at(game, text) is None


def test_without_nodes_nothing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    assert puzzle_at(rules("tictactoe"), moves("tictactoe", FORK), nodes=0) is None
    with pytest.raises(Undecided):
        Judge(nodes=0).wins_within(rules("tictactoe").initial, 3)
    monkeypatch.setattr(puzzle_search, "NODES", 2)
    with pytest.raises(Undecided):
        Judge().wins_within(rules("qubic").initial, 5)


@pytest.mark.parametrize(
    ("game", "text"),
    [
        ("tictactoe", "b2 a2 a1 c3"),
        ("mnk:4,3,3", "b2 a1"),
        ("nine-board", "5/1 1/5 5/2 2/4 4/1 1/9 9/6 6/5"),
        ("nine-board", "5/1 1/5 5/2 2/4 4/1 1/9 9/1"),
    ],
)
def test_the_judge_agrees_with_minimax(game: str, text: str) -> None:
    position = play_all(rules(game).initial, moves(game, text))
    judge = Judge()
    for plies in (1, 2, 3, 4, 5):
        assert judge.wins_within(position, plies) == plain(position, plies)
    for move in position.legal_moves():
        after = position.play(move)
        wins = after.outcome.winner == position.to_move if after.outcome else False
        if not after.outcome:
            wins = all(then.outcome or plain(then, 1) for then in map(after.play, after.legal_moves()))
            wins = wins and not plain(after, 1)
        assert judge.is_won_by(position, move, 3) == wins


# What is told of them


@pytest.mark.parametrize("text", ["a1", "a1 c2 b3"])
def test_a_save_is_as_long_as_the_longest_of_the_losses(text: str) -> None:
    found = at("tictactoe", text)
    assert found is not None
    assert (found.kind, found.plies) == ("save", 5)


def test_a_move_that_loses_last_saves_nothing() -> None:
    assert at("mnk:4,3,3", "a1") is None


def test_a_later_win_that_is_found_first_hides_no_sooner_one() -> None:
    position, judge = replay_texts("mnk:4,4,3", "d4 b2"), Judge()
    assert judge.search(position, 5).win_in == 7
    assert judge.wins_within(position, 5)


def test_a_key_that_is_not_proven_to_be_alone_is_not_said_to_be(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(puzzle_search, "_SOLVER_NODES", 0)
    found = at("tictactoe", FORK)
    assert found is not None
    assert not found.alone
