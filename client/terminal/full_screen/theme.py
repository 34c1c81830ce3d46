"""Colours: those of the terminal's own palette, so that a theme chosen there holds here, or a theme of Textual's."""

from __future__ import annotations

import os

from textual.message import Message
from textual.theme import Theme

from client.terminal.preferences import ThemeName

TERMINAL = Theme(
    name="terminal",
    ansi=True,
    primary="ansi_blue",
    secondary="ansi_cyan",
    warning="ansi_yellow",
    error="ansi_red",
    success="ansi_green",
    accent="ansi_magenta",
    foreground="ansi_default",
    background="ansi_default",
    surface="ansi_default",
    panel="ansi_default",
    boost="ansi_default",
    variables={
        "ansi-background": "ansi_default",
        "ansi-foreground": "ansi_default",
        # Legible in light and dark palettes alike.
        "block-cursor-foreground": "ansi_black",
        "block-cursor-background": "ansi_cyan",
        "block-cursor-text-style": "bold",
        "block-cursor-blurred-text-style": "bold",
        "block-hover-background": "ansi_default",
        "border": "ansi_blue",
        "border-blurred": "ansi_bright_black",
        "scrollbar": "ansi_bright_black",
        "scrollbar-background": "ansi_default",
        "scrollbar-background-hover": "ansi_default",
        "scrollbar-background-active": "ansi_default",
        "footer-key-foreground": "ansi_blue",
    },
)


class ThemeAsked(Message):
    """Somebody wants other colours."""

    def __init__(self, name: ThemeName) -> None:
        super().__init__()
        self.name = name


def shown_theme(name: ThemeName) -> ThemeName:
    """The theme for this preference; without colours the terminal's own."""
    return name if "NO_COLOR" not in os.environ else "terminal"
