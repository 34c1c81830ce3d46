"""`noughts verify`: a proof checked by code that had no part in making it."""

from __future__ import annotations

import time
from importlib.resources import files
from pathlib import Path

import click

from client import qubic_checker


@click.command()
@click.argument("file", required=False, type=click.Path(path_type=Path))
def verify(file: Path | None) -> None:
    """Check FILE, a proof that X wins on Qubic as `noughts solve qubic --out FILE` writes it.

    Without FILE the proof that comes with the package, from which `perfect` plays, is checked. See docs/solving.md.
    """
    began_s = time.process_time()
    try:
        data = file.read_bytes() if file else files("engine.search.perfect").joinpath("qubic.book").read_bytes()
        records, plies = qubic_checker.check(data)
    except OSError as error:
        raise click.UsageError(f"{file} cannot be read: {error.strerror}.") from None
    except qubic_checker.Rejected as error:
        raise click.UsageError(str(error)) from None
    cpu_s = time.process_time() - began_s
    click.echo(f"Proven: X wins on Qubic in at most {plies} plies, whatever O plays.")
    click.echo(f"Checked {records:,} positions with X to move and every reply to each, in {cpu_s:.1f} s of CPU.")
