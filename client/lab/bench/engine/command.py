"""`noughts bench engine`: how fast the engine searches on this machine."""

from __future__ import annotations

import tempfile
from pathlib import Path

import click

from client.lab.bench.machine import machine
from client.lab.bench.output import failing_in_a_sentence, repeat_option
from server.console.as_json import json_option, print_json
from server.console.examples import examples


@click.command(epilog=examples("noughts bench engine --signature"))
@repeat_option(5)
@click.option("--signature", is_flag=True, help="Only count the nodes of all cases, once, for a commit message.")
@json_option("client.lab.bench.engine.searches:Output")
def engine(repeat: int, signature: bool, as_json: bool) -> None:
    """Search fixed positions and print nodes, times and targets.

    The total of the nodes, `Bench: N`, is the same on every machine; a change of it is a change of play. Where gcc is
    present, the kernel runs in turn with the same search in C. Then come a first start without compiled kernels
    (most of the time), starts with them, memory and time limits. Missed targets are reported, and are not an error.
    """
    from client.lab.bench.engine import searches  # loads numba

    if signature:
        counted = searches.counts()
        total = sum(counted.values())
        if as_json:
            print_json(searches.Signature(total, counted))
        else:
            click.echo(f"Bench: {total}")
        return
    here = machine(Path(tempfile.gettempdir())).computer
    with failing_in_a_sentence():
        report = searches.measure(here, repeat, (lambda line: None) if as_json else click.echo)
    if as_json:
        print_json(report)
