"""The line to type in: moves and commands; while it is empty, its keys steer the board."""

from __future__ import annotations

from typing import Literal, TypeAlias

from textual import events
from textual.message import Message
from textual.widgets import Input

from client.terminal.full_screen.board import Direction

Steps: TypeAlias = Direction | Literal["first", "last", "on"]
"""What the keys of the empty line ask for: a direction on the board, and in a replay its ends."""


_STEERING: dict[str, Steps] = {
    "up": "up", "down": "down", "left": "left", "right": "right",
    "pageup": "previous", "pagedown": "next", "home": "first", "end": "last", "space": "on",
}  # fmt: skip
_ALWAYS = ("up", "down", "pageup", "pagedown")
"""Keys that do nothing in a line of text."""


class CommandLine(Input):
    """Where moves and commands are typed. While it is empty, the arrows steer the board's cursor and `?` asks for
    the keys."""

    class Steered(Message):
        def __init__(self, direction: Steps | None) -> None:
            super().__init__()
            self.direction = direction

    class Entered(Message):
        def __init__(self, line: str) -> None:
            super().__init__()
            self.line = line

    class KeysAsked(Message):
        """`?` was typed into the empty line."""

    class TabPressed(Message):
        """The list or the pane beside is asked for."""

    async def on_key(self, event: events.Key) -> None:
        # All of them here: a binding waits for its event to bubble, so that of Left and Enter, pressed fast or sent
        # together by a slow line, Enter would come first and play another cell.
        if await self._obeys(event):
            event.stop()
            event.prevent_default()

    async def _obeys(self, event: events.Key) -> bool:
        if event.key == "enter":
            await self.action_submit()
        elif event.character == "?" and not self.value:
            self.post_message(self.KeysAsked())
        elif event.key in ("tab", "shift+tab"):
            self.post_message(self.TabPressed())
        elif event.key == "escape":
            self.clear()
            self.post_message(self.Steered(None))
        elif event.key in _STEERING and (event.key in _ALWAYS or not self.value):
            self.post_message(self.Steered(_STEERING[event.key]))
        else:
            return False
        return True

    async def action_submit(self) -> None:
        # Emptied here, not by the receiver: keys typed meanwhile belong to the next line.
        line, self.value = self.value, ""
        self.post_message(self.Entered(line))

    def take_back(self, line: str) -> None:
        """Give back a line that could not be used, to be corrected, unless something else has been typed meanwhile."""
        if not self.value:
            self.insert_text_at_cursor(line)
