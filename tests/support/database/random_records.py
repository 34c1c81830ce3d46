"""Records of every sort, drawn by a seed, in a database and as plain data beside it, to be counted a second way.

Some games begin at the same moment, and the last player only ever has O.
"""

from __future__ import annotations

import json
import sqlite3
from dataclasses import dataclass
from importlib.resources import files
from random import Random
from typing import Any, Literal, TypeAlias

from server.wire import Kind, Side, Termination

PLAYERS: dict[int, tuple[str, Kind]] = {
    1: ("Ann", "person"),
    2: ("Bob", "person"),
    3: ("random", "bot"),
    4: ("level:2", "bot"),
    5: ("strongest", "bot"),
    6: ("Cem", "person"),
}
Source: TypeAlias = Literal["room", "match", "ladder"]
SOURCES: tuple[Source, ...] = ("room", "match", "ladder", "ladder")
"""half of the games are of ladders"""
KINDS = ("tictactoe", "qubic", "ultimate")
RUNS = ("night/small/1", "night/small/2", "day/qubic/1")
TERMINATIONS: tuple[Termination, ...] = ("line", "flag", "crash", "stall", "illegal_move", "resignation", "aborted")
DAY_MS = 86_400_000


@dataclass(frozen=True)
class Move:
    ply: int
    think_ms: int
    think_us: int | None
    nodes: int | None


@dataclass(frozen=True)
class Game:
    """`set_up` moves were made beforehand; `fault` is who is told to have done something wrong."""

    id: int
    source: Source
    game: str
    players: dict[Side, int]
    set_up: int
    private: bool
    run: str | None
    pair: int | None
    opening: str | None
    started_ms: int
    ended_ms: int | None
    winner: Side | None
    termination: Termination | None
    moves: list[Move]
    fault: int | None

    @property
    def counts(self) -> bool:
        return self.termination not in (None, "aborted")

    def moved(self, move: Move) -> int:
        """Who made this move."""
        return self.players["o" if (self.set_up + move.ply) % 2 else "x"]


class RandomRecords:
    def __init__(self, connection: sqlite3.Connection, seed: int, games: int = 120) -> None:
        self.connection = connection
        self.games: list[Game] = []
        random = Random(seed)
        for name in sorted(file.name for file in files("migrations").iterdir() if file.name.endswith(".sql")):
            connection.executescript(files("migrations").joinpath(name).read_text())
        for id, (name, kind) in PLAYERS.items():
            connection.execute("INSERT INTO players VALUES (?, ?, ?, NULL, 1)", (id, name, kind))
        for id in random.sample(range(1, 10 * games), games):
            self._add(_game(random, id))

    def rows(self, sql: str, *parameters: object) -> list[tuple[Any, ...]]:
        return self.connection.execute(sql, parameters).fetchall()

    def _add(self, game: Game) -> None:
        columns = {
            "id": game.id, "source": game.source, "game": game.game, "x_player": game.players["x"],
            "o_player": game.players["o"], "start": json.dumps(["a1"] * game.set_up), "rated": 0,
            "private": game.private, "run_id": game.run, "pair_id": game.pair, "opening_id": game.opening,
            "machine": "m", "software": "s", "started_ms": game.started_ms, "ended_ms": game.ended_ms,
            "winner": game.winner, "termination": game.termination,
            "plies": None if game.termination is None else len(game.moves),
        }  # fmt: skip
        self.connection.execute(
            f"INSERT INTO games ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})", [*columns.values()]
        )
        self.connection.executemany(
            "INSERT INTO moves (game_id, ply, cell, at_ms, think_ms, think_us, nodes) VALUES (?, ?, 0, 0, ?, ?, ?)",
            [(game.id, move.ply, move.think_ms, move.think_us, move.nodes) for move in game.moves],
        )
        if game.fault is not None:
            self.connection.execute("INSERT INTO faults VALUES (?, ?, 'It hung.')", (game.id, game.fault))
        self.games.append(game)


def _game(random: Random, id: int) -> Game:
    source = random.choice(SOURCES)
    players: dict[Side, int] = {"x": random.randint(1, 5), "o": random.randint(1, 6)}
    of_run = source == "ladder" or random.random() < 0.1
    started_ms = 20_000 * DAY_MS + random.randrange(32) * DAY_MS // 8
    termination = random.choice((None, *TERMINATIONS))
    decided = termination not in (None, "aborted") and random.random() < 0.8
    return Game(
        id=id,
        source=source,
        game=random.choice(KINDS),
        players=players,
        set_up=random.randrange(3),
        private=source == "room" and random.random() < 0.6,
        run=random.choice(RUNS) if of_run else None,
        pair=id if of_run else None,
        opening=random.choice(("a1 b2", "b2 a1", None)) if of_run else None,
        started_ms=started_ms,
        ended_ms=None if termination is None else started_ms + random.randrange(10_000),
        winner=random.choice(("x", "o")) if decided else None,
        termination=termination,
        moves=[_move(random, ply) for ply in range(random.randrange(8))],
        fault=random.choice(list(players.values())) if random.random() < 0.5 else None,
    )


def _move(random: Random, ply: int) -> Move:
    think_us = random.choice((None, random.randrange(20), random.randrange(30_000)))
    think_ms = random.randrange(20) if think_us is None else think_us // 1000
    return Move(ply, think_ms, think_us, random.choice((None, random.randrange(5_000))))


def nearest_rank(values: list[int], part: int, of: int) -> int:
    """The least of the values that is not less than `part` of `of` of them."""
    return next(value for value in sorted(values) if of * sum(other <= value for other in values) >= part * len(values))
