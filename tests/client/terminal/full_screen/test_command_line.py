"""The line to type in, whose keys steer the board while it is empty."""

from __future__ import annotations

from textual.events import Key
from textual.widgets import Input

from client.terminal.full_screen.board import BoardView
from client.terminal.full_screen.command_line import CommandLine
from server.wire import Move, Say
from tests.support.terminal.screen import screen


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


async def test_lines_typed_ahead_stay_apart() -> None:
    async with screen() as seen:
        await seen.pilot.press(*"/say", "space", *"hi", "enter", *"/say", "space", *"ho", "enter")
        await seen.until("Ada: ho", "#log")
        assert [say.text for say in seen.server.requests(Say)] == ["hi", "ho"]


async def test_arrows_and_enter_play() -> None:
    async with screen() as seen:
        await seen.pilot.press("up", "up", "right", "enter")
        await seen.server.hears(Move)
        assert seen.server.requests(Move)[0].move == "c3"
