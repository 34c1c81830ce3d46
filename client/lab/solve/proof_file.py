"""Where a proof is written to."""

from __future__ import annotations

import os
from pathlib import Path

import click


def must_be_writable(out: Path) -> None:
    """Checks before the work rather than after it. Raises click.ClickException."""
    if out.is_dir() or not os.access(out if out.exists() else out.absolute().parent, os.W_OK):
        raise click.ClickException(f"{out} cannot be written: name a file in a folder that can be.")


def write_proof(out: Path, data: bytes) -> None:
    """Writes all of the file or nothing, even if interrupted. Raises click.ClickException."""
    unfinished = out.with_name(out.name + ".part")
    try:
        unfinished.write_bytes(data)
        unfinished.replace(out)
    except OSError as error:
        raise click.ClickException(f"{out} cannot be written: {error.strerror}.") from None
