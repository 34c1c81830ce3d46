"""The full screen: the lobby, games and replays, one after the other, on one connection."""

from __future__ import annotations

import os
from typing import ClassVar

from textual.app import App
from textual.binding import Binding, BindingType

from client.sdk import Connection, ConnectionState, LiveRoom
from client.sdk.records import Records
from client.terminal.game_screen import GameScreen
from client.terminal.menu import Chosen, MenuScreen
from client.terminal.preferences import Preferences
from client.terminal.render import Look
from client.terminal.replay import Replay
from client.terminal.replay_screen import ReplayScreen
from client.terminal.seating import invitation_link, rooms_after
from client.terminal.studies.study import Study
from client.terminal.studies.study_screen import StudyScreen
from client.terminal.theme import TERMINAL
from client.terminal.trouble import spoken_state

_SHOWING = (GameScreen, MenuScreen)
"""Screens that tell by themselves how the connection is."""
_KEEP_TITLE, _OLD_TITLE = "\x1b[22;2t", "\x1b[23;2t"
"""The terminal keeps the title it has, and shows it again."""


class TerminalApp(App[int]):
    """Begins in a room or a replay, without one in the lobby. Its result is the exit status."""

    TITLE = "noughts"
    CSS_PATH = "terminal.tcss"
    ENABLE_COMMAND_PALETTE = False
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (72, "-wide"), (120, "-broad")]  # noqa: RUF012 - the base class declares it
    VERTICAL_BREAKPOINTS = [(0, "-short"), (28, "-tall")]  # noqa: RUF012
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c", "exit", show=False, priority=True),
        Binding("ctrl+q", "exit", show=False, priority=True),
    ]

    def __init__(
        self,
        connection: Connection,
        server: str,
        look: Look,
        first: Chosen | None = None,
        preferences: Preferences | None = None,
    ) -> None:
        super().__init__(ansi_color=True)
        self._connection = connection
        self._server = server
        self._look = look
        self._first = first
        self._preferences = preferences if preferences is not None else Preferences()
        self._records = Records(server, connection.token)

    def watch_title(self, title: str) -> None:
        """The title is that of the terminal's window, seen while other work goes on there."""
        self._write(f"\x1b]2;{title}\x07")

    def _write(self, sequence: str) -> None:
        # Textual has no public way to write to the terminal. The console of Linux would show such a sequence.
        if self._driver is not None and not self.is_headless and os.environ.get("TERM") != "linux":
            self._driver.write(sequence)

    def on_unmount(self) -> None:
        self._write(_OLD_TITLE)

    def on_mount(self) -> None:
        self._write(_KEEP_TITLE)
        self.register_theme(TERMINAL)
        self.theme = TERMINAL.name
        self._connection.on_state = self._show_state
        self.run_worker(self._take_turns(), name="screens")

    async def _take_turns(self) -> None:
        """A game or a replay, the lobby, a game, until the player quits."""
        chosen = self._first
        while True:
            match chosen:
                case None:
                    chosen = await self.push_screen_wait(self._menu())
                case Replay():
                    chosen = await self.push_screen_wait(ReplayScreen(chosen, self._look, self._connection))
                case Study():
                    chosen = await self.push_screen_wait(StudyScreen(chosen, chosen.desk))
                case LiveRoom():
                    room, chosen = chosen, await self.push_screen_wait(self._game_screen(chosen))
                    self._connection.rooms = rooms_after(self._connection.rooms, room)

    def _menu(self) -> MenuScreen:
        return MenuScreen(self._connection, self._records, self._look, self._preferences)

    def _game_screen(self, room: LiveRoom) -> GameScreen:
        code = room.view.code
        link = invitation_link(self._server, room.id, code) if code is not None else None
        return GameScreen(self._connection, room, self._look, link, self._records, self._preferences)

    def _show_state(self, state: ConnectionState) -> None:
        screen = next((screen for screen in reversed(self.screen_stack) if isinstance(screen, _SHOWING)), None)
        if screen is not None:
            screen.show_state(state)
        else:
            self.notify(
                spoken_state(state).sentence, severity="information" if state.connected else "warning", markup=False
            )

    def action_exit(self) -> None:
        self.exit(0)
