"""How strong bots are, where it was measured: a few words, by game and name."""

from __future__ import annotations

from typing import Final

_MEASURED: Final[dict[str, dict[str, str]]] = {
    "tictactoe": {
        "random": "below level 1",
        "alphabeta:1": "about level 2",
        "alphabeta:2": "about level 3",
        "alphabeta:3": "about level 4",
        "alphabeta:4": "about level 3",
        "bragstad-minimax:9": "about level 4",
        "bragstad-alphabeta:9": "about level 4",
        "bragstad-variable": "about level 2",
        "bragstad-reading:9,first,even": "about level 4",
        "bragstad-reading:9,last,even": "about level 4",
        "osipa-tree": "about level 4",
        "perfect": "about level 4",
    },
    "mnk:5,5,4": {
        "random": "below level 1",
        "alphabeta:1": "about level 4",
        "alphabeta:2": "about level 4",
        "alphabeta:3": "about level 4",
        "alphabeta:4": "about level 6",
        "perfect": "about level 8",
    },
    "gomoku": {
        "random": "below level 1",
        "alphabeta:1": "about level 3",
        "alphabeta:2": "about level 4",
        "alphabeta:3": "about level 5",
        "alphabeta:4": "about level 5",
    },
    "cube:3": {
        "random": "below level 1",
        "alphabeta:1": "about level 3",
        "alphabeta:2": "about level 5",
        "alphabeta:3": "about level 6",
        "alphabeta:4": "about level 6",
        "perfect": "about level 6",
    },
    "qubic": {
        "random": "below level 1",
        "alphabeta:1": "about level 3",
        "alphabeta:2": "about level 5",
        "alphabeta:3": "about level 4",
        "alphabeta:4": "about level 5",
        "altekar-minimax:2,sum": "about level 2",
        "altekar-minimax:2,weighted": "about level 3",
        "altekar-alphabeta:2,sum": "about level 2",
        "altekar-alphabeta:2,weighted": "about level 3",
        "depth3:balanced,3": "about level 4",
        "depth3:aggressive,3": "about level 3",
        "depth3:defensive,3": "about level 4",
        "depth3:switching,3": "about level 4",
        "pawar-ren:2,last": "about level 3",
        "pawar-ren:2,coin": "about level 3",
        "pawar-ren-reading:2,last,list,apart": "about level 3",
        "pawar-ren-reading:2,coin,list,apart": "about level 3",
        "perfect": "about level 8",
    },
    "nine-board": {
        "random": "about level 1",
        "alphabeta:1": "below level 1",
        "alphabeta:2": "about level 4",
        "alphabeta:3": "about level 4",
        "alphabeta:4": "about level 5",
        "osipa:zero": "about level 2",
        "osipa:control": "about level 4",
        "osipa:ways": "about level 4",
    },
    "ultimate": {
        "random": "below level 1",
        "alphabeta:1": "about level 1",
        "alphabeta:2": "about level 3",
        "alphabeta:3": "about level 4",
        "alphabeta:4": "about level 5",
    },
    "ultimate:count": {
        "random": "below level 1",
        "alphabeta:1": "about level 1",
        "alphabeta:2": "about level 3",
        "alphabeta:3": "about level 4",
        "alphabeta:4": "about level 5",
    },
    "super": {
        "random": "below level 1",
        "alphabeta:1": "about level 1",
        "alphabeta:2": "about level 2",
        "alphabeta:3": "about level 4",
        "alphabeta:4": "about level 5",
    },
}
"""game id -> canonical name of a bot, parameters included -> words such as "about level 5". Measured by
`noughts bench levels`; docs/levels.md has the figures."""


def strength(name: str, game: str) -> str | None:
    """A bot's strength in a game, by its canonical name and the game's id; None where it was not measured."""
    return _MEASURED.get(game, {}).get(name)


def strengths(family: str, game: str) -> dict[str, str]:
    """Canonical name -> strength, for all bots of a family that were measured in a game."""
    measured = _MEASURED.get(game, {})
    return {name: words for name, words in measured.items() if name.partition(":")[0] == family}
