"""`noughts solve qubic --moves MOVES`: a position of Qubic, decided by threats, the book or a proof."""

from __future__ import annotations

import time
from typing import Final

import click

from client.lab.outputs import Solved
from client.lab.solve.memory import available_bytes
from client.lab.solve.qubic.solve import NEEDED_MB
from engine.rules.flat import FlatPosition
from engine.rules.position import O, X
from server.console.as_json import print_json
from server.console.counted import counted

_LEAVES: Final = 20_000
"""How many positions a proof of X's win may expand: a few seconds."""
_SLICE: Final = 500
_NODES: Final = 1 << 18


def solve(position: FlatPosition, as_json: bool) -> int:
    """Who wins, a winning move, and a bound on the plies. Raises click.UsageError if undecided."""
    free = available_bytes()
    if free is not None and free < NEEDED_MB * 1_000_000:
        raise click.ClickException(
            f"Solving Qubic takes {NEEDED_MB} MB, and only {free // 1_000_000:,} MB are free here."
        )
    from engine.search.assess import qubic
    from engine.search.finding import Finding
    from engine.search.watch import NO_WATCH

    began_s = time.process_time()
    found = qubic.assess(position, NO_WATCH)
    if not found.exact:
        move = _winning(position)
        found = Finding(True, 1.0 if position.to_move == X else -1.0, best=() if move is None else (move,))
    cpu_s = time.process_time() - began_s
    other = O if position.to_move == X else X
    winner = None if not found.value else position.to_move if found.value > 0 else other
    plies = None if found.win_in is None else abs(found.win_in)
    best, line = ([position.rules.texts[move] for move in moves] for moves in (found.best, found.line))
    if as_json:
        print_json(
            Solved(
                "qubic", winner or "draw", round(cpu_s, 3), ply=position.ply, plies=plies, at_most=found.bound,
                best=best, line=line,
            )
        )  # fmt: skip
        return 0
    if winner is None:
        click.echo("qubic: a draw with best play.")
    elif plies is None:
        click.echo(f"qubic: {winner.upper()} wins, by a proven strategy; the number of plies was not computed.")
    else:
        bound = "at most " if found.bound else ""
        click.echo(f"qubic: {winner.upper()} wins in {bound}{counted(plies, 'ply', 'plies')}.")
    if best and winner != other:
        click.echo(f"A best move: {best[0]}")
    if plies is not None and len(line) > 1:
        click.echo(f"One such game: {' '.join(line)}")
    click.echo(f"It took {cpu_s:.2f} s of CPU.")
    return 0


def _winning(position: FlatPosition) -> int | None:
    """X's winning move if the solver proves one; None with O to move. Raises click.UsageError otherwise."""
    from engine.search.perfect.qubic_solver import Solver, Unproven

    solver = Solver(position.x, position.o, nodes=_NODES)
    try:
        for _ in range(0, _LEAVES, _SLICE):
            if solver.grow(_SLICE):
                return solver.winning_move() if position.to_move == X else None
    except Unproven:
        pass
    raise click.ClickException(
        f"This position is undecided: neither side is known to win by threats, and no win for X was found in "
        f"{solver.progress().expanded:,} positions; the strongest bot that plays it is `perfect`."
    )
