"""Who leads a list, and how sure that is. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import polars as pl

from server.db.ladder import present_bots
from server.report.page.words import ReportData

Row = Mapping[str, Any]


class Lead(NamedTuple):
    """The best bot that still plays in a list, and the next one that does."""

    first: Row
    second: Row | None
    superiority: float | None
    """That of the first over the second; None where the standings do not say: a bot that is gone is between them."""


def ranked(data: ReportData, run: str) -> Sequence[Row]:
    """Bots with a place, best first."""
    standings = data.frames.standings
    return standings.filter(pl.col("run_id") == run, pl.col("place").is_not_null()).rows(named=True)


def gone(data: ReportData, run: str) -> frozenset[int]:
    """The players that are retired or have left the list."""
    settings = data.frames.lists.filter(run_id=run)["settings"]
    present = present_bots(str(settings[0])) if len(settings) else frozenset()
    return frozenset(
        row["player_id"] for row in ranked(data, run) if row["retired"] or (row["bot"], row["version"]) not in present
    )


def lead(data: ReportData, run: str) -> Lead | None:
    """None where no bot with a place still plays."""
    rows, away = ranked(data, run), gone(data, run)
    there = [number for number, row in enumerate(rows) if row["player_id"] not in away]
    if not there:
        return None
    first, second = there[0], there[1] if len(there) > 1 else None
    superiority = rows[first]["superiority"] if second == first + 1 else None
    return Lead(rows[first], None if second is None else rows[second], superiority)
