"""What all screens share: the language of their keys, work that may fail, and news that may come too late for them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

from rich.text import Text
from textual.binding import ActiveBinding
from textual.message import Message
from textual.screen import Screen, ScreenResultType
from textual.widgets import Static

from client.sdk import NoughtsError
from client.terminal.language import t
from client.terminal.plain.lines import patiently
from client.terminal.seating import BadChoice
from client.terminal.trouble import trouble_words
from client.terminal.typed.commands import NotNow
from client.terminal.typed.exits import LEFT


class SpokenScreen(Screen[ScreenResultType]):
    """A screen whose bindings are described by the keys of texts."""

    class Free(Message):
        """Sent once what was under way is done."""

    is_busy = False
    """Whether something is under way that may open another screen. Keys wait for it: they are meant for that screen."""

    def do(self, work: Coroutine[Any, Any, None]) -> None:
        """Do one thing at a time; what is asked for meanwhile, by a click, is dropped."""
        if self.is_busy:
            work.close()
            return
        self.is_busy = True
        self.run_worker(self._do(work), name="do")

    async def _do(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await self.told(patiently(partial(self.notify, markup=False), work))
        finally:
            self.is_busy = False
            self.post_message(self.Free())

    async def told(self, work: Awaitable[object]) -> None:
        """Show what goes wrong as a sentence."""
        try:
            await work
        except (BadChoice, NotNow, NoughtsError) as error:
            self.complain(trouble_words(error))

    def complain(self, sentence: str) -> None:
        # No abstract method: Screen's metaclass is not ABCMeta, and each screen has a place of its own for sentences.
        raise NotImplementedError

    @property
    def exit_status(self) -> int:
        """Exit status for whoever leaves noughts from here."""
        return LEFT

    @property
    def active_bindings(self) -> dict[str, ActiveBinding]:
        return {
            key: active._replace(binding=replace(active.binding, description=_told(active.binding.description)))
            for key, active in super().active_bindings.items()
        }

    def palette(self) -> Iterator[tuple[str, Callable[[], Awaitable[None] | None]]]:
        """What the command palette offers here, and what does it: at least what has a key."""
        for active in self.active_bindings.values():
            if active.node is self and active.enabled and active.binding.show:
                yield active.binding.description, partial(self.run_action, active.binding.action)

    def put(self, where: str, text: Text) -> None:
        """Show text in a part of the screen; nothing where that part has gone already.

        A screen that is left loses its parts first, and what a server says meanwhile still comes to it.
        """
        for part in self.query(where).results(Static):
            part.update(text)


def _told(description: str) -> str:
    return t(description) if description.startswith("footer.") else description
