"""`noughts bench solve`: what the solutions take on this machine, and how the bot that plays by them does."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Final

import click
from msgspec import Struct

from client.lab.bench.figures import Part, lines
from client.lab.bench.machine import machine
from client.lab.bench.output import failing_in_a_sentence
from engine.rules.limit import Limit
from server.console.as_json import json_option, print_json
from server.console.examples import examples

_SOLVES: Final = ("super", "boards", "nine-board", "qubic", "verify")


class Report(Struct, frozen=True):
    machine: str
    parts: list[Part]


@click.command(epilog=examples("noughts bench solve --without moves"))
@click.option(
    "--without", type=click.Choice([*_SOLVES, "moves"]), multiple=True, help="Leave this out; may be repeated."
)
@click.option("--long", "with_long", is_flag=True, help="Solve 6,6,5, 7,4,4, 8,4,4 and 9,4,4 as well: some minutes.")
@click.option(
    "--decisions",
    type=click.IntRange(1),
    default=1_000,
    show_default=True,
    help="Decisions of `perfect` as X on Qubic to time.",
)
@click.option(
    "--errors", type=click.IntRange(0), default=0, metavar="GAMES", help="Let X err once in this many games of Qubic."
)
@click.option(
    "--nodes",
    type=click.IntRange(1),
    default=200_000,
    show_default=True,
    help="Limit for each move of the games in which X errs.",
)
@json_option("client.lab.bench.solve.command:Report")
def solve(without: tuple[str, ...], with_long: bool, decisions: int, errors: int, nodes: int, as_json: bool) -> None:
    """Solve every solved game again and print CPU seconds, next to a search of Qubic to a fixed depth.

    The search runs before and after each solve; how many of them take as long as the solve is much the same on every
    machine. Then comes how long `perfect` thinks as X on Qubic in a process that has loaded all kernels, and on
    request, how it exploits X's mistakes as O. Missed targets are reported; that is not an error.
    """
    here = machine(Path(tempfile.gettempdir())).computer
    parts: list[Part] = []

    def done(part: Part) -> None:
        parts.append(part)
        if not as_json:
            click.echo("\n" + "\n".join(lines(part)))

    if not as_json:
        click.echo(here)
    with failing_in_a_sentence():
        if not set(without) >= set(_SOLVES):
            done(_solves(without, with_long))
        if "moves" not in without:
            from client.lab.bench.solve import replies

            done(replies.measure(decisions))
    if errors:
        from client.lab.bench.solve import mistakes

        done(mistakes.measure(errors, Limit(nodes=nodes)))
    if as_json:
        print_json(Report(here, parts))


def _solves(without: tuple[str, ...], with_long: bool) -> Part:
    from client.lab.bench.solve import solves  # loads numba

    cases = [case for case in solves.CASES if case.kind not in without and (with_long or not case.long)]
    return solves.part(list(solves.run(cases)))
