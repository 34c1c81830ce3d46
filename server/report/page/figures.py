"""Figures of results, lengths and times, counted from the data frames. Pure.

Shares are numbers from 0 to 1, intervals of 95 %.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
import polars as pl

from engine.rules.termination import FAULT_TERMINATIONS
from engine.stats.score import Interval, Score, score, student_t, wilson

LOW: Final = 0.10
HIGH: Final = 0.99
"""Percentiles shown around medians: the 10th and the 99th."""
TIMED: Final = 10
"""A move counts for a rate if it took at least this many units of its measurement: microseconds, or milliseconds in old
records."""
OPENINGS: Final = 5
"""From this many different openings on, intervals are computed over openings."""


def quantile(column: str, share: float) -> pl.Expr:
    """As `engine.stats.score.quantile`: the least value that at least `share` of them do not exceed; so one of them."""
    return pl.col(column).quantile(share, interpolation="equiprobable")


def spread(column: str, name: str) -> list[pl.Expr]:
    """Median, `LOW` and `HIGH` of a column as `name`, `name_low` and `name_high`."""
    return [
        quantile(column, 0.5).alias(name),
        quantile(column, LOW).alias(f"{name}_low"),
        quantile(column, HIGH).alias(f"{name}_high"),
    ]


def games_by_number(games: pl.DataFrame) -> list[str]:
    """Ids of the kinds of games that were played, the most played first."""
    counted = games.group_by("game").len().sort(["len", "game"], descending=[True, False])
    return counted["game"].to_list()


def moves_with_movers(games: pl.DataFrame, players: pl.DataFrame, moves: pl.DataFrame) -> pl.DataFrame:
    """`moves` with `at` (the ply counted from the empty board), the mover's `player`, `kind` and `limit_ms`, and the
    game's `plies`."""
    known = games.select("game_id", "game", "x_id", "o_id", "x_limit_ms", "o_limit_ms", "start_plies", "plies")
    joined = moves.join(known, on="game_id", how="inner", maintain_order="left")
    by_x = (pl.col("start_plies") + pl.col("ply")) % 2 == 0
    return (
        joined.with_columns(
            at=pl.col("start_plies") + pl.col("ply"),
            player_id=pl.when(by_x).then("x_id").otherwise("o_id"),
            limit_ms=pl.when(by_x).then("x_limit_ms").otherwise("o_limit_ms"),
        )
        .drop("x_id", "o_id", "x_limit_ms", "o_limit_ms")
        .join(players, on="player_id", how="left", maintain_order="left")
    )


# Results


@dataclass(frozen=True, slots=True)
class Advantage:
    """How X did in a game."""

    game: str
    score: Score
    openings: int
    """Number of different preset openings."""
    interval: Interval
    """Interval of the share: beyond these openings if there are `OPENINGS` of them, else of these only."""


def advantages(games: pl.DataFrame) -> list[Advantage]:
    """The advantages by game, the most played first."""
    return [_advantage(game, games.filter(game=game)) for game in games_by_number(games)]


def _advantage(game: str, games: pl.DataFrame) -> Advantage:
    found = score(_x_pairs(games))
    set_up = games.filter((pl.col("source") == "ladder") & pl.col("opening_id").is_not_null())
    by_opening = set_up.group_by("opening_id").agg("x_points").sort("opening_id")["x_points"].to_list()
    if len(by_opening) < OPENINGS:
        return Advantage(game, found, len(by_opening), found.interval)
    others = _x_pairs(games.join(set_up, on="game_id", how="anti"))
    return Advantage(game, found, len(by_opening), _clustered([*by_opening, *others], found.share))


def _clustered(clusters: Sequence[Sequence[float]], share: float) -> Interval:
    """Interval of a share of the points, where results of one cluster may be alike and clusters are of any size.

    Wilson's interval, as `engine.stats.score.score` makes it of pairs, with the variance of a ratio of sums. Where few
    clusters hold most of the games, only they count as observations.
    """
    sizes = np.array([len(points) for points in clusters], dtype=float)
    beyond = np.array([sum(points) for points in clusters]) - share * sizes
    number = float(sizes.sum() ** 2 / (sizes**2).sum())
    variance = float((beyond**2).sum() / sizes.sum() ** 2) * number / max(1e-9, number - 1)
    if variance < 1e-12:  # none but for rounding
        return wilson(share * number, number)
    effective = share * (1 - share) / variance
    return wilson(share * effective, effective, student_t(max(1, round(number) - 1)))


def _x_pairs(games: pl.DataFrame) -> list[list[float]]:
    """X's points, those of a pair together, which share their opening; a game without a pair is one alone."""
    paired = games.filter(pl.col("pair_id").is_not_null())
    together = paired.group_by("run_id", "pair_id", maintain_order=True).agg("x_points")["x_points"].to_list()
    return [*together, *([points] for points in games.filter(pl.col("pair_id").is_null())["x_points"])]


def pair_results(games: pl.DataFrame, places: Mapping[int, int]) -> tuple[int, int, int, int, int]:
    """Pairs of a list in which the bot that stands higher made 0, 1/2, 1, 1 1/2 and 2 points."""
    if not places:
        return (0, 0, 0, 0, 0)
    known = games.filter(
        pl.col("pair_id").is_not_null() & pl.col("x_id").is_in(list(places)) & pl.col("o_id").is_in(list(places))
    )
    x, o = (pl.col(f"{side}_id").replace_strict(places, return_dtype=pl.Int64) for side in "xo")
    doubled = (
        known.with_columns(points=pl.when(x < o).then(pl.col("x_points")).otherwise(1 - pl.col("x_points")))
        .group_by("pair_id")
        .agg(pl.len(), (pl.col("points").sum() * 2).round().cast(pl.Int64))
        .filter(len=2)["points"]
        .to_list()
    )
    zero, half, one, more, two = (doubled.count(points) for points in range(5))
    return zero, half, one, more, two


class Meeting(NamedTuple):
    points: float
    games: int


def crosstable(games: pl.DataFrame) -> dict[tuple[int, int], Meeting]:
    """The player's points and the number of games, by player and opponent."""
    as_x = games.select(player="x_id", against="o_id", points="x_points")
    as_o = games.select(player="o_id", against="x_id", points=1 - pl.col("x_points"))
    found = pl.concat([as_x, as_o]).group_by("player", "against").agg(pl.col("points").sum(), pl.len())
    return {(player, against): Meeting(points, number) for player, against, points, number in found.rows()}


def terminations(games: pl.DataFrame) -> dict[str, dict[str, int]]:
    """How often each termination occurred, by game."""
    counted: dict[str, dict[str, int]] = {game: {} for game in games_by_number(games)}
    for game, termination, number in games.group_by("game", "termination").len().sort("game", "termination").rows():
        counted[game][termination] = number
    return counted


class Faults(NamedTuple):
    player_id: int
    games: int
    by_termination: dict[str, int]

    @property
    def number(self) -> int:
        return sum(self.by_termination.values())


def faults(games: pl.DataFrame) -> list[Faults]:
    """Players who lost games by a fault, those with the largest share of their games first."""
    losers = (
        games.filter(pl.col("termination").is_in(FAULT_TERMINATIONS) & pl.col("winner").is_not_null())
        .select("termination", player_id=pl.when(pl.col("winner") == "x").then("o_id").otherwise("x_id"))
        .group_by("player_id", "termination")
        .len()
        .sort("player_id", "termination")
    )
    against_others = games.filter(pl.col("x_id") != pl.col("o_id"))
    played = dict(pl.concat([games["x_id"].rename("id"), against_others["o_id"].rename("id")]).value_counts().rows())
    by_player: dict[int, dict[str, int]] = {}
    for player, termination, number in losers.rows():
        by_player.setdefault(player, {})[termination] = number
    found = [Faults(player, played[player], counts) for player, counts in by_player.items()]
    return sorted(found, key=lambda one: (-one.number / one.games, one.player_id))


# Lengths and plies


class Lengths(NamedTuple):
    """Games by their number of plies, the start's among them, in bins of `width`."""

    first: Sequence[int]
    """The least number of plies in each bin."""
    games: Sequence[int]
    width: int
    median: int
    low: int
    high: int


def lengths(games: pl.DataFrame, bins: int = 40) -> Lengths | None:
    """None without games."""
    if games.is_empty():
        return None
    all_lengths = games.select(length=pl.col("start_plies") + pl.col("plies"))
    [(least, most, *middle)] = all_lengths.select(
        pl.col("length").min().alias("least"), pl.col("length").max().alias("most"), *spread("length", "middle")
    ).rows()
    width = max(1, -(-(most - least + 1) // bins))
    counted = dict(
        all_lengths.group_by(bin=least + (pl.col("length") - least) // width * width).len().sort("bin").rows()
    )
    first = list(range(least, most + 1, width))
    return Lengths(first, [counted.get(bin, 0) for bin in first], width, *map(int, middle))


def by_ply(moves: pl.DataFrame, column: str) -> pl.DataFrame:
    """A row for each ply, of moves that have the column: `at`, `moves`, `middle`, `middle_low`, `middle_high`."""
    there = moves.filter(pl.col(column).is_not_null())
    return there.group_by("at").agg(pl.len().alias("moves"), *spread(column, "middle")).sort("at")


def by_player(moves: pl.DataFrame) -> pl.DataFrame:
    """Bots, the slowest first: `player`, `moves`, `think_us` (median, `_low`, `_high`), `longest_us`, the medians
    `nodes` and `depth`, and `rate` in nodes a second: of moves that took long enough to be timed, if they have at least
    half of the nodes."""
    is_timed = pl.col("think_us") >= pl.when("is_coarse").then(1_000 * TIMED).otherwise(TIMED)
    timed = pl.col("nodes").filter(is_timed).sum()
    rate = timed * 1_000_000 / pl.col("think_us").filter(pl.col("nodes").is_not_null() & is_timed).sum()
    return (
        moves.filter(kind="bot")
        .group_by("player")
        .agg(
            pl.len().alias("moves"),
            *spread("think_us", "think_us"),
            pl.col("think_us").max().alias("longest_us"),
            quantile("nodes", 0.5),
            quantile("depth", 0.5),
            pl.when((timed > 0) & (2 * timed >= pl.col("nodes").sum())).then(rate).alias("rate"),
        )
        .sort(["think_us", "think_us_high", "player"], descending=[True, True, False])
    )


def limits(moves: pl.DataFrame) -> pl.DataFrame:
    """Moves that had a limit of time, by `game` and `player`, those that used most first: `moves`, `share` of the
    limit (median, `_low`, `_high`) and `most` of it, how many were `over` it and the `worst_us` beyond it."""
    return (
        moves.filter(pl.col("limit_ms").is_not_null())
        .with_columns(
            used=pl.col("think_us") / (1_000 * pl.col("limit_ms")),
            beyond=pl.col("think_us") - 1_000 * pl.col("limit_ms"),
        )
        .group_by("game", "player")
        .agg(
            pl.len().alias("moves"),
            *spread("used", "share"),
            pl.col("used").max().alias("most"),
            (pl.col("beyond") > 0).sum().alias("over"),
            pl.col("beyond").max().clip(lower_bound=0).alias("worst_us"),
        )
        .sort(["most", "game", "player"], descending=[True, False, False])
    )


def slowest(moves: pl.DataFrame, kind: str, number: int) -> pl.DataFrame:
    order = ["think_us", "game_id", "ply"]
    return (
        moves.filter(kind=kind)
        .top_k(number, by=order, reverse=[False, True, True])
        .sort(order, descending=[True, False, False])
    )
