"""`noughts bench`: what the server costs on this machine."""

from __future__ import annotations

import gc
import sys
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path

import click
import msgspec
import uvloop
from msgspec import Struct

from client.bench import moves
from client.bench.figures import Part, lines
from client.bench.machine import Machine, machine, raise_file_limit
from client.bench.wire import BenchError

Measure = Callable[[Path, bool], Awaitable[Part]]
"""A folder for the records and whether it should be quick."""


class Report(Struct, frozen=True):
    machine: Machine
    parts: list[Part]


def _moves(folder: Path, quick: bool) -> Awaitable[Part]:
    return moves.measure(folder, moves.Load(tables=100, pairs=2) if quick else moves.Load())


PARTS: dict[str, Measure] = {"moves": _moves}


@click.group()
def bench() -> None:
    """Measure the server on this machine."""


@bench.command()
@click.option("--part", type=click.Choice([*PARTS, "all"]), default="all", show_default=True, help="What to measure.")
@click.option("--quick", is_flag=True, help="Measure less of everything: to see that it works.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of text.")
@click.option(
    "--dir",
    "folder",
    type=click.Path(exists=True, file_okay=False, writable=True, path_type=Path),
    help="Where to put the records, by default where temporary files go; removed afterwards.",
)
def server(part: str, quick: bool, as_json: bool, folder: Path | None) -> None:
    """Start servers of their own, load them and print what they cost beside the targets.

    Each figure is the median of several measurements, with the lowest and the highest; where it is compared to a
    control, both are measured in turn in the same run. Missed targets are said, and are no error.
    """
    if sys.platform != "linux":
        raise click.ClickException("The bench reads what Linux tells of processes; it does not run elsewhere.")
    raise_file_limit()
    done: list[Part] = []
    with tempfile.TemporaryDirectory(prefix="noughts-bench-", dir=folder) as made:
        here = machine(Path(made))
        if not as_json:
            click.echo(f"{here}\n")
        for name in PARTS if part == "all" else [part]:
            done.append(_measured(name, Path(made), quick))
            if not as_json:
                click.echo("\n".join(lines(done[-1])) + "\n")
    if as_json:
        click.echo(msgspec.json.format(msgspec.json.encode(Report(here, done))).decode())


def _measured(name: str, parent: Path, quick: bool) -> Part:
    folder = parent / name
    folder.mkdir()
    gc.disable()  # a collection among ten thousand connections would show as the server's latency
    try:
        return uvloop.run(_run(PARTS[name], folder, quick))
    except BenchError as error:
        raise click.ClickException(str(error)) from None
    finally:
        gc.enable()


async def _run(measure: Measure, folder: Path, quick: bool) -> Part:
    return await measure(folder, quick)
