"""How somebody likes to play in the terminal, and their last game, kept in a file of their own."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final, Literal, TypeAlias, get_args

import msgspec
from msgspec import Struct

from client.sdk import SeatChoice
from client.terminal import config
from client.terminal.language import t
from client.terminal.pane_names import PaneName
from client.terminal.seating import parse_clock
from server.wire import PaceAsked

Setting: TypeAlias = Literal["premove", "confirm", "thoughts"]
SETTINGS: Final[tuple[Setting, ...]] = ("premove", "confirm", "thoughts")
ThemeName: TypeAlias = Literal[
    "terminal", "textual-dark", "textual-light", "nord", "gruvbox", "tokyo-night", "dracula", "solarized-light"
]
THEMES: Final[tuple[ThemeName, ...]] = get_args(ThemeName)
"""The colours of the terminal itself, and themes of Textual's."""


class LastGame(Struct, frozen=True):
    """What was chosen in the menu for the last new game."""

    game: str
    opponent: Literal["bot", "invite", "open", "self"]
    bot: str | None = None
    clock: str = "none"
    seat: SeatChoice = "x"
    pace: PaceAsked | None = None

    def __post_init__(self) -> None:
        """Raises BadChoice for a clock that no game can have."""
        parse_clock(self.clock)


class _Kept(Struct):
    premove: bool = True
    confirm: bool = False
    thoughts: bool = True
    last: LastGame | None = None
    folded: dict[PaneName, bool] = {}
    theme: ThemeName = "terminal"


class Preferences:
    """`premove`: a move may be planned on the opponent's turn. `confirm`: a move takes two touches. `thoughts`: what
    bots find is told. A file that cannot be read, or that holds something else, is as good as none."""

    def __init__(self, path: Path | None = None) -> None:
        """None: they are not kept."""
        self._path = path
        self._kept = _read(path) if path is not None else _Kept()

    @property
    def path(self) -> Path | None:
        """Where they are kept; None where they are not."""
        return self._path

    @property
    def premove(self) -> bool:
        return self._kept.premove

    @property
    def confirm(self) -> bool:
        return self._kept.confirm

    @property
    def thoughts(self) -> bool:
        return self._kept.thoughts

    @property
    def last(self) -> LastGame | None:
        return self._kept.last

    @property
    def folded(self) -> Mapping[PaneName, bool]:
        """The panes that were folded or unfolded by hand."""
        return self._kept.folded

    def fold(self, pane: PaneName, folded: bool) -> None:
        self._kept.folded = {**self._kept.folded, pane: folded}
        self._keep()

    @property
    def theme(self) -> ThemeName:
        return self._kept.theme

    def wear(self, theme: ThemeName) -> str:
        """This theme from now on; what is to be told of it."""
        self._kept.theme = theme
        return f"{t('theme.chosen', name=theme)} {self._keep()}".rstrip()

    def line(self, setting: Setting) -> str:
        """A setting and how it stands."""
        state = t("settings.on") if getattr(self._kept, setting) else t("settings.off")
        return t("settings.line", name=t(f"settings.{setting}"), state=state)

    def switch(self, setting: Setting) -> str:
        """The other way from now on; what is to be told of it."""
        setattr(self._kept, setting, not getattr(self._kept, setting))
        return f"{self.line(setting)}. {self._keep()}".rstrip()

    def remember(self, last: LastGame) -> None:
        if last != self._kept.last:
            self._kept.last = last
            self._keep()

    def _keep(self) -> str:
        """Write the file; why it cannot be, if so."""
        if self._path is None:
            return ""
        try:
            config.write_whole(self._path, msgspec.json.format(msgspec.json.encode(self._kept)).decode() + "\n")
        except OSError as error:
            return t("settings.unkept", path=self._path, reason=config.reason(error))
        return ""


def theme_named(text: str) -> ThemeName | None:
    """The theme of this name; None if there is none."""
    return next((name for name in THEMES if name == text.lower()), None)


def default_path() -> Path:
    return config.folder() / "terminal.json"


def _read(path: Path) -> _Kept:
    try:
        return msgspec.json.decode(path.read_bytes(), type=_Kept)
    except (OSError, msgspec.MsgspecError, UnicodeError):
        return _Kept()
