"""Two people's games in a database that reports are made of."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

from engine.rules.registry import rules
from server.db.migrate import prepare
from tests.support.ladder.records import BEGUN_MS

ANN, BOB = 901, 902
FIRST, SECOND, THIRD = 1, 2, 3
MOVES = {FIRST: 6, SECOND: 7, THIRD: 4}
"""How many moves each has of the finished games."""


def records_of_two(folder: Path) -> Path:
    """A database of two people without games; one's name holds what a terminal would obey."""
    path = folder / "games.db"
    prepare(path)
    with closing(sqlite3.connect(path)) as connection, connection:
        for id, name in ((ANN, "Ann"), (BOB, "Bob\x1b[2J")):
            connection.execute("INSERT INTO players VALUES (?, ?, 'person', ?, 1)", (id, name, bytes([id % 256]) * 32))
    return path


def finished_games(folder: Path) -> Path:
    """A database of three finished games, the last of them private."""
    path = records_of_two(folder)
    add_game(path, FIRST, "tictactoe", "b2 a1 c1 a3 c3 a2", "o", "line")
    add_game(path, SECOND, "tictactoe", "c1 a3 a2 c2 c3 b1 b3", None, "board_full", start="a1 b2")
    add_game(path, THIRD, "mnk:4,3,3", "b2 a1 c2 a2", "x", "resignation", private=1)
    return path


def add_game(
    path: Path, id: int, game: str, moves: str, winner: str | None, end: str | None, private: int = 0, start: str = ""
) -> None:
    cells = [rules(game).parse_move(text) for text in moves.split()]
    ended_ms, plies = (BEGUN_MS + 9, len(cells)) if end else (None, None)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(
            "INSERT INTO games (id, source, game, x_player, o_player, start, rated, private, machine, software, "
            "started_ms, ended_ms, winner, termination, plies) "
            "VALUES (?, 'match', ?, ?, ?, ?, 0, ?, 'm', 's', ?, ?, ?, ?, ?)",
            (id, game, ANN, BOB, json.dumps(start.split()), private, BEGUN_MS, ended_ms, winner, end, plies),
        )
        connection.executemany(
            "INSERT INTO moves (game_id, ply, cell, at_ms, think_ms) VALUES (?, ?, ?, ?, ?)",
            [(id, ply, cell, BEGUN_MS, 1_500 * ply) for ply, cell in enumerate(cells)],
        )
