"""Game records from the rows of the database, one or many, and their text.

Reads page by page in short transactions, so that an export of millions of games takes little memory and never keeps a
server from tidying up its log.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import groupby
from operator import itemgetter

import msgspec

from engine.record.json_line import to_json_line
from engine.record.model import Clock, GameRecord, Limits, MalformedRecord, Player, RecordedMove
from engine.record.tagged_text import to_text
from engine.rules.limit import Limit
from engine.rules.position import MalformedMove, UnknownGame
from server.db import play as rows
from server.db.connect import one_moment
from server.db.play import GameRow, MoveRow

PAGE_GAMES = 200
"""Games in one transaction."""


def game_text(game: GameRow, moves: Sequence[MoveRow], form: str) -> str:
    """A game as `jsonl` or `txt`, with the line's end. Raises MalformedRecord for moves that the rules do not allow."""
    return _formatted(game_record(game, moves), form)


def public_text(game: GameRow, moves: Sequence[MoveRow], form: str) -> str:
    """The same for the server's API: without the name of its computer."""
    record = replace(game_record(game, moves), machine=None)
    return _formatted(record, form)


def public_texts(games: Sequence[GameRow], moves: Mapping[int, Sequence[MoveRow]], form: str) -> str:
    """Several, one after another, as an export writes them, without those that break the rules."""
    written = []
    for game in games:
        with suppress(MalformedRecord):
            written.append(public_text(game, moves.get(game.id, ()), form) + ("\n" if form == "txt" else ""))
    return "".join(written)


def _formatted(record: GameRecord, form: str) -> str:
    return to_json_line(record) + "\n" if form == "jsonl" else to_text(record)


def game_record(game: GameRow, moves: Sequence[MoveRow]) -> GameRecord:
    """The engine's record of a game. Raises MalformedRecord for moves that the rules do not allow."""
    try:
        start = game.start_cells()
        limits = _limits(game)
    except (UnknownGame, MalformedMove, msgspec.MsgspecError) as error:
        raise MalformedRecord(str(error)) from error
    return GameRecord(
        game=game.game,
        x=Player(game.x_name, game.x_kind, game.x_version),
        o=Player(game.o_name, game.o_kind, game.o_version),
        moves=tuple(_recorded(move, game, (len(start) + move.ply) % 2) for move in moves),
        start=start,
        winner=game.winner,
        termination=game.termination,
        clock=_clock(game),
        started=game.started_ms,
        ended=game.ended_ms,
        limits=limits,
        rated=bool(game.rated),
        seed=game.seed,
        source=game.source,
        machine=game.machine,
        software=game.software,
        run=game.run_id,
        pair=game.pair_id,
        opening=game.opening_id,
        id=game.id,
    )


def _recorded(move: MoveRow, game: GameRow, mover: int) -> RecordedMove:
    return RecordedMove(
        cell=move.cell,
        at=move.at_ms,
        think_ms=move.think_ms,
        think_us=move.think_us,
        # Early servers wrote 0 for people, who wait for no worker.
        wait_ms=move.wait_ms if (game.x_kind, game.o_kind)[mover] == "bot" else None,
        remaining_ms=(move.x_ms, move.o_ms)[mover],
        nodes=move.nodes,
        depth=move.depth,
        value=move.value,
        win_in=move.win_in,
    )


def _clock(game: GameRow) -> Clock | None:
    if game.move_ms is not None:
        return Clock(move_ms=game.move_ms)
    if game.initial_ms is not None:
        return Clock(initial_ms=game.initial_ms, increment_ms=game.increment_ms or 0)
    return None


def _limits(game: GameRow) -> Limits | None:
    x, o = (
        msgspec.json.decode(limit, type=Limit) if limit is not None else None for limit in (game.x_limit, game.o_limit)
    )
    return Limits(x, o) if x or o else None


def recorded_games(
    connection: sqlite3.Connection, *, game: str | None = None, since_ms: int | None = None
) -> Iterator[tuple[GameRow, list[MoveRow]]]:
    """Every game with its moves, in the order of ids; of running games the moves so far."""
    last = 0
    while True:
        page = _page(connection, last, game, since_ms)
        yield from page
        if len(page) < PAGE_GAMES:
            return
        last = page[-1][0].id


def _page(
    connection: sqlite3.Connection, last: int, game: str | None, since_ms: int | None
) -> list[tuple[GameRow, list[MoveRow]]]:
    """The next games after an id; one transaction, so that a running game's moves fit its row."""
    with one_moment(connection):
        chosen = (last, game, since_ms, PAGE_GAMES)
        games = [GameRow(*values) for values in connection.execute(rows.GAMES_AFTER, chosen)]
        ids = msgspec.json.encode([game.id for game in games]).decode()
        by_game = {
            id: [MoveRow(*values[1:]) for values in moves]
            for id, moves in groupby(connection.execute(rows.MOVES_OF_GAMES, (ids,)), itemgetter(0))
        }
    return [(game, by_game.get(game.id, [])) for game in games]
