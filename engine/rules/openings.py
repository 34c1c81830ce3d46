"""Openings for matches: seeded, and as different from each other as the game allows. Pure.

Two openings are alike when a symmetry of the board turns the position after the one into the position after the
other. If there are few classes of alike openings, all are listed, and each is used once before any is used again;
otherwise openings are drawn that differ from those before, as long as they are easily found.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice
from random import Random
from typing import Final, TypeAlias

from engine.rules.position import Move, Position, Rules

Opening: TypeAlias = tuple[Move, ...]
_Key: TypeAlias = tuple[tuple[int, ...], ...]

_FEW: Final = 200_000
"""Images of positions to compare while classes are listed: about a second."""
_TRIES: Final = 50
"""Draws for an opening that differs from all before, and for one that can be played at all."""


def openings(rules: Rules, seed: int, number: int, plies: int) -> tuple[Opening, ...]:
    """`number` openings of `plies` legal moves after which the game still runs.

    The same arguments give the same openings, and fewer of them are the first of more. Every opening is turned by a
    random symmetry, so that no side of the board is favoured. Raises ValueError if the game cannot last that long.
    """
    return tuple(islice(_endless(rules, Random(f"{seed}/openings"), plies), number))


# The openings of a list are drawn anew whenever it needs more of them.
@lru_cache(maxsize=64)
def classes(rules: Rules, plies: int) -> tuple[Opening, ...] | None:
    """One opening of each class of alike ones, in order of play; None where there are too many to list."""
    found: dict[_Key, tuple[Opening, Position]] = {_key((), rules.initial): ((), rules.initial)}
    compared = 0
    for _ in range(plies):
        longer: dict[_Key, tuple[Opening, Position]] = {}
        for opening, position in found.values():
            compared += len(position.legal_moves()) * len(rules.symmetries)
            if compared > _FEW:
                return None
            for move in position.legal_moves():
                after = position.play(move)
                if after.outcome is None:
                    longer.setdefault(_key((*opening, move), after), ((*opening, move), after))
        found = longer
    return tuple(opening for opening, _ in found.values())


def _endless(rules: Rules, random: Random, plies: int) -> Iterator[Opening]:
    counted = classes(rules, plies)
    if counted is not None and not counted:
        raise ValueError(f"No game of {rules.id} is still running after {plies} plies.")
    for opening in _drawn(rules, random, plies) if counted is None else _dealt(counted, random):
        symmetry = random.choice(rules.symmetries)
        yield tuple(symmetry[move] for move in opening)


def _dealt(counted: Sequence[Opening], random: Random) -> Iterator[Opening]:
    """Each once in random order, then all again in another."""
    while True:
        yield from random.sample(counted, len(counted))


def _drawn(rules: Rules, random: Random, plies: int) -> Iterator[Opening]:
    seen: set[_Key] = set()
    while True:
        for _ in range(_TRIES):
            opening, position = _played(rules, random, plies)
            key = _key(opening, position)
            if key not in seen:
                break
        seen.add(key)
        yield opening


def _played(rules: Rules, random: Random, plies: int) -> tuple[Opening, Position]:
    """A random opening; at each ply the moves that do not end the game are equally likely."""
    for _ in range(_TRIES):
        opening: list[Move] = []
        position = rules.initial
        while len(opening) < plies:
            going_on = _going_on(position, random)
            if going_on is None:
                break
            move, position = going_on
            opening.append(move)
        else:
            return tuple(opening), position
    raise ValueError(f"No game of {rules.id} that still runs after {plies} plies was found.")


def _going_on(position: Position, random: Random) -> tuple[Move, Position] | None:
    moves = position.legal_moves()
    for move in random.sample(moves, len(moves)):
        after = position.play(move)
        if after.outcome is None:
            return move, after
    return None


def _key(opening: Sequence[Move], position: Position) -> _Key:
    """The same for alike positions: the least image of both sides' marks and, on nested boards, of the legal moves.

    (In `super` two positions with different owners of a board may share a key: then only one of them is dealt.)
    """
    groups = [opening[::2], opening[1::2]]
    if position.rules.nested:
        groups.append(position.legal_moves())
    return min(
        tuple(tuple(sorted([symmetry[cell] for cell in group])) for group in groups)
        for symmetry in position.rules.symmetries
    )
