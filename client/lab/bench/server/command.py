"""`noughts bench server`: what the server costs on this machine."""

from __future__ import annotations

import gc
import sys
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path

import click
import uvloop
from msgspec import Struct

from client.lab.bench.figures import Part, lines
from client.lab.bench.machine import Machine, machine, raise_file_limit
from client.lab.bench.output import failing_in_a_sentence
from client.lab.bench.server import cold, idle, lag, moves, page_size, scaling
from client.lab.bench.wire import BenchError
from server.console.as_json import json_option, print_json
from server.console.examples import examples

Measure = Callable[[Path, bool], Awaitable[Part]]
"""A folder for the database, and whether to be quick."""


class Report(Struct, frozen=True):
    machine: Machine
    parts: list[Part]


def _moves(folder: Path, quick: bool) -> Awaitable[Part]:
    return moves.measure(folder, moves.Load(tables=100, pairs=2) if quick else moves.Load())


def _lag(folder: Path, quick: bool) -> Awaitable[Part]:
    return lag.measure(folder, lag.Load(tables=100, rate=100, pairs=1) if quick else lag.Load())


def _idle(folder: Path, quick: bool) -> Awaitable[Part]:
    return idle.measure(folder, idle.Load(counts=(500,), repeats=1) if quick else idle.Load())


def _scaling(folder: Path, quick: bool) -> Awaitable[Part]:
    small = scaling.Load(rooms=(10, 100), games=("tictactoe", "qubic"), rows=(0, 100_000), tables=50, moves=2_000)
    return scaling.measure(folder, small if quick else scaling.Load())


def _page(folder: Path, quick: bool) -> Awaitable[Part]:
    return page_size.measure(folder)


def _cold(folder: Path, quick: bool) -> Awaitable[Part]:
    return cold.measure(folder, cold.Load(games=(("tictactoe", "level:2"),), repeats=1) if quick else cold.Load())


PARTS: dict[str, Measure] = {
    "moves": _moves,
    "lag": _lag,
    "idle": _idle,
    "scaling": _scaling,
    "page": _page,
    "cold": _cold,
}


@click.command(epilog=examples("noughts bench server --part moves --quick"))
@click.option("--part", type=click.Choice([*PARTS, "all"]), default="all", show_default=True, help="What to measure.")
@click.option("--quick", is_flag=True, help="Measure less of everything, just to see that it works.")
@json_option("client.lab.bench.server.command:Report")
@click.option(
    "--dir",
    "folder",
    type=click.Path(exists=True, file_okay=False, writable=True, path_type=Path),
    help="Folder for the database; by default the temporary folder; removed afterwards.",
)
def server(part: str, quick: bool, as_json: bool, folder: Path | None) -> None:
    """Start separate servers, load them and print what they cost next to the targets.

    Each figure is the median of several measurements, with the lowest and the highest; where it is compared with a
    control, both are measured in turn in the same run. Missed targets are reported, and are not an error.
    """
    if sys.platform != "linux":
        raise click.ClickException("The bench needs Linux, because it reads /proc.")
    raise_file_limit()
    done: list[Part] = []
    with failing_in_a_sentence(), tempfile.TemporaryDirectory(prefix="noughts-bench-", dir=folder) as made:
        here = machine(Path(made))
        if not as_json:
            click.echo(f"{here}\n")
        for name in PARTS if part == "all" else [part]:
            done.append(_measured(name, Path(made), quick))
            if not as_json:
                click.echo("\n".join(lines(done[-1])) + "\n")
    if as_json:
        print_json(Report(here, done))


def _measured(name: str, parent: Path, quick: bool) -> Part:
    folder = parent / name
    folder.mkdir()
    gc.disable()  # a collection among ten thousand connections would show as the server's latency
    with failing_in_a_sentence():
        try:
            return uvloop.run(_run(PARTS[name], folder, quick))
        except TimeoutError:
            raise BenchError(f"A measured process stopped answering in {name}.") from None
        finally:
            gc.enable()


async def _run(measure: Measure, folder: Path, quick: bool) -> Part:
    return await measure(folder, quick)
