"""How large a database is, what takes the space, and how fast it grows."""

from __future__ import annotations

import sqlite3
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

GROWTH_DAYS: Final = 7
_DAY_MS: Final = 86_400_000


@dataclass(frozen=True, slots=True)
class Growth:
    """Growth by the games of the `GROWTH_DAYS` days up to the newest one, or of fewer days if all are newer."""

    days: int
    games: int
    games_per_day: float
    bytes_per_day: float
    """An estimate: the games of a day, each as large as the average of all."""


@dataclass(frozen=True, slots=True)
class Size:
    """Bytes; those of a table are with its indexes."""

    bytes: int
    free_bytes: int
    """Within the file, for new rows."""
    table_bytes: dict[str, int]
    """The largest first; empty where this SQLite cannot tell."""
    games: int
    bytes_per_game: float | None
    """Average over everything that is stored; None without games."""
    growth: Growth | None
    """None without games."""


def measure(connection: sqlite3.Connection) -> Size:
    """Reads every page of the file. Raises sqlite3.Error."""
    pages, free, page_bytes = (
        int(connection.execute(f"PRAGMA {name}").fetchone()[0])
        for name in ("page_count", "freelist_count", "page_size")
    )
    has_games = connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'games'").fetchone()
    games, newest_ms = (
        connection.execute("SELECT count(*), max(started_ms) FROM games").fetchone() if has_games else (0, 0)
    )
    used = (pages - free) * page_bytes
    return Size(
        bytes=pages * page_bytes,
        free_bytes=free * page_bytes,
        table_bytes=_table_bytes(connection),
        games=games,
        bytes_per_game=used / games if games else None,
        growth=_growth(connection, newest_ms, used / games) if games else None,
    )


def file_bytes(path: Path) -> int:
    """The database's file with its write-ahead log, as they are on the disk; 0 where there is none."""
    found = 0
    for file in (path, path.with_name(f"{path.name}-wal")):
        with suppress(OSError):
            found += file.stat().st_size
    return found


def _table_bytes(connection: sqlite3.Connection) -> dict[str, int]:
    """Empty where SQLite was built without `dbstat`."""
    try:
        rows = connection.execute(
            "SELECT m.tbl_name, sum(s.pgsize) AS bytes FROM dbstat AS s JOIN sqlite_master AS m ON m.name = s.name "
            "WHERE s.aggregate = 1 GROUP BY m.tbl_name ORDER BY bytes DESC, m.tbl_name"
        )
        return dict(rows.fetchall())
    except sqlite3.OperationalError:
        return {}


def _growth(connection: sqlite3.Connection, newest_ms: int, bytes_per_game: float) -> Growth:
    since_ms = newest_ms - GROWTH_DAYS * _DAY_MS
    games, first_ms = connection.execute(
        "SELECT count(*), min(started_ms) FROM games WHERE started_ms > ?", (since_ms,)
    ).fetchone()
    days = (newest_ms - first_ms) // _DAY_MS + 1
    return Growth(days, games, games / days, games / days * bytes_per_game)
