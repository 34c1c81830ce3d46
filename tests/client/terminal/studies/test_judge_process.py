"""What the engine's process answers."""

from __future__ import annotations

from client.terminal.studies.judge import Question
from client.terminal.studies.judge_process import answer


def test_what_the_engine_finds() -> None:
    found = answer(Question(3, "tictactoe", ["a1", "a2", "b1", "b3"], judge=True))
    assert found.id == 3
    assert found.found is not None
    assert (found.found.exact, found.found.value, found.found.win_in, found.found.line) == (True, 1.0, 1, ["c1"])
    assert found.judged is not None
    assert (found.judged.ply, found.judged.verdict, found.judged.best[0]) == (3, "lost", "c1")
    over = answer(Question(4, "tictactoe", ["a1", "a2", "b1", "b3", "c1"], judge=False))
    assert (over.found, over.judged) == (None, None)
