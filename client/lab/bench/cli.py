"""`noughts bench cli`: how soon a command answers, beside a bare Python and one that imports click."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Final

import click

from client.lab.bench.figures import Figure, Part, figure
from client.lab.bench.output import part_as_json, print_part, repeat_option
from client.lab.bench.wire import BenchError
from server.console.examples import examples

MOST_MS: Final = 150.0
CONTROLS: Final = {"python, control": ("-c", "pass"), "python that imports click, control": ("-c", "import click")}
COMMANDS: Final = (
    "--help",
    "play --help",
    "play bot --help",
    "bots",
    "perft tictactoe 3 --json",
    "db info --db noughts.db",
    "db check --db noughts.db --json",
    "experiment list",
    "bench --help",
    "serve --help",
    "completion show bash",
)
TYPED: Final = ("noughts ", "noughts play bot level:", "noughts perft ")
"""Lines at whose end somebody presses Tab."""


@click.command(epilog=examples("noughts bench cli --repeat 21 --json"))
@repeat_option(11)
@part_as_json
def cli(repeat: int, as_json: bool) -> None:
    """Run commands that answer at once, in turn with the controls, and print how long each takes.

    Each figure is the median of several runs, after one that is not counted. Missed targets are reported, and are not
    an error.
    """
    print_part(partial(_measured, repeat), as_json)


def _measured(repeat: int, folder: Path) -> Part:
    _run(_command("db migrate --db noughts.db"), folder)
    runs: dict[str, tuple[Sequence[str], Mapping[str, str]]] = {
        **{name: (arguments, {}) for name, arguments in CONTROLS.items()},
        **{f"noughts {line}": (_command(line), {}) for line in COMMANDS},
        **{f"Tab after `{line}`": (_command(""), _asked(line)) for line in TYPED},
    }
    times_ms: dict[str, list[float]] = {name: [] for name in runs}
    for number in range(repeat + 1):
        for name, (arguments, asked) in runs.items():
            took_ms = _run(arguments, folder, asked)
            if number:
                times_ms[name].append(took_ms)
    return Part(
        "cli", f"{len(runs)} programs in turn, from start to end", [_figure(name, times_ms[name]) for name in runs]
    )


def _figure(name: str, times_ms: Sequence[float]) -> Figure:
    return figure(name, "ms", times_ms, None if name in CONTROLS else MOST_MS)


def _command(line: str) -> tuple[str, ...]:
    return ("-m", "client", *line.split())


def _asked(line: str) -> Mapping[str, str]:
    return {"_NOUGHTS_COMPLETE": "bash_complete", "_NOUGHTS_LINE": line}


def _run(arguments: Sequence[str], folder: Path, asked: Mapping[str, str] | None = None) -> float:
    """Milliseconds from start to end. Raises BenchError."""
    environment = {**os.environ, **(asked or {}), "PYTHONPATH": str(Path(__file__).parents[3])}
    began_s = time.perf_counter()
    done = subprocess.run(
        [sys.executable, *arguments], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    took_ms = 1000 * (time.perf_counter() - began_s)
    if done.returncode:
        raise BenchError(f"{' '.join(arguments)} failed: {done.stderr.strip()[:200]}")
    return took_ms
