"""A database of three games, and one of them as a record that says everything."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from engine.record.model import Clock, GameRecord, Limits, Player, RecordedMove
from engine.rules.limit import Limit
from server.play.writes import Statement, Write
from tests.support.database.database_files import (
    BOT,
    INVITE_ROOM,
    add_move,
    new_database,
    opened,
    people_and_rooms,
    start_game,
)

DAY = 24 * 60 * 60 * 1000
LINE_X = [0, 3, 1, 4, 2]
"""On the small board: X takes the first row."""


def ended(game: int, winner: str | None, termination: str, plies: int) -> Write:
    return Statement.END_GAME, (99, winner, termination, plies, game)


def whole_game(id: int, **changes: Any) -> list[Write]:
    moves = [add_move(id, ply, cell) for ply, cell in enumerate(LINE_X)]
    return [start_game(id, **changes), *moves, ended(id, "x", "line", 5)]


FLAGGED = GameRecord(
    game="qubic",
    x=Player("Ann", "person"),
    o=Player("alphabeta:2", "bot", 1),
    start=(0,),
    moves=(
        RecordedMove(63, at=0, think_ms=10, wait_ms=2, remaining_ms=50_000, nodes=7, depth=3, value=-0.5, win_in=-8),
        RecordedMove(1, at=1000, think_ms=11, remaining_ms=40_000),
    ),
    winner="x",
    termination="flag",
    clock=Clock(initial_ms=60_000, increment_ms=1000),
    started=DAY,
    ended=99,
    limits=Limits(o=Limit(depth=2)),
    rated=True,
    seed=7,
    source="room",
    machine="here",
    software="0.1.0",
    run="r1",
    pair=5,
    opening="corner",
    id=2,
)


async def three_games(folder: Path) -> Path:
    """A game won, one of an invite room lost on time after a start, and one that runs."""
    path = new_database(folder)
    async with opened(path) as store:
        await store.write(people_and_rooms())
        await store.write(whole_game(1))
        with_clock = {"initial_ms": 60_000, "increment_ms": 1000, "start": '["a1.1"]', "started_ms": DAY, "rated": 1}
        of_run = {"o_limit": '{"depth":2}', "run_id": "r1", "pair_id": 5, "opening_id": "corner", "machine": "here"}
        by_bot = {"wait_ms": 2, "nodes": 7, "depth": 3, "value": -0.5, "win_in": -8, "pruned": 1}
        await store.write(
            [
                start_game(
                    2, game="qubic", room_number=INVITE_ROOM, source="room", o_player=BOT, **with_clock, **of_run
                ),
                add_move(2, 0, 63, x_ms=60_000, o_ms=50_000, **by_bot),
                add_move(2, 1, 1, wait_ms=0, x_ms=40_000, o_ms=50_000),
                ended(2, "x", "flag", 2),
            ]
        )
        await store.write([start_game(3, started_ms=2 * DAY, move_ms=500), add_move(3, 0)])
    return path
