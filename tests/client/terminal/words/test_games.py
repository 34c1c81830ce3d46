"""What games, their rules and their moves are called."""

from __future__ import annotations

import pytest

from client.terminal.words import games as game_words
from engine.rules import registry
from engine.rules.position import IllegalMove, MalformedMove


@pytest.mark.parametrize(
    "game", [*(game.id for game in registry.games()), "mnk:3,4,4", "mnk:19,19,12", "cube:5", "mnk:15,15,5,exact"]
)
def test_english_says_what_the_rules_say(game: str) -> None:
    rules = registry.rules(game)
    assert game_words.game_name(rules) == rules.name
    assert game_words.rules_sentences(rules) == list(rules.sentences)


@pytest.mark.parametrize("game", ["tictactoe", "qubic", "nine-board", "gomoku"])
def test_english_complains_of_moves_as_the_rules_do(game: str) -> None:
    rules = registry.rules(game)
    position = rules.initial
    for text in ("z9", "", "5/5/5", "x" * 40):
        with pytest.raises(MalformedMove) as theirs:
            rules.parse_move(text)
        with pytest.raises(MalformedMove, match=None) as ours:
            game_words.parse_move(text, rules)
        assert str(ours.value) == str(theirs.value)
    while position.outcome is None:
        position = position.play(position.legal_moves()[0])
        for move in set(range(rules.cells)) - set(position.legal_moves()):
            with pytest.raises(IllegalMove) as theirs_illegal:
                position.play(move)
            with pytest.raises(IllegalMove) as ours_illegal:
                game_words.check_move(position, move)
            assert str(ours_illegal.value) == str(theirs_illegal.value)
