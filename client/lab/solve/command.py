"""`noughts solve`: solve a game or a position."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

import click

from client.lab.solve.options import SolveOptions
from engine.rules.flat import FlatPosition
from engine.rules.nested import NestedPosition
from engine.rules.position import IllegalMove, MalformedMove, Position, Rules
from server.console.arguments import GameType
from server.console.as_json import json_option, print_json
from server.console.examples import examples
from server.console.interrupts import interrupted_by_signals

_IDEAS: Final = ("symmetry", "table", "dead-lines", "weights", "pairing", "threats")
_STRONGEST: Final = "the strongest bot that plays it is `strongest`."


@click.command(
    epilog=examples(
        "noughts solve mnk:6,6,5",
        "noughts solve mnk:4,4,3 --moves 'a1 b2' --json",
        "noughts solve qubic --out qubic.book",
        "noughts solve nine-board --moves '5/5 5/1' --checkpoint 55-51.checkpoint --memory 2000",
        "noughts solve nine-board --moves '5/5 5/1' --cluster local:4",
    )
)
@click.argument("game", type=GameType())
@click.option("--moves", metavar="MOVES", help='Solve the position after these moves, such as "a1 b2".')
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="File for the proof (not of super).")
@click.option(
    "--without", multiple=True, type=click.Choice(_IDEAS), help="Search a flat board without this idea. Repeatable."
)
@click.option(
    "--memory",
    "megabytes",
    type=click.IntRange(min=1),
    help="MB for the positions (84 by default); on qubic, MB in all.",
)
@click.option(
    "--checkpoint",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Where the search is saved (by default in your cache folder, for qubic next to --out).",
)
@click.option("--fresh", is_flag=True, help="Start over, ignoring what was saved.")
@click.option(
    "--cluster",
    metavar="ADDRESS",
    help="Search nine-board with N threads here, local:N, or on a Dask cluster: tcp://HOST:PORT of its scheduler.",
)
@click.option(
    "--known",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Decided positions of nine-board, which are not searched again; the file gets those of this solve.",
)
@json_option("client.lab.outputs:Solved")
@interrupted_by_signals()
def solve(
    game: Rules,
    moves: str | None,
    out: Path | None,
    without: tuple[str, ...],
    megabytes: int | None,
    checkpoint: Path | None,
    fresh: bool,
    cluster: str | None,
    known: Path | None,
    as_json: bool,
) -> int:
    """Solve GAME, or a position of it: who wins with best play, how fast, and by which moves.

    Flat boards and cubes of up to 62 cells are searched. How long that takes depends on the board: a second for
    mnk:6,6,5 and mnk:7,7,5, on which O can stop every line, minutes for mnk:9,4,4. In super, X's forced win is
    checked against every reply. Who wins nine-board is open: positions of about 14 plies take seconds, earlier ones
    minutes to days, on this machine or a cluster. When interrupted, it reports what is certain so far; on flat boards
    and nine-board, and on qubic with --out, the same command resumes later.
    """
    if out is not None and game.nested and game.id != "nine-board":
        raise click.UsageError(
            "--out is for games whose proofs are files: flat boards, cubes, nine-board; super is checked on the spot."
        )
    if cluster is not None and game.id != "nine-board":
        raise click.UsageError("--cluster is for nine-board; what else is solved takes this machine minutes.")
    if known is not None and game.id != "nine-board":
        raise click.UsageError("--known is for nine-board.")
    options = SolveOptions(
        moves=tuple((moves or "").split()),
        without=without,
        out=out,
        checkpoint=checkpoint,
        is_fresh=fresh,
        megabytes=megabytes,
        as_json=as_json,
        cluster=cluster,
        known=known,
    )
    if game.id == "qubic":
        if without:
            raise click.UsageError("qubic is solved with every idea: leave --without out.")
        start = _position(game, options.moves)
        if start.ply:
            _refuse(
                {"--out": out, "--checkpoint": checkpoint, "--memory": megabytes, "--fresh": fresh},
                "is for qubic from the empty board: leave --moves out.",
            )
            from client.lab.solve.qubic import position as qubic_position

            assert isinstance(start, FlatPosition)
            return qubic_position.solve(start, as_json)
        from client.lab.solve.qubic import solve as qubic

        return qubic.solve(options)
    position = _position(game, options.moves)
    if isinstance(position, NestedPosition) and game.id == "super":
        _refuse(
            {"--checkpoint": checkpoint, "--memory": megabytes, "--fresh": fresh, "--without": without},
            "is for games that are searched; super is checked on the spot.",
        )
        return _solve_super(position, as_json)
    if isinstance(position, NestedPosition) and game.id == "nine-board":
        if without:
            raise click.UsageError("nine-board is solved with every idea: leave --without out.")
        from client.lab.solve.nine_board import solve as nine_board

        return nine_board.solve(position, options)
    if isinstance(position, FlatPosition):
        if position.rules.exact:
            raise click.UsageError(f"Only boards where longer lines win too are solved, not {game.id}: {_STRONGEST}")
        from client.lab.solve.flat.solve import solve as solve_flat

        return solve_flat(position, options)
    raise click.UsageError(f"{game.id} has not been solved, here or elsewhere: {_STRONGEST}")


def _refuse(options: Mapping[str, object], why: str) -> None:
    """Refuses options that would change nothing. Raises click.UsageError about the first that is given."""
    for option, value in options.items():
        if value:
            raise click.UsageError(f"{option} {why}")


def _position(game: Rules, moves: Iterable[str]) -> Position:
    position = game.initial
    for text in moves:
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
            f"X's forced win does not lead through this position, and the rest of super is not solved: {_STRONGEST}"
        ) from None
    cpu_s = time.process_time() - began_s
    texts = position.rules.texts
    line = [texts[move] for move in check.line(position)]
    if as_json:
        from client.lab.outputs import Solved

        print_json(Solved("super", "x", round(cpu_s, 3), most_plies=way.plies, line=line, positions=check.positions))
        return 0
    click.echo(f"super: X wins in at most {way.plies} plies, whatever O plays.")
    click.echo(
        f"Checked {check.positions:,} positions with X to move and every reply to each, in {cpu_s:.1f} s of CPU."
    )
    click.echo(f"The longest resistance: {' '.join(line)}")
    return 0
