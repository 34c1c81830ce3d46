"""Slots of shared memory: how a worker lets its parent watch what it does, without messages."""

from __future__ import annotations

import ctypes
import mmap
import os
import tempfile
import time
from typing import Final, NamedTuple, TypeVar

from engine.rules.notation import FILES
from engine.rules.position import Move, O, Side, X

Slot = TypeVar("Slot", bound=ctypes.Structure)

PV_LENGTH = 16
"""Plies of a principal variation that a progress report holds."""
MOST_PLIES: Final = len(FILES) ** 2
"""Plies of the longest game: those that fill the largest board."""
SIDES: Final[tuple[Side | None, ...]] = (None, X, O)
"""Sides by their number in `GameSlot.mover`."""


class SearchSlot(ctypes.Structure):
    """One running search: the parent sets `stop`, the worker writes the rest.

    `version` is odd while the worker writes, so that a reader can tell a torn report.
    """

    _fields_ = (
        ("stop", ctypes.c_int32),
        ("version", ctypes.c_uint32),
        ("nodes", ctypes.c_int64),
        ("value", ctypes.c_double),
        ("depth", ctypes.c_int32),
        ("pv_length", ctypes.c_int32),
        ("pv", ctypes.c_int32 * PV_LENGTH),
    )


class Work(NamedTuple):
    """What a worker that plays is busy with: the decision of a bot, or its loading."""

    game: int
    """its index in the chunk"""
    side: Side
    loading: bool
    since_ns: int
    """when it began, monotonic"""
    used_ms: int
    """processor time that the worker had used by then"""


class GameSlot(ctypes.Structure):
    """One worker's game: the parent sets `held`, the worker writes the rest.

    The worker changes `index`, `mover`, `loading` and `used_ms` only while `since_ns` is 0, so that a reader who finds
    the same time before and after has read what belongs together.
    """

    _fields_ = (
        ("held", ctypes.c_int32),  # 1 while searches are to stand still
        ("index", ctypes.c_int32),  # of the game in its chunk
        ("mover", ctypes.c_int32),  # an index of SIDES: who is deciding, or being loaded
        ("begun", ctypes.c_int32),  # 1 once a worker has the chunk
        ("loading", ctypes.c_int32),  # 1 while a bot is being loaded
        ("since_ns", ctypes.c_int64),  # when that or its decision began, monotonic; 0 between decisions
        ("used_ms", ctypes.c_int64),  # processor time that the worker had used by then
        ("length", ctypes.c_int32),
        ("moves", ctypes.c_int16 * MOST_PLIES),  # the first `length`, the start among them
    )

    def enter(self, side: Side) -> int:
        """Called by the worker: this side decides, or is loaded, from now on. Returns the time, as in `since_ns`."""
        self.since_ns = 0
        self.mover = SIDES.index(side)
        self.used_ms = time.process_time_ns() // 1_000_000
        since_ns = self.since_ns = time.monotonic_ns()
        return since_ns

    def leave(self) -> None:
        """Called by the worker: nobody decides or is loaded."""
        self.since_ns = 0
        self.mover = self.loading = 0

    def work(self) -> Work | None:
        """Called by the parent; None also where the worker is just going over to something else."""
        since_ns, index, side = self.since_ns, self.index, SIDES[self.mover]
        loading, used_ms = bool(self.loading), self.used_ms
        if side is None or since_ns == 0 or since_ns != self.since_ns:
            return None
        return Work(index, side, loading, since_ns, used_ms)

    def played(self) -> tuple[int, tuple[Move, ...]] | None:
        """Called by the parent: a game's index and its moves so far; None where the next game is just beginning."""
        index, length = self.index, self.length
        moves = tuple(self.moves[:length])
        return (index, moves) if self.index == index and self.length >= length else None


def share(kind: type[Slot]) -> tuple[Slot, int]:
    """A slot of zeros, and its descriptor for another process to `attach`: the caller closes it. Raises OSError."""
    descriptor = os.memfd_create("noughts-slot") if hasattr(os, "memfd_create") else _file_without_a_name()
    try:
        os.ftruncate(descriptor, ctypes.sizeof(kind))
        return attach(kind, descriptor), descriptor
    except BaseException:
        os.close(descriptor)
        raise


def attach(kind: type[Slot], descriptor: int) -> Slot:
    """The slot that another process shares. The descriptor may be closed afterwards. Raises OSError."""
    return kind.from_buffer(mmap.mmap(descriptor, ctypes.sizeof(kind)))


def _file_without_a_name() -> int:
    with tempfile.TemporaryFile() as file:
        return os.dup(file.fileno())
