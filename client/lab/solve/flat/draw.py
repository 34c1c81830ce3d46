"""`noughts solve` of larger empty flat boards: first the draws in which O only stops lines, which take seconds."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import click

from client.lab.outputs import Solved
from engine.rules.flat import FlatPosition, FlatRules
from server.console.as_json import print_json
from server.console.files import write_file

MOST_NODES: Final = 1 << 17
"""Nodes after which the board is left to the search of everything: about 20 s of CPU."""
FEWEST_CELLS: Final = 37
"""Smaller boards are solved in full, with plies and lines."""
LINE_EVERY_S: Final = 10
"""Seconds between two lines of progress."""


def is_tried(position: FlatPosition, without: tuple[str, ...]) -> bool:
    """Only on the empty board is a draw shown by one side's holding; `--without` asks for the other search."""
    return position.ply == 0 and position.rules.cells >= FEWEST_CELLS and not without


def solve(rules: FlatRules, megabytes: int | None, out: Path | None, as_json: bool) -> bool:
    """Whether this settled it: the draw is printed, and its proof written. Raises KeyboardInterrupt."""
    from engine.kernels.breaker import ENTRY_BYTES
    from engine.search.solve.breaker import ENTRIES, Breaker, prove

    entries = ENTRIES if megabytes is None else min(ENTRIES, megabytes * 1_000_000 // ENTRY_BYTES | 1)
    began_s = time.process_time()
    breaker = Breaker(rules, entries)
    report = _every("Nothing yet of whether O can stop every line; {:,} positions.")
    if not breaker.holds(breaker.lines, attacking=True, most_nodes=MOST_NODES, between=report):
        return False
    cpu_s = round(time.process_time() - began_s, 3)
    best = [rules.texts[move] for move in rules.initial.legal_moves()]
    if as_json:
        print_json(Solved(rules.id, "draw", cpu_s, ply=0, plies=None, best=best, line=[], nodes=breaker.nodes))
    else:
        click.echo(f"{rules.id}: a draw with best play, as O can stop every line.")
        click.echo(f"Moves that draw, {len(best)} of {len(best)}: {' '.join(best)}")
        click.echo(f"{breaker.nodes:,} positions in {cpu_s:.2f} s of CPU.")
    if out is not None:
        proof = prove(breaker, _every("Solved; the proof has {:,} positions so far."))
        write_file(out, proof)
        print(f"The proof, {len(proof):,} bytes, is in {out}. `noughts verify {out}` checks it.", file=sys.stderr)
    return True


def _every(text: str) -> Callable[[int], None]:
    reported_s = time.monotonic()

    def report(number: int) -> None:
        nonlocal reported_s
        if time.monotonic() - reported_s >= LINE_EVERY_S:
            reported_s = time.monotonic()
            print(text.format(number), file=sys.stderr, flush=True)

    return report
