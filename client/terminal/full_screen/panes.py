"""What stands beside a board, or in a narrow terminal below it: panes that fold, and tabs where only one has room."""

from __future__ import annotations

from typing import Final

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget
from textual.widgets import Static

from client.terminal.language import t
from client.terminal.pane_names import PANES, TITLES, PaneName

KEYS: Final[dict[PaneName, str]] = {"moves": "ctrl+l", "chat": "ctrl+t", "thoughts": "ctrl+o", "rules": "ctrl+r"}


def key_name(pane: PaneName) -> str:
    return f"^{KEYS[pane][-1].upper()}"


class PaneTitle(Static):
    """A click on it folds or shows its pane."""

    class Clicked(Message):
        def __init__(self, pane: PaneName) -> None:
            super().__init__()
            self.pane = pane

    def __init__(self, pane: PaneName, text: str, classes: str) -> None:
        super().__init__(text, classes=classes, markup=False)
        self.pane = pane

    def on_click(self) -> None:
        self.post_message(self.Clicked(self.pane))


class Pane(Vertical):
    """Something beside the board under a title."""

    folded = reactive(False, toggle_class="-folded")

    def __init__(self, pane: PaneName, *content: Widget) -> None:
        super().__init__(id=f"pane-{pane}", classes="pane")
        self.pane = pane
        self._content = content

    def compose(self) -> ComposeResult:
        yield PaneTitle(self.pane, "", "pane-title")
        yield from self._content

    def on_mount(self) -> None:
        self.watch_folded(self.folded)

    def watch_folded(self, folded: bool) -> None:
        for title in self.query(PaneTitle):
            title.update(f"{'+' if folded else '-'} {t(TITLES[self.pane])} {key_name(self.pane)}")


class PaneTabs(Horizontal):
    """The names of the panes in a line; the one that is shown is marked."""

    shown: reactive[PaneName] = reactive[PaneName]("chat")

    def compose(self) -> ComposeResult:
        for pane in PANES:
            yield PaneTitle(pane, t(TITLES[pane]), "tab")

    def on_mount(self) -> None:
        self.watch_shown()

    def watch_shown(self) -> None:
        for tab in self.query(PaneTitle):
            tab.set_class(tab.pane == self.shown, "-shown")

    def next(self) -> PaneName:
        """The pane after the one that is shown."""
        return PANES[(PANES.index(self.shown) + 1) % len(PANES)]
