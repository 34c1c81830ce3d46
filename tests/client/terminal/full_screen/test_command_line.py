"""The line to type in, whose keys steer the board while it is empty."""

from __future__ import annotations

from textual.app import App, ComposeResult
from textual.events import Key
from textual.message import Message
from textual.widgets import Input

from client.terminal.full_screen.board import BoardView
from client.terminal.full_screen.command_line import CommandLine, Steps
from server.wire import Move, Say
from tests.support.terminal.screen import screen


class Lines(App[None]):
    """A line, and what it has told."""

    def __init__(self) -> None:
        super().__init__()
        self.line = CommandLine()
        self.told: list[Message] = []

    def compose(self) -> ComposeResult:
        yield self.line

    def on_command_line_steered(self, event: CommandLine.Steered) -> None:
        self.told.append(event)

    on_command_line_entered = on_command_line_keys_asked = on_command_line_tab_pressed = on_command_line_steered

    def steps(self) -> list[Steps | None]:
        steps = [event.direction for event in self.told if isinstance(event, CommandLine.Steered)]
        self.told.clear()
        return steps


async def test_the_keys_of_an_empty_line_steer_the_board() -> None:
    app = Lines()
    async with app.run_test() as pilot:
        await pilot.press("up", "down", "left", "right", "pageup", "pagedown", "home", "end", "space", "escape")
        assert app.steps() == ["up", "down", "left", "right", "previous", "next", "first", "last", "on", None]
        await pilot.press("b", "space", "left", "2", "home", "a", "end", "?", "up", "down", "pageup", "pagedown")
        assert app.steps() == ["up", "down", "previous", "next"]
        assert app.line.value == "ab2 ?"
        await pilot.press("escape")
        assert (app.line.value, app.steps()) == ("", [None])


async def test_other_keys_of_the_line_ask_for_something() -> None:
    app = Lines()
    async with app.run_test() as pilot:
        await pilot.press("?", "tab", "shift+tab", "b", "2", "enter", "a", "1", "enter", "enter")
        assert [type(event).__name__ for event in app.told] == [
            "KeysAsked", "TabPressed", "TabPressed", "Entered", "Entered", "Entered",
        ]  # fmt: skip
        assert [event.line for event in app.told if isinstance(event, CommandLine.Entered)] == ["b2", "a1", ""]
        assert app.line.value == ""


async def test_a_line_is_given_back_unless_another_is_typed() -> None:
    app = Lines()
    async with app.run_test() as pilot:
        app.line.take_back("/say x")
        await pilot.press("y")
        app.line.take_back("/say z")
        assert app.line.value == "/say xy"


async def test_keys_that_come_together_keep_their_order() -> None:
    async with screen() as seen:
        await seen.pilot.press("up")  # the cursor appears in the middle
        line = seen.app.screen.query_one(CommandLine)
        for key in ("left", "up", "enter"):  # at once, as a slow line delivers them
            line.post_message(Key(key, None))
        assert (await seen.server.hears(Move)).move == "a3"


async def test_escape_forgets_the_cursor_and_the_line() -> None:
    async with screen() as seen:
        await seen.pilot.press("up", "b", "escape")
        assert seen.app.screen.query_one(BoardView).cursor is None
        assert seen.app.screen.query_one(CommandLine).value == ""
        await seen.pilot.press("enter")
        assert not seen.server.requests(Move)


async def test_a_message_that_is_too_long_can_be_shortened() -> None:
    async with screen() as seen:
        message = "/say " + "x" * 301
        await seen.type(message)
        await seen.until("this one has 301.")
        assert seen.app.screen.query_one(Input).value == message
        await seen.pilot.press("backspace", "enter")
        assert (await seen.server.hears(Say)).text == "x" * 300
        assert seen.app.screen.query_one(Input).value == ""


async def test_arrows_and_enter_play() -> None:
    async with screen() as seen:
        await seen.pilot.press("up", "up", "right", "enter")
        await seen.server.hears(Move)
        assert seen.server.requests(Move)[0].move == "c3"
