"""`noughts review`: the moves of many recorded games judged, so that blunders are a column of `v_moves`.

Verdicts are stored as they come, about once a second: a review that is broken off, even by `kill -9`, goes on where it
stood when it is asked for again.
"""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, TypeAlias

import click

from engine.analysis.verdict import VERSION, MoveVerdict
from engine.record.model import MalformedRecord
from server.console.as_json import json_option, print_json
from server.console.examples import examples
from server.console.progress import progress
from server.db import play as rows
from server.db import review as review_rows
from server.db.connect import connect
from server.db.migrate import require_schema
from server.db.options import database_option, failing_in_one_sentence
from server.db.play import GameRow, MoveRow
from server.db.review import store_verdicts, stored_verdicts
from server.report.game_review import printable
from server.report.options import game_option, since_option
from server.report.outputs import JudgedGames, JudgedPlayer
from server.report.records import game_record
from server.workers.arena import default_jobs
from server.workers.child import NotJudged, ReviewJob
from server.workers.pool import Workers

INTERRUPTED: Final = 130
STORE_S: Final = 1.0
"""Verdicts are committed about so often, and at the end."""
BUDGET_MS: Final = 600_000
"""A move takes two seconds at worst; the first one may have to wait until its search is compiled."""
KNOWN: Final = 100_000
"""Verdicts that are remembered: games of a ladder begin alike."""
FAILURES: Final = 20
"""Moves that may fail to be judged, each twice, before the rest is left."""

Chosen: TypeAlias = Mapping[str, object]
"""`run`, `game` and `since_ms`, None for all."""


@dataclass(slots=True)
class Tally:
    """What a review has done."""

    judged: int = 0
    failed: int = 0
    """Moves that no worker could judge."""
    excluded: list[str] = field(default_factory=list)
    """Sentences on games whose records break the rules."""
    interrupted: bool = False


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
def review(path: Path, run: str | None, game: str | None, since_ms: int | None, jobs: int | None, as_json: bool) -> int:
    """Judge the moves of all finished games chosen, as `noughts report game ID` does for one.

    Verdicts are exact where the position is solved, otherwise estimates. They are stored in the database, where the
    columns verdict, grade and blunder of the view v_moves show them; moves that are judged already are not judged
    again. Interrupt it at any time: it goes on where it stood.
    """
    chosen = {"run": run, "game": game, "since_ms": since_ms}
    begun_s = time.monotonic()
    with connect(path, "rw") as connection:
        require_schema(connection, path)
        _check_run(connection, chosen, path)
        unjudged = connection.execute(review_rows.UNJUDGED, {**chosen, "version": VERSION}).fetchall()
        tally = _judged(connection, dict(unjudged), jobs or default_jobs())
        players = connection.execute(review_rows.JUDGED_PLAYERS, chosen).fetchall()
    for sentence in tally.excluded:
        click.echo(sentence, err=True)
    if as_json:
        print_json(_object(tally, players))
    else:
        _print(tally, players, time.monotonic() - begun_s)
    if tally.failed:
        click.echo(f"{tally.failed} moves could not be judged: their workers died. Try again.", err=True)
    return INTERRUPTED if tally.interrupted else int(bool(tally.failed))


def _check_run(connection: sqlite3.Connection, chosen: Chosen, path: Path) -> None:
    if chosen["run"] is None or connection.execute(review_rows.RUN_EXISTS, chosen).fetchone():
        return
    known = ", ".join(id for (id,) in connection.execute(review_rows.RUNS)) or "none"
    raise click.BadParameter(
        f"{path} has no game of a run {chosen['run']!r}; its newest runs: {known}.", param_hint="--run"
    )


def _judged(connection: sqlite3.Connection, unjudged: Mapping[int, int], jobs: int) -> Tally:
    """Judges what is not judged of these games (moves by id), with progress on stderr while it lasts."""
    tally = Tally()
    if not unjudged:
        return tally
    with progress(announce=True) as shows, shows.step("Judging moves", sum(unjudged.values())) as step:
        try:
            asyncio.run(_judge_all(connection, unjudged, jobs, tally, step.advance))
        except KeyboardInterrupt:
            tally.interrupted = True
    return tally


async def _judge_all(
    connection: sqlite3.Connection, unjudged: Mapping[int, int], jobs: int, tally: Tally, advance: Callable[[int], None]
) -> None:
    keeper = _Keeper(connection)
    known: dict[tuple[object, ...], MoveVerdict] = {}
    moves = _moves(connection, unjudged, tally, advance)
    workers = Workers(count=jobs)

    async def judge_in_turn() -> None:
        for game_id, ply, job in moves:
            position = (job.game, job.cells, job.move)
            try:
                verdict = known.get(position) or await workers.judge(job)
            except NotJudged:
                tally.failed += 1
                if tally.failed >= FAILURES:
                    return
            else:
                if len(known) < KNOWN:
                    known[position] = verdict
                keeper.add(game_id, ply, verdict)
                tally.judged += 1
            advance(1)

    workers.start()
    try:
        await asyncio.gather(*(judge_in_turn() for _ in range(jobs)))
    finally:
        await workers.close()
        keeper.store()


class _Keeper:
    """Stores verdicts, several in a transaction."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._judged: list[tuple[int, int, MoveVerdict]] = []
        self._stored_s = time.monotonic()

    def add(self, game_id: int, ply: int, verdict: MoveVerdict) -> None:
        self._judged.append((game_id, ply, verdict))
        if time.monotonic() - self._stored_s >= STORE_S:
            self.store()

    def store(self) -> None:
        judged, self._judged = self._judged, []
        store_verdicts(self._connection, judged)
        self._stored_s = time.monotonic()


def _moves(
    connection: sqlite3.Connection, unjudged: Mapping[int, int], tally: Tally, advance: Callable[[int], None]
) -> Iterator[tuple[int, int, ReviewJob]]:
    """What is to be judged (game, ply, job), game by game, the last move of each first."""
    for id, missing in unjudged.items():
        game = connection.execute(rows.GAME, (id,)).fetchone()
        moves = [MoveRow(*values) for values in connection.execute(rows.MOVES, (id,))]
        judged = stored_verdicts(connection, id)
        try:
            record = game_record(GameRow(*game), moves)
        except MalformedRecord as error:
            tally.excluded.append(f"Game {id} is excluded: {error}")
            advance(missing)
            continue
        cells = record.cells()
        for ply in reversed(range(len(moves))):
            if ply not in judged:
                at = len(record.start) + ply
                yield id, ply, ReviewJob(record.game, cells[:at], cells[at], BUDGET_MS)


def _object(tally: Tally, players: list[tuple[Any, ...]]) -> JudgedGames:
    return JudgedGames(
        judged=tally.judged,
        failed=tally.failed,
        excluded=len(tally.excluded),
        interrupted=tally.interrupted,
        players=[
            JudgedPlayer(player, moves, int(blunders), int(doubtful), int(exact))
            for player, moves, blunders, doubtful, exact in players
        ],
    )


def _print(tally: Tally, players: list[tuple[Any, ...]], took_s: float) -> None:
    if not players:
        click.echo("No move of a finished game is chosen.")
        return
    stood = sum(moves for _, moves, *_ in players) - tally.judged
    click.echo(f"Judged {tally.judged:,} moves in {took_s:.1f} s; {stood:,} were judged before.")
    table = [
        ("player", "moves", "blunders", "share", "doubtful", "proven"),
        *(
            (printable(player), f"{moves:,}", f"{blunders:,.0f}", f"{100 * blunders / moves:.2f} %", f"{doubtful:,.0f}",
             f"{100 * exact / moves:.0f} %")
            for player, moves, blunders, doubtful, exact in players
        ),
    ]  # fmt: skip
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    for name, *figures in table:
        numbers = (figure.rjust(width) for figure, width in zip(figures, widths[1:], strict=True))
        click.echo("  ".join([name.ljust(widths[0]), *numbers]))
