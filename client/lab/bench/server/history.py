"""A database with a long past, written by plain SQL: how the server performs with millions of stored moves."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

PLIES = 50
"""Moves of each game, each of which is an event too."""
_BLOCK_GAMES = 2_000

_PLAYERS = "INSERT OR IGNORE INTO players (id, name, kind, created_ms) VALUES (?, ?, 'person', 0)"
_ROOMS = """
INSERT INTO rooms (number, id, spec, created_ms, closed_ms)
WITH RECURSIVE n (i) AS (SELECT :first UNION ALL SELECT i + 1 FROM n WHERE i < :last)
SELECT i, printf('past%d', i), '{}', 0, 0 FROM n
"""
_GAMES = """
INSERT INTO games (id, room_number, serial, source, game, x_player, o_player, start, rated, private, machine, software,
                   started_ms, ended_ms, termination, plies)
WITH RECURSIVE n (i) AS (SELECT :first UNION ALL SELECT i + 1 FROM n WHERE i < :last)
SELECT i, i, 1, 'room', 'qubic', 1, 2, '[]', 0, 0, 'past', 'past', i, i, 'resignation', :plies FROM n
"""
_MOVES = """
INSERT INTO moves (game_id, ply, cell, at_ms, think_ms, x_ms, o_ms)
WITH RECURSIVE n (i) AS (SELECT :first UNION ALL SELECT i + 1 FROM n WHERE i < :last),
               p (ply) AS (SELECT 0 UNION ALL SELECT ply + 1 FROM p WHERE ply + 1 < :plies)
SELECT i, ply, ply, i * 100000 + ply * 1000, 1000, 300000, 300000 FROM n, p
"""
_EVENTS = """
INSERT INTO events (room_number, seq, ts, type, body)
WITH RECURSIVE n (i) AS (SELECT :first UNION ALL SELECT i + 1 FROM n WHERE i < :last),
               p (ply) AS (SELECT 0 UNION ALL SELECT ply + 1 FROM p WHERE ply + 1 < :plies)
SELECT i, ply + 1, i * 100000 + ply * 1000, 'moved', printf(
    '{"e":"moved","ply":%d,"move":"a1.1","by":"x","think_ms":1000,"clock":{"x_ms":300000,"o_ms":300000,"running":"o"}}',
    ply) FROM n, p
"""
_RESERVE = "UPDATE ids SET next = max(next, :next) WHERE kind = :kind"


def fill(db: Path, moves: int) -> None:
    """Add finished games until there are that many moves. The server must have made the database, and be stopped.

    What it has recorded by itself stays; the past is numbered on from that, and what comes later from the past.
    """
    with closing(sqlite3.connect(db, isolation_level=None)) as connection:
        connection.execute("PRAGMA synchronous = OFF")  # it need not survive a crash
        [[there]] = connection.execute("SELECT count(*) FROM moves")
        [[first]] = connection.execute("SELECT max(next) FROM ids WHERE kind IN ('room', 'game')")
        end = first + -(-max(0, moves - there) // PLIES)
        connection.execute("BEGIN IMMEDIATE")
        connection.executemany(_PLAYERS, [(1, "Past X"), (2, "Past O")])
        for block in range(first, end, _BLOCK_GAMES):
            span = {"first": block, "last": min(block + _BLOCK_GAMES, end) - 1, "plies": PLIES}
            for statement in (_ROOMS, _GAMES, _MOVES, _EVENTS):
                connection.execute(statement, span)
        for kind in ("room", "game"):
            connection.execute(_RESERVE, {"kind": kind, "next": end})
        connection.execute(_RESERVE, {"kind": "player", "next": 3})
        connection.execute("COMMIT")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
