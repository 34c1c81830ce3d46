"""The rules of each game id. A new game is one file and one line of `_FAMILIES`."""

from __future__ import annotations

from functools import lru_cache

from engine.rules import flat, nine_board, ultimate
from engine.rules.family import Family
from engine.rules.notation import shown
from engine.rules.position import Rules, UnknownGame

_FAMILIES: tuple[Family, ...] = (
    flat.MNK,
    flat.CUBE,
    nine_board.NINE_BOARD,
    ultimate.ULTIMATE,
    ultimate.SUPER,
)

MAX_ID_LENGTH = 64
"""Characters of an id. The longest canonical one has 18; the rest is room for leading zeros and spaces."""

_BY_NAME = {family.name: family for family in _FAMILIES}
_BY_ALIAS = {alias: (family, sizes) for family in _FAMILIES for alias, sizes in family.aliases.items()}


@lru_cache(maxsize=1024)
def rules(game_id: str) -> Rules:
    """The rules of a game by alias or full id; `rules(a) is rules(b)` for two spellings of one game.

    Raises UnknownGame with a sentence that says what is wrong and what would be right.
    """
    if len(game_id) > MAX_ID_LENGTH:
        raise UnknownGame(f"A game id has at most {MAX_ID_LENGTH} characters: this one has {len(game_id)}.")
    name, colon, text = game_id.partition(":")
    name = name.strip(" ")
    if name in _BY_ALIAS:
        if colon:
            raise UnknownGame(f"{name} takes no sizes: write {name} alone.")
        return _build(*_BY_ALIAS[name])
    if name not in _BY_NAME:
        raise UnknownGame(f"There is no game {shown(game_id)}: write one of {_choices()}.")
    family = _BY_NAME[name]
    return _build(family, family.canonical(text if colon else None))


def games() -> tuple[Rules, ...]:
    """The games to offer to people who choose one, the simplest first. Every other size is played by its id."""
    return tuple(_build(family, parameters) for family in _FAMILIES for parameters in family.listed)


def _build(family: Family, parameters: str | None) -> Rules:
    return _cached(family.name, parameters)


# Anybody may ask for a size, and the tables of a big board take some 300 kB, so the cache is bounded.
@lru_cache(maxsize=128)
def _cached(name: str, parameters: str | None) -> Rules:
    family = _BY_NAME[name]
    return family.build(_canonical_id(family, parameters), parameters)


def _canonical_id(family: Family, parameters: str | None) -> str:
    for alias, sizes in family.aliases.items():
        if sizes == parameters:
            return alias
    return family.name if parameters is None else f"{family.name}:{parameters}"


def _choices() -> str:
    return ", ".join([*_BY_ALIAS, *(family.form.split(" with ")[0] for family in _FAMILIES)])
