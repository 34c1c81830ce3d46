"""The full screen: the menu and the game, one after the other, on one connection."""

from __future__ import annotations

from typing import ClassVar

from textual.app import App
from textual.binding import Binding, BindingType

from client.connection import Connection, LiveRoom, State, page_url
from client.render import Look
from client.terminal.game_screen import GameScreen
from client.terminal.menu import MenuScreen


class TerminalApp(App[int]):
    """Begins in a room, or in the menu without one. Its result is the exit status."""

    TITLE = "noughts"
    ENABLE_COMMAND_PALETTE = False
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (72, "-wide")]  # noqa: RUF012 - the base class declares it
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c", "exit", show=False, priority=True),
        Binding("ctrl+q", "exit", show=False, priority=True),
    ]

    def __init__(self, connection: Connection, server: str, look: Look, room: LiveRoom | None = None) -> None:
        super().__init__()
        self._connection = connection
        self._server = server
        self._look = look
        self._first_room = room

    def on_mount(self) -> None:
        self._connection.on_state = self._show_state
        self.run_worker(self._take_turns(), name="screens")

    async def _take_turns(self) -> None:
        """A game, the menu, a game, until the player quits."""
        room = self._first_room
        while True:
            if room is None:
                room = await self.push_screen_wait(MenuScreen(self._connection))
            code = room.view.code
            link = page_url(self._server, f"/join/{code}") if code is not None else None
            await self.push_screen_wait(GameScreen(room, self._look, link))
            room = None

    def _show_state(self, state: State) -> None:
        if isinstance(self.screen, GameScreen):
            self.screen.show_state(state)
        else:
            self.notify(state.sentence, severity="information" if state.connected else "warning", markup=False)

    def action_exit(self) -> None:
        self.exit(0)
