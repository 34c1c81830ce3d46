"""What the pictures show: games that bots play the same way every time, a ladder, people, a server for them."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from engine.bots.player import Limit, decide
from engine.bots.roster import bot
from engine.rules.position import Rules, play_all
from engine.rules.registry import games, rules
from server.db import migrate
from tests.page.conftest import ServerProcess
from tests.support.database.played_records import Records
from tests.support.ladder.records import add_list, add_live
from tests.support.page.ladder import add_person

LIMIT = Limit(nodes=2000)
LADDER_BOTS = ("strongest", "level:7", "level:5", "alphabeta:3", "level:3", "random")
LEARNERS = ("level:1", "random")
FIRST_LEARNED = 100
"""The record of their first game."""
EXPLORED = 80
"""Games of 3x3, for the explorer."""


def played(kind: Rules, seed: int = 3, x: str = "level:4", o: str = "level:5") -> list[int]:
    """A game between two that mostly know what they do."""
    players = bot(x), bot(o)
    position, moves = kind.initial, []
    while position.outcome is None:
        moves.append(decide(players[position.ply % 2], position, LIMIT, seed).move)
        position = position.play(moves[-1])
    return moves


def add(records: Records, number: int, game: str, cells: list[int], started_ms: int, **more: Any) -> None:
    """A whole game, some of whose moves took longer than others."""
    position = play_all(rules(game).initial, cells)
    assert position.outcome is not None
    times = [400 + 97 * (ply * ply % 61) for ply in range(len(cells))]
    records.add(
        number, cells, game=game, times=times, termination=position.outcome.termination,
        started_ms=started_ms, ended_ms=started_ms + sum(times), **more,
    )  # fmt: skip


def records_of_games() -> dict[str, int]:
    """The number of each game's record."""
    return {kind.id: number for number, kind in enumerate(games(), 1)}


def fill(path: Path) -> None:
    migrate.prepare(path)
    records = Records(path)
    now_ms = int(time.time() * 1000)
    for id, number in records_of_games().items():
        add(records, number, id, played(rules(id)), now_ms - 9_000_000 + number, search=(19_500, 6, 0.5))
    for seed in range(EXPLORED):
        cells = played(rules("tictactoe"), seed, *LEARNERS[:: 1 if seed % 2 else -1])
        add(records, FIRST_LEARNED + seed, "tictactoe", cells, now_ms - 8_000_000 + seed)
    records.index()
    with records.opened() as connection:
        connection.execute("UPDATE ids SET next = 20000")
    run = add_list(path, pairs=6, bots=LADDER_BOTS, begun_ms=now_ms - 600_000)
    add_list(path, list="qubic", game="qubic", pairs=1, seed=1, begun_ms=now_ms - 700_000)
    add_live(path, run, moves=["b2", "a1", "c3"], updated_ms=now_ms + 3_600_000)
    with closing(sqlite3.connect(path)) as connection, connection:
        add_person(connection, now_ms)


@contextmanager
def serving(folder: Path) -> Iterator[ServerProcess]:
    fill(folder / "noughts.db")
    server = ServerProcess(folder)
    server.start()
    try:
        yield server
    finally:
        server.stop()
