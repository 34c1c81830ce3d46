"""Files in memory as a disk keeps them: what programs see of them, and what a power cut leaves.

    write, truncate -> seen at once by everybody, pending
    sync            -> what is pending is kept
    power cut       -> each pending write is kept whole, torn at a sector, or lost, as the seed says

Writes reach a disk in any order. Applying any part of them in the order of the program gives every outcome that
another order has: where two overlap, the later one's loss is the earlier one's turn.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from random import Random
from typing import Final, Literal, NamedTuple, TypeAlias

Operation: TypeAlias = Literal["open", "read", "write", "sync", "lock", "truncate", "delete"]
SECTOR_BYTES: Final = 512


class Failed(Exception):
    """An operation that the disk did not do, or not wholly."""

    def __init__(self, operation: Operation, *, full: bool = False) -> None:
        super().__init__(operation)
        self.operation = operation
        self.full = full


class _Change(NamedTuple):
    offset: int
    data: bytes | None
    """None: the file ends at `offset`."""


@dataclass(slots=True)
class _Fault:
    nth: int
    lasting: bool

    def strikes(self) -> bool:
        self.nth -= 1
        return self.nth == 0 or (self.lasting and self.nth < 0)


class File:
    """One file. Whoever has opened it may go on using it after it was deleted."""

    def __init__(self, content: bytes = b"") -> None:
        self.content = bytearray(content)
        self._kept = bytearray(content)
        self._pending: list[_Change] = []

    def change(self, offset: int, data: bytes | None) -> None:
        """Writes `data` at `offset`; None ends the file there."""
        change = _Change(offset, data)
        _apply(self.content, change)
        self._pending.append(change)

    def sync(self) -> None:
        for change in self._pending:
            _apply(self._kept, change)
        self._pending.clear()

    def sync_in_vain(self, random: Random) -> None:
        """A sync that failed: what was pending is seen as before, but no later sync is about it."""
        for change in self._pending:
            for part in _left(change, random):
                _apply(self._kept, part)
        self._pending.clear()

    def lose_power(self, random: Random) -> None:
        self.sync_in_vain(random)
        self.content[:] = self._kept


class Medium:
    """Files by name. Every choice is made by `random`; only what fails or is cut needs one."""

    def __init__(self, random: Random) -> None:
        self.calls: Counter[Operation] = Counter()
        self.is_full = False
        self.stopped = False
        self._random = random
        self.files: dict[str, File] = {}
        self._kept_names: dict[str, File] = {}
        self._faults: dict[Operation, _Fault] = {}
        self._stop: tuple[Operation, int] | None = None

    def fail(self, operation: Operation, nth: int, *, lasting: bool) -> None:
        self._faults[operation] = _Fault(nth, lasting)

    def stop(self, operation: Operation, nth: int) -> None:
        """The `nth` such operation from now on fails, and everything after it."""
        self._stop = operation, self.calls[operation] + nth

    def mend(self) -> None:
        """Nothing fails any more."""
        self._faults.clear()
        self._stop = None
        self.stopped = False

    def lose_power(self) -> None:
        for name in sorted(self.files.keys() | self._kept_names.keys()):
            file = self._random.choice([self.files.get(name), self._kept_names.get(name)])
            if file is None:
                self.files.pop(name, None)
            else:
                self.files[name] = file
        self._kept_names = dict(self.files)
        for name in sorted(self.files):
            self.files[name].lose_power(self._random)

    # What programs do

    def add(self, name: str, content: bytes) -> None:
        """A file that has been there for long."""
        self.files[name] = self._kept_names[name] = File(content)

    def exists(self, name: str) -> bool:
        return name in self.files

    def open(self, name: str, *, create: bool) -> File:
        self.count("open")
        if create:
            return self.files.setdefault(name, File())
        if name not in self.files:
            raise Failed("open")
        return self.files[name]

    def read(self, file: File, size: int, offset: int) -> bytes:
        self.count("read")
        return bytes(file.content[offset : offset + size])

    def write(self, file: File, data: bytes, offset: int) -> None:
        try:
            self.count("write")
        except Failed:
            if not self.stopped:
                file.change(offset, data[: self._random.randrange(len(data))])
            raise
        if self.is_full and offset + len(data) > len(file.content):
            file.change(offset, data[: max(0, len(file.content) - offset)])
            raise Failed("write", full=True)
        file.change(offset, data)

    def truncate(self, file: File, size: int) -> None:
        self.count("truncate")
        file.change(size, None)

    def sync(self, file: File) -> None:
        """Of a file whose name is new, the folder too: SQLite asks for that, and file systems do it by themselves."""
        try:
            self.count("sync")
        except Failed:
            if not self.stopped:
                file.sync_in_vain(self._random)
            raise
        file.sync()
        if any(one is file and self._kept_names.get(name) is not file for name, one in self.files.items()):
            self._kept_names = dict(self.files)

    def delete(self, name: str, *, sync: bool) -> None:
        self.count("delete")
        self.files.pop(name, None)
        if sync:
            self._kept_names = dict(self.files)

    def count(self, operation: Operation) -> None:
        """Raises Failed where it is this one's turn."""
        self.calls[operation] += 1
        self.stopped = self.stopped or self._stop == (operation, self.calls[operation])
        if self.stopped:
            raise Failed(operation)
        fault = self._faults.get(operation)
        if fault is not None and fault.strikes():
            raise Failed(operation)


def _apply(content: bytearray, change: _Change) -> None:
    offset, data = change
    if data is None:
        del content[offset:]
    elif data:
        content.extend(bytes(max(0, offset - len(content))))
        content[offset : offset + len(data)] = data


def _left(change: _Change, random: Random) -> list[_Change]:
    """What a power cut leaves of a change."""
    fate = random.choice(("kept", "torn", "lost"))
    if fate == "torn" and change.data is not None:
        return [sector for sector in _sectors(change.offset, change.data) if random.random() < 0.5]
    return [change] if fate == "kept" else []


def _sectors(offset: int, data: bytes) -> list[_Change]:
    ends = [*range(SECTOR_BYTES - offset % SECTOR_BYTES, len(data), SECTOR_BYTES), len(data)]
    return [_Change(offset + begin, data[begin:end]) for begin, end in zip([0, *ends], ends, strict=False)]
