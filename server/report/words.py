"""Formats for words and numbers of the report, and the data that all its parts share. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property
from typing import Final

import polars as pl

from engine.rules.position import Rules, UnknownGame
from engine.rules.registry import rules
from server.report import figures
from server.report.frames import Frames, start_cells
from server.report.wording import say

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

    @cached_property
    def moves(self) -> pl.DataFrame:
        return figures.moves_with_movers(self.games, self.frames.players, self.frames.moves)

    @cached_property
    def by_kind(self) -> dict[str, tuple[pl.DataFrame, pl.DataFrame]]:
        """The games and moves of each kind of game."""
        games = {str(kind): part for (kind,), part in self.games.group_by("game", maintain_order=True)}
        moves = {str(kind): part for (kind,), part in self.moves.group_by("game", maintain_order=True)}
        return {kind: (games[kind], moves.get(kind, self.moves.clear())) for kind in self.kinds}


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


def number(count: int, what: str) -> str:
    return f"{count:,} {what}" if count == 1 else f"{count:,} {what}s"


def whole(value: float | None) -> int | None:
    return None if value is None else round(value)


def percent(share: float | None, digits: int = 0) -> str:
    return "" if share is None else f"{100 * share:.{digits}f} %"


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
