"""The file of puzzles: as it is written and read, and each of the shipped ones proven again."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files

import pytest

from engine.analysis.puzzle import Puzzle, Turn
from engine.analysis.puzzle_search import Judge, puzzle_at
from engine.rules.position import Position, UnknownGame, other, play_all
from engine.rules.registry import games, rules
from server.report.review.puzzle_file import Source, file_text
from tests.support.report.puzzle_reader import read_file

CONTENT = files("client").joinpath("web/learn/puzzles.json").read_bytes()
SHIPPED = read_file(CONTENT)
EVERY = [(game, number) for game, listed in SHIPPED.items() for number in range(len(listed))]
QUICK = {(game, 0) for game in SHIPPED} - {("gomoku", 0), ("cube:5", 0)}
"""Of most games the first, which is the easiest: tenths of a second each."""


def position_of(puzzle: Puzzle) -> Position:
    return play_all(rules(puzzle.game).initial, puzzle.moves)


def test_each_listed_game_has_a_handful() -> None:
    assert list(SHIPPED) == [game.id for game in games()]
    for game, listed in SHIPPED.items():
        assert len(listed) >= 5, game
        assert len({puzzle.moves for puzzle, _ in listed}) == len(listed)
        # On 4 x 4 hardly any longer win is met.
        assert len({puzzle.plies for puzzle, _ in listed}) > 1 or game == "mnk:4,4,4"


def test_the_file_says_again_what_was_read() -> None:
    assert file_text(SHIPPED).encode() == CONTENT


@pytest.mark.parametrize(
    ("content", "error"),
    [
        ("[]", ValueError),
        ('{"version": 2, "games": {}}', ValueError),
        ('{"version": 1, "games": {"tictactoe": [{"moves": []}]}}', ValueError),
        (CONTENT.replace(b"tictactoe", b"chess"), UnknownGame),
    ],
)
def test_another_file_is_refused(content: bytes | str, error: type[Exception]) -> None:
    with pytest.raises(error, match=r"[a-z]"):
        read_file(content)


@pytest.mark.parametrize(
    ("game", "number"),
    [pytest.param(*each, marks=() if each in QUICK else pytest.mark.slow) for each in EVERY],
)
def test_a_shipped_puzzle_is_right(game: str, number: int) -> None:
    puzzle, source = SHIPPED[game][number]
    assert isinstance(source, Source)
    judge = Judge()
    position = position_of(puzzle)
    assert position.outcome is None
    if puzzle.kind == "save":
        assert puzzle_at(rules(game), puzzle.moves) == puzzle
        return
    assert puzzle.plies >= 3
    assert judge.shortest(position, puzzle.plies) == puzzle.plies
    assert list(puzzle.turn.right) == [
        move for move in position.legal_moves() if judge.is_won_by(position, move, puzzle.plies)
    ]
    for then, turn, plies in turns(position, puzzle.turn, puzzle.plies):
        check_turn(then, turn, plies, judge)


def turns(position: Position, turn: Turn, plies: int) -> Iterator[tuple[Position, Turn, int]]:
    yield position, turn, plies
    for move, answer in turn.right.items():
        if answer is not None:
            yield from turns(position.play(move).play(answer.reply), answer.turn, plies - 2)


def check_turn(position: Position, turn: Turn, plies: int, judge: Judge) -> None:
    """Every right move wins in time, and every other is refuted by the reply that is told."""
    for move, answer in turn.right.items():
        after = position.play(move)
        if answer is None:
            assert after.outcome is not None
            assert after.outcome.winner == position.to_move
        else:
            assert judge.loses_within(after, plies - 1)
            assert after.is_legal(answer.reply)
    for move in position.legal_moves():
        if move in turn.right:
            continue
        after = position.play(move)
        if after.outcome is not None:
            assert after.outcome.winner is None
            continue
        then = after.play(turn.wrong[move])
        if then.outcome is None:
            assert not judge.wins_within(then, plies - 2)
        else:
            assert then.outcome.winner in (None, other(position.to_move))


@pytest.mark.slow
@pytest.mark.parametrize(("game", "number"), EVERY)
def test_a_shipped_puzzle_would_be_made_again(game: str, number: int) -> None:
    """With what is said of all other moves, too."""
    puzzle, _ = SHIPPED[game][number]
    assert puzzle_at(rules(game), puzzle.moves) == puzzle


def test_what_is_said_of_other_moves_holds_by_minimax() -> None:
    for puzzle, _ in SHIPPED["tictactoe"]:
        position = position_of(puzzle)
        assert puzzle.alone
        others = [move for move in position.legal_moves() if move != puzzle.key]
        values = [-value_of(position.play(move)) for move in others]
        assert max(values) < (1 if puzzle.kind == "win" else 0)
        assert -value_of(position.play(puzzle.key)) == (1 if puzzle.kind == "win" else 0)


def value_of(position: Position) -> int:
    """1, 0 or -1 for the side to move, by plain minimax."""
    if position.outcome is not None:
        return 0 if position.outcome.winner is None else -1
    return max(-value_of(position.play(move)) for move in position.legal_moves())
