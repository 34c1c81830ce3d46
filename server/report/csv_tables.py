"""The main tables of a report as CSV, for spreadsheets. Pure."""

from __future__ import annotations

import polars as pl

from server.report.words import ReportData


def csv_tables(data: ReportData) -> dict[str, str]:
    """By the name of the file, those that have rows."""
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
    return {name: frame.write_csv() for name, frame in found.items() if frame.height}
