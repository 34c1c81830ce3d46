"""`noughts bench report`: a report on a million moves, compared with just reading them all."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Final

import click
from msgspec import Struct

from client.lab.bench.figures import Figure, Part, figure
from client.lab.bench.output import part_as_json, print_part, repeat_option
from client.lab.bench.wire import BenchError
from engine.rules.openings import openings
from engine.rules.position import Rules, play_all
from engine.rules.registry import rules
from server.console.examples import examples

MOST_S: Final = 20.0
MOST_MB: Final = 1_000.0
GAMES: Final = ("qubic", "ultimate", "nine-board", "mnk:5,5,4", "tictactoe", "mnk:4,4,4")
"""The lists of the generated ladder, with equally many moves each."""
BOTS: Final = 12
KNOWN: Final = 200
"""Different games of each kind; they are repeated."""
_CONTROL: Final = """
import sqlite3, sys
for row in sqlite3.connect(sys.argv[1]).execute("SELECT game_id, ply, cell, think_ms, nodes, depth FROM moves"):
    pass
"""
_STATISTICS: Final = """
import asyncio, sys
from server.db.store import Store
from server.http.stats import StatsAnswers

async def count():
    store = await Store.open(sys.argv[1])
    await StatsAnswers(store, lambda: 0).answer()
    await store.close()

asyncio.run(count())
"""
"""What a server counts for `/stats`, with its start."""
_GAME: Final = """
INSERT INTO games (id, source, game, x_player, o_player, x_limit, o_limit, start, rated, private, run_id, pair_id,
                   opening_id, machine, software, started_ms, ended_ms, winner, termination, plies)
VALUES (?, 'ladder', ?, ?, ?, ?, ?, ?, 0, 0, ?, ?, ?, 'past', 'past', ?, ?, ?, ?, ?)
"""
_MOVE: Final = "INSERT INTO moves (game_id, ply, cell, at_ms, think_ms, nodes, depth) VALUES (?, ?, ?, ?, ?, ?, ?)"


class Run(Struct, frozen=True):
    """A process that was run to its end."""

    seconds: float
    cpu_s: float
    peak_mb: float


@click.command("report", epilog=examples("noughts bench report --moves 100000 --repeat 1"))
@click.option("--moves", type=click.IntRange(100), default=1_000_000, show_default=True, help="Moves in the report.")
@repeat_option(3)
@part_as_json
def report(moves: int, repeat: int, as_json: bool) -> None:
    """Generate a ladder's games, report on them and print what that takes.

    The control reads every move once and does nothing with it. Both run in turn, each in its own process.
    """
    print_part(lambda folder: measure(folder, moves, repeat), as_json)


def measure(folder: Path, moves: int, repeat: int) -> Part:
    db = folder / "past.db"
    _noughts("db", "migrate", "--db", str(db))
    written = fill(db, moves)
    runs: dict[str, list[Run]] = {"control": [], "report": [], "statistics": []}
    for _ in range(repeat):
        runs["control"].append(_run([sys.executable, "-c", _CONTROL, str(db)]))
        runs["report"].append(_noughts("report", "--db", str(db), "--out", str(folder / "report")))
        runs["statistics"].append(_run([sys.executable, "-c", _STATISTICS, str(db)]))
    return Part("report", f"{written:,} moves, {db.stat().st_size / 1e6:.0f} MB of records", _figures(runs))


def _figures(runs: dict[str, list[Run]]) -> list[Figure]:
    pairs = zip(runs["report"], runs["control"], strict=True)
    return [
        figure("control: every move read", "s", [run.seconds for run in runs["control"]]),
        figure("noughts report", "s", [run.seconds for run in runs["report"]], MOST_S),
        figure("noughts report, processor time", "s", [run.cpu_s for run in runs["report"]]),
        figure("ratio of each pair", "times", [one.seconds / other.seconds for one, other in pairs]),
        figure("noughts report, peak memory", "MB", [run.peak_mb for run in runs["report"]], MOST_MB),
        figure("statistics of the page", "s", [run.seconds for run in runs["statistics"]], MOST_S),
        figure("statistics of the page, processor time", "s", [run.cpu_s for run in runs["statistics"]]),
        figure("statistics of the page, peak memory", "MB", [run.peak_mb for run in runs["statistics"]], MOST_MB),
    ]


def _noughts(*arguments: str) -> Run:
    return _run([sys.executable, "-m", "client.cli", *arguments])


def _run(command: Sequence[str]) -> Run:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("NOUGHTS_")}
    begun = time.perf_counter()
    with tempfile.TemporaryFile() as log:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=environment)
        try:
            _, status, used = os.wait4(process.pid, 0)
        except BaseException:
            process.kill()
            process.wait()
            raise
        process.returncode = os.waitstatus_to_exitcode(status)
        seconds = time.perf_counter() - begun
        if process.returncode:
            log.seek(0)
            raise BenchError(f"A measured process failed: {log.read().decode(errors='replace').strip()[-500:]}")
    return Run(seconds, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)


# The records


def fill(db: Path, moves: int) -> int:
    """Writes a ladder with a list for each of GAMES into a new database, and answers how many moves it has."""
    written = 0
    with closing(sqlite3.connect(db, isolation_level=None)) as connection:
        connection.execute("PRAGMA synchronous = OFF")  # nobody would miss it after a crash
        connection.execute("BEGIN IMMEDIATE")
        bots = [f"bot:{number}" for number in range(1, BOTS + 1)]
        connection.executemany(
            "INSERT INTO players (id, name, kind, created_ms) VALUES (?, ?, 'bot', 0)", enumerate(bots, start=1)
        )
        first = 1
        for number, game in enumerate(GAMES):
            games, played = _list(connection, game, number, first, moves * (number + 1) // len(GAMES) - written)
            first, written = first + games, written + played
        connection.execute("COMMIT")
    return written


def _list(connection: sqlite3.Connection, game: str, number: int, first: int, moves: int) -> tuple[int, int]:
    """Plays pairs between all bots in turn until there are enough moves; returns the numbers of games and moves."""
    run, random = f"past/{game}/{number}", Random(number)
    known = list(_played(rules(game), random))
    limit = json.dumps({"move_ms": 100} if number == 0 else {"nodes": 20_000})
    connection.execute(
        "INSERT INTO ladder_lists (run_id, ladder, list, game, settings, created_ms, rated_ms, advantage, drawing) "
        "VALUES (?, 'past', ?, ?, '{}', 0, 1, 20.0, 0.3)",
        (run, game, game),
    )
    standings = [
        (run, bot, bot, 50.0 * (6 - bot), 50.0 * (6 - bot) - 30, 50.0 * (6 - bot) + 30, 0.9, 0) for bot in _IDS
    ]
    connection.executemany("INSERT INTO ladder_standings VALUES (?, ?, ?, ?, ?, ?, ?, ?)", standings)
    meetings = list(combinations(_IDS, 2))
    id, pair, there = first, 0, 0
    while there < moves:
        for x, o in (meetings[pair % len(meetings)], meetings[pair % len(meetings)][::-1]):
            start, cells, winner, termination = known[random.randrange(len(known))]
            at = 1_700_000_000_000 + 2_000 * id
            text = json.dumps(start)
            row = (id, game, x, o, limit, limit, text, run, pair, " ".join(start), at, at + 900, winner, termination)
            connection.execute(_GAME, (*row, len(cells)))
            connection.executemany(_MOVE, _moves(id, at, cells, random))
            id, there = id + 1, there + len(cells)
        pair += 1
    return id - first, there


_IDS: Final = range(1, BOTS + 1)


def _moves(id: int, at: int, cells: Sequence[int], random: Random) -> Iterator[tuple[int, ...]]:
    for ply, cell in enumerate(cells):
        think = int(random.expovariate(1 / 40))
        yield id, ply, cell, at + 10 * ply, think, 500 * (think + 1), 3 + think % 7


def _played(kind: Rules, random: Random) -> Iterator[tuple[list[str], list[int], str | None, str]]:
    """Games of random moves after openings of two."""
    for opening in openings(kind, seed=1, number=KNOWN, plies=2):
        position = play_all(kind.initial, opening)
        cells = []
        while position.outcome is None:
            cells.append(random.choice(position.legal_moves()))
            position = position.play(cells[-1])
        yield [kind.format_move(move) for move in opening], cells, position.outcome.winner, position.outcome.termination
