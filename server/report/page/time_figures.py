"""Where the time went: thinking by player, kind of game and phase. Pure."""

from __future__ import annotations

from typing import Final

import polars as pl

PHASES: Final = ("opening", "middle", "end")
"""The first, second and last third of the moves that the players of a game chose themselves."""
_NUMBERS: Final = ("moves", "games", "total_us", *(f"{phase}_us" for phase in PHASES))


def thinking(moves: pl.DataFrame) -> pl.DataFrame:
    """Bots' thinking by `player_id` and `game`, most first: `moves`, `games`, `total_us` and its parts by phase."""
    third = (3 * pl.col("ply") // pl.col("plies").clip(lower_bound=1)).clip(0, 2)
    parts = [
        pl.col("think_us").filter(third == number).sum().alias(f"{phase}_us") for number, phase in enumerate(PHASES)
    ]
    return (
        moves.filter(kind="bot")
        .group_by("player_id", "game")
        .agg(
            pl.len().alias("moves"),
            pl.col("game_id").n_unique().alias("games"),
            pl.col("think_us").sum().alias("total_us"),
            *parts,
        )
        .sort(["total_us", "player_id", "game"], descending=[True, False, False])
    )


def summed(thought: pl.DataFrame, by: str) -> pl.DataFrame:
    """What `thinking` gave, summed up by one of its columns; `games` are those of each player."""
    return thought.group_by(by).agg(pl.col(_NUMBERS).sum()).sort(["total_us", by], descending=[True, False])


def phase_shares(row: dict[str, int]) -> tuple[float, ...] | None:
    """Each phase's share of the time in a row of either; None without any time."""
    return tuple(row[f"{phase}_us"] / row["total_us"] for phase in PHASES) if row["total_us"] else None
