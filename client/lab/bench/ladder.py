"""`noughts bench ladder`: games a second between quick bots, with everything that a ladder does."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path
from typing import Final

import click
import msgspec

from client.lab.bench.figures import Part, figure, figure_at_least, lines
from client.lab.bench.machine import Machine, machine
from client.lab.bench.output import failing_in_a_sentence, repeat_option
from client.lab.bench.wire import BenchError
from engine.bots import match
from engine.bots.match import Pairing, tasks
from engine.bots.roster import bot
from server.console.as_json import json_option, print_json
from server.console.examples import examples

TARGET_GAMES: Final = 2_000
"""Games a second, on two cores."""
TARGET_SCHEDULE: Final = 2.0
"""Percent of all CPU, in a ladder whose bots search."""
_CONTROL_GAMES: Final = 2_000

_INSTANT: Final = """
name = "bench"
[[lists]]
game = "tictactoe"
repeat_openings = true
pairs = 10000
bots = ["random", "level:1"]
"""
_SEARCHING: Final = """
name = "bench"
[[lists]]
game = "qubic"
limit = "nodes=5000"
bots = ["level:6", "level:7", "level:8", "alphabeta:4"]
"""


class Report(msgspec.Struct, frozen=True):
    """What is printed as JSON."""

    machine: Machine
    part: Part


class _Run(msgspec.Struct, frozen=True):
    """A ladder's last sample."""

    games: int
    took_ms: int
    memory_kb: int
    workers_kb: int
    cpu_ms: int
    workers_ms: int
    schedule_ms: int
    write_ms: int

    @property
    def rate(self) -> float:
        return 1000 * self.games / self.took_ms

    @property
    def schedule_percent(self) -> float:
        return 100 * self.schedule_ms / (self.cpu_ms + self.workers_ms)


@click.command(epilog=examples("noughts bench ladder --jobs 1"))
@click.option("--games", type=click.IntRange(100), default=20_000, show_default=True, help="Games in each measurement.")
@click.option("--jobs", type=click.IntRange(1, 1024), default=2, show_default=True, help="Games at a time.")
@repeat_option(3)
@json_option("client.lab.bench.ladder:Report")
def ladder(games: int, jobs: int, repeat: int, as_json: bool) -> None:
    """Play 3x3 between `random` and `level:1`, and print games a second and what each of them costs.

    The control, measured in turn, plays the same games in one process with no ladder: nothing is sent, scheduled or
    recorded. A second, smaller ladder of bots that search shows the share of the CPU that scheduling takes.
    """
    with tempfile.TemporaryDirectory(prefix="noughts-bench-") as made:
        here = machine(Path(made))
        with failing_in_a_sentence():
            part = measure(Path(made), games, jobs, repeat)
    if as_json:
        print_json(Report(here, part))
    else:
        click.echo("\n".join([f"{here}\n", *lines(part)]))


def measure(folder: Path, games: int, jobs: int, repeat: int) -> Part:
    """Raises BenchError."""
    control, instant = [], []
    for number in range(repeat):
        control.append(_control())
        instant.append(_ladder(folder / f"{number}.db", _INSTANT, games, jobs))
    searching = _ladder(folder / "searching.db", _SEARCHING, max(100, games // 40), jobs)
    return Part(
        "ladder",
        f"3x3 between random and level:1, {jobs} games at a time",
        [
            figure_at_least("games a second", "", [one.rate for one in instant], TARGET_GAMES),
            figure("control: one process, nothing recorded", "", control),
            figure("CPU per game in all", "µs", [_us(one, one.cpu_ms + one.workers_ms) for one in instant]),
            figure("of it workers", "µs", [_us(one, one.workers_ms) for one in instant]),
            figure("of it writing", "µs", [_us(one, one.write_ms) for one in instant]),
            figure("of it scheduling", "µs", [_us(one, one.schedule_ms) for one in instant]),
            figure("memory, workers included", "MB", [(one.memory_kb + one.workers_kb) / 1024 for one in instant]),
            figure("scheduling, bots that search", "%", [searching.schedule_percent], TARGET_SCHEDULE),
        ],
    )


def _us(run: _Run, ms: int) -> float:
    return 1000 * ms / run.games


def _control() -> float:
    """Games a second of one process."""
    listed = tasks(Pairing("tictactoe", bot("random"), bot("level:1"), _CONTROL_GAMES // 2))
    begun = time.perf_counter()
    for task in listed:
        match.play(task)
    return len(listed) / (time.perf_counter() - begun)


def _ladder(database: Path, config: str, games: int, jobs: int) -> _Run:
    config_path = database.with_suffix(".toml")
    config_path.write_text(config)
    command = [sys.executable, "-m", "client.cli", "ladder", "run", str(config_path)]
    command += ["--db", str(database), "--games", str(games), "--jobs", str(jobs)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise BenchError(f"The ladder failed: {done.stderr.strip()[-300:]}")
    with closing(sqlite3.connect(database)) as connection:
        row = connection.execute(
            "SELECT games, at_ms - begun_ms, memory_kb, workers_kb, cpu_ms, workers_ms, schedule_ms, write_ms "
            "FROM ladder_samples ORDER BY at_ms DESC LIMIT 1"
        ).fetchone()
    return _Run(*row)
