"""What all screens share: their keys are told in the language that is spoken, and news may come too late for them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace
from functools import partial

from rich.text import Text
from textual.binding import ActiveBinding
from textual.screen import Screen, ScreenResultType
from textual.widgets import Static

from client.terminal.language import t


class SpokenScreen(Screen[ScreenResultType]):
    """A screen whose bindings are described by the keys of texts."""

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
