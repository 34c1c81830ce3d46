"""Says what was counted: the parts of the report, each with sentences, tables and plots. Pure."""

from __future__ import annotations

import re

import polars as pl

from engine.position import UnknownGame
from engine.rules.registry import rules
from server.report import figures
from server.report.plots import Part, Picture, Points, Stacked, Table
from server.report.records import Records


def statistics(records: Records) -> list[Part]:
    """What the page of statistics shows."""
    return [advantage(records.games)]


def game_name(game: str) -> str:
    try:
        return rules(game).name
    except UnknownGame:
        return game


def slug(text: str) -> str:
    """For names of files: `mnk:5,5,4` is `mnk-5-5-4`."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


def advantage(games: pl.DataFrame) -> Part:
    title = "Moving first"
    found = figures.advantages(games)
    if not found:
        return Part("advantage", title, ("No game that counts is recorded yet.",))
    labels = tuple(game_name(one.game) for one in found)
    points = Points(
        labels,
        [100 * one.score.share for one in found],
        [100 * one.score.interval.low for one in found],
        [100 * one.score.interval.high for one in found],
        "X's share of the points, %",
        50.0,
    )
    said = "; ".join(f"{name} {100 * one.score.share:.0f} %" for name, one in zip(labels, found, strict=True))
    picture = Picture(
        "advantage",
        "What moving first is worth",
        f"X's share of the points by game, with intervals of 95 %: {said}.",
        "A dot right of the dashed line: X, who moves first, makes more than half of the points. The bar is the 95 % "
        "interval; if it crosses the line, the games do not tell.",
        points,
    )
    results = Picture(
        "results",
        "How games ended for X and O",
        "Shares of games won by X, drawn and won by O: "
        + "; ".join(
            f"{name} {one.score.won}, {one.score.drawn}, {one.score.lost}"
            for name, one in zip(labels, found, strict=True)
        )
        + ".",
        "Each bar is all games of one kind.",
        Stacked(
            labels,
            (
                ("X won", [one.score.won for one in found]),
                ("drawn", [one.score.drawn for one in found]),
                ("O won", [one.score.lost for one in found]),
            ),
            "results",
        ),
    )
    table = Table(
        "Results of X",
        ("game", "games", "X won", "drawn", "O won", "X's share, %", "95 %"),
        [
            (
                name, one.score.games, one.score.won, one.score.drawn, one.score.lost, round(100 * one.score.share, 1),
                f"{100 * one.score.interval.low:.1f} to {100 * one.score.interval.high:.1f}",
            )
            for name, one in zip(labels, found, strict=True)
        ],
    )  # fmt: skip
    return Part("advantage", title, (), (picture, results), (table,))
