"""`noughts bench soak`: hours of play with everything that a server does, and what grows meanwhile."""

from __future__ import annotations

import asyncio
import signal
import sys
import tempfile
from pathlib import Path

import click

from client.lab.bench.figures import lines
from client.lab.bench.output import failing_in_a_sentence, part_as_json
from client.lab.bench.soak import piece
from client.lab.bench.soak.piece import Plan
from client.lab.bench.soak.samples import Piece, Soak, database_of, load, save
from client.lab.bench.soak.table import WARM_S, part
from server.console.as_json import print_json
from server.console.examples import examples
from server.console.files import must_be_writable
from server.console.finite import FiniteRange


@click.command(epilog=examples("noughts bench soak --hours 2 --resume soak.json"))
@click.option(
    "--hours",
    type=FiniteRange(min=0, max=1000),
    default=2.0,
    show_default=True,
    help="How long to play; 0 only prints what FILE holds.",
)
@click.option(
    "--resume",
    "file",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Add a piece to this file, made if it is not there; its database lies beside it.",
)
@click.option(
    "--life-minutes",
    type=FiniteRange(min=0.1),
    default=40.0,
    show_default=True,
    help="How long a server lives before it is ended, by SIGKILL and SIGTERM in turn.",
)
@part_as_json
def soak(hours: float, file: Path | None, life_minutes: float, as_json: bool) -> None:
    """Play for hours: people, bots, spectators, reconnects, restarts, and a ladder alongside.

    Memory, descriptors, tasks, threads and bytes a game are measured all the time and printed with their slopes. Pieces
    add up in FILE, with their joints marked; Ctrl-C ends a piece and keeps it.
    """
    if sys.platform != "linux":
        raise click.ClickException("The bench needs Linux, because it reads /proc.")
    if hours and file is not None:
        must_be_writable(file)
    if not hours and (file is None or not file.exists()):
        raise click.UsageError("--hours 0 prints what --resume FILE holds: name a file that is there.")
    with failing_in_a_sentence(), tempfile.TemporaryDirectory(prefix="noughts-soak-") as made:
        kept = file or Path(made) / "soak.json"
        found = load(kept)
        if hours:
            asyncio.run(_add(found, kept, Plan(hours * 3600, life_s=life_minutes * 60)))
    told = part(found, WARM_S if hours * 3600 > 2 * WARM_S or not hours else 0)
    if as_json:
        print_json(told)
    else:
        click.echo("\n".join(lines(told)))


async def _add(found: Soak, kept: Path, plan: Plan) -> None:
    """Adds a piece, written after each sample."""
    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGINT, stop.set)
    before = list(found.pieces)

    def keep(one: Piece) -> None:
        found.pieces = [*before, one]
        save(found, kept)

    await piece.run(database_of(kept), plan, stop, keep)
