"""CodinGame's protocol: whole games by it, and arenas that speak wrongly."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from client.lab.brain.choice import ProtocolError
from client.lab.brain.codingame import CodinGame
from engine.rules.position import Move, Position
from engine.rules.registry import rules
from engine.search.decision import Decision
from tests.support.engine.games import replay
from tests.support.examples import examples


def last(position: Position, move_ms: int, moves: Sequence[Move], game: int) -> Decision:
    assert replay(position.rules.id, list(moves)) == position
    return Decision(position.legal_moves()[-1])


def place(nested: bool, cell: int) -> str:
    """As the arena writes a cell; drawn apart from the brain's own arithmetic."""
    if not nested:
        return f"{cell // 3} {cell % 3}"
    board, square = divmod(cell, 9)
    return f"{3 * (board // 3) + square // 3} {3 * (board % 3) + square % 3}"


def turn(position: Position, opponents: str) -> list[str]:
    allowed = [place(position.rules.nested, cell) for cell in position.legal_moves()]
    return [opponents, str(len(allowed)), *allowed]


@given(st.sampled_from(["tictactoe", "ultimate", "ultimate:count"]), st.booleans(), st.randoms(use_true_random=False))
@examples(20)
def test_whole_games(game: str, begins: bool, random: Random) -> None:
    """The arena plays any moves; every answer is the bot's move on the arena's own position."""
    position = rules(game).initial
    brain = CodinGame(rules(game), last)
    opponents = "-1 -1"
    while position.outcome is None:
        if begins or position.ply:
            told = turn(position, opponents)
            assert [brain.hear(line) for line in told[:-1]] == [[]] * (len(told) - 1)
            move = position.legal_moves()[-1]
            assert brain.hear(told[-1]) == [place(position.rules.nested, move)]
            position = position.play(move)
        if position.outcome is None:
            reply = random.choice(position.legal_moves())
            position, opponents = position.play(reply), place(position.rules.nested, reply)


def test_the_first_turn_has_a_second() -> None:
    asked: list[int] = []

    def choose(position: Position, move_ms: int, moves: Sequence[Move], game: int) -> Decision:
        asked.append(move_ms)
        return last(position, move_ms, moves, game)

    brain = CodinGame(rules("tictactoe"), choose)
    for line in ["-1 -1", "9", *(place(False, cell) for cell in range(9))]:
        brain.hear(line)
    for line in ["0 0", "7", *(place(False, cell) for cell in range(1, 8))]:
        brain.hear(line)
    assert asked == [1000, 100]


@pytest.mark.parametrize(
    ("lines", "sentence"),
    [
        (["hello"], "is not made of whole numbers"),
        (["-1 -1", "nine"], "is not made of whole numbers"),
        (["-1 -1", "9 9"], "The second line of a turn is the number"),
        (["-1 -1", "-3"], "The second line of a turn is the number"),
        (["-1 -1", "0"], "not those of tictactoe: choose another --game"),
        (["-1 -1", "1", "0 0"], "not those of tictactoe: choose another --game"),
        (["-1 -1", "1", "0 3"], "0 3 is not a place"),
        (["-1 -1", "1", "0"], "0 is not a place"),
        (["3 0", "0"], "3 0 is not a place"),
        (["", "0"], " is not a place"),
    ],
)
def test_an_arena_that_speaks_wrongly(lines: list[str], sentence: str) -> None:
    brain = CodinGame(rules("tictactoe"), last)
    *before, wrong = lines
    for line in before:
        assert brain.hear(line) == []
    with pytest.raises(ProtocolError, match=sentence):
        brain.hear(wrong)


def test_a_move_on_a_taken_cell_is_the_arenas_error() -> None:
    brain = CodinGame(rules("tictactoe"), last)
    for line in ["-1 -1", "9", *(place(False, cell) for cell in range(9)), "2 2"]:
        brain.hear(line)
    with pytest.raises(ProtocolError, match="is taken by X"):
        brain.hear("0")
