"""Shared by playing and judging Qubic perfectly: the memory of searches and the book's entries."""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np

from engine.kernels import qubic_proof, qubic_threats
from engine.kernels.qubic_proof import NO_BOUND
from engine.rules.lines import cells_of
from engine.rules.position import Move
from engine.search import threat_wins
from engine.search.perfect import qubic_book
from engine.search.perfect.qubic_book import Entry

_FAILURES: Final = 1 << 17
"""1 MB: a worker has its table of positions beside it."""
_POSITIONS: Final = 1 << 15
"""Positions of a search for X's strategy."""


class Memory(NamedTuple):
    """The arrays that searches write into, made once in a process."""

    threats: qubic_threats.Threats
    proof: qubic_proof.Proof


@lru_cache(maxsize=1)
def memory() -> Memory:
    game = threat_wins.qubic()
    return Memory(
        qubic_threats.threats(game.lines, _FAILURES),
        qubic_proof.proof(game.symmetries, _POSITIONS, 2 * _POSITIONS),
    )


def entry(x: int, o: int) -> Entry | None:
    """What the book says of a position with X to move, its move on this board."""
    key, symmetry = qubic_book.least_image(x, o)
    found = qubic_book.shipped().get(key)
    return found and Entry(symmetry.index(found.move), found.plies)


def begun(x: int, o: int) -> qubic_proof.Proof:
    """The search for X's strategy, begun anew at this position."""
    proof = memory().proof
    proof.index[:] = -1
    proof.counters[:] = 0
    qubic_proof.begin(proof, np.uint64(x), np.uint64(o))
    return proof


class Answers(NamedTuple):
    """How a side, not to move, stands against each reply of the other's."""

    moves: dict[Move, int]
    """The replies that it beats by threats: in how many moves."""
    left: tuple[Move, ...]
    nodes: int


def answers(attacker: int, defender: int, cap: int, marks: int = NO_BOUND) -> Answers:
    """With at most `marks` marks of the attacker's at the end, by searches of `cap` nodes each."""
    threats, proof = memory()
    proof.counters[:] = 0
    left = int(qubic_proof.answer(proof, threats, cap, marks, np.uint64(attacker), np.uint64(defender)))
    moves = {reply: count for reply, count in enumerate(proof.answers.tolist()) if count}
    return Answers(moves, cells_of(left), int(proof.counters[qubic_proof.THREAT_NODES]))
