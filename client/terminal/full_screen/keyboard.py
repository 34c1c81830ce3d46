"""Keys in the order in which they were pressed, each obeyed before the next one comes.

Textual hands a key to what has the focus at that moment, though an earlier one may be on its way to open or leave a
screen: what is typed fast, pasted or sent together by a slow line would go to a screen that is about to go, or to one
that has no parts yet, and be lost. Here a key waits until its predecessor has gone all the way, and until there is a
screen that takes it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress

from textual.app import App
from textual.events import Event, Key, Paste
from textual.message_pump import MessagePump
from textual.widgets import Input

STEP_S = 1.0
"""A part of a screen that is being taken away does not answer: then it is gone on all the same."""
_ROUNDS = 3
"""A key may become a message, whose answer may be another screen's."""


class Keyboard:
    def __init__(self, app: App[int], obey: Callable[[Event], Awaitable[None]], takes_keys: Callable[[], bool]) -> None:
        """`obey` hands a key to what has the focus; `takes_keys` tells whether the screen is ready for it."""
        self._app = app
        self._obey = obey
        self._takes_keys = takes_keys
        self._pressed: asyncio.Queue[Event] = asyncio.Queue()
        self._news = asyncio.Event()

    def press(self, key: Event) -> None:
        # Pressed before we control the terminal, Enter arrives as a line feed: the system has translated it.
        is_line_end = isinstance(key, Key) and key.key == "ctrl+j"
        self._pressed.put_nowait(Key("enter", "\r") if is_line_end else key)

    def look_again(self) -> None:
        """The screen may take keys now."""
        self._news.set()

    async def run(self) -> None:
        while True:
            pressed = await self._pressed.get()
            await self._until_keys_are_taken()
            for key in _as_typed(pressed) if isinstance(self._app.focused, Input) else [pressed]:
                await self._until_keys_are_taken()
                await self._obey(key)
                for _ in range(_ROUNDS):
                    await self._settled()

    async def _until_keys_are_taken(self) -> None:
        while not self._takes_keys():
            self._news.clear()
            await self._settled()
            if not self._takes_keys():
                await _at_most_a_step(self._news)

    async def _settled(self) -> None:
        """Wait until what the focus, all around it and the app had been told before now is done."""
        for pump in (self._app.focused or self._app.screen).ancestors_with_self:
            await _done_so_far(pump)


def _as_typed(pressed: Event) -> Iterator[Event]:
    """Pasted lines, one after the other: Input by itself takes the first and drops the rest."""
    if not isinstance(pressed, Paste):
        yield pressed
        return
    for number, line in enumerate(filter(str.strip, pressed.text.splitlines())):
        if number:
            yield Key("enter", "\r")
        yield Paste(line)


async def _done_so_far(pump: MessagePump) -> None:
    done = asyncio.Event()
    if pump.call_later(done.set):
        await _at_most_a_step(done)


async def _at_most_a_step(event: asyncio.Event) -> None:
    with suppress(TimeoutError):
        async with asyncio.timeout(STEP_S):
            await event.wait()
