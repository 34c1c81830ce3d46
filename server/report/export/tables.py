"""Recorded games as tables: the rows of the views `v_games`, `v_moves` and `v_standings`, and CSV files of them.

Games are read page by page in short transactions, so an export of millions of moves takes little memory and lets others
write meanwhile.
"""

from __future__ import annotations

import csv
import sqlite3
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Final, TypeAlias

import click
import msgspec

from server.db.connect import connect, one_moment
from server.db.migrate import require_schema
from server.report.spreadsheet import cells

Page: TypeAlias = Mapping[str, list[tuple[Any, ...]]]
"""Rows of each table."""

PAGE_GAMES: Final = 5_000
"""Games in one transaction."""
VIEWS: Final = {"games": "v_games", "moves": "v_moves", "standings": "v_standings"}
"""Each view by the name of its table, which is that of its file."""

_IDS: Final = """
SELECT id FROM games
WHERE id > ?1 AND (?2 IS NULL OR game = ?2) AND (?3 IS NULL OR started_ms >= ?3) ORDER BY id LIMIT ?4
"""
_OF_GAMES: Final = "SELECT * FROM {} WHERE game_id IN (SELECT value FROM json_each(?)) ORDER BY {}"
_STANDINGS: Final = "SELECT * FROM v_standings WHERE ?1 IS NULL OR game = ?1 ORDER BY run_id, place, player_id"


def pages(connection: sqlite3.Connection, game: str | None, since_ms: int | None) -> Iterator[Page]:
    """At least one; each is one moment of the database. The first has all standings."""
    last = 0
    while True:
        with one_moment(connection):
            ids = [id for (id,) in connection.execute(_IDS, (last, game, since_ms, PAGE_GAMES))]
            of_games = (msgspec.json.encode(ids).decode(),)
            page = {
                "games": connection.execute(_OF_GAMES.format("v_games", "game_id"), of_games).fetchall(),
                "moves": connection.execute(_OF_GAMES.format("v_moves", "game_id, ply"), of_games).fetchall(),
                "standings": [] if last else connection.execute(_STANDINGS, (game,)).fetchall(),
            }
        if ids or last == 0:
            yield page
        if len(ids) < PAGE_GAMES:
            return
        last = ids[-1]


def write_csv(path: Path, folder: Path, game: str | None, since_ms: int | None) -> tuple[int, int]:
    """Writes a file for each table and answers how many games and moves they have.

    Raises DatabaseError and ClickException.
    """
    games = moves = 0
    with new_files(folder, "csv") as made, ExitStack() as open_files, connect(path, "rw") as connection:
        require_schema(connection, path)
        writers = {}
        for name, view in VIEWS.items():
            file = open_files.enter_context((made / f"{name}.csv").open("w", encoding="utf-8", newline=""))
            writers[name] = csv.writer(file, lineterminator="\n")
            columns = connection.execute(f"SELECT * FROM {view} LIMIT 0").description
            writers[name].writerow([column for column, *_ in columns])
        for page in pages(connection, game, since_ms):
            for name, rows in page.items():
                writers[name].writerows(map(cells, rows))
            games, moves = games + len(page["games"]), moves + len(page["moves"])
    return games, moves


@contextmanager
def new_files(folder: Path, suffix: str) -> Iterator[Path]:
    """A folder for a file of each table; these replace those in `folder` at the end, which are kept if anything fails.

    Raises ClickException.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=f".{suffix}-", dir=folder) as made:
            yield Path(made)
            for name in VIEWS:
                (Path(made) / f"{name}.{suffix}").replace(folder / f"{name}.{suffix}")
    except OSError as error:
        raise click.ClickException(f"{folder} cannot be written: {error.strerror or error}.") from error
