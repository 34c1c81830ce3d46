"""Files that one process at a time uses. The system frees a lock when its process ends, however that ends."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO


def lock_of(path: Path) -> Path:
    """The lock file, beside a file that is replaced: a lock on that file itself would go with it."""
    return path.with_name(path.name + ".lock")


@contextmanager
def opened(path: Path, waits: bool) -> Iterator[IO[bytes]]:
    """A file, made if need be, that nobody else has opened so: to be written at its end, or emptied.

    Raises OSError, BlockingIOError where somebody else has it and this does not wait. Where a file system has no locks,
    it is opened without.
    """
    while True:
        with path.open("ab") as file:
            _lock(file, waits)
            if _is_at(file, path):
                yield file
                return
        # Its holder has deleted or renamed it: the file there now is another.


@contextmanager
def locked(path: Path, waits: bool = True) -> Iterator[None]:
    """Runs the block while nobody else uses what is at `path`. Raises as `opened` does."""
    with opened(lock_of(path), waits) as lock:
        try:
            yield
        finally:
            if not os.fstat(lock.fileno()).st_size:  # else it is somebody's file
                with suppress(OSError):
                    lock_of(path).unlink()


def _lock(file: IO[bytes], waits: bool) -> None:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | (0 if waits else fcntl.LOCK_NB))
    except BlockingIOError:
        raise
    except OSError:
        pass


def _is_at(file: IO[bytes], path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(file.fileno()), path.stat())
    except FileNotFoundError:
        return False
