"""Only one server uses a database, whatever name it gives it; and the database's files stay the ones that were opened.

The lock lies beside the file itself, so that a symlink to it meets the same lock. Hard links would not: SQLite keeps
its log beside one name, where a program that uses another does not find it, and damages the database.
"""

from __future__ import annotations

import fcntl
import os
from pathlib import Path
from typing import IO

from server.db.connect import DatabaseError, check_place


def claim(path: Path, suffix: str, taken: str) -> IO[str]:
    """A lock that nobody else has while it is open. Raises DatabaseError: `taken` where somebody has it.

    Nothing is made beside what cannot be a database.
    """
    check_place(path, may_be_missing=True)
    real = Path(os.path.realpath(path))
    try:
        lock = real.with_name(real.name + suffix).open("w")
    except OSError as error:
        raise DatabaseError(f"Cannot write next to {path}: {error.strerror}; choose another place with --db.") from None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        lock.close()
        raise DatabaseError(taken) from None
    return lock


def ladder_suffix(name: str) -> str:
    """Suffix of the lock that a ladder holds while it plays into a database: a different one for each name."""
    # Some file systems take no colon, and no name has a per cent sign.
    return f".{name.replace(':', '%3A')}.ladder.lock"


class DatabaseFiles:
    """The database, its write-ahead log and the index of that as they were when this was made: SQLite does not notice
    that they go. The next program makes another index, and both then write over each other."""

    def __init__(self, path: Path) -> None:
        real = os.path.realpath(path)
        self._known = {name: _identity(name) for name in (real, f"{real}-wal", f"{real}-shm")}

    def change(self) -> str | None:
        """What has become of them, in one sentence; None where they are the same."""
        for name, known in self._known.items():
            now = _identity(name)
            if known is None:  # log and index appear with the first transaction
                self._known[name] = now
            elif now != known:
                what = "replaced" if now is not None else "deleted"
                return f"{name} was {what} while the server runs: restart it, and let only noughts touch its files."
        return None


def _identity(name: str) -> tuple[int, int] | None:
    try:
        found = os.stat(name)
    except OSError:
        return None
    return found.st_dev, found.st_ino
