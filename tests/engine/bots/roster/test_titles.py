from __future__ import annotations

import pytest

from engine.bots.roster.titles import title


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("level:6", "Level 6"),
        ("level:x", "level:x"),
        ("strongest", "Strongest"),
        ("alphabeta:2", "alphabeta:2"),
        ("mcts:weights,64", "mcts:weights,64"),
        ("GNU_x", "GNU_x"),
    ],
)
def test_plain_names_are_words_and_others_stay(name: str, said: str) -> None:
    assert title(name) == said
