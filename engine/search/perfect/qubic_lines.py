"""Shared by playing and judging Qubic: the memory of searches, the book's entries, and wins by threats as lines."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np

from engine.kernels import qubic_proof, qubic_threats
from engine.rules.flat import FlatRules
from engine.rules.position import Move
from engine.rules.registry import rules
from engine.search.perfect import qubic_book
from engine.search.perfect.qubic_book import Entry

_FAILURES: Final = 1 << 17
"""1 MB: a worker has its table of positions beside it."""
_POSITIONS: Final = 1 << 15
"""Of a search for X's strategy."""


class Memory(NamedTuple):
    """The arrays that searches write into, made once in a process."""

    threats: qubic_threats.Threats
    proof: qubic_proof.Proof


@lru_cache(maxsize=1)
def memory() -> Memory:
    game = qubic()
    return Memory(
        qubic_threats.threats(game.lines, _FAILURES),
        qubic_proof.proof(game.symmetries, _POSITIONS, 2 * _POSITIONS),
    )


def qubic() -> FlatRules:
    game = rules("qubic")
    assert isinstance(game, FlatRules)
    return game


def entry(x: int, o: int) -> Entry | None:
    """What the book says of a position with X to move, its move on this board."""
    key, symmetry = qubic_book.least_image(x, o)
    found = qubic_book.shipped().get(key)
    return found and Entry(symmetry.index(found.move), found.plies)


class Shortest(NamedTuple):
    moves: list[Move]
    """The attacker's."""
    nodes: int


def shortest(
    threats: qubic_threats.Threats, attacker: int, defender: int, budget: int, between: Callable[[], None]
) -> Shortest:
    """The shortest win by threats within a budget of nodes; at worst the one that was just found.

    `between` is called between searches, and may raise.
    """
    moves = _moves(threats)
    used = 0
    for most in range(1, len(moves)):
        between()
        qubic_threats.set_row(threats, threats.rows[0], np.uint64(attacker), np.uint64(defender))
        found = qubic_threats.search_within(threats, budget - used, most)
        used += int(threats.counters[0])
        if found == qubic_threats.WON:
            return Shortest(_moves(threats), used)
        if found != qubic_threats.FAILED:
            break
    return Shortest(moves, used)


def _moves(threats: qubic_threats.Threats) -> list[Move]:
    found: list[Move] = threats.moves[: int(threats.counters[1])].tolist()
    return found


def line(attacker: int, defender: int, moves: Sequence[Move]) -> tuple[Move, ...]:
    """A win by these moves with the replies, to the end."""
    masks = qubic().masks
    found: list[Move] = []
    for move in moves:
        found.append(move)
        attacker |= 1 << move
        completing = _completing(attacker, defender, masks[move])
        if completing is None:
            return tuple(found)
        found.append(completing)
        defender |= 1 << completing
    final = _completing(attacker, defender, masks[moves[-1]])
    assert final is not None
    return (*found, final)


def _completing(attacker: int, defender: int, masks: Sequence[int]) -> Move | None:
    """Where the attacker completes one of these lines next; None if it has completed one."""
    found: Move | None = None
    for mask in masks:
        left = mask & ~attacker
        if not left:
            return None
        if not mask & defender and not left & (left - 1) and found is None:
            found = left.bit_length() - 1
    return found
