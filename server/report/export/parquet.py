"""Recorded games as Parquet: a file for each table, with the columns of its view.

Each page is written to a file of its own, and polars streams those into one: so an export of millions of moves takes
little memory.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final, TypeAlias

import click
import polars as pl

from server.db.connect import connect
from server.db.migrate import require_schema
from server.report.export.tables import new_files, pages
from server.report.possible import frame, impossible_is_told

_Schema: TypeAlias = Mapping[str, type[pl.DataType]]

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
STANDINGS: Final[_Schema] = {
    "run_id": pl.String, "ladder": pl.String, "list": pl.String, "game": pl.String, "place": pl.Int64,
    "player_id": pl.Int64, "bot": pl.String, "version": pl.Int64, "rating": pl.Float64, "low": pl.Float64,
    "high": pl.Float64, "superiority": pl.Float64, "retired": pl.Int64, "games": pl.Int64, "won": pl.Int64,
    "drawn": pl.Int64, "lost": pl.Int64, "points": pl.Float64, "share": pl.Float64, "faults": pl.Int64,
}  # fmt: skip
SCHEMAS: Final[Mapping[str, _Schema]] = {"games": GAMES, "moves": MOVES, "standings": STANDINGS}

_ROWS: Final = {"games": "game", "moves": "a move of game", "standings": "a standing of list"}


def write(path: Path, folder: Path, game: str | None, since_ms: int | None) -> tuple[int, int]:
    """Writes the files and answers how many games and moves they have. Raises DatabaseError and ClickException."""
    try:
        with new_files(folder, "parquet") as made:
            numbers = _write_pages(path, made, game, since_ms)
            for name, schema in SCHEMAS.items():
                _join(made, name, schema)
    except pl.exceptions.PolarsError as error:
        raise click.ClickException(f"{folder} cannot be written: {error}.") from error
    return numbers


def _write_pages(path: Path, made: Path, game: str | None, since_ms: int | None) -> tuple[int, int]:
    games = moves = 0
    with connect(path, "rw") as connection, impossible_is_told(path):
        require_schema(connection, path)
        for number, page in enumerate(pages(connection, game, since_ms)):
            for name, rows in page.items():
                frame(rows, SCHEMAS[name], _ROWS[name]).write_parquet(made / f"{name}-{number:06}.page")
            games, moves = games + len(page["games"]), moves + len(page["moves"])
    return games, moves


def _join(made: Path, name: str, schema: _Schema) -> None:
    """All pages in one file, in their order."""
    files = sorted(made.glob(f"{name}-*.page"))
    pl.scan_parquet(files, schema=dict(schema)).sink_parquet(made / f"{name}.parquet")
    for file in files:
        file.unlink()
