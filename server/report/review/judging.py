"""Has workers judge the moves of many recorded games, with progress; the caller's database gets the verdicts."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from engine.analysis.verdict import MoveVerdict
from engine.record.model import MalformedRecord
from server.console.progress import progress
from server.db import play as rows
from server.db.play import GameRow, MoveRow
from server.db.review import store_verdicts, stored_verdicts
from server.report.records import game_record
from server.workers.arena import default_jobs
from server.workers.child import NotJudged, ReviewJob
from server.workers.pool import Workers

STORE_S: Final = 1.0
"""About how often verdicts are committed; what is left is committed at the end."""
BUDGET_MS: Final = 600_000
"""A move takes two seconds at worst; the first one may have to wait until its search is compiled."""
KNOWN: Final = 100_000
"""Verdicts that are remembered: games of a ladder begin alike."""
FAILURES: Final = 20
"""Moves that may fail to be judged, each twice, before the rest is left."""


@dataclass(slots=True)
class Tally:
    """What a review has done."""

    judged: int = 0
    failed: int = 0
    """Moves that no worker could judge."""
    excluded: list[str] = field(default_factory=list)
    """Sentences on games whose records break the rules."""
    interrupted: bool = False


def judged(connection: sqlite3.Connection, unjudged: Mapping[int, int], jobs: int | None) -> Tally:
    """Judges the moves of these games (by id) that are not judged yet, with progress on stderr.

    In `jobs` processes, by default one fewer than there are cores.
    """
    tally = Tally()
    if not unjudged:
        return tally
    with progress(announce=True) as shows, shows.step("Judging moves", sum(unjudged.values())) as step:
        try:
            asyncio.run(_judge_all(connection, unjudged, jobs or default_jobs(), tally, step.advance))
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
        if game is None:  # archived or pruned meanwhile
            advance(missing)
            continue
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
