"""What an engine names of a game: its own move must be legal, and a line is cut at the first that is not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.bots.fault import BotFault
from engine.rules.registry import rules
from server.workers.engines.dialogue import decoded, legal_part, move_of

GAMES = ("tictactoe", "ultimate", "qubic")


@given(st.sampled_from(GAMES), st.data())
def test_a_line_is_kept_up_to_its_first_move_that_is_not_legal(game: str, data: st.DataObject) -> None:
    first = position = rules(game).initial
    moves: list[int] = []
    for _ in range(data.draw(st.integers(0, 12))):
        if legal := position.legal_moves():
            moves.append(data.draw(st.sampled_from(legal)))
            position = position.play(moves[-1])
    texts = [rules(game).texts[move] for move in moves]
    assert legal_part(texts, first) == tuple(moves)
    wrong = data.draw(st.sampled_from(["", "z9", "X1", *texts[:1]])) if texts else "z9"
    at = data.draw(st.integers(min(1, len(texts)), len(texts)))
    assert legal_part([*texts[:at], wrong, *texts[at:]], first) == tuple(moves[:at])


@pytest.mark.parametrize(
    ("text", "sentence"),
    [("b2", "played 'b2': b2 is taken by X."), ("5/3", "played '5/3': '5/3' names no cell of this board")],
)
def test_a_move_that_is_not_legal_is_the_engines_fault(text: str, sentence: str) -> None:
    position = rules("tictactoe").initial.play(4)
    assert move_of("a1", position) == 0
    with pytest.raises(BotFault, match=sentence) as fault:
        move_of(text, position)
    assert fault.value.termination == "illegal_move"


def test_what_is_no_text_is_the_engines_fault() -> None:
    assert decoded("fünf".encode()) == "fünf"
    with pytest.raises(BotFault, match=r"^wrote what is not UTF-8: 'a\ufffdb'$") as fault:
        decoded(b"a\xffb")
    assert fault.value.termination == "illegal_move"
