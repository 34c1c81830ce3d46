"""What our bots are called in a sentence."""

from __future__ import annotations

from typing import Final

_WITHOUT_PARAMETERS: Final = frozenset({"random", "strongest", "perfect"})


def title(name: str) -> str:
    """ "Level 6" for the bot `level:6`, "Strongest"; names with other parameters, and of other bots, as they are."""
    family, _, value = name.partition(":")
    if family == "level" and value.isdecimal():
        return f"Level {value}"
    return name.capitalize() if name in _WITHOUT_PARAMETERS else name
