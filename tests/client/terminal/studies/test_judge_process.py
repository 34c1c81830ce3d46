"""What the engine's process answers, beside plain minimax."""

from __future__ import annotations

import io
import sys
from random import Random
from types import SimpleNamespace

import msgspec
import pytest

from client.terminal.studies.judge import Answer, Question
from client.terminal.studies.judge_process import answer, main
from engine.rules.position import Move, Position
from engine.rules.registry import rules

TICTACTOE = rules("tictactoe")


def end(position: Position) -> tuple[int, int]:
    """The value for the side to move and the plies to the end; who wins hurries, who loses holds out."""
    if position.outcome is not None:
        return (0 if position.outcome.winner is None else -1), 0
    ends = [end(position.play(move)) for move in position.legal_moves()]
    best = max(-value for value, _ in ends)
    plies = [count + 1 for value, count in ends if -value == best]
    return best, min(plies) if best > 0 else max(plies)


def signed(value: int, plies: int) -> int | None:
    return value * plies or None


def game(seed: int) -> tuple[list[Move], Position]:
    """Five to nine moves, of which only the last may end the game, and the position before that."""
    random = Random(seed)
    moves: list[Move] = []
    before = position = TICTACTOE.initial
    while position.outcome is None and len(moves) < 5 + seed % 5:
        before = position
        moves.append(random.choice(position.legal_moves()))
        position = position.play(moves[-1])
    return moves, before


@pytest.mark.parametrize("seed", range(15))
def test_positions_and_moves_are_worth_what_minimax_says(seed: int) -> None:
    moves, before = game(seed)
    after = before.play(moves[-1])
    texts = [TICTACTOE.format_move(move) for move in moves]
    answered = answer(Question(seed, "tictactoe", texts, judge=True))
    assert answered.id == seed
    value, plies = end(after)
    if after.outcome is None:
        found = answered.found
        assert found is not None
        assert (found.exact, found.value, found.win_in) == (True, value, signed(value, plies))
        assert end(after.play(TICTACTOE.parse_move(found.line[0])))[0] == -value
    else:
        assert answered.found is None
    judged = answered.judged
    assert judged is not None
    assert (judged.ply, judged.exact, judged.value, judged.win_in) == (
        len(moves) - 1, True, -value, signed(-value, plies + 1),
    )  # fmt: skip
    assert judged.could == {1: "won", 0: "drawn", -1: "lost"}[end(before)[0]]
    assert end(before.play(TICTACTOE.parse_move(judged.best[0])))[0] == -end(before)[0]


def test_a_line_asks_and_a_line_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = [
        Question(7, "tictactoe", [], judge=True),
        Question(8, "tictactoe", ["a1", "a2", "b1", "b3", "c1"], judge=False),
    ]
    answers = io.BytesIO()
    questions = io.BytesIO(b"".join(msgspec.json.encode(question) + b"\n" for question in asked))
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=questions))
    monkeypatch.setattr(sys, "stdout", SimpleNamespace(buffer=answers))
    main()
    first, last = (msgspec.json.decode(line, type=Answer) for line in answers.getvalue().splitlines())
    assert (first.id, last.id) == (7, 8)
    assert first.found is not None
    assert (first.found.value, first.judged) == (0, None)
    assert (last.found, last.judged) == (None, None)
