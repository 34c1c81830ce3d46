"""What may be pressed and typed, shown over the screen that it is for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, TypeAlias

from rich.table import Table
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Static

from client.terminal.language import t

Rows: TypeAlias = Sequence[tuple[str, str]]
"""What is pressed or typed, and what it does."""


_TWO_COLUMNS = 44
"""In a window with fewer columns, the meanings have no room beside what is typed."""


class HelpScreen(ModalScreen[None]):
    """Two columns under each title, one below the other where it is narrow. It scrolls where it is too long.

    Any of its keys closes it.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,question_mark,enter,q,f1", "dismiss", show=False),
        Binding("down,space", "scroll('down')", show=False),
        Binding("up", "scroll('up')", show=False),
        Binding("pagedown", "scroll('page_down')", show=False),
        Binding("pageup", "scroll('page_up')", show=False),
    ]

    def __init__(self, *parts: tuple[str, Rows]) -> None:
        super().__init__(classes="over")
        self._parts = parts

    def compose(self) -> ComposeResult:
        with VerticalScroll(id="help", classes="panel", can_focus=False):
            for number, (title, rows) in enumerate(self._parts):
                # Beside the first title, where it is seen however long the rest is.
                hint = "" if number else f"  {t('help.close')}"
                yield Static(Text.assemble((title, "bold underline"), (hint, "dim")))
                yield Static(_table(rows, stacked=self.app.size.width < _TWO_COLUMNS))

    def action_scroll(self, how: str) -> None:
        getattr(self.query_one("#help", VerticalScroll), f"scroll_{how}")(animate=False)


_EVERYWHERE = (
    ("key.palette", "keys.palette"),
    ("key.ctrl_z", "keys.suspend"),
    ("key.ctrl_c", "keys.leave"),
)


def common_keys() -> list[tuple[str, str]]:
    """Keys of the lobby and of games."""
    return [("F10", t("keys.settings")), *((t(key), t(does)) for key, does in _EVERYWHERE)]


def _table(rows: Rows, *, stacked: bool) -> Table:
    table = Table.grid(padding=(0, 2, 0, 0))
    if stacked:
        for typed, meaning in rows:
            for line in filter(None, (Text(typed, style="bold"), Text(meaning))):
                table.add_row(line)
        return table
    table.add_column(no_wrap=True, style="bold")
    table.add_column()
    for typed, meaning in rows:
        table.add_row(Text(typed), Text(meaning))
    return table
