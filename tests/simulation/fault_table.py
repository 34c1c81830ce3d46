"""The table of docs/server-simulation.md: which seed finds which fault."""

from __future__ import annotations

import re
import subprocess
import sys

import click

from tests.simulation.faults import FAULTS

_FOUND = re.compile(r"Seed (\d+): ([\w ]+):")


def print_table(seeds: int, processes: int) -> None:
    """In Markdown."""
    click.echo("| Fault | What it does | First seed | Invariant |\n|---|---|---|---|")
    for name, fault in FAULTS.items():
        found = _FOUND.match(_said(name, seeds, processes))
        seed, invariant = found.groups() if found is not None else (f"none of {seeds}", "")
        click.echo(f"| `{name}` | {fault.breaks} | {seed} | {invariant} |")


def _said(fault: str, seeds: int, processes: int) -> str:
    """A process of its own for each: a fault is put in place before the server is imported."""
    limits = ["--seeds", str(seeds), "--processes", str(processes), "--no-tell"]
    command = [sys.executable, "-m", "tests.simulation", "--fault", fault, *limits]
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False).stdout
