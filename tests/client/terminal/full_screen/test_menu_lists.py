"""What the lists of the lobby's screen offer."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from rich.text import Text
from textual.widgets.option_list import Option

from client.terminal.full_screen import menu_lists
from client.terminal.preferences import LastGame
from client.terminal.studies.table import STUDIES
from client.terminal.words.lobby import sections
from engine.rules import registry
from server.wire import Lobby, Player
from tests.support.terminal.fake_server import ME
from tests.support.terminal.lobby import FULL
from tests.support.terminal.records import WON

BOTS = {"level:1": "Level 1 [easy]", "random": "Random"}


def ids(options: Iterable[Option]) -> list[str | None]:
    return [option.id for option in options]


def shown(options: Iterable[Option]) -> list[str]:
    return [str(option.prompt) for option in options]


def test_every_game_and_study_is_offered_and_the_last_game_first() -> None:
    offered = [f"game {game.id}" for game in registry.games()] + [f"study {word}" for word in STUDIES]
    assert ids(menu_lists.games(None)) == [*offered, "games", "settings", "leave"]
    again = next(menu_lists.games(LastGame("qubic", "bot", "level:2")))
    assert (again.id, str(again.prompt)) == ("again", "Again: Qubic, against Level 2")


@pytest.mark.parametrize(
    "last", [LastGame("newer:9", "open"), LastGame("mnk:9,9,5", "self"), LastGame("super", "invite")]
)
def test_any_last_game_can_be_told(last: LastGame) -> None:
    assert len({*shown(menu_lists.games(last)), *shown(menu_lists.games(None))}) == len(ids(menu_lists.games(last)))


def test_people_come_before_the_settings_of_the_game_and_bots_after_them() -> None:
    bob = Player(id="p2", name="Bob", kind="person")
    options = list(menu_lists.opponents(BOTS, [bob], "5+3", "random", "human"))
    assert ids(options) == [
        "invite", "open", "self", "player p2", "clock", "seat", "pace", "bot level:1", "bot random", "back",
    ]  # fmt: skip
    told = shown(options)
    assert told[3:5] == ["Challenge Bob", "Clock: 5+3"]
    assert "Level 1 [easy]" in told, "no markup"
    changed = shown(menu_lists.opponents(BOTS, [], "none", "x", None))
    assert changed[3:6] == ["Clock: none", "Your seat: X, you move first", "Bots: answer at once"]
    assert not {"Clock: none", "Your seat: X, you move first", "Bots: answer at once"} & set(told)


def test_records_are_replayed_by_their_numbers() -> None:
    assert ids(menu_lists.records([WON])) == ["replay 7", "back"]


def test_the_lobby_has_titles_that_cannot_be_chosen_and_boards_below_running_games() -> None:
    told = sections(FULL, ME.id)
    options = list(menu_lists.lobby_options(told, {"r5": Text("BOARD")}))
    chosen = [option.id for option in options if not option.disabled]
    assert chosen == [entry.key for section in told for entry in section.entries]
    assert shown(option for option in options if option.disabled) == [section.title for section in told]
    boards = {option.id: str(option.prompt) for option in options if "BOARD" in str(option.prompt)}
    assert list(boards) == ["watch r5"]
    assert boards["watch r5"].endswith("\nBOARD\n")


def test_an_empty_lobby_says_so() -> None:
    nobody = Lobby(seeks=[], rooms=[], players=1, challenges=[], people=[])
    (option,) = menu_lists.lobby_options(sections(nobody, ME.id), {})
    assert option.disabled
    assert option.prompt
