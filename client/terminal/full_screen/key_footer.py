"""The keys of a screen, named in its last line."""

from __future__ import annotations

from typing import Final

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.events import Resize
from textual.widgets import Footer
from textual.widgets._footer import FooterKey

_BETWEEN: Final = 1
"""Columns between a key and its meaning, and between two keys."""


class KeyFooter(Footer):
    """Names as many keys as there is room for, each in full; the first of them lists all."""

    def __init__(self) -> None:
        super().__init__(compact=True)

    def compose(self) -> ComposeResult:
        room = self.size.width
        for key in super().compose():
            if isinstance(key, FooterKey):
                room -= cell_len(key.key_display) + _BETWEEN + cell_len(key.description)
                if room < 0:
                    return
                room -= _BETWEEN
            yield key

    def on_resize(self, event: Resize) -> None:
        self.refresh(recompose=True)
