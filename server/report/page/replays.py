"""The games that a report links to, each on a board that is stepped through without a script. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import polars as pl

from engine.rules.position import Rules, Side
from server.report.page.frames import start_cells
from server.report.page.words import ReportData, game_rules
from server.report.plots import Link, Part, walk

MOST: Final = 60
"""Games with a replay: a report stays small enough to be sent."""
_WIDE: Final = 4
"""Levels of a cube from which they stand in two rows."""


@dataclass(frozen=True, slots=True)
class Board:
    """Boards or levels in rows and columns of a grid, with an empty track between any two."""

    blocks: tuple[tuple[int, int], ...]
    """First row and column of each, from 1."""
    block_rows: int
    block_columns: int
    row_tracks: tuple[bool, ...]
    """Whether each is of cells, not of the space between."""
    column_tracks: tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class Mark:
    side: Side
    row: int
    column: int
    number: int
    """The move's number, from 1; 0 for moves of the opening."""
    text: str
    think_us: int | None


@dataclass(frozen=True, slots=True)
class Replay:
    game_id: int
    kind: str
    x: str
    o: str
    result: str
    board: Board
    marks: tuple[Mark, ...]

    @property
    def opening(self) -> tuple[Mark, ...]:
        return tuple(mark for mark in self.marks if mark.number == 0)

    @property
    def moves(self) -> tuple[Mark, ...]:
        return tuple(mark for mark in self.marks if mark.number)


def replays(data: ReportData, parts: Sequence[Part]) -> list[Replay]:
    """Replays of the games that tables link to, the first ones if there are too many. Private games have none, nor do
    games whose moves do not belong to their board."""
    ids = list(dict.fromkeys(_linked(parts)))
    chosen = data.games.filter(pl.col("game_id").is_in(ids), pl.col("private") == 0)
    rows = {row["game_id"]: row for row in chosen.rows(named=True)}
    shown = [rows[id] for id in ids if id in rows][:MOST]
    kept = [row["game_id"] for row in shown]
    moves = {
        id: list(zip(cells, times, strict=True))
        for id, cells, times in data.frames.moves.filter(pl.col("game_id").is_in(kept))
        .group_by("game_id", maintain_order=True)
        .agg("cell", "think_us")
        .rows()
    }
    found = (_replay(data, row, moves.get(row["game_id"], [])) for row in shown)
    return [replay for replay in found if replay]


def _linked(parts: Iterable[Part]) -> Iterable[int]:
    for part in walk(parts):
        for table in part.tables:
            for row in table.rows:
                for cell in row:
                    if isinstance(cell, Link) and cell.game_id is not None:
                        yield cell.game_id


def _replay(data: ReportData, row: dict[str, object], moves: Sequence[tuple[int, int | None]]) -> Replay | None:
    kind = str(row["game"])
    known = game_rules(kind)
    start = start_cells(kind, str(row["start"]))
    if known is None or len(start) != row["start_plies"] or any(cell >= known.cells for cell, _ in moves):
        return None
    played = [*((cell, None) for cell in start), *moves]
    marks = tuple(
        Mark("xo"[ply % 2], *place(known, cell), max(0, ply + 1 - len(start)), known.texts[cell], think_us)  # type: ignore[arg-type]
        for ply, (cell, think_us) in enumerate(played)
    )
    winner, how = row["winner"], str(row["termination"]).replace("_", " ")
    result = f"{str(winner).upper()} won: {how}" if winner else f"draw: {how}"
    x, o = (data.players[int(str(row[side]))] for side in ("x_id", "o_id"))
    return Replay(int(str(row["game_id"])), known.name, x, o, result, layout(known), marks)


def layout(rules: Rules) -> Board:
    columns, rows, across, number = _shape(rules)
    down = -(-number // across)
    return Board(
        tuple((1 + block // across * (rows + 1), 1 + block % across * (columns + 1)) for block in range(number)),
        rows,
        columns,
        _tracks(rows, down),
        _tracks(columns, across),
    )


def _shape(rules: Rules) -> tuple[int, int, int, int]:
    """Columns and rows of a block, blocks in a row, and how many there are."""
    if rules.nested:
        return 3, 3, 3, 9
    columns, height, *levels = rules.dimensions
    number = levels[0] if levels else 1
    return columns, height, number if number < _WIDE else -(-number // 2), number


def _tracks(cells: int, blocks: int) -> tuple[bool, ...]:
    return tuple(at % (cells + 1) != cells for at in range(blocks * (cells + 1) - 1))


def place(rules: Rules, cell: int) -> tuple[int, int]:
    """Row and column of a cell in the grid, from 1: flat boards have rank 1 at the bottom, nested ones begin at the
    top left."""
    columns, rows, across, _ = _shape(rules)
    block, inside = divmod(cell, columns * rows)
    y, x = divmod(inside, columns)
    row = y if rules.nested else rows - 1 - y
    return 1 + block // across * (rows + 1) + row, 1 + block % across * (columns + 1) + x
