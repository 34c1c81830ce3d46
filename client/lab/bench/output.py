"""How every bench prints what it measured, and how it fails."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import click
import msgspec

from client.lab.bench.figures import Part, lines
from client.lab.bench.machine import machine
from client.lab.bench.wire import BenchError

json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of text.")


def repeat_option(default: int) -> Callable[..., Callable[..., None]]:
    times = click.IntRange(1, 100)
    return click.option("--repeat", type=times, default=default, show_default=True, help="How often each is measured.")


def json_text(value: object) -> str:
    return msgspec.json.format(msgspec.json.encode(value)).decode()


@contextmanager
def failing_in_a_sentence() -> Iterator[None]:
    try:
        yield
    except (BenchError, OSError) as error:
        raise click.ClickException(str(error)) from None


def print_part(measure: Callable[[Path], Part], as_json: bool) -> None:
    """Measures in a folder that is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="noughts-bench-") as made, failing_in_a_sentence():
        folder = Path(made)
        if not as_json:
            click.echo(f"{machine(folder).computer}\n")
        part = measure(folder)
    click.echo(json_text(part) if as_json else "\n".join(lines(part)))
