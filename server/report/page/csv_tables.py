"""The main tables of a report as CSV, for spreadsheets. Pure."""

from __future__ import annotations

import polars as pl

from server.report.page.words import ReportData
from server.report.spreadsheet import FORMULA


def csv_tables(data: ReportData) -> dict[str, str]:
    """The tables that have rows, by the name of their file."""
    named = data.frames.players.select("player_id", bot="player")
    standings = data.frames.standings.drop("bot", "version").join(
        named, on="player_id", how="left", maintain_order="left"
    )
    columns = (
        "ladder", "list", "game", "place", "bot", "rating", "low", "high", "superiority", "games", "won", "drawn",
        "lost", "points", "share", "faults", "retired",
    )  # fmt: skip
    thinking = data.thinking.join(named, on="player_id", how="left", maintain_order="left")
    found = {
        "standings.csv": standings.select(columns),
        "thinking.csv": thinking.select("bot", pl.exclude("bot", "player_id")),
    }
    return {name: csv_text(frame) for name, frame in found.items() if frame.height}


def csv_text(frame: pl.DataFrame) -> str:
    texts = [name for name, kind in frame.schema.items() if kind == pl.String]
    return frame.with_columns(_cell(name) for name in texts).write_csv()


def _cell(name: str) -> pl.Expr:
    """A column of text, its cells as `server.report.spreadsheet.cells` makes them."""
    column = pl.col(name)
    is_formula = pl.any_horizontal(column.str.starts_with(sign) for sign in FORMULA)
    return pl.when(is_formula).then(pl.lit("'") + column).otherwise(column).alias(name)
