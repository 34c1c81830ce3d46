"""Databases for tests: made by the real migrations, filled with the real statements."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from server.db import migrate
from server.db.play import RATING_HISTORY, RatingPoint
from server.db.store import Store
from server.play.writes import Statement, Write

ANN, BOB, BOT = 1, 2, 3
ROOM, INVITE_ROOM = 1, 2
GAME = 1
"""that the tests' `store` has in the first room"""


def new_database(folder: Path) -> Path:
    path = folder / "records.db"
    path.write_bytes(_empty_database())
    return path


@cache
def _empty_database() -> bytes:
    """Made once: the migrations take 30 ms, and hundreds of tests want a database of their own."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "empty.db"
        migrate.prepare(path)
        return path.read_bytes()


def execute(path: Path, sql: str, parameters: Any = ()) -> list[Any]:
    """The rows of a statement, which is committed."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        return connection.execute(sql, parameters).fetchall()


@asynccontextmanager
async def opened(path: Path, **settings: Any) -> AsyncIterator[Store]:
    """A store that is closed whatever happens, and probes without waiting."""
    store = await Store.open(path, **{"probe_interval_s": 0.0, **settings})
    try:
        yield store
    finally:
        await store.close()


async def rating_history(store: Store, player: int, game: str) -> list[RatingPoint]:
    """A player's rating after each rated game of a kind, as pages read it."""
    return await store.read(RatingPoint, RATING_HISTORY, (player, game))


def people_and_rooms() -> list[Write]:
    return [
        (Statement.ADD_PLAYER, (ANN, "Ann", "person", b"a" * 32, 1)),
        (Statement.ADD_PLAYER, (BOB, "Bob", "person", b"b" * 32, 2)),
        (Statement.ADD_PLAYER, (BOT, "alphabeta:2", "bot", None, 3)),
        (Statement.ADD_BOT_VERSION, (BOT, "alphabeta", '{"depth":2}', 1)),
        (Statement.ADD_ROOM, (ROOM, "room-one", '{"game":"tictactoe"}', None, 4)),
        (Statement.ADD_ROOM, (INVITE_ROOM, "room-two", "{}", "secret-code", 5)),
    ]


def start_game(id: int, **changes: Any) -> Write:
    """A game of Ann (X) and Bob (O) outside rooms, started at `id` ms, changed as named."""
    game: dict[str, Any] = {
        "id": id, "room_number": None, "serial": None, "source": "match", "game": "tictactoe", "x_player": ANN,
        "o_player": BOB, "initial_ms": None, "increment_ms": None, "move_ms": None, "x_limit": None, "o_limit": None,
        "start": "[]", "rated": 0, "seed": 7, "run_id": None, "pair_id": None, "opening_id": None, "machine": "m",
        "software": "0.1.0", "started_ms": id,
    }  # fmt: skip
    assert changes.keys() <= game.keys()
    return Statement.START_GAME, tuple((game | changes).values())


def add_move(game: int, ply: int, cell: int | None = None, **changes: Any) -> Write:
    """A person's move made at `1000 * ply` ms; its cell is its ply unless named."""
    move: dict[str, Any] = {
        "game_id": game, "ply": ply, "cell": ply if cell is None else cell, "at_ms": 1000 * ply, "think_ms": 10 + ply,
        "think_us": None, "wait_ms": None, "x_ms": None, "o_ms": None, "nodes": None, "depth": None, "value": None,
        "win_in": None, "pruned": None,
    }  # fmt: skip
    assert changes.keys() <= move.keys()
    return Statement.ADD_MOVE, tuple((move | changes).values())


def add_event(room: int, seq: int, body: str | bytes = b'{"e":"said"}', type: str = "said") -> Write:
    return Statement.ADD_EVENT, (room, seq, 1000 + seq, type, body)
