"""What games, their rules and their moves are called."""

from __future__ import annotations

from random import Random

import pytest

from client.terminal.words import games as game_words
from engine.rules import registry
from engine.rules.position import IllegalMove, MalformedMove
from tests.support.terminal.german import german

__all__ = ["german"]


@pytest.mark.parametrize(
    "game", [*(game.id for game in registry.games()), "mnk:3,4,4", "mnk:19,19,12", "cube:5", "mnk:15,15,5,exact"]
)
def test_english_says_what_the_rules_say(game: str) -> None:
    rules = registry.rules(game)
    assert game_words.game_name(rules) == rules.name
    assert game_words.rules_sentences(rules) == list(rules.sentences)


@pytest.mark.usefixtures("german")
@pytest.mark.parametrize("game", [*(game.id for game in registry.games()), "mnk:3,4,4", "cube:5"])
def test_another_language_has_sentences_of_its_own(game: str) -> None:
    rules = registry.rules(game)
    told = game_words.rules_sentences(rules)
    assert len(told) == 3
    assert set(told).isdisjoint(rules.sentences)


@pytest.mark.parametrize("game", ["tictactoe", "qubic", "nine-board", "gomoku", "ultimate"])
def test_english_complains_of_moves_as_the_rules_do(game: str) -> None:
    rules, random = registry.rules(game), Random(2)
    position = rules.initial
    for text in ("z9", "", "5/5/5", "x" * 40):
        with pytest.raises(MalformedMove) as theirs:
            rules.parse_move(text)
        with pytest.raises(MalformedMove, match=None) as ours:
            game_words.parse_move(text, rules)
        assert str(ours.value) == str(theirs.value)
    while position.outcome is None:
        position = position.play(random.choice(position.legal_moves()))
        for move in set(range(rules.cells)) - set(position.legal_moves()):
            with pytest.raises(IllegalMove) as theirs_illegal:
                position.play(move)
            with pytest.raises(IllegalMove) as ours_illegal:
                game_words.check_move(position, move)
            assert str(ours_illegal.value) == str(theirs_illegal.value)


@pytest.mark.parametrize(
    ("game", "line"),
    [
        ("tictactoe", "three in a row"),
        ("mnk:19,19,12", "12 in a row"),
        ("qubic", "four in a row"),
        ("nine-board", "three in a row"),
        ("ultimate", "three boards in a row"),
        ("super", "three boards in a row"),
    ],
)
def test_what_completes_a_line(game: str, line: str) -> None:
    assert game_words.line_words(registry.rules(game)) == line
