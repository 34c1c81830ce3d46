"""Log and chat as lines that are wrapped again when the terminal's width changes."""

from __future__ import annotations

from collections import deque

from rich.text import Text
from textual.events import Resize
from textual.widgets import RichLog

LINES_KEPT = 500


class News(RichLog):
    def __init__(self, id: str) -> None:
        super().__init__(id=id, wrap=True, markup=False, min_width=20, max_lines=LINES_KEPT)
        self.can_focus = False
        self.told: deque[str] = deque(maxlen=LINES_KEPT)
        self._wrapped_at = 0

    def tell(self, sentence: str) -> None:
        self.told.append(sentence)
        self.write(Text(sentence))

    def on_resize(self, event: Resize) -> None:
        columns = self.scrollable_content_region.width
        if not columns or columns == self._wrapped_at:
            return
        first, self._wrapped_at = not self._wrapped_at, columns
        if not first:  # RichLog itself keeps what was written before there was a width
            self.clear()
            for sentence in self.told:
                self.write(Text(sentence))
