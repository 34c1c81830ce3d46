"""Keys that come all at once, as from a paste or a slow line: none is lost between two screens."""

from __future__ import annotations

from textual.events import Key, Paste
from textual.widgets import Input, OptionList

from client.terminal.full_screen.choice_screen import SettingsScreen
from client.terminal.full_screen.game_screen import GameScreen
from client.terminal.full_screen.menu_screen import MenuScreen
from server.wire import Create, Join, Move, Opponent, Say
from tests.support.terminal.fake_server import FakeServer
from tests.support.terminal.records import WON, keeps
from tests.support.terminal.screen import Screen, screen

NAMES = {" ": "space", "/": "slash", "?": "question_mark"}


def press(seen: Screen, *typed: str) -> None:
    """Each text letter by letter, each name in angles as one key, without a pause."""
    for text in typed:
        for key in [text[1:-1]] if text.startswith("<") else text:
            character = None if text.startswith("<") else key
            seen.app.post_message(Key(NAMES.get(key, key), character))


async def test_from_the_lobby_to_a_game_and_back_to_another() -> None:
    async with screen(menu=True) as seen:
        press(seen, "tictactoe", "<enter>", "random", "<enter>", "b2", "<enter>", "/say hi", "<enter>")
        press(seen, "/new", "<enter>", "qubic", "<enter>", "strongest", "<enter>", "/say ho", "<enter>", "a1")
        assert (await seen.server.hears(Say, 2)).text == "ho"
        assert [say.text for say in seen.server.requests(Say)] == ["hi", "ho"]
        assert [create.opponent for create in seen.server.requests(Create)] == [
            Opponent(kind="bot", bot="random"),
            Opponent(kind="bot", bot="strongest"),
        ]
        assert [move.move for move in seen.server.requests(Move)] == ["b2"]
        await seen.settles(
            lambda: bool(seen.app.screen.query(Input)) and seen.app.screen.query_one(Input).value == "a1"
        )
        assert isinstance(seen.app.screen, GameScreen)


async def test_enter_that_was_pressed_before_the_screen_was_there() -> None:
    """The terminal has made a line's end of it, which is read as Ctrl-J."""
    async with screen() as seen:
        press(seen, "b2", "<ctrl+j>")
        assert (await seen.server.hears(Move)).move == "b2"


async def test_lines_that_are_pasted_are_entered_but_for_the_last() -> None:
    async with screen(menu=True) as seen:
        seen.app.post_message(Paste("tictactoe\rrandom\r\r/say hi\r/say ho\ra1\r"))
        assert (await seen.server.hears(Say, 2)).text == "ho"
        assert [say.text for say in seen.server.requests(Say)] == ["hi", "ho"]
        await seen.settles(
            lambda: bool(seen.app.screen.query(Input)) and seen.app.screen.query_one(Input).value == "a1"
        )


async def test_lines_that_are_pasted_choose_nothing_of_a_list() -> None:
    async with screen() as seen:
        press(seen, "<f10>")
        await seen.settles(lambda: isinstance(seen.app.screen, SettingsScreen))
        chosen = [str(option.prompt) for option in seen.app.screen.query_one(OptionList).options]
        seen.app.post_message(Paste("a1\rb2\rc3"))
        press(seen, "<down>")
        await seen.settles(lambda: seen.app.screen.query_one(OptionList).highlighted == 1)
        assert [str(option.prompt) for option in seen.app.screen.query_one(OptionList).options] == chosen


async def test_through_what_stands_over_a_game() -> None:
    async with screen() as seen:
        press(seen, "?", "<escape>", "<f10>", "<down>", "<enter>", "<escape>", "?", "q", "b2", "<enter>", "<enter>")
        assert (await seen.server.hears(Move)).move == "b2"
        press(seen, "<ctrl+p>", "/settings", "<enter>")
        await seen.settles(lambda: isinstance(seen.app.screen, SettingsScreen))


async def test_from_the_lobby_through_a_replay_to_a_game() -> None:
    async with screen(menu=True, before=keeps) as seen:
        press(seen, "replay 7", "<enter>", "<right>", "<right>", "<f3>", "<enter>", "/say hi", "<enter>")
        assert (await seen.server.hears(Say)).text == "hi"
        assert seen.server.requests(Create)[0].start == [move.move for move in WON.moves or []][:2]


async def test_in_and_out_of_studies() -> None:
    async with screen(menu=True) as seen:
        press(seen, "lessons", "<enter>", "b2", "<enter>", "<escape>", "puzzles qubic", "<enter>", "back", "<enter>")
        press(seen, "analyse", "<enter>", "a1", "<enter>", "<f9>", "code", "<enter>")
        assert (await seen.server.hears(Join)).code == "code"


async def test_keys_wait_for_a_slow_answer_and_ctrl_c_does_not() -> None:
    async with screen(menu=True, before=silent) as seen:
        press(seen, "tictactoe", "<enter>", "random", "<enter>", "b2", "<enter>")
        await seen.server.hears(Create)
        await seen.pilot.pause()
        assert isinstance(seen.app.screen, MenuScreen)
        assert seen.app.screen.query_one(Input).value == ""  # not a line for the lobby
        press(seen, "<ctrl+c>")
        await seen.settles(lambda: not seen.app.is_running)
    assert seen.app.return_value == 130


def silent(server: FakeServer) -> None:
    server.answers[Create] = lambda request: None
