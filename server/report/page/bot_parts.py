"""The part on bots: a row for each, to which its name leads from everywhere, and what its thinking took. Pure."""

from __future__ import annotations

from typing import Final

import polars as pl

from server.report.durations import span
from server.report.page import time_figures
from server.report.page.time_figures import PHASES, phase_shares
from server.report.page.wording import say
from server.report.page.words import ReportData, bot_place, game_name, list_place, percent
from server.report.plots import Cell, Link, Part, Table

_BESIDE: Final = 4
"""Lists that a row names; bots are seldom in more."""


def bots(data: ReportData) -> Part:
    by_bot = {row["player_id"]: row for row in time_figures.summed(data.thinking, "player_id").rows(named=True)}
    faults = {one.player_id: one.number for one in data.faults}
    ids = [*by_bot, *sorted(data.bots - by_bot.keys())]
    rows: list[tuple[Cell, ...]] = []
    for id in ids:
        row = by_bot.get(id)
        rows.append((data.players[id], *_time(row), faults.get(id, 0), _places(data, id)))
    head = ("bot", "games", "moves", "thought", "a game", *PHASES, "faults", "places")
    tables = (Table("Bots", head, rows, say("phases.note"), ids=tuple(map(bot_place, ids))),) if rows else ()
    return Part("bots", "Bots", () if rows else (say("bots.none"),), (), tables)


def _time(row: dict[str, int] | None) -> tuple[Cell, ...]:
    if row is None:
        return (0, 0, "", "", *("" for _ in PHASES))
    shares = phase_shares(row) or (None,) * len(PHASES)
    return (
        row["games"], row["moves"], span(row["total_us"]), span(row["total_us"] / row["games"]), *map(percent, shares)
    )  # fmt: skip


def _places(data: ReportData, id: int) -> str:
    """`1 of 8 in night: qubic`, the best ones first."""
    standings = data.frames.standings
    sizes = dict(standings.filter(pl.col("place").is_not_null()).group_by("run_id").len().rows())
    placed = standings.filter(pl.col("player_id") == id, pl.col("place").is_not_null()).sort("place")
    found = [
        say("bots.place", place=place, count=sizes[run], list=data.list_titles.get(run, run))
        for run, place in placed.select("run_id", "place").rows()
    ]
    rest = say("bots.more", count=len(found) - _BESIDE) if len(found) > _BESIDE else ""
    return ", ".join([*found[:_BESIDE], *([rest] if rest else [])])


def time_by_game(data: ReportData) -> Table | None:
    """What the thinking of bots took by kind of game; None where no bot moved."""
    rows: list[tuple[Cell, ...]] = []
    for row in time_figures.summed(data.thinking, "game").rows(named=True):
        # Each game has two players, who are counted by themselves.
        games = data.games_of_bots[row["game"]]
        shares = phase_shares(row) or (None,) * len(PHASES)
        rows.append(
            (game_name(row["game"]), games, row["moves"], span(row["total_us"]), span(row["total_us"] / games),
             *map(percent, shares))
        )  # fmt: skip
    head = ("game", "games", "moves", "thought", "a game", *PHASES)
    return Table("Thinking of bots by game", head, rows, say("phases.note")) if rows else None


def list_link(data: ReportData, run: str) -> Link:
    """Its short name where one ladder alone is reported."""
    title = data.list_titles[run]
    one_ladder = data.frames.lists["ladder"].n_unique() == 1
    return Link(title.partition(": ")[2] if one_ladder else title, list_place(run))
