"""The tables of a process in which searches remember positions: allocated once, and lent to one search at a time.

A new table of this size costs tens of milliseconds of page faults, which a search of 20 ms cannot afford. For the same
reason a table is never cleared: its entries are marked with the search that made them, and another search finds none of
them.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from typing import Final
from zlib import crc32

import numpy as np

MOST_ENTRIES: Final = 1 << 20
"""16 MB, so that a worker stays small."""
_MIXER: Final = 0x9E3779B97F4A7C15
"""2**64 over the golden ratio, which spreads consecutive numbers over all bits (Knuth, 1973)."""
_BITS: Final = (1 << 63) - 1
_KEPT: Final = 1 << 62
"""Marks of what is kept lie above those of searches that begin empty."""


class Table:
    """Entries of searches, each under the mark of those that may read it."""

    def __init__(self) -> None:
        self.entries = np.zeros((MOST_ENTRIES, 2), np.uint64)
        self.entries.fill(0)  # touches each page: the system hands them out at the first write
        self._searches = 0

    def mark(self, kept: Hashable | None) -> int:
        """What a search's keys are combined with (63 bits): a new one, or the same as before for the same `kept`.

        `kept` names all that a value depends on besides the position; its text must be the same in every search.
        """
        if kept is not None:
            return _spread(_KEPT | crc32(repr(kept).encode()))
        self._searches += 1
        return _spread(self._searches)


def _spread(number: int) -> int:
    return number * _MIXER & _BITS


_spare: Final[list[Table]] = []


@contextmanager
def lent() -> Iterator[Table]:
    """A table of this process; a new one only where all are lent, to searches of other threads."""
    try:
        table = _spare.pop()
    except IndexError:
        table = Table()
    try:
        yield table
    finally:
        _spare.append(table)


def ready() -> None:
    """Have a table, so that the first search need not wait for it."""
    with lent():
        pass


def free() -> None:
    """Give back the memory of the tables that are not lent."""
    _spare.clear()
