"""Formats for words and numbers of the report, and the data that all its parts share. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property
from typing import Final

import polars as pl

from engine.rules.position import Rules, UnknownGame
from engine.rules.registry import rules
from server.report.page import board_figures, figures, time_figures
from server.report.page.frames import Frames, start_cells
from server.report.page.wording import say
from server.report.plots import Link

GAMES_SHOWN: Final = 12
"""Kinds of games with a separate part, the most played ones."""
ROWS_SHOWN: Final = 30
"""Limit for tables and charts that may have very many rows."""


class ReportData:
    """Frames with what every part asks of them."""

    def __init__(self, frames: Frames) -> None:
        self.frames = frames
        self.games = frames.games
        self.kinds = figures.games_by_number(frames.games)
        self.players: dict[int, str] = dict(frames.players.select("player_id", "player").rows())
        self._branching: dict[str, pl.DataFrame] = {}
        self._ids = {name: id for id, name in self.players.items()}

    @cached_property
    def moves(self) -> pl.DataFrame:
        return figures.moves_with_movers(self.games, self.frames.players, self.frames.moves)

    @cached_property
    def thinking(self) -> pl.DataFrame:
        return time_figures.thinking(self.moves)

    @cached_property
    def coarse_moves(self) -> tuple[int, int]:
        """How many moves of bots were timed in whole milliseconds, and how many there are."""
        bots = self.moves.filter(kind="bot")
        return int(bots["is_coarse"].sum()), bots.height

    @cached_property
    def faults(self) -> list[figures.Faults]:
        return figures.faults(self.games)

    @cached_property
    def limits(self) -> pl.DataFrame:
        return figures.limits(self.moves)

    @cached_property
    def games_of_bots(self) -> dict[str, int]:
        """How many games bots played in, by kind."""
        seated = pl.col("x_id").is_in(self.bots) | pl.col("o_id").is_in(self.bots)
        return dict(self.games.filter(seated).group_by("game").len().rows())

    @cached_property
    def by_kind(self) -> dict[str, tuple[pl.DataFrame, pl.DataFrame]]:
        """The games and moves of each kind of game."""
        games = {str(kind): part for (kind,), part in self.games.group_by("game", maintain_order=True)}
        moves = {str(kind): part for (kind,), part in self.moves.group_by("game", maintain_order=True)}
        return {kind: (games[kind], moves.get(kind, self.moves.clear())) for kind in self.kinds}

    def branching(self, kind: str) -> pl.DataFrame | None:
        """Legal moves by ply, counted once; None for unknown rules or without a move."""
        known = game_rules(kind)
        if kind not in self._branching and known is not None:
            games, moves = self.by_kind[kind]
            self._branching[kind] = board_figures.branching(known, games, moves, starts(games, kind))
        found = self._branching.get(kind)
        return None if found is None or found.is_empty() else found

    @cached_property
    def list_titles(self) -> dict[str, str]:
        """The name of each list by its run; those with one name get a piece of their digest."""
        lists = self.frames.lists
        doubled = lists.group_by("ladder", "list").len().filter(pl.col("len") > 1).select("ladder", "list").rows()
        titles = {}
        for run, ladder, name in lists.select("run_id", "ladder", "list").rows():
            digest = f" ({run.rsplit('/', 1)[-1][:6]})" if (ladder, name) in doubled else ""
            titles[run] = f"{ladder}: {name}{digest}"
        return titles

    def bot(self, player_id: int) -> Link:
        """A name that leads to its row in the part on bots, if it has one."""
        place = bot_place(player_id) if player_id in self.bots else None
        return Link(self.players[player_id], place)

    def bot_named(self, player: str) -> Link:
        return self.bot(self._ids[player])

    @cached_property
    def bots(self) -> frozenset[int]:
        """Bots that played or stand in a list."""
        bots = self.frames.players.filter(kind="bot")["player_id"]
        return frozenset(bots)


def bot_place(player_id: int) -> str:
    return f"bot-{player_id}"


def list_place(run_id: str) -> str:
    return f"list-{slug(run_id)}"


def game_name(game: str) -> str:
    known = game_rules(game)
    return known.name if known else game


def game_rules(game: str) -> Rules | None:
    """None for a game that this release does not know."""
    try:
        return rules(game)
    except UnknownGame:
        return None


def slug(text: str) -> str:
    """For names of files: `mnk:5,5,4` is `mnk-5-5-4`."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


def starts(games: pl.DataFrame, kind: str) -> dict[str, tuple[int, ...]]:
    return {start: start_cells(kind, start) for start in games["start"].unique()}


def whole(value: float | None) -> int | None:
    return None if value is None else round(value)


def percent(share: float | None, digits: int = 0) -> str:
    """`67 %`; never a whole 100 % or 0 % where a little is missing."""
    if share is None:
        return ""
    if 0 < share < 1 and round(100 * share, digits) in (0, 100):
        digits += 1
        little = 10.0**-digits
        share = min(max(share, little / 100), 1 - little / 100)
    return f"{100 * share:.{digits}f} %"


def megabytes(bytes: float) -> str:
    return f"{bytes / 1e6:,.1f}"


def moment(ms: int) -> str:
    """`2026-11-21 18:30`, UTC."""
    return str(pl.Series([ms]).cast(pl.Datetime("ms")).dt.strftime("%Y-%m-%d %H:%M")[0])


def listed(texts: Iterable[str], most: int = 12) -> tuple[str, ...]:
    """At most `most` texts, then how many more there are."""
    found = tuple(texts)
    return found if len(found) <= most else (*found[:most], say("more", count=len(found) - most))


def signed(value: float | None) -> str:
    return "" if value is None else f"{value:+.1f}"


def cut(height: int) -> str:
    return say("shown", shown=ROWS_SHOWN, count=height) if height > ROWS_SHOWN else ""


def short_game(game: str) -> str:
    """Its id, for places where a name would be too long."""
    return game.removeprefix("mnk:")
