"""Examples at the end of a command's help."""

from __future__ import annotations

import click
from click.testing import CliRunner

from server.console.examples import examples

LONG = "noughts match strongest level:2 --game qubic --games 1000 --limit move_ms=100"


def test_lines_stay_as_they_are_however_narrow_the_terminal_is() -> None:
    command = click.Command("match", epilog=examples(LONG, "noughts match a b"))
    told = CliRunner().invoke(command, ["--help"], terminal_width=40).stdout
    assert told.endswith(f"\n  Examples:\n    {LONG}\n    noughts match a b\n")


def test_one_is_an_example() -> None:
    assert examples("noughts bots") == "\b\nExample:\n  noughts bots"
