"""Recorded games as Parquet: `games.parquet` and `moves.parquet` with the columns of the views `v_games` and `v_moves`.

Games are read page by page in short transactions, each page is written to a file of its own, and polars streams those
into one: so an export of millions of moves takes little memory, and a file gets its name when it is whole.
"""

from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, TypeAlias

import click
import msgspec
import polars as pl

from server.db.connect import connect
from server.db.migrate import require_schema

_Schema: TypeAlias = Mapping[str, type[pl.DataType]]

PAGE_GAMES: Final = 5_000
"""Games in one transaction."""

GAMES: Final[_Schema] = {
    "game_id": pl.Int64, "game": pl.String, "source": pl.String, "run_id": pl.String, "ladder": pl.String,
    "list": pl.String, "pair_id": pl.Int64, "opening_id": pl.String, "x_id": pl.Int64, "x": pl.String,
    "x_kind": pl.String, "x_version": pl.Int64, "x_limit": pl.String, "o_id": pl.Int64, "o": pl.String,
    "o_kind": pl.String, "o_version": pl.Int64, "o_limit": pl.String, "winner": pl.String, "termination": pl.String,
    "x_points": pl.Float64, "start_plies": pl.Int64, "plies": pl.Int64, "rated": pl.Int64, "private": pl.Int64,
    "started_ms": pl.Int64, "ended_ms": pl.Int64, "duration_ms": pl.Int64, "machine": pl.String, "software": pl.String,
}  # fmt: skip
MOVES: Final[_Schema] = {
    "game_id": pl.Int64, "game": pl.String, "source": pl.String, "run_id": pl.String, "ply": pl.Int64,
    "side": pl.String, "player_id": pl.Int64, "player": pl.String, "kind": pl.String, "cell": pl.Int64,
    "at_ms": pl.Int64, "think_ms": pl.Int64, "think_us": pl.Int64, "resolution_us": pl.Int64, "wait_ms": pl.Int64,
    "limit_ms": pl.Int64, "nodes": pl.Int64, "depth": pl.Int64, "value": pl.Float64, "win_in": pl.Int64,
    "pruned": pl.Int64, "verdict": pl.String, "exact": pl.Int64, "best_verdict": pl.String, "grade": pl.String,
    "blunder": pl.Int64,
}  # fmt: skip
_IDS: Final = """
SELECT id FROM games
WHERE id > ?1 AND (?2 IS NULL OR game = ?2) AND (?3 IS NULL OR started_ms >= ?3) ORDER BY id LIMIT ?4
"""


def write(path: Path, folder: Path, game: str | None, since_ms: int | None) -> tuple[int, int]:
    """Writes both files and answers how many games and moves they have. Raises DatabaseError and ClickException."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".parquet-", dir=folder) as made:
            pages = Path(made)
            numbers = _write_pages(path, pages, game, since_ms)
            for name, schema in (("games", GAMES), ("moves", MOVES)):
                _join(pages, name, schema)
            for name in ("moves", "games"):
                (pages / f"{name}.parquet").replace(folder / f"{name}.parquet")
    except (OSError, pl.exceptions.PolarsError) as error:
        reason = getattr(error, "strerror", None) or error
        raise click.ClickException(f"{folder} cannot be written: {reason}.") from error
    return numbers


def _write_pages(path: Path, pages: Path, game: str | None, since_ms: int | None) -> tuple[int, int]:
    games = moves = 0
    with connect(path, "rw") as connection:
        require_schema(connection, path)
        for number, (of_games, of_moves) in enumerate(_pages(connection, game, since_ms)):
            of_games.write_parquet(pages / f"games-{number:06}.page")
            of_moves.write_parquet(pages / f"moves-{number:06}.page")
            games, moves = games + of_games.height, moves + of_moves.height
    return games, moves


def _pages(
    connection: sqlite3.Connection, game: str | None, since_ms: int | None
) -> Iterator[tuple[pl.DataFrame, pl.DataFrame]]:
    """At least one; each is one moment of the database."""
    last = 0
    while True:
        connection.execute("BEGIN")
        try:
            ids = [id for (id,) in connection.execute(_IDS, (last, game, since_ms, PAGE_GAMES))]
            page = (
                _view(connection, "v_games", GAMES, ids, "game_id"),
                _view(connection, "v_moves", MOVES, ids, "game_id, ply"),
            )
        finally:
            connection.execute("ROLLBACK")
        if ids or last == 0:
            yield page
        if len(ids) < PAGE_GAMES:
            return
        last = ids[-1]


def _view(connection: sqlite3.Connection, view: str, schema: _Schema, ids: list[int], order: str) -> pl.DataFrame:
    sql = f"SELECT {', '.join(schema)} FROM {view} WHERE game_id IN (SELECT value FROM json_each(?)) ORDER BY {order}"
    rows = connection.execute(sql, (msgspec.json.encode(ids).decode(),)).fetchall()
    columns = zip(*rows, strict=True) if rows else [()] * len(schema)
    return pl.DataFrame(
        [pl.Series(name, values, kind) for (name, kind), values in zip(schema.items(), columns, strict=True)]
    )


def _join(pages: Path, name: str, schema: _Schema) -> None:
    """All pages in one file, in their order."""
    files = sorted(pages.glob(f"{name}-*.page"))
    pl.scan_parquet(files, schema=dict(schema)).sink_parquet(pages / f"{name}.parquet")
    for file in files:
        file.unlink()
