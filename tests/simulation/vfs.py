"""SQLite's files on a `Medium`: one `ProcessVfs` for each process, which is what locks and shared memory belong to.

apsw lets no Python have a part in shared memory, without which a write-ahead log takes one connection only. So that
and the locks are inherited from SQLite's own `unix-excl`, which keeps the shared memory on the heap: each process has
an empty file of its own for each database, and every byte read or written is the medium's.
"""

from __future__ import annotations

import shutil
import tempfile
import weakref
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any, Final, ParamSpec, TypeVar
from urllib.parse import quote

import apsw

from tests.simulation.medium import Failed, File, Medium, Operation

P = ParamSpec("P")
R = TypeVar("R")

_BASE: Final = "unix-excl"
_CODES: Final[dict[Operation, int]] = {
    "open": apsw.SQLITE_CANTOPEN,
    "read": apsw.SQLITE_IOERR_READ,
    "write": apsw.SQLITE_IOERR_WRITE,
    "sync": apsw.SQLITE_IOERR_FSYNC,
    "lock": apsw.SQLITE_IOERR_LOCK,
    "truncate": apsw.SQLITE_IOERR_TRUNCATE,
    "delete": apsw.SQLITE_IOERR_DELETE,
}
_SENTENCES: Final = {
    apsw.SQLITE_CANTOPEN: "unable to open database file",
    apsw.SQLITE_FULL: "database or disk is full",
}
_NUMBERS: Final = count(1)


class ProcessVfs(apsw.VFS):
    """The files of a medium as one process uses them, until it dies."""

    def __init__(self, medium: Medium) -> None:
        self.name = f"simulated-{next(_NUMBERS)}"
        self.medium = medium
        self.alive = True
        self._folder = tempfile.mkdtemp(prefix="simulated-disk-")
        self._removed = weakref.finalize(self, shutil.rmtree, self._folder)
        super().__init__(self.name, _BASE)

    def die(self) -> None:
        """Nothing that this process still does reaches the medium."""
        self.alive = False
        self._removed()

    def do(self, operation: Operation, act: Callable[P, R], *args: P.args, **named: P.kwargs) -> R:
        """Raises what makes apsw tell SQLite of an operation that failed."""
        try:
            if not self.alive:
                raise Failed(operation)
            return act(*args, **named)
        except Failed as failed:
            code = apsw.SQLITE_FULL if failed.full else _CODES[failed.operation]
            error = apsw.exception_for(code)
            error.args = (_SENTENCES.get(code, "disk I/O error"),)
            raise error from None

    # What has the methods will do.
    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> _File:  # type: ignore[override]
        text = name.filename() if isinstance(name, apsw.URIFilename) else name
        create = bool(flags[0] & apsw.SQLITE_OPEN_CREATE)
        file = self.do("open", self.medium.open, text, create=create) if text else File()
        flags[1] = flags[0]
        if text and flags[0] & apsw.SQLITE_OPEN_MAIN_DB:
            return _MainFile(self, file, self._anchor(text))
        return _File(self, file)

    def _anchor(self, name: str) -> str:
        """The empty file that stands for a database where its locks are concerned."""
        anchor = Path(self._folder) / quote(name, safe="")
        anchor.touch()
        return str(anchor)

    def xDelete(self, name: str, sync: bool) -> None:
        self.do("delete", self.medium.delete, name, sync=sync)

    def xAccess(self, name: str, flags: int) -> bool:
        return self.medium.exists(name)

    def xFullPathname(self, name: str) -> str:
        return name

    def xSleep(self, microseconds: int) -> int:
        """Time does not pass: nobody else can let go of a lock meanwhile."""
        return microseconds


class _File:
    """A file that only one connection locks: a log, a journal, a temporary file."""

    def __init__(self, process: ProcessVfs, file: File) -> None:
        self._process = process
        self._file = file

    def xRead(self, size: int, offset: int) -> bytes:
        return self._process.do("read", self._process.medium.read, self._file, size, offset)

    def xWrite(self, data: bytes, offset: int) -> None:
        self._process.do("write", self._process.medium.write, self._file, bytes(data), offset)

    def xTruncate(self, size: int) -> None:
        self._process.do("truncate", self._process.medium.truncate, self._file, size)

    def xSync(self, flags: int) -> None:
        self._process.do("sync", self._process.medium.sync, self._file)

    def xFileSize(self) -> int:
        return len(self._file.content)

    def xSectorSize(self) -> int:
        return 4096

    def xDeviceCharacteristics(self) -> int:
        """What SQLite takes for granted on Unix: bytes beside those that are written are never harmed."""
        return int(apsw.SQLITE_IOCAP_POWERSAFE_OVERWRITE)

    def xFileControl(self, operation: int, pointer: int) -> bool:
        return False

    def xLock(self, level: int) -> None:
        """Nobody else has it."""

    def xUnlock(self, level: int) -> None:
        """Nobody else wants it."""

    def xCheckReservedLock(self) -> bool:
        return False

    def xClose(self) -> None:
        """The medium keeps it."""


class _MainFile(_File, apsw.VFSFile):
    """The database: with the locks and the shared memory of the process."""

    def __init__(self, process: ProcessVfs, file: File, anchor: str) -> None:
        _File.__init__(self, process, file)
        flags: Any = [apsw.SQLITE_OPEN_MAIN_DB | apsw.SQLITE_OPEN_READWRITE, 0]
        apsw.VFSFile.__init__(self, _BASE, anchor, flags)

    def xLock(self, level: int) -> None:
        self._process.do("lock", self._process.medium.count, "lock")
        apsw.VFSFile.xLock(self, level)

    def xUnlock(self, level: int) -> None:
        apsw.VFSFile.xUnlock(self, level)

    def xCheckReservedLock(self) -> bool:
        return bool(apsw.VFSFile.xCheckReservedLock(self))

    def xClose(self) -> None:
        apsw.VFSFile.xClose(self)
