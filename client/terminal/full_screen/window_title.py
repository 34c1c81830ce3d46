"""The title of the terminal's window, seen while other work goes on there."""

from __future__ import annotations

import os
import sys

_KEEP, _SHOW, _OLD = "\x1b[22;2t", "\x1b]2;{title}\x07", "\x1b[23;2t"


class WindowTitle:
    """Written to where the screen is drawn, unless that is not a terminal, or is the Linux console, which would print
    it."""

    def keep(self) -> None:
        """The terminal keeps the title that it has."""
        self._write(_KEEP)

    def show(self, title: str) -> None:
        self._write(_SHOW.format(title=title))

    def give_back(self) -> None:
        self._write(_OLD)

    def _write(self, sequence: str) -> None:
        stream = sys.__stderr__
        if stream is not None and stream.isatty() and os.environ.get("TERM") != "linux":
            stream.write(sequence)
            stream.flush()
