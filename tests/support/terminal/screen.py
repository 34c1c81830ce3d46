"""A person before the full screen, for tests: what they see and do, through textual's pilot and the fake server."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from textual.pilot import Pilot
from textual.widgets import Input, OptionList, RichLog, Static

from client.sdk import connect
from client.terminal.drawing.boards import Look
from client.terminal.full_screen.app import TerminalApp
from client.terminal.full_screen.board import BoardView
from client.terminal.full_screen.study_screen import StudyScreen
from client.terminal.preferences import Preferences
from client.terminal.records.replay import Replay
from tests.support.terminal.fake_server import FakeRoom, FakeServer, fake_server

WIDE = (100, 32)
NARROW = (46, 30)
SMALL = (40, 20)


class Screen:
    """What a person sees and does."""

    def __init__(self, app: TerminalApp, pilot: Pilot[int], server: FakeServer) -> None:
        self.app = app
        self.pilot = pilot
        self.server = server

    async def type(self, *lines: str) -> None:
        for line in lines:
            await self.settles(lambda: bool(self.app.screen.query(Input)))
            typing = self.app.screen.query_one(Input)
            typing.focus()
            typing.value = line
            await self.pilot.press("enter")
        await self.pilot.pause()

    async def until(self, text: str, where: str = "#turn") -> None:
        """Wait for text in a part of the screen; the test's time limit ends it."""
        await self.settles(lambda: bool(self.app.screen.query(where)) and text in self.shown(where))

    async def settles(self, holds: Callable[[], bool]) -> None:
        """Wait until something holds, on a screen whose parts are there: one that opens has none at first.

        A pause alone does not tell: it ends when the process needs no time, as one that is kept waiting does.
        """
        while not (self.app.screen.is_mounted and holds()):
            await self.pilot.pause()

    def shown(self, where: str) -> str:
        widget = self.app.screen.query_one(where)
        if isinstance(widget, RichLog):
            return "\n".join(strip.text for strip in widget.lines)
        if isinstance(widget, BoardView):
            return "\n".join(widget.render_line(y).text for y in range(widget.size.height))
        assert isinstance(widget, Static)
        return str(widget.render())


@asynccontextmanager
async def screen(
    room: FakeRoom | None = None,
    *,
    size: tuple[int, int] = WIDE,
    menu: bool = False,
    look: Look | None = None,
    replay: Replay | None = None,
    preferences: Preferences | None = None,
    before: Callable[[FakeServer], None] | None = None,
    notifications: bool = False,
) -> AsyncIterator[Screen]:
    async with fake_server(room) as server, connect(server.url, delays_s=(0.0,) * 9) as connection:
        if before is not None:
            before(server)
        first = replay or (None if menu else await connection.join(room="r1"))
        app = TerminalApp(connection, server.url, look or Look(), first, preferences)
        async with app.run_test(size=size, notifications=notifications) as pilot:
            await pilot.pause()
            yield Screen(app, pilot, server)


def unwrapped(seen: Screen) -> str:
    """What happened, in one line."""
    return " ".join(seen.shown("#log").split())


async def choose(seen: Screen, beginning: str) -> None:
    def places() -> list[int]:
        lists = seen.app.screen.query("#choices").results(OptionList)
        return [
            i for each in lists for i, option in enumerate(each.options) if str(option.prompt).startswith(beginning)
        ]

    await seen.settles(lambda: bool(places()))
    choices = seen.app.screen.query_one("#choices", OptionList)
    choices.highlighted = places()[0]
    choices.focus()
    if isinstance(seen.app.screen, StudyScreen):
        seen.app.screen.in_list = True
    await seen.pilot.press("enter")
    await seen.pilot.pause()
