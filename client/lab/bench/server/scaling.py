"""What a move costs as rooms, the length of a game or the database grow. None should make a difference."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from client.lab.bench.figures import Part, Table, shown
from client.lab.bench.machine import raise_file_limit
from client.lab.bench.processes import noughts, relay
from client.lab.bench.server.history import fill
from client.lab.bench.server.tables import WHOLE_GAME, Hall, Moves, Played, long_game, noughts_hall, relay_hall

GAME = "qubic"
FILES_BESIDE = 100
CONTROL_TABLES = 1_000
"""An upper limit, since the bench holds the connections to both."""


class Load(Struct, frozen=True):
    """`rate` moves a second are offered everywhere, and a figure comes from at least `moves` of them."""

    rooms: tuple[int, ...] = (10, 100, 1_000, 5_000)
    games: tuple[str, ...] = ("tictactoe", "mnk:5,5,4", "qubic", "ultimate", "gomoku")
    rows: tuple[int, ...] = (0, 100_000, 1_000_000, 5_000_000)
    tables: int = 200
    moves: int = 10_000
    rate: float = 2_000


async def measure(folder: Path, load: Load) -> Part:
    tables = [
        await _against_rooms(folder, load),
        await _against_length(folder, load),
        await _against_rows(folder, load),
    ]
    return Part(
        "scaling",
        f"processor time of a move, {load.rate:,.0f} moves/s offered",
        [],
        tables,
        [
            f"the control is the relay, with as many tables up to {CONTROL_TABLES:,}",
            "the ratio to the control tells growth from what the machine did at that moment",
        ],
    )


# Rooms


async def _against_rooms(folder: Path, load: Load) -> Table:
    moves = long_game(GAME)
    most = (raise_file_limit() - FILES_BESIDE) // 2 - CONTROL_TABLES
    sizes = sorted({min(size, most) for size in load.rooms})
    rows = []
    with relay(folder) as control, noughts(folder, db="rooms.db") as subject:
        halls: tuple[list[Hall], list[Hall]] = ([], [])
        there = 0
        for size in sizes:
            more = min(size, CONTROL_TABLES) - min(there, CONTROL_TABLES)
            if more:
                halls[0].append(await relay_hall(control, more, moves, first=there))
            halls[1].append(await noughts_hall(subject, [(GAME, moves)] * (size - there)))
            there = size
            rows.append(await _row(f"{size:,}", _together(halls[0]), _together(halls[1]), load))
        rows.append(await _row(f"{sizes[0]:,} of {there:,}", halls[0][0], halls[1][0], load))
        for hall in halls[0] + halls[1]:
            hall.close()
    return Table(f"against rooms with a running game of {GAME}", ("rooms", *_HEAD), rows)


def _together(halls: Sequence[Hall]) -> Hall:
    return Hall(halls[0].measured, [table for hall in halls for table in hall.tables], halls[0].frames_a_move)


# Length


async def _against_length(folder: Path, load: Load) -> Table:
    rows = [await _length_row(folder, game, load) for game in load.games]
    return Table("against the length of a game", ("game", "plies", "first third", "second", "last", *_HEAD), rows)


async def _length_row(folder: Path, game: str, load: Load) -> tuple[str, ...]:
    moves = long_game(game)
    with relay(folder) as control, noughts(folder, db="length.db") as subject:
        halls = (
            await relay_hall(control, load.tables, moves),
            await noughts_hall(subject, [(game, moves)] * load.tables),
        )
        row = await _row(game, *halls, load)
        thirds = await _thirds(halls[1], moves, load)
        for hall in halls:
            hall.close()
    return (row[0], str(len(moves)), *(shown(one.cpu_us) for one in thirds), *row[1:])


async def _thirds(hall: Hall, moves: Moves, load: Load) -> list[Played]:
    """Whole games, measured in three stretches."""
    ends = [len(moves) // 3, 2 * len(moves) // 3, len(moves)]
    plies = [ends[0], ends[1] - ends[0], ends[2] - ends[1]]
    parts: list[list[Played]] = [[], [], []]
    while sum(one.moves for one in parts[0]) < load.moves / 3:
        for part, count in zip(parts, plies, strict=True):
            part.append(await hall.play(count, load.rate))
    return [_summed(part) for part in parts]


# Records


async def _against_rows(folder: Path, load: Load) -> Table:
    rows = []
    moves = long_game(GAME)
    db = folder / "rows.db"
    with noughts(folder, db=db.name):
        pass  # makes the database
    for size in load.rows:
        await asyncio.to_thread(fill, db, size)
        with relay(folder) as control, noughts(folder, db=db.name) as subject:
            halls = (
                await relay_hall(control, load.tables, moves),
                await noughts_hall(subject, [(GAME, moves)] * load.tables),
            )
            bytes_ = f"{db.stat().st_size / 1e6:,.0f}"
            row = await _row(f"{size:,}", *halls, load)
            rows.append((row[0], bytes_, *row[1:]))
            for hall in halls:
                hall.close()
    return Table("against recorded moves, with as many events", ("moves", "MB", *_HEAD), rows)


# All of them

_HEAD = ("control µs", "noughts µs", "ratio", "ack p50 ms", "ack p99 ms")


async def _row(name: str, control: Hall, subject: Hall, load: Load) -> tuple[str, ...]:
    await control.play(1, load.rate)  # warms up
    await subject.play(1, load.rate)
    controls: list[Played] = []
    subjects: list[Played] = []
    while sum(one.moves for one in subjects) < load.moves:
        controls.append(await control.play(_plies(control, load), load.rate))
        subjects.append(await subject.play(_plies(subject, load), load.rate))
    first, second = _summed(controls), _summed(subjects)
    return (
        name,
        shown(first.cpu_us),
        shown(second.cpu_us),
        shown(second.cpu_us / first.cpu_us),
        shown(second.ack_ms(0.5)),
        shown(second.ack_ms(0.99)),
    )


def _plies(hall: Hall, load: Load) -> int:
    """Plies at each table that make a third of the moves together."""
    return min(WHOLE_GAME, max(1, load.moves // 3 // len(hall.tables)))


def _summed(played: Sequence[Played]) -> Played:
    return Played(
        moves=sum(one.moves for one in played),
        taken_s=sum(one.taken_s for one in played),
        cpu_s=sum(one.cpu_s for one in played),
        ack_s=sorted(ack for one in played for ack in one.ack_s),
    )
