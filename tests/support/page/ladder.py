"""A server whose database has a ladder and people's games, for tests of the page."""

from __future__ import annotations

import sqlite3
import time
from contextlib import closing
from pathlib import Path

from server.db import migrate
from tests.page.conftest import ServerProcess
from tests.support.database.database_files import execute
from tests.support.ladder.records import add_list, add_live

PAIRS = 4


PERSON = 9_001


SMALL, QUBIC = "night/small/000000000000", "night/qubic/000000000001"


class Records:
    """A server with two lists of a ladder and a person with a rating."""

    def __init__(self, folder: Path) -> None:
        self.db = folder / "noughts.db"
        migrate.prepare(self.db)
        self.now_ms = int(time.time() * 1000)
        add_list(self.db, pairs=PAIRS, begun_ms=self.now_ms - 600_000)
        add_list(self.db, list="qubic", game="qubic", pairs=1, seed=1, rated=False, begun_ms=self.now_ms - 700_000)
        with closing(sqlite3.connect(self.db)) as connection, connection:
            add_person(connection, self.now_ms)
        self.server = ServerProcess(folder)

    def play(self, moves: list[str]) -> None:
        add_live(self.db, SMALL, moves=moves, updated_ms=self.now_ms + 3_600_000)

    def stop_playing(self) -> None:
        execute(self.db, "DELETE FROM ladder_live")


def add_person(connection: sqlite3.Connection, now_ms: int) -> None:
    """Three rated games and a private one."""
    connection.execute("INSERT INTO players VALUES (?, 'Åsa', 'person', ?, ?)", (PERSON, b"secret", now_ms))
    for number, rating in enumerate((1600.0, 1550.5, 1650.0, 1700.0)):
        id = PERSON + number
        connection.execute(
            "INSERT INTO games (id, source, game, x_player, o_player, start, rated, private, machine, software, "
            "started_ms, ended_ms, winner, termination, plies) "
            "VALUES (?, 'room', 'qubic', ?, 1, '[]', 1, ?, 'm', 's', ?, ?, ?, 'resignation', 1)",
            (id, PERSON, number == 3, now_ms - 9000 + number, now_ms - 8000 + number, "o" if number == 1 else "x"),
        )
        connection.execute("INSERT INTO moves (game_id, ply, cell, at_ms, think_ms) VALUES (?, 0, 0, 1, 1500)", (id,))
        connection.execute("INSERT INTO rating_changes VALUES (?, ?, 1500, ?, 90, 0.06)", (id, PERSON, rating))
    connection.execute("INSERT INTO ratings VALUES (?, 'qubic', 1700, 90, 0.06, 4, ?)", (PERSON, now_ms))


def ladder(run: str) -> str:
    return "/ladder?run=" + run.replace("/", "%2F")
