"""The keys of a game's screen: what they do, and when they are offered."""

from __future__ import annotations

from textual.binding import Binding, BindingType

from client.sdk import RoomView
from client.terminal.full_screen.help_screen import common_keys
from client.terminal.full_screen.panes import KEYS
from client.terminal.language import t
from client.terminal.pane_names import TITLES

BINDINGS: list[BindingType] = [
    Binding("f1", "keys", "footer.keys", key_display="?"),
    Binding("f2", "press('f2')", "footer.draw", key_display="F2"),
    Binding("f3", "press('f3')", "footer.takeback", key_display="F3"),
    Binding("f4", "press('f4')", "footer.decline", key_display="F4"),
    Binding("f5", "press('f5')", "footer.rematch", key_display="F5"),
    Binding("f6", "press('f6')", "footer.mute", key_display="F6"),
    Binding("f7", "press('f7')", "footer.replay", key_display="F7"),
    Binding("f8", "press('f8')", "footer.resign", key_display="F8"),
    Binding("f9", "lobby", "footer.lobby", key_display="F9"),
    Binding("f10", "settings", "footer.settings", key_display="F10"),
    *(Binding(key, f"pane('{pane}')", TITLES[pane], show=False) for pane, key in KEYS.items()),
]
_KEYS = (
    ("key.arrows", "arrows"), ("key.enter", "enter"), ("key.click", "click"), ("key.escape", "escape"),
    *((f"F{number}", f"f{number}") for number in range(2, 10)),
)  # fmt: skip
COMMANDS = {
    "f2": "/draw",
    "f3": "/takeback",
    "f4": "/decline",
    "f5": "/rematch",
    "f6": "/mute",
    "f7": "/replay",
    "f8": "/resign",
}
"""What each key types."""


def help_rows() -> list[tuple[str, str]]:
    """Each key and what it does."""
    rows = [(t(key) if key.startswith("key.") else key, t(f"keys.game.{told}")) for key, told in _KEYS]
    return [*rows, (t("key.panes"), t("keys.game.panes")), *common_keys()]


def is_offered(key: str, view: RoomView) -> bool:
    """Whether a key means something now: only those are shown."""
    seated = view.you is not None
    match key:
        case "f2":
            return view.you in ("x", "o") and view.running
        case "f3":
            return seated and view.running and view.takebacks and not view.rated and bool(view.moves)
        case "f4":
            return view.you in ("x", "o") and any(offer.by != view.you for offer in view.offers)
        case "f5":
            return seated and view.result is not None
        case "f6":
            return view.you != "both"
        case "f7":
            return view.result is not None and view.game_id is not None
        case "f8":
            return seated and view.running
    return True
