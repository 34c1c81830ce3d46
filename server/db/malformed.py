"""Rows whose JSON is damaged. SQLite ends a query at the first, and names none."""

from __future__ import annotations

import sqlite3

_JSON = (("games", "id", ("start", "x_limit", "o_limit")), ("review_moves", "game_id", ("best",)))
"""Tables that are read as a whole, with the id of a game and the columns that are JSON."""
_SHOWN = 40
"""Characters."""


def malformed_row(connection: sqlite3.Connection) -> str | None:
    """One of them, as a part of a sentence; None where it was not the tables' JSON but that of a query."""
    for table, id, columns in _JSON:
        for column in columns:
            sql = f"SELECT {id}, {column} FROM {table} WHERE {column} IS NOT NULL AND NOT json_valid({column}) LIMIT 1"
            for game, text in connection.execute(sql):
                return f"game {game} has {column} {text[:_SHOWN]!a}{'...' if len(text) > _SHOWN else ''}"
    return None
