"""The bots that the menus offer."""

from __future__ import annotations

import pytest

from client.sdk.records import ServerBot
from client.terminal.words.bots import offered_bots
from engine.bots.roster import bot, bots
from engine.rules.registry import rules
from server.wire import RatingView


@pytest.mark.parametrize("game", ["tictactoe", "qubic", "nine-board", "mnk:7,5,4"])
def test_every_bot_that_plays_the_game_and_no_other(game: str) -> None:
    offered = offered_bots(rules(game))
    assert {bot(name).family for name in offered} == {e.family for e in bots() if e.plays(rules(game))}
    assert all(bot(name).name == name for name in offered)


def test_levels_come_first_in_words() -> None:
    offered = list(offered_bots(rules("tictactoe")).items())
    assert offered[0] == ("level:1", "Level 1, a beginner")
    assert [name for name, _ in offered[:9]] == [*(f"level:{level}" for level in range(1, 9)), "strongest"]


def test_strength_is_told_where_it_was_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.bots.roster.strength._MEASURED", {"qubic": {"alphabeta:2": "about level 3"}})
    assert "about level 3" in offered_bots(rules("qubic"))["alphabeta:2"]
    assert "level 3" not in offered_bots(rules("gomoku"))["alphabeta:2"]


def test_ratings_stand_beside_the_name() -> None:
    rated = {"level:3": RatingView(value=1512, deviation=200, provisional=True)}
    listed = [ServerBot("level", "Level", "A level.", ratings=rated)]
    offered = offered_bots(rules("tictactoe"), listed)
    assert offered["level:3"] == "Level 3 (1512?), casual"
    assert offered["level:2"] == "Level 2, easy"


def test_an_engine_that_follows_games_from_their_start_is_offered_for_short_starts_alone() -> None:
    listed = [
        ServerBot(name, name, "Remembers.", engine=True, opening_plies=plies) for name, plies in (("a", 0), ("b", 1))
    ]
    game = rules("nine-board")
    offered = [[bot for bot in offered_bots(game, listed, plies) if bot in ("a", "b")] for plies in range(3)]
    assert offered == [["a", "b"], ["b"], []]


def test_engines_of_the_server_come_last_in_their_own_words() -> None:
    rated = {"deep": RatingView(value=1700, deviation=60)}
    listed = [
        ServerBot("random", "Random", "Plays anything."),
        ServerBot("coin", "coin\x1b[31m", "Tosses a coin.", engine=True),
        ServerBot("deep", "deep", "Thinks.", engine=True, ratings=rated),
    ]
    ours, offered = offered_bots(rules("tictactoe")), offered_bots(rules("tictactoe"), listed)
    assert list(offered) == [*ours, "coin", "deep"]
    assert "\x1b" not in offered["coin"]
    assert offered["coin"].endswith("Tosses a coin.")
    assert "deep (1700)" in offered["deep"]
