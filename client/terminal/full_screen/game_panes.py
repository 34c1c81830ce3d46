"""The panes of a game: its moves, the log, what a bot finds, the rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.text import Text
from textual.containers import Vertical, VerticalScroll
from textual.widgets import Static

from client.terminal.full_screen.news import News
from client.terminal.full_screen.panes import Pane, PaneTabs
from client.terminal.pane_names import PaneName
from client.terminal.preferences import Preferences

_SHORTEST_LOG: Final = 2
"""With fewer lines than this for the log, news is shown over the board for a moment."""
_MOST_LINES: Final = 14
"""Most lines that the panes below a board take, including their tabs."""


class GamePanes(Vertical):
    """Beside the board each folds by itself; below it, in a narrow terminal, one is shown at a time."""

    def __init__(self, preferences: Preferences) -> None:
        self._preferences = preferences
        # Made here and not looked up: news may come before they are mounted, and after they are removed.
        self._said, self._found = News("log"), News("found")
        self._moves, self._thinking, self._rules = Static(id="moves"), Static(id="thinking"), Static(id="rules")
        self._movelist = VerticalScroll(self._moves, id="movelist", can_focus=False)
        self._panes: dict[PaneName, Pane] = {
            "moves": Pane("moves", self._movelist),
            "chat": Pane("chat", self._said),
            "thoughts": Pane("thoughts", self._thinking, self._found),
            "rules": Pane("rules", VerticalScroll(self._rules, can_focus=False)),
        }
        self._thinking.display = False
        self._tabs = PaneTabs(id="tabs")
        super().__init__(self._tabs, *self._panes.values(), id="side")

    # What they hold

    def tell(self, sentence: str) -> None:
        """Tell what happens, or what is said."""
        self._said.tell(sentence)

    def tell_found(self, sentence: str) -> None:
        """Tell what a bot found."""
        self._found.tell(sentence)

    @property
    def found(self) -> list[str]:
        """What bots have found so far."""
        return [*self._found.told]

    def show_moves(self, lines: Sequence[str]) -> None:
        self._moves.update(Text("\n".join(lines)))
        self._movelist.scroll_end(animate=False)

    def show_thinking(self, sentence: str) -> None:
        self._thinking.update(Text(sentence))
        self._thinking.display = bool(sentence)  # else it takes a line of the pane

    def show_rules(self, sentences: Sequence[str]) -> None:
        self._rules.update(Text("\n".join(sentences)))

    # What is seen of them

    @property
    def has_log(self) -> bool:
        """Whether the log can be read there."""
        return self._said.size.height >= _SHORTEST_LOG

    def is_seen(self, pane: PaneName) -> bool:
        part = self._panes[pane]
        return part.display and part.size.height > 1 and not (part.folded and not self._is_narrow)

    @property
    def _is_narrow(self) -> bool:
        return self._is_sized("-narrow")

    def _is_sized(self, size: str) -> bool:
        # The screen folds them once before they are on it.
        return self.is_attached and self.screen.has_class(size)

    def fold(self, has_bot: bool) -> None:
        """Open or folded as the player left them; else open if there is room and something to show."""
        short = self._is_sized("-short")
        by_itself = {"thoughts": short or not has_bot, "rules": short}
        for name, pane in self._panes.items():
            pane.folded = self._preferences.folded.get(name, by_itself.get(name, False))
            pane.set_class(name == self._tabs.shown, "-shown")
        self.set_class(all(pane.folded for pane in self._panes.values()), "-folded")

    def turn(self, pane: PaneName) -> bool:
        """Fold or unfold it beside the board, or show it below; whether there is room for that."""
        if not self._is_narrow:
            self._preferences.fold(pane, not self._panes[pane].folded)
        elif self.size.height:
            self._tabs.shown = pane
        else:
            return False
        return True

    def would_show(self, pane: PaneName) -> bool:
        """Whether `turn` does not hide it."""
        return self._is_narrow or self._panes[pane].folded

    @property
    def next(self) -> PaneName:
        """The tab after the one that is shown."""
        return self._tabs.next()

    def stand_below(self, table: int, board: int) -> None:
        """Take the lines that a board leaves, which needs at least `board` of them and may have twice as many."""
        left = min(table - board, max(table // 2, table - 2 * board), _MOST_LINES)
        self.styles.height = left if left > _SHORTEST_LOG else 0

    def stand_beside(self) -> None:
        """Stand beside the board, as high as it is."""
        self.styles.height = None
