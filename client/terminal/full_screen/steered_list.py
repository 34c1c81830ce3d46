"""A list that the keys of the line steer.

The line keeps the focus, so that what is typed always has a place and keys that arrive together stay in order.
"""

from __future__ import annotations

from textual.reactive import reactive
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from client.terminal.full_screen.command_line import Steps


class SteeredList(OptionList, can_focus=False):
    active = reactive(False, toggle_class="-active")
    """Whether the keys steer this list."""

    def __init__(self, id: str) -> None:
        super().__init__(id=id, markup=False, compact=True)
        self._is_lost = False
        """Whether news took away what was highlighted, and no key has moved on since."""

    def steer(self, direction: Steps) -> None:
        match direction:
            case "up":
                self.action_cursor_up()
            case "down":
                self.action_cursor_down()
            case "previous":
                self.action_page_up()  # type: ignore[no-untyped-call]  # textual gives it no types
            case "next":
                self.action_page_down()  # type: ignore[no-untyped-call]
            case "first":
                self.action_first()
            case "last":
                self.action_last()

    def refill(self, options: list[Option], *, is_news: bool = False) -> None:
        """Show new options; what was highlighted stays so while it is there, wherever it went.

        Where news takes it away, nothing is highlighted until a key moves there: Enter may come at the same moment.
        """
        key = self.chosen
        self.clear_options()
        self.add_options(options)
        able = [place for place, option in enumerate(options) if not option.disabled]
        kept = [place for place in able if key and options[place].id == key]
        self._is_lost = is_news and not kept and (bool(key) or self._is_lost)
        self.highlighted = None if self._is_lost else next(iter([*kept, *able]), None)

    @property
    def chosen(self) -> str:
        """The id of what is highlighted; empty where nothing is that can be chosen."""
        option = self.get_option_at_index(self.highlighted) if self.highlighted is not None else None
        return option.id or "" if option is not None and not option.disabled else ""
