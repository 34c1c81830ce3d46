"""Games and bots as arguments: what a shell offers is what the command takes."""

from __future__ import annotations

import click
import pytest

from engine.bots import roster
from engine.rules import registry
from server.console.arguments import BotType, GameType, complete_bot, complete_game, items

CONTEXT = click.Context(click.Command("play"))
PARAMETER = click.Argument(["it"])


def bots(incomplete: str) -> list[str]:
    return [item.value for item in complete_bot(CONTEXT, PARAMETER, incomplete)]


def test_one_name_of_each_family_of_bots() -> None:
    assert bots("") == [entry.name for entry in roster.bots()]
    assert bots("rand") == ["random"]
    assert bots("nobody") == []


def test_all_values_once_the_family_is_clear() -> None:
    assert bots("level:") == [f"level:{level}" for level in range(1, 9)]
    assert bots("alphabeta:1") == ["alphabeta:1", *(f"alphabeta:{ply}" for ply in range(10, 20))]
    assert bots("level:9") == []


@pytest.mark.parametrize("entry", roster.bots(), ids=lambda entry: entry.family)
def test_every_bot_that_is_offered_exists(entry: roster.BotEntry) -> None:
    offered = [*bots(entry.family), *bots(f"{entry.family}:")]
    assert offered
    for name in offered:
        assert BotType().convert(name, None, None).name == name


def test_games() -> None:
    offered = complete_game(CONTEXT, PARAMETER, "")
    assert [item.value for item in offered] == [game.id for game in registry.games()]
    for item in offered:
        assert GameType().convert(item.value, None, None).name == item.help
    assert [item.value for item in GameType().shell_complete(CONTEXT, PARAMETER, "qu")] == ["qubic"]


def test_what_is_typed_stays() -> None:
    assert [item.value for item in items("a", (("ab", None), ("b", None), ("a", "one")))] == ["ab", "a"]
