"""`noughts engines`: what a file of other people's engines says, and whether it is right."""

from __future__ import annotations

from pathlib import Path

import click

from server.console.examples import examples
from server.typed_toml import TomlError
from server.workers.engines.engine import Engine
from server.workers.engines.files import CannotRun, folder, program, read

file_option = click.option(
    "--engines", "path", type=click.Path(path_type=Path), required=True, help="TOML file of engines."
)


@click.group()
def engines() -> None:
    """Play against other people's engines: check or list a file of them."""


@engines.command("list", epilog=examples("noughts engines list --engines engines.toml"))
@file_option
def list_engines(path: Path) -> None:
    """List the engines of a file: name, version, protocol, games and how they play."""
    for engine in _read(path):
        entry = engine.entry
        click.echo(f"{engine.name}  ({', '.join(entry.games)}; {engine.protocol}, version {engine.version})")
        click.echo(f"    {entry.character}")


@engines.command(epilog=examples("noughts engines check --engines engines.toml"))
@file_option
def check(path: Path) -> int:
    """Check a file of engines: that it is right, and that its programs are there."""
    faults = [fault for engine in _read(path) if (fault := _fault(engine)) is not None]
    for fault in faults:
        click.echo(fault, err=True)
    return 1 if faults else 0


def _read(path: Path) -> tuple[Engine, ...]:
    try:
        return read(path)
    except TomlError as error:
        raise click.UsageError(str(error)) from None


def _fault(engine: Engine) -> str | None:
    """What keeps an engine from playing, in one sentence."""
    try:
        command = program(engine)
        folder(engine)
    except CannotRun as error:
        return str(error)
    click.echo(f"{engine.name}: {command}")
    return None
