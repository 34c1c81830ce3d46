"""`noughts solve`: a game or a position solved here and now."""

from __future__ import annotations

import importlib
import json
import math
import sys
import time
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from client.tools import GameType
from engine.position import IllegalMove, MalformedMove, Position, Rules
from engine.rules.flat import FlatPosition
from engine.rules.nested import NestedPosition

if TYPE_CHECKING:
    from engine.search.solver import Known, Solution

INTERRUPTED: Final = 130
LINE_EVERY_S: Final = 10
"""Between two lines of progress."""
_QUBIC: Final = "client.solve_qubic"
_IDEAS: Final = ("symmetry", "table", "dead-lines", "weights", "pairing", "threats")
_STRONGEST: Final = "the strongest bot that plays it is `strongest`."


@click.command()
@click.argument("game", type=GameType())
@click.option("--moves", metavar="MOVES", help='Solve the position after these moves, such as "a1 b2".')
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="Where the proof goes (qubic only).")
@click.option(
    "--without", multiple=True, type=click.Choice(_IDEAS), help="Search a flat board without this idea. Repeatable."
)
@click.option(
    "--memory",
    "megabytes",
    type=click.IntRange(min=1),
    help="MB for the positions of a flat board that are remembered (84 if not given).",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead.")
def solve(
    game: Rules, moves: str | None, out: Path | None, without: tuple[str, ...], megabytes: int | None, as_json: bool
) -> int:
    """Solve GAME, or a position of it: who wins with best play, how fast, and by which moves.

    Flat boards and cubes of up to 62 cells are searched; how long that takes depends on the board (docs/solving.md).
    In super X's forced win is checked against every reply. Interrupted, it says what is certain so far.
    """
    if out is not None and game.id != "qubic":
        raise click.UsageError("--out is for qubic, whose proof is a file; other games are solved again when asked.")
    if game.id == "qubic" and find_spec(_QUBIC) is not None:
        if moves is not None or without:
            raise click.UsageError("qubic is solved from the empty board, and with every idea: leave the options out.")
        status: int = importlib.import_module(_QUBIC).solve(out, click.echo)
        return status
    position = _position(game, moves)
    if isinstance(position, NestedPosition) and game.id == "super":
        return _solve_super(position, as_json)
    if isinstance(position, FlatPosition):
        return _solve_flat(position, without, megabytes, as_json)
    raise click.UsageError(f"{game.id} has not been solved, here or elsewhere: {_STRONGEST}")


def _position(game: Rules, moves: str | None) -> Position:
    position = game.initial
    for text in (moves or "").split():
        try:
            position = position.play(game.parse_move(text))
        except (MalformedMove, IllegalMove) as error:
            raise click.UsageError(str(error)) from None
    if position.outcome is not None:
        raise click.UsageError("There is nothing to solve: the game is over after these moves.")
    return position


def _solve_super(position: NestedPosition, as_json: bool) -> int:
    from engine.search.perfect.super_policy import Check, Unsound

    check = Check()
    began_s = time.process_time()
    try:
        way = check.way(position)
    except Unsound:
        raise click.UsageError(
            f"X's forced win does not lead through this position, and super is not solved apart from it: {_STRONGEST}"
        ) from None
    cpu_s = time.process_time() - began_s
    texts = position.rules.texts
    line = [texts[move] for move in check.line(position)]
    if as_json:
        found = {"game": "super", "value": "x", "most_plies": way.plies, "line": line}
        click.echo(json.dumps(found | {"positions": check.positions, "cpu_s": round(cpu_s, 3)}))
        return 0
    click.echo(f"super: X wins in at most {way.plies} plies, whatever O plays.")
    click.echo(
        f"Checked {check.positions:,} positions with X to move and every reply to each, in {cpu_s:.1f} s of CPU."
    )
    click.echo(f"The longest resistance: {' '.join(line)}")
    return 0


def _solve_flat(position: FlatPosition, without: tuple[str, ...], megabytes: int | None, as_json: bool) -> int:
    from engine.kernels.solving import ALL, ENTRY_BYTES
    from engine.search.solver import ENTRIES, IDEAS, Solver, solvable

    if not solvable(position.rules):
        raise click.UsageError(_too_large(position))
    options = ALL
    for idea in without:
        options &= ~IDEAS[idea]
    # An odd number, so that places in the table depend on all of a position.
    entries = ENTRIES if megabytes is None else megabytes * 1_000_000 // ENTRY_BYTES | 1
    try:
        solver = Solver(position.rules, options, entries, _Progress())
    except MemoryError:
        raise click.UsageError(f"There is no room for {megabytes} MB: ask for less with --memory.") from None
    began_s = time.process_time()
    try:
        solution = solver.solve(position)
    except KeyboardInterrupt:
        click.echo(f"Interrupted. Certain of {position.rules.id} so far: {_certain(solver.known)}")
        return INTERRUPTED
    _print(position, solution, time.process_time() - began_s, as_json)
    return 0


def _print(position: FlatPosition, solution: Solution, cpu_s: float, as_json: bool) -> None:
    rules = position.rules
    best = [rules.texts[move] for move in solution.best]
    line = [rules.texts[move] for move in solution.line]
    if as_json:
        found = {"game": rules.id, "ply": position.ply, "value": solution.value, "plies": solution.plies, "best": best}
        click.echo(json.dumps(found | {"line": line, "nodes": solution.nodes, "cpu_s": round(cpu_s, 3)}))
        return
    if solution.plies is None:
        click.echo(f"{rules.id}: a draw with best play.")
        what = "draw"
    else:
        plies = "1 ply" if solution.plies == 1 else f"{solution.plies} plies"
        click.echo(f"{rules.id}: {solution.value.upper()} wins in {plies}.")
        what = "win as fast" if solution.value == position.to_move else "hold out as long"
    click.echo(f"Moves that {what}, {len(best)} of {len(position.legal_moves())}: {' '.join(best)}")
    if line:
        click.echo(f"One such game: {' '.join(line)}")
    click.echo(f"{solution.nodes:,} positions in {cpu_s:.2f} s of CPU.")


class _Progress:
    """Tells on stderr, now and then, what is certain."""

    def __init__(self) -> None:
        self._told_s = time.monotonic()

    def __call__(self, known: Known) -> None:
        now_s = time.monotonic()
        if now_s - self._told_s >= LINE_EVERY_S:
            self._told_s = now_s
            print(_certain(known), file=sys.stderr, flush=True)


def _certain(known: Known) -> str:
    from engine.kernels.solving import ALWAYS

    facts = [f"{known.wins.upper()} wins"] if known.wins else []
    for side, plies in known.held.items():
        facts.append(f"no win of {side.upper()}" + ("" if plies == ALWAYS else f" within {plies} plies"))
    return f"{', '.join(facts) or 'nothing yet'}; {known.nodes:,} positions."


def _too_large(position: FlatPosition) -> str:
    """In one sentence, with the number of ways to put marks on the empty cells as a power of ten."""
    cells = position.rules.cells - position.ply
    ways = sum(math.comb(cells, ply) * math.comb(ply, ply // 2) for ply in range(cells + 1))
    return (
        f"{position.rules.id} is too large to solve here: it has about 10^{len(str(ways)) - 1} positions from there, "
        f"the largest board solved so far 10^16, and the strongest bot that plays it is `strongest`."
    )
