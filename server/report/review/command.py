"""`noughts review`: the moves of many recorded games judged, so that blunders are a column of `v_moves`.

Verdicts are stored as they come, about once a second: a review that is broken off, even by `kill -9`, resumes there
when it is asked for again.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import click

from engine.analysis.verdict import VERSION
from server.console.as_json import json_option, print_json
from server.console.columns import in_columns
from server.console.examples import examples
from server.console.exits import INTERRUPTED
from server.console.interrupts import interrupted_by_signals
from server.db import review as review_rows
from server.db.connect import connect
from server.db.migrate import require_schema
from server.db.options import database_option, failing_in_one_sentence
from server.db.runs import check_run
from server.report.options import game_option, since_option
from server.report.outputs import JudgedGames, JudgedPlayer
from server.report.review.game_review import printable

if TYPE_CHECKING:
    from server.report.review.judging import Tally

Chosen: TypeAlias = Mapping[str, object]
"""`run`, `game` and `since_ms`, None for all."""


@click.command(
    epilog=examples("noughts review --game qubic --since 2026-11-01", "noughts review --run overnight --jobs 4")
)
@database_option
@click.option(
    "--run", help="Only games of this run: its id, or a ladder or LADDER/LIST for all of its runs."
)  # fmt: skip
@game_option
@since_option
@click.option(
    "--jobs", type=click.IntRange(1, 256), help="Processes that judge; by default one fewer than there are cores."
)
@json_option("server.report.outputs:JudgedGames")
@failing_in_one_sentence()
@interrupted_by_signals()
def review(path: Path, run: str | None, game: str | None, since_ms: int | None, jobs: int | None, as_json: bool) -> int:
    """Judge the moves of all finished games chosen, as `noughts report game ID` does for one.

    Verdicts are exact where the position is solved, otherwise estimates. They are stored in the database, where the
    columns verdict, grade and blunder of the view v_moves show them; moves that are judged already are not judged
    again. It can be interrupted at any time: the same command resumes.
    """
    from server.report.review.judging import judged  # with the workers, which take long to load

    chosen = {"run": run, "game": game, "since_ms": since_ms}
    begun_s = time.monotonic()
    with connect(path, "rw") as connection:
        require_schema(connection, path)
        check_run(connection, run, path)
        unjudged = connection.execute(review_rows.UNJUDGED, {**chosen, "version": VERSION}).fetchall()
        tally = judged(connection, dict(unjudged), jobs)
        players = connection.execute(review_rows.JUDGED_PLAYERS, chosen).fetchall()
    for sentence in tally.excluded:
        click.echo(sentence, err=True)
    if as_json:
        print_json(_object(tally, players))
    else:
        _print(tally, players, time.monotonic() - begun_s)
    if tally.failed:
        failed = "1 move" if tally.failed == 1 else f"{tally.failed} moves"
        click.echo(f"{failed} could not be judged because workers died. Try again.", err=True)
    return INTERRUPTED if tally.interrupted else int(bool(tally.failed))


def _object(tally: Tally, players: list[tuple[Any, ...]]) -> JudgedGames:
    return JudgedGames(
        judged=tally.judged,
        failed=tally.failed,
        excluded=len(tally.excluded),
        interrupted=tally.interrupted,
        players=[
            JudgedPlayer(player, moves, int(blunders), int(doubtful), int(exact), id)
            for player, moves, blunders, doubtful, exact, id in players
        ],
    )


def _print(tally: Tally, players: list[tuple[Any, ...]], took_s: float) -> None:
    if not players:
        click.echo("No move of a finished game is chosen.")
        return
    stood = sum(moves for _, moves, *_ in players) - tally.judged
    click.echo(f"Judged {tally.judged:,} moves in {took_s:.1f} s; {stood:,} were judged before.")
    names = Counter(player for player, *_ in players)
    table = [
        ("player", "moves", "blunders", "share", "doubtful", "proven"),
        *(
            (printable(player) + (f" #{id}" if names[player] > 1 else ""), f"{moves:,}", f"{blunders:,.0f}",
             f"{100 * blunders / moves:.2f} %", f"{doubtful:,.0f}", f"{100 * exact / moves:.0f} %")
            for player, moves, blunders, doubtful, exact, id in players
        ),
    ]  # fmt: skip
    for line in in_columns(table):
        click.echo(line)
