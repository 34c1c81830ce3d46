"""Counting finished games for the explorer: `python -m server.explorer.index --db DB`.

Works while a server and a ladder write to the same database. A batch of games is read and counted without any
lock; then one short transaction adds the counts and notes the games as explored. So a game is counted with its note or
not at all, whenever the process is killed, and of two processes that took the same games the second is refused by the
notes and looks again.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable, Sequence
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple

import click
import msgspec

from engine.rules.position import IllegalMove, MalformedMove, UnknownGame
from engine.rules.registry import rules
from server.db import explorer as explorer_rows
from server.db.connect import connect, transaction
from server.db.migrate import require_schema
from server.db.options import database_option, failing_in_one_sentence
from server.explorer.positions import NONE, Count, Entry, Played, added, entries
from server.workers.lifeline import die_with_server

BATCH_GAMES = 10
"""Games in one transaction, some 170 moves: others wait 2 ms for it, 5 at the 99th percentile. With 100 they wait up to
22, on a busy machine up to 170, and a count takes four fifths of the time."""
NICENESS = 10


class Done(NamedTuple):
    """What was counted, and how many games could not be: their moves break the rules."""

    games: int
    moves: int
    refused: int


def index(
    connection: sqlite3.Connection,
    *,
    batch_games: int = BATCH_GAMES,
    before_commit: Callable[[], None] = lambda: None,
) -> Done:
    """Counts every finished, public game that is not counted yet. Raises sqlite3.Error; what was committed stays."""
    games = moves = refused = 0
    after = 0
    while True:
        batch = connection.execute(explorer_rows.TO_EXPLORE, (after, batch_games)).fetchall()
        if not batch:
            return Done(games, moves, refused)
        counts, broken = _counted(connection, batch)
        if not _add(connection, [id for id, *_ in batch], counts, before_commit):
            continue
        after = max(id for id, *_ in batch)
        games += len(batch) - broken
        refused += broken
        moves += sum(x_won + drawn + o_won for x_won, drawn, o_won, _ in counts.values())


def _counted(
    connection: sqlite3.Connection, batch: Sequence[tuple[int, str, str, str]]
) -> tuple[dict[Entry, Count], int]:
    """The counts of these games, and how many are skipped because they break the rules."""
    ids = msgspec.json.encode([id for id, *_ in batch]).decode()
    cells = {
        id: [cell for _, cell in moves]
        for id, moves in groupby(connection.execute(explorer_rows.CELLS_OF_GAMES, (ids,)), _ID)
    }
    counts: dict[Entry, Count] = {}
    broken = 0
    for id, name, start, winner in batch:
        try:
            game = rules(name)
            set_up = [game.parse_move(text) for text in msgspec.json.decode(start, type=list[str])]
            played = Played(id, len(set_up), [*set_up, *cells.get(id, [])], winner)  # type: ignore[arg-type]
            found = list(entries(game, played))
        except (UnknownGame, MalformedMove, IllegalMove, msgspec.MsgspecError):
            broken += 1
            continue
        for entry in found:
            counts[entry] = added(counts.get(entry, NONE), played)
    return counts, broken


_ID = itemgetter(0)


def _add(
    connection: sqlite3.Connection, ids: Sequence[int], counts: dict[Entry, Count], before_commit: Callable[[], None]
) -> bool:
    """Whether the counts were added; not if another process has explored one of the games meanwhile."""
    # In the order of the table: fewer of its pages are touched at a time.
    sorted_counts = sorted(counts.items())
    try:
        with transaction(connection):
            connection.executemany(explorer_rows.ADD_EXPLORED, ((id,) for id in ids))
            connection.executemany(explorer_rows.ADD_COUNT, ((*entry, *count) for entry, count in sorted_counts))
            before_commit()
    except sqlite3.IntegrityError:
        return False
    return True


@click.command()
@database_option
@failing_in_one_sentence()
def main(path: Path) -> None:
    """Count the games that the explorer does not know yet."""
    begun = time.monotonic()
    with connect(path, "rw") as connection:
        require_schema(connection, path)
        # A power cut may take the last counts, but then their notes too: the next run counts those games.
        connection.execute("PRAGMA synchronous = NORMAL")
        done = index(connection)
    click.echo(f"Counted {done.moves} moves in {done.games} games in {time.monotonic() - begun:.1f} s.")
    if done.refused:
        click.echo(f"{done.refused} games are excluded: their moves break the rules.", err=True)


if __name__ == "__main__":
    die_with_server()
    os.nice(NICENESS)
    main()
