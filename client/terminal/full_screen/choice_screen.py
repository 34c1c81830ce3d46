"""Choosing one of a few lines, over the screen that asks: the settings, and the bots to play on against."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from client.terminal.language import t
from client.terminal.preferences import SETTINGS, Preferences


class ChoiceScreen(ModalScreen[str | None]):
    """Ends with the id of a line, None where nothing was chosen."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q", "dismiss(None)", show=False)]

    def __init__(self, title: str, lines: Iterable[tuple[str, str]]) -> None:
        """`lines` are ids and what is shown."""
        super().__init__(classes="over")
        self._title = title
        self._lines = list(lines)

    def compose(self) -> ComposeResult:
        with Vertical(classes="panel"):
            yield Static(Text(self._title, style="bold underline"))
            yield OptionList(*(Option(Text(line), id=key) for key, line in self._lines), markup=False, compact=True)
            yield Static(Text(t("help.close"), style="dim"))

    @on(OptionList.OptionSelected)
    def _chosen(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(event.option_id)


class SettingsScreen(ModalScreen[None]):
    """Enter or a click changes a setting at once."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q,f10", "dismiss", show=False)]

    def __init__(self, preferences: Preferences) -> None:
        super().__init__(classes="over")
        self._preferences = preferences

    def compose(self) -> ComposeResult:
        with Vertical(classes="panel"):
            yield Static(Text(t("settings.title"), style="bold underline"))
            yield OptionList(
                *(Option(self._told(at), id=key) for at, key in enumerate(SETTINGS)), markup=False, compact=True
            )
            yield Static("", id="kept")
            yield Static(Text(t("settings.hint"), style="dim"))

    def _told(self, at: int) -> Text:
        setting = SETTINGS[at]
        return Text.assemble((self._preferences.line(setting), "bold"), "\n", t(f"settings.{setting}.meaning"))

    @on(OptionList.OptionSelected)
    def _chosen(self, event: OptionList.OptionSelected) -> None:
        told = self._preferences.switch(SETTINGS[event.option_index])
        event.option_list.replace_option_prompt_at_index(event.option_index, self._told(event.option_index))
        self.query_one("#kept", Static).update(Text(told))
