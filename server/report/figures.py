"""Counts what frames of records hold. Pure; shares are numbers from 0 to 1, intervals of 95 %."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import polars as pl

from engine.score import Score, score

LOW: Final = 0.10
HIGH: Final = 0.99
"""Shown around medians: a tenth of the moves were quicker, one in a hundred slower."""


def quantile(column: str, share: float) -> pl.Expr:
    """As `engine.score.quantile`: the least value that at least `share` of them do not exceed."""
    return pl.col(column).quantile(share, interpolation="equiprobable")


def games_by_number(games: pl.DataFrame) -> list[str]:
    """Ids of the kinds of games that were played, the most played first."""
    counted = games.group_by("game").len().sort(["len", "game"], descending=[True, False])
    return counted["game"].to_list()


# First-player advantage


@dataclass(frozen=True, slots=True)
class Advantage:
    """How X did in a game."""

    game: str
    score: Score


def advantages(games: pl.DataFrame) -> list[Advantage]:
    """By game, the most played first. Games of a pair share their opening, so the pair is what counts."""
    return [Advantage(game, score(_x_pairs(games.filter(game=game)))) for game in games_by_number(games)]


def _x_pairs(games: pl.DataFrame) -> list[list[float]]:
    """X's points, those of a pair together; a game without a pair is one alone."""
    paired = games.filter(pl.col("pair_id").is_not_null())
    together = paired.group_by("run_id", "pair_id", maintain_order=True).agg("x_points")["x_points"].to_list()
    return [*together, *([points] for points in games.filter(pl.col("pair_id").is_null())["x_points"])]
