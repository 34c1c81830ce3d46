"""Stored reviews for programs that read and write the records themselves, as `noughts report game` does."""

from __future__ import annotations

import sqlite3
import time

from engine.analysis.verdict import VERSION, MoveVerdict
from server.db.review import JUDGED, judged_row, review_writes
from server.db.statements import SQL


def stored(connection: sqlite3.Connection, game_id: int) -> dict[int, MoveVerdict]:
    """What this version's review says of a game's moves, by ply; empty where nobody has judged any."""
    return dict(judged_row(*row) for row in connection.execute(JUDGED, (game_id, VERSION)))


def store(connection: sqlite3.Connection, game_id: int, ply: int, judged: MoveVerdict) -> None:
    """Keep one move's judgement, in a transaction of its own. Moves that another version judged are forgotten.

    `connection` is in autocommit, as those of `server.db.connect.connect` are.
    """
    connection.execute("BEGIN IMMEDIATE")
    try:
        for statement, parameters in review_writes(game_id, [(ply, judged)], time.time_ns() // 1_000_000):
            connection.execute(SQL[statement], parameters)
        connection.execute("COMMIT")
    except BaseException:
        connection.execute("ROLLBACK")
        raise
