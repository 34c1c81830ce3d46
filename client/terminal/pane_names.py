"""What may stand beside a board."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

PaneName: TypeAlias = Literal["moves", "chat", "thoughts", "rules"]
PANES: Final[tuple[PaneName, ...]] = ("moves", "chat", "thoughts", "rules")
"""Panes in the order in which they stand."""
TITLES: Final[dict[PaneName, str]] = {
    "moves": "moves.title",
    "chat": "chat.title",
    "thoughts": "pane.thoughts",
    "rules": "pane.rules",
}
"""The texts that name them."""
