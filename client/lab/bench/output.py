"""How every bench prints what it measured, and how it fails."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from client.lab.bench.figures import Part, lines
from client.lab.bench.machine import machine
from client.lab.bench.wire import BenchError
from server.console.as_json import json_option, print_json

part_as_json = json_option("client.lab.bench.figures:Part")


def repeat_option(default: int) -> Callable[..., Callable[..., None]]:
    times = click.IntRange(1, 100)
    return click.option("--repeat", type=times, default=default, show_default=True, help="How often each is measured.")


@contextmanager
def failing_in_a_sentence() -> Iterator[None]:
    try:
        yield
    except (BenchError, OSError) as error:
        raise click.ClickException(str(error)) from None


def print_part(measure: Callable[[Path], Part], as_json: bool) -> None:
    """Measures in a folder that is removed afterwards."""
    with failing_in_a_sentence(), tempfile.TemporaryDirectory(prefix="noughts-bench-") as made:
        folder = Path(made)
        if not as_json:
            click.echo(f"{machine(folder).computer}\n")
        part = measure(folder)
    if as_json:
        print_json(part)
    else:
        click.echo("\n".join(lines(part)))
