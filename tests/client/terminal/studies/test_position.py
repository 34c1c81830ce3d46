"""A position that is reached by moves for both sides: what may be asked for, and what is said of it."""

from __future__ import annotations

import pytest

from client.terminal.language import ENGLISH, speak
from client.terminal.seating import BadChoice
from client.terminal.studies.judge import Found
from client.terminal.studies.position import replay_of_moves
from engine.rules.registry import rules
from tests.support.terminal.studies import FakeJudge, fake_judge, told

__all__ = ["fake_judge"]


def found(value: float, win_in: int | None = None, *, exact: bool = True, bound: bool = False) -> Found:
    return Found(exact=exact, value=value, even=0.2, win_in=win_in, bound=bound, line=["c3", "a3"])


@pytest.mark.parametrize(
    ("moves", "answer", "sentence"),
    [
        ("", found(0.0), "Proven: a draw."),
        ("", found(1.0, 7), "Proven: X wins in 7 plies."),
        ("a1", found(1.0, 1), "Proven: O wins in 1 ply."),
        ("a1", found(-1.0, -6, bound=True), "Proven: X wins in at most 6 plies."),
        ("", found(-1.0), "Proven: O wins."),
        ("", found(0.1, exact=False), "Estimated: even."),
        ("a1", found(-0.35, exact=False), "Estimated: X is probably better (+0.35)."),
    ],
)
async def test_what_a_position_is_worth(fake_judge: type[FakeJudge], moves: str, answer: Found, sentence: str) -> None:
    fake_judge.found[moves] = answer
    said, _ = await told(f"analyse tictactoe {moves}")
    assert sentence in said
    assert "  1  Best line: c3 a3" in said


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [("explore chess", "There is no game 'chess'"), ("explore mnk:2,2,2", "cannot have 2 columns")],
)
async def test_no_game(asked: str, sentence: str) -> None:
    with pytest.raises(BadChoice, match=sentence):
        await told(asked)


@pytest.mark.parametrize("word", ["explore", "analyse", "puzzles", "lessons"])
async def test_a_game_that_there_is_not_is_told_in_the_language_that_is_spoken(word: str) -> None:
    speak("de")
    try:
        with pytest.raises(BadChoice, match="Dieses Spiel gibt es nicht"):
            await told(f"{word} chess")
    finally:
        speak(ENGLISH)


def test_moves_may_be_written_in_capitals() -> None:
    assert replay_of_moves(rules("qubic"), ("A1.1", "b2.2")).last_view.moves == ("a1.1", "b2.2")
