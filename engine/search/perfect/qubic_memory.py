"""Shared by playing and judging Qubic perfectly: the memory of searches and the book's entries."""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

from engine.kernels import qubic_proof, qubic_threats
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
