"""`noughts report puzzles`: puzzles made from recorded games."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import click

from engine.analysis.puzzle import MOST_PLIES, Puzzle, choose
from engine.record.model import MalformedRecord
from engine.rules.position import Move
from engine.rules.registry import games, rules
from server.console.examples import examples
from server.console.files import must_be_writable, write_file
from server.console.progress import Progress, progress
from server.db.connect import connect
from server.db.migrate import require_schema
from server.db.options import database_option, failing_in_one_sentence
from server.db.play import GameRow, MoveRow
from server.report.options import game_option
from server.report.output import STDOUT
from server.report.records import game_record, recorded_games
from server.report.review.puzzle_file import Source, file_text

LAST_PLIES: Final = 16
"""Puzzles come from the last plies of a game: before, hardly anything is forced."""
ENOUGH: Final = 6
"""Candidates for each wanted puzzle."""
_ENDS: Final = ("line", "board_full", "count", "resignation")


@click.command(
    epilog=examples("noughts report puzzles --game qubic --each 20 --out qubic.json"),
)
@database_option
@game_option
@click.option("--each", type=click.IntRange(min=1), default=8, show_default=True, help="Most puzzles for each game.")
@click.option(
    "--plies", "most_plies", type=click.IntRange(3, 15), default=MOST_PLIES, show_default=True,
    help="Longest win in plies.",
)  # fmt: skip
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), help="File to write; stdout by default.")
@failing_in_one_sentence()
def puzzles(path: Path, game: str | None, each: int, most_plies: int, out: Path | None) -> None:
    """Make puzzles from finished public games: positions in which only one move wins in time, or saves the game.

    Each is proven by full searches; no two are symmetric or from the same game. All listed games are searched, or the
    given one.
    """
    if out is not None and out.exists() and path.exists() and out.samefile(path):
        raise click.UsageError(f"{out} is the database itself: name another file for the puzzles.")
    if out is not None and out != STDOUT:
        must_be_writable(out)
    wanted = [game] if game else [listed.id for listed in games()]
    chosen = {}
    with connect(path, "rw") as connection, progress() as shows:
        require_schema(connection, path)
        for id in wanted:
            found = _of(connection, id, each, most_plies, shows)
            if found:
                chosen[id] = found
    if not chosen:
        raise click.ClickException(f"No puzzle was found in {path}: there may be too few finished games.")
    text = file_text(chosen)
    if out is None or out == STDOUT:
        click.echo(text, nl=False)
        return
    write_file(out, text.encode())


def _of(
    connection: sqlite3.Connection, id: str, each: int, most_plies: int, shows: Progress
) -> list[tuple[Puzzle, Source]]:
    """The puzzles of one kind of game, and where they are from."""
    began_s = time.process_time()
    found: list[tuple[Puzzle, int]] = []
    sources: dict[int, Source] = {}
    with shows.step(f"Searching games of {id}") as step:
        for row, moves in recorded_games(connection, game=id):
            if len(found) >= ENOUGH * each and len(choose(found, rules(id), each)) == each:
                break
            if row.termination in _ENDS and not row.private:
                sources[row.id] = Source(row.id, _bot(row.x_kind, row.x_name), _bot(row.o_kind, row.o_name))
                found += [(puzzle, row.id) for puzzle in _in_game(row, moves, most_plies)]
            step.advance(note=f"{len(found)} found")
    chosen = [(puzzle, sources[number]) for puzzle, number in choose(found, rules(id), each)]
    taken_s = time.process_time() - began_s
    shows.say(f"{id}: {len(chosen)} of {len(found)} in {len(sources)} games, {taken_s:.0f} s of CPU.")
    return chosen


def _bot(kind: str, name: str) -> str | None:
    return name if kind == "bot" else None


def _in_game(row: GameRow, moves: Sequence[MoveRow], most_plies: int) -> list[Puzzle]:
    from engine.analysis.puzzle_search import puzzle_at  # loads the kernels, which `--help` does without

    try:
        record = game_record(row, moves)
    except MalformedRecord:
        return []
    all: list[Move] = [*record.start, *(move.cell for move in record.moves)]
    first = max(1, len(all) - LAST_PLIES)
    tried = (puzzle_at(record.rules, all[:ply], most_plies) for ply in range(first, len(all)))
    return [puzzle for puzzle in tried if puzzle is not None]
