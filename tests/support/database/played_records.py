"""Games played to the end in a database, by plain SQL, and what the explorer counted of them."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random
from typing import Any

from engine.rules.position import Rules
from engine.rules.registry import rules
from server.db import explorer as explorer_rows
from server.explorer.index import Done, index
from server.explorer.positions import Walk


def random_game(kind: Rules, random: Random, plies: int = 1000) -> list[int]:
    position = kind.initial
    cells: list[int] = []
    while position.outcome is None and len(cells) < plies:
        cells.append(random.choice(position.legal_moves()))
        position = position.play(cells[-1])
    return cells


def walked(kind: Rules, cells: list[int]) -> Walk:
    there = Walk(kind)
    for cell in cells:
        there.play(cell)
    return there


class Records:
    """A database of games; what was counted of them."""

    def __init__(self, path: Path) -> None:
        self.path = path
        with self.opened() as connection:
            connection.execute(
                "INSERT INTO players VALUES (1, 'Ann', 'person', NULL, 1), (2, 'Bob', 'person', NULL, 1)"
            )
            connection.execute("UPDATE ids SET next = 1000")

    @contextmanager
    def opened(self) -> Iterator[sqlite3.Connection]:
        with closing(sqlite3.connect(self.path, isolation_level=None)) as connection:
            yield connection

    def add(
        self,
        id: int,
        cells: list[int],
        *,
        game: str = "tictactoe",
        set_up: int = 0,
        times: Sequence[int] = (),
        search: tuple[int, int, float] | None = None,
        **changes: Any,
    ) -> None:
        """A finished, public game of these cells; `changes` are columns of `games`.

        Moves took these times, 1 ms where none is given; with a `search` each told its nodes, depth and value.
        """
        kind = rules(game)
        columns = {
            "id": id, "source": "match", "game": game, "x_player": 1, "o_player": 2, "rated": 0, "private": 0,
            "start": json.dumps([kind.format_move(cell) for cell in cells[:set_up]]), "machine": "m", "software": "s",
            "started_ms": id, "ended_ms": id + 1, "winner": winner(kind, cells), "termination": "line",
            "plies": len(cells) - set_up, **changes,
        }  # fmt: skip
        with self.opened() as connection:
            connection.execute("BEGIN")
            connection.execute(
                f"INSERT INTO games ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})",
                [*columns.values()],
            )
            told = search or (None, None, None)
            taken = [*times, *[1] * len(cells)]
            connection.executemany(
                "INSERT INTO moves (game_id, ply, cell, at_ms, think_ms, nodes, depth, value) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                [(id, ply, cell, 1, taken[ply], *told) for ply, cell in enumerate(cells[set_up:])],
            )
            connection.execute("COMMIT")

    def index(self, **options: Any) -> Done:
        with self.opened() as connection:
            return index(connection, **options)

    def counted(self) -> dict[tuple[str, int, int], tuple[int, int, int, int]]:
        with self.opened() as connection:
            found = connection.execute("SELECT game, key, cell, x_won, drawn, o_won, last_game FROM explorer_moves")
            return {tuple(row[:3]): tuple(row[3:]) for row in found}

    @property
    def unexplored(self) -> int:
        with self.opened() as connection:
            return int(connection.execute(explorer_rows.UNEXPLORED).fetchone()[0])


def winner(kind: Rules, cells: list[int]) -> str | None:
    position = kind.initial
    for cell in cells:
        if position.outcome is None and position.is_legal(cell):
            position = position.play(cell)
    return position.outcome.winner if position.outcome is not None else None
