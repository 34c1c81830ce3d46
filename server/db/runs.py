"""Which runs of ladders have games here: a run's id begins with its ladder and list, and either stands for all of its
runs."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import click

# With `run`.
_EXISTS = "SELECT 1 FROM games WHERE run_id = :run OR substr(run_id, 1, length(:run) + 1) = :run || '/' LIMIT 1"
_NEWEST = "SELECT run_id FROM games WHERE run_id IS NOT NULL GROUP BY run_id ORDER BY max(started_ms) DESC LIMIT 10"


def check_run(connection: sqlite3.Connection, run: str | None, path: Path) -> None:
    """Raises click.BadParameter, with the runs there are, for one that no game of the database is of."""
    if run is None or connection.execute(_EXISTS, {"run": run}).fetchone():
        return
    known = ", ".join(id for (id,) in connection.execute(_NEWEST)) or "none"
    raise click.BadParameter(f"{path} has no game of a run {run!r}; its newest runs: {known}.", param_hint="--run")
