"""What is played where: legal moves by ply, and first moves by cell. Pure; shares are numbers from 0 to 1."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from engine.rules.position import Rules
from server.report.page.branching import legal_moves
from server.report.page.figures import spread


def branching(
    rules: Rules, games: pl.DataFrame, moves: pl.DataFrame, starts: Mapping[str, tuple[int, ...]]
) -> pl.DataFrame:
    """Legal moves by ply, in the start too: `at`, `moves`, `mean`, `middle`, `middle_low` and `middle_high`."""
    counts = legal_moves(rules, _matrix(rules, games, moves, starts))
    at = np.broadcast_to(np.arange(counts.shape[1]), counts.shape)
    played = counts >= 0
    frame = pl.DataFrame({"at": at[played].astype(np.int32), "legal": counts[played]})
    spreads = spread("legal", "middle")
    return frame.group_by("at").agg(pl.len().alias("moves"), pl.col("legal").mean().alias("mean"), *spreads).sort("at")


def _matrix(
    rules: Rules, games: pl.DataFrame, moves: pl.DataFrame, starts: Mapping[str, tuple[int, ...]]
) -> np.ndarray[tuple[int, int], np.dtype[np.int16]]:
    """The cells of each game by ply, -1 after its end; games with cells outside the board are skipped."""
    sound = moves.group_by("game_id").agg(pl.col("cell").max()).filter(pl.col("cell") < rules.cells)["game_id"]
    chosen = games.filter(pl.col("game_id").is_in(sound.implode())).with_row_index("row")
    placed = moves.join(chosen.select("game_id", "row"), on="game_id", how="inner")
    plies = int((chosen["start_plies"] + chosen["plies"]).max() or 0)  # type: ignore[arg-type]
    plies = max(plies, 1 + int(placed["at"].max() or 0))  # type: ignore[arg-type]
    matrix = np.full((chosen.height, plies), -1, dtype=np.int16)
    for start, rows in chosen.group_by("start").agg("row").rows():
        for ply, cell in enumerate(starts.get(start, ())):
            matrix[rows, ply] = cell
    matrix[placed["row"].to_numpy(), placed["at"].to_numpy()] = placed["cell"].to_numpy()
    return matrix


@dataclass(frozen=True, slots=True)
class Openings:
    """First moves, folded by symmetry: what holds for a cell holds for all cells that are alike."""

    games: int
    first: Sequence[float]
    """Share of the games that began there, by cell."""
    points: Sequence[float | None]
    """X's share of the points in them."""
    set: int
    """Games whose first move was set beforehand."""
    chosen: Sequence[float]
    """Share of the moves that players chose first, whatever had been set."""


def openings(
    rules: Rules, games: pl.DataFrame, moves: pl.DataFrame, starts: Mapping[str, tuple[int, ...]]
) -> Openings | None:
    """None without a move."""
    alike = classes(rules)
    own = moves.filter(ply=0).select("game_id", own="cell")
    set_first = {start: cells[0] for start, cells in starts.items() if cells}
    known = games.join(own, on="game_id", how="left").with_columns(
        first=pl.col("start").replace_strict(set_first, default=None, return_dtype=pl.Int32)
    )
    known = known.with_columns(begun=pl.coalesce("first", "own"))
    begun = known.filter(pl.col("begun").is_between(0, rules.cells - 1))
    if begun.is_empty():
        return None
    number, points = _by_class(begun, "begun", alike)
    own_number, _ = _by_class(known.filter(pl.col("own").is_between(0, rules.cells - 1)), "own", alike)
    owns = max(1, sum(own_number.values()))
    return Openings(
        games=begun.height,
        first=[number.get(kind, 0) / begun.height for kind in alike],
        points=[points.get(kind) for kind in alike],
        set=begun.height - begun["first"].null_count(),
        chosen=[own_number.get(kind, 0) / owns for kind in alike],
    )


def one_sided(games: pl.DataFrame, least: int, most: int) -> pl.DataFrame:
    """Set openings of at least `least` games, those that favour a side most first: `start`, `games`, X's `share` of the
    points, and `game_id` of the latest public game."""
    public = pl.col("game_id").filter(pl.col("private") == 0)
    return (
        games.filter(pl.col("start_plies") > 0)
        .group_by("start")
        .agg(pl.len().alias("games"), pl.col("x_points").mean().alias("share"), public.max())
        .filter(pl.col("games") >= least, pl.col("share") != 0.5)
        .sort([(pl.col("share") - 0.5).abs(), "games", "start"], descending=[True, True, False])
        .head(most)
    )


def _by_class(games: pl.DataFrame, column: str, alike: Sequence[int]) -> tuple[dict[int, int], dict[int, float]]:
    kinds = dict(enumerate(alike))
    counted = games.group_by(kind=pl.col(column).replace_strict(kinds, return_dtype=pl.Int32)).agg(
        pl.len(), pl.col("x_points").mean()
    )
    return ({kind: number for kind, number, _ in counted.rows()}, {kind: points for kind, _, points in counted.rows()})


def classes(rules: Rules) -> tuple[int, ...]:
    """For each cell, the least cell that is alike."""
    return tuple(min(symmetry[cell] for symmetry in rules.symmetries) for cell in range(rules.cells))
