"""The full screen: the lobby, games and replays, one after the other, on one connection."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import ClassVar

from textual.app import App, SystemCommand
from textual.binding import Binding, BindingType
from textual.command import CommandPalette
from textual.events import Event, Key, Paste
from textual.screen import Screen

from client.sdk import Connection, ConnectionState, LiveRoom
from client.sdk.records import Records
from client.terminal.drawing.boards import FRAME, Look
from client.terminal.encoding import can_show
from client.terminal.full_screen.game_screen import GameScreen
from client.terminal.full_screen.keyboard import Keyboard
from client.terminal.full_screen.menu_screen import Chosen, MenuScreen
from client.terminal.full_screen.replay_screen import ReplayScreen
from client.terminal.full_screen.screen import SpokenScreen
from client.terminal.full_screen.study_screen import StudyScreen
from client.terminal.full_screen.theme import TERMINAL, ThemeAsked, shown_theme
from client.terminal.full_screen.window_title import WindowTitle
from client.terminal.language import t
from client.terminal.preferences import THEMES, Preferences, ThemeName
from client.terminal.records.replay import Replay
from client.terminal.seating import held_room, invitation_link, rooms_after
from client.terminal.studies.study import Study
from client.terminal.trouble import spoken_state
from client.terminal.typed.exits import INTERRUPTED, LEFT

_AT_ONCE = ("ctrl+c", "ctrl+q", "ctrl+z")
ANNOUNCED_S = 60
"""How long an announcement stays on the screen."""
_SHOWING = (GameScreen, MenuScreen)
"""Screens that show the state of the connection themselves."""


class TerminalApp(App[int]):
    """Begins in a room or a replay, without one in the lobby. Its result is the exit status."""

    TITLE = "noughts"
    CSS_PATH = "terminal.tcss"
    ENABLE_COMMAND_PALETTE = False  # ours has a placeholder in the language that is spoken
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (72, "-wide"), (120, "-broad")]  # noqa: RUF012 - the base class declares it
    VERTICAL_BREAKPOINTS = [(0, "-short"), (28, "-tall")]  # noqa: RUF012
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c", "interrupt", show=False, priority=True),
        Binding("ctrl+q", "exit", show=False, priority=True),
        Binding("ctrl+p", "command_palette", show=False, priority=True),
        Binding("ctrl+z", "suspend_process", show=False, priority=True),
    ]

    def __init__(
        self,
        connection: Connection,
        server: str,
        look: Look,
        first: Chosen | None = None,
        preferences: Preferences | None = None,
    ) -> None:
        # Without colours a colourful theme would become grey.
        super().__init__(ansi_color=True if "NO_COLOR" in os.environ else None)
        self._connection = connection
        self._server = server
        self._look = look if can_show(FRAME) else replace(look, ascii=True)
        self._window = WindowTitle()
        self._keyboard = Keyboard(self, super().on_event, self._takes_keys)
        self._first = first
        self.room: LiveRoom | None = None
        """The room that is on the screen, or was as the player left."""
        self._preferences = preferences if preferences is not None else Preferences()
        self._records = Records(server, connection.token)
        self.register_theme(TERMINAL)
        self.theme = shown_theme(self._preferences.theme)

    def watch_title(self, title: str) -> None:
        if self.is_running and not self.is_headless:
            self._window.show(title)

    def on_unmount(self) -> None:
        if not self.is_headless:
            self._window.give_back()

    def on_mount(self) -> None:
        if not self.is_headless:
            self._window.keep()
        self._connection.on_state = self._show_state
        self.screen_change_signal.subscribe(self, lambda _: self._keyboard.look_again())
        self.run_worker(self._keyboard.run(), name="keyboard")
        self._connection.on_announcement = self._announce
        if self._connection.announcement:
            self._announce(self._connection.announcement)
        self.run_worker(self._take_turns(), name="screens")

    async def on_event(self, event: Event) -> None:
        """Typed keys go through the keyboard, except for those that always leave or suspend."""
        typed = isinstance(event, Key | Paste) and not event.is_forwarded
        if typed and not (isinstance(event, Key) and event.key in _AT_ONCE):
            self._keyboard.press(event)
        else:
            await super().on_event(event)

    def on_spoken_screen_free(self) -> None:
        self._keyboard.look_again()

    def _takes_keys(self) -> bool:
        screen = self.screen
        if len(self.screen_stack) == 1 or not screen.is_mounted:  # between two screens
            return False
        if isinstance(screen, SpokenScreen) and screen.is_busy:
            return False
        return screen.focused is not None or not screen.focus_chain

    # The command palette and the theme

    def action_command_palette(self) -> None:
        if not isinstance(self.screen, CommandPalette):
            self.push_screen(CommandPalette(placeholder=t("palette.placeholder")))

    def get_system_commands(self, screen: Screen[object]) -> Iterator[SystemCommand]:
        if isinstance(screen, SpokenScreen):
            for told, run in screen.palette():
                yield SystemCommand(told, "", run)
        for name in THEMES:
            yield SystemCommand(t("palette.theme", name=name), "", partial(self._wear, name))
        yield SystemCommand(t("palette.quit"), "", self.action_exit)

    def on_theme_asked(self, event: ThemeAsked) -> None:
        self._wear(event.name)

    def _wear(self, name: ThemeName) -> None:
        self.notify(self._preferences.wear(name), markup=False)
        self.theme = shown_theme(name)

    async def _take_turns(self) -> None:
        """A game or a replay, the lobby, a game, until the player quits."""
        chosen = self._first
        while True:
            match chosen:
                case None:
                    chosen = await self.push_screen_wait(self._menu())
                case Replay():
                    chosen = await self.push_screen_wait(
                        ReplayScreen(chosen, self._look, self._connection, self._records)
                    )
                case Study():
                    chosen = await self.push_screen_wait(StudyScreen(chosen, chosen.context))
                case LiveRoom():
                    self.room = room = chosen
                    chosen = await self.push_screen_wait(self._game_screen(room))
                    self._connection.rooms = rooms_after(self._connection.rooms, room)
                    self._connection.held[room.id] = held_room(room.view)
                    self.room = None

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

    def _announce(self, text: str) -> None:
        self.notify(t("announcement", text=text), timeout=ANNOUNCED_S, markup=False)

    def action_interrupt(self) -> None:
        self.exit(INTERRUPTED)

    def action_exit(self) -> None:
        screen = next((screen for screen in reversed(self.screen_stack) if isinstance(screen, SpokenScreen)), None)
        self.exit(screen.exit_status if screen is not None else LEFT)
