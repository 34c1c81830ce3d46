"""`noughts solve`: a game or a position solved here and now."""

from __future__ import annotations

import importlib
import json
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click

from client.tools import GameType
from engine.position import IllegalMove, MalformedMove, Position, Rules
from engine.rules.nested import NestedPosition

INTERRUPTED = 130
_QUBIC = "client.solve_qubic"


@click.command()
@click.argument("game", type=GameType())
@click.option("--moves", metavar="MOVES", help='Solve the position after these moves, such as "a1 b2".')
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="Where the proof goes (qubic).")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead.")
def solve(game: Rules, moves: str | None, out: Path | None, as_json: bool) -> int:
    """Solve GAME, or a position of it: who wins with best play, how fast, and by which moves.

    Super is solved by checking X's forced win against every reply. See docs/solving.md.
    """
    if out is not None and game.id != "qubic":
        raise click.UsageError("--out is for qubic, whose proof is a file; other games are solved again when asked.")
    position = _position(game, moves)
    if isinstance(position, NestedPosition) and game.id == "super":
        return _solve_super(position, as_json)
    if game.id == "qubic" and moves is None and find_spec(_QUBIC) is not None:
        status: int = importlib.import_module(_QUBIC).solve(out, click.echo)
        return status
    raise click.UsageError(f"{game.id} cannot be solved here: {_BEST}")


_BEST = "the strongest bot for it is strongest."


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


def _timed(work: Callable[[], Any]) -> tuple[Any, float]:
    began_s = time.process_time()
    return work(), time.process_time() - began_s


def _solve_super(position: NestedPosition, as_json: bool) -> int:
    from engine.search.perfect.super_policy import Check, Unsound

    check = Check()
    try:
        way, cpu_s = _timed(lambda: check.way(position))
    except Unsound:
        raise click.UsageError(
            f"X's forced win does not lead through this position, and super is not solved apart from it: {_BEST}"
        ) from None
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
