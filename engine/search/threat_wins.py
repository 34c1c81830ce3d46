"""Wins by continuous threats on Qubic as lines of moves; `engine.kernels.qubic_threats` finds them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from engine.kernels import qubic_threats
from engine.rules.flat import FlatRules
from engine.rules.lines import mask_of
from engine.rules.position import Move
from engine.rules.registry import rules


def qubic() -> FlatRules:
    game = rules("qubic")
    assert isinstance(game, FlatRules)
    return game


@lru_cache(maxsize=1)
def _lines() -> tuple[int, ...]:
    return tuple(map(mask_of, qubic().lines))


def completing(own: int, others: int) -> set[Move]:
    """Where a side completes a line."""
    left = [line & ~own for line in _lines() if not line & others]
    return {cells.bit_length() - 1 for cells in left if not cells & (cells - 1)}


def search(threats: qubic_threats.Threats, attacker: int, defender: int, cap: int) -> int:
    """WON, FAILED or CAPPED: whether the attacker, to move, wins by threats."""
    qubic_threats.set_row(threats, threats.rows[0], np.uint64(attacker), np.uint64(defender))
    return qubic_threats.search(threats, cap)


class Shortest(NamedTuple):
    line: tuple[Move, ...]
    """With the replies, to the end."""
    nodes: int


def shortest(
    threats: qubic_threats.Threats,
    attacker: int,
    defender: int,
    budget: int,
    between: Callable[[], None] = lambda: None,
) -> Shortest:
    """The shortest win by threats within a budget of nodes; at worst the one that was just found.

    `between` is called between searches, and may raise.
    """
    moves, used = _moves(threats), 0

    def wins_within(most: int, most_waiting: int) -> int:
        nonlocal moves, used
        between()
        qubic_threats.set_row(threats, threats.rows[0], np.uint64(attacker), np.uint64(defender))
        found = qubic_threats.search_within(threats, budget - used, most, most_waiting)
        used += int(threats.counters[0])
        if found == qubic_threats.WON:
            moves = _moves(threats)
        return found

    for most in range(1, len(moves)):
        if wins_within(most, qubic_threats.FEW_WAITING) != qubic_threats.FAILED:
            break
    while len(moves) > 1 and wins_within(len(moves) - 1, qubic_threats.DEPTH) == qubic_threats.WON:
        pass
    return Shortest(_line(attacker, defender, moves), used)


def _moves(threats: qubic_threats.Threats) -> list[Move]:
    found: list[Move] = threats.moves[: int(threats.counters[1])].tolist()
    return found


def _line(attacker: int, defender: int, moves: Sequence[Move]) -> tuple[Move, ...]:
    """A win by these moves of the attacker's with the replies."""
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
