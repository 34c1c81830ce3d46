"""How strong bots are, where it was measured: a few words for people, by game and name."""

from __future__ import annotations

from typing import Final

_MEASURED: Final[dict[str, dict[str, str]]] = {}
"""game id -> canonical name of a bot, parameters included -> words such as "about level 5"."""


def strength(name: str, game: str) -> str | None:
    """A bot's strength in a game, by its canonical name and the game's id; None where nobody has measured it."""
    return _MEASURED.get(game, {}).get(name)


def strengths(family: str, game: str) -> dict[str, str]:
    """Canonical name -> strength, for all bots of a family that were measured in a game."""
    measured = _MEASURED.get(game, {})
    return {name: words for name, words in measured.items() if name.partition(":")[0] == family}
