"""The database as data frames: read page by page in short transactions, so that others can write meanwhile."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeAlias

import msgspec
import polars as pl

from engine.rules.position import UnknownGame
from engine.rules.registry import rules
from server.console.progress import Lines, Progress
from server.db.connect import connect
from server.db.migrate import require_schema
from server.db.size import Size, measure
from server.report.possible import checked, decoded, frame, impossible_is_told

_Schema: TypeAlias = Mapping[str, type[pl.DataType]]

_LINES: Final = Lines()
PAGE_GAMES: Final = 2_000
"""Games whose moves are read in one transaction."""

_GAMES: Final = {
    "game_id": pl.Int64, "game": pl.String, "source": pl.String, "run_id": pl.String, "pair_id": pl.Int64,
    "opening_id": pl.String, "x_id": pl.Int64, "o_id": pl.Int64, "x_limit_ms": pl.Int64, "o_limit_ms": pl.Int64,
    "start": pl.String, "winner": pl.String, "termination": pl.String, "x_points": pl.Float64, "plies": pl.Int64,
    "private": pl.Int64, "started_ms": pl.Int64, "ended_ms": pl.Int64,
}  # fmt: skip
_MOVES: Final = {
    "game_id": pl.Int64, "ply": pl.Int32, "cell": pl.Int32, "think_ms": pl.Int64, "think_us": pl.Int64,
    "nodes": pl.Int64, "depth": pl.Int32,
}  # fmt: skip
_STANDINGS: Final = {
    "run_id": pl.String, "ladder": pl.String, "list": pl.String, "game": pl.String, "place": pl.Int64,
    "player_id": pl.Int64, "bot": pl.String, "version": pl.Int64, "rating": pl.Float64, "low": pl.Float64,
    "high": pl.Float64, "superiority": pl.Float64, "retired": pl.Int64, "games": pl.Int64, "won": pl.Int64,
    "drawn": pl.Int64, "lost": pl.Int64, "points": pl.Float64, "share": pl.Float64, "faults": pl.Int64,
}  # fmt: skip
_LISTS: Final = {
    "run_id": pl.String, "ladder": pl.String, "list": pl.String, "game": pl.String, "settings": pl.String,
    "created_ms": pl.Int64, "rated_ms": pl.Int64, "advantage": pl.Float64, "drawing": pl.Float64,
}  # fmt: skip
_FAULTS: Final = {
    "game_id": pl.Int64, "game": pl.String, "player_id": pl.Int64, "termination": pl.String, "sentence": pl.String,
}  # fmt: skip
_PLAYERS: Final = {"player_id": pl.Int64, "name": pl.String, "kind": pl.String, "version": pl.Int64}
_SAMPLES: Final = {
    "ladder": pl.String, "at_ms": pl.Int64, "begun_ms": pl.Int64, "games": pl.Int64, "memory_kb": pl.Int64,
    "workers_kb": pl.Int64, "cpu_ms": pl.Int64, "workers_ms": pl.Int64, "schedule_ms": pl.Int64, "write_ms": pl.Int64,
}  # fmt: skip

_CHOSEN: Final = """
(:game IS NULL OR g.game = :game) AND (:since IS NULL OR g.started_ms >= :since)
"""
# The views' columns, joined once a game instead of once a move.
_SELECT_GAMES: Final = f"""
SELECT g.game_id, g.game, g.source, g.run_id, g.pair_id, g.opening_id, g.x_id, g.o_id,
       coalesce(json_extract(g.x_limit, '$.move_ms'), c.move_ms),
       coalesce(json_extract(g.o_limit, '$.move_ms'), c.move_ms),
       c.start, g.winner, g.termination, g.x_points, g.plies, g.private, g.started_ms, g.ended_ms
FROM v_games AS g JOIN games AS c ON c.id = g.game_id
WHERE g.x_points IS NOT NULL AND {_CHOSEN} ORDER BY g.game_id
"""
_SELECT_UNCOUNTED: Final = f"""
SELECT count(*) FILTER (WHERE termination IS NULL), count(*) FILTER (WHERE termination = 'aborted')
FROM games AS g WHERE {_CHOSEN}
"""
# A row a game, with each column of its moves as one text: much faster than a row a move.
_SELECT_MOVES: Final = f"""
SELECT game_id, {", ".join(f"group_concat(ifnull({column}, ''))" for column in [*_MOVES][1:])} FROM moves
WHERE game_id IN (SELECT value FROM json_each(?)) GROUP BY game_id
"""
_SELECT_FAULTS: Final = f"""
SELECT g.id, g.game, f.player_id, g.termination, f.sentence
FROM faults AS f JOIN games AS g ON g.id = f.game_id
WHERE {_CHOSEN} ORDER BY g.id
"""
_SELECT_PLAYERS: Final = """
SELECT p.id, p.name, p.kind, b.version FROM players AS p LEFT JOIN bot_versions AS b ON b.player_id = p.id
WHERE p.id IN (SELECT value FROM json_each(?)) ORDER BY p.id
"""


@dataclass(frozen=True, slots=True)
class Choice:
    """Which games to report on."""

    game: str | None = None
    """Canonical id."""
    since_ms: int | None = None


@dataclass(frozen=True, slots=True)
class Frames:
    """Finished games that count, with their moves; and the data of ladders, whatever the dates."""

    games: pl.DataFrame
    """A row a game, in the order of the ids. `start` is JSON, `start_plies` its length."""
    players: pl.DataFrame
    """`player_id`, `kind` and `player`: a name that no other has."""
    moves: pl.DataFrame
    """A row a move, in the order of `game_id` and `ply`, which begins after the start as in the table `moves`."""
    standings: pl.DataFrame
    """Best first within a list; bots without games come last, and have neither place nor rating."""
    lists: pl.DataFrame
    faults: pl.DataFrame
    samples: pl.DataFrame
    running: int
    aborted: int
    size: Size
    """Size of the whole database."""


def read(path: Path, choice: Choice = Choice(), shows: Progress = _LINES) -> Frames:
    """Raises DatabaseError for a file that is not a database of noughts."""
    with connect(path, "rw") as connection, impossible_is_told(path):
        require_schema(connection, path)
        chosen = {"game": choice.game, "since": choice.since_ms}
        games = _frame(connection.execute(_SELECT_GAMES, chosen).fetchall(), _GAMES, "game")
        [(running, aborted)] = connection.execute(_SELECT_UNCOUNTED, chosen)
        faults = _frame(connection.execute(_SELECT_FAULTS, chosen).fetchall(), _FAULTS, "the fault in game")
        of_game = "WHERE :game IS NULL OR game = :game"
        standings = _table(
            connection,
            "v_standings",
            _STANDINGS,
            "a standing of list",
            f"{of_game} ORDER BY ladder, list, run_id, place",
            chosen,
        )
        return Frames(
            games=games.with_columns(pl.col("plies").cast(pl.Int32), start_plies=_start_plies(games)),
            players=_players(
                connection, pl.concat([games["x_id"], games["o_id"], standings["player_id"], faults["player_id"]])
            ),
            moves=_moves(connection, games["game_id"], shows),
            standings=_placed(standings),
            lists=_lists(connection, f"{of_game} ORDER BY ladder, list, created_ms", chosen),
            faults=faults,
            samples=_table(connection, "ladder_samples", _SAMPLES, "a sample of ladder", "ORDER BY ladder, at_ms", {}),
            running=running,
            aborted=aborted,
            size=measure(connection),
        )


def _placed(standings: pl.DataFrame) -> pl.DataFrame:
    """Clears the figures of bots without games: they are the prior alone, and older ladders gave a place by them."""
    played = pl.col("games") > 0
    known = standings.with_columns(
        pl.when(played).then(pl.col(name)).alias(name) for name in ("place", "rating", "low", "high", "superiority")
    )
    return known.with_columns(pl.col("place").rank("ordinal").over("run_id").cast(pl.Int64)).sort(
        "ladder", "list", "run_id", "place", nulls_last=True, maintain_order=True
    )


def _table(
    connection: sqlite3.Connection, table: str, schema: _Schema, what: str, rest: str, chosen: Mapping[str, object]
) -> pl.DataFrame:
    rows = connection.execute(f"SELECT {', '.join(schema)} FROM {table} {rest}", chosen).fetchall()
    return _frame(rows, schema, what)


def _lists(connection: sqlite3.Connection, rest: str, chosen: Mapping[str, object]) -> pl.DataFrame:
    lists = _table(connection, "ladder_lists", _LISTS, "list", rest, chosen)
    for run_id, settings in lists.select("run_id", "settings").iter_rows():
        decoded(settings, dict, "list", run_id, "settings")
    return lists


def _players(connection: sqlite3.Connection, ids: pl.Series) -> pl.DataFrame:
    """If several have the same name, bots get their version and people their id."""
    known = msgspec.json.encode(ids.unique().to_list()).decode()
    rows = connection.execute(_SELECT_PLAYERS, (known,)).fetchall()
    names = Counter(name for _, name, _, _ in rows)
    versions = Counter((name, version) for _, name, _, version in rows if version is not None)

    def label(id: int, name: str, kind: str, version: int | None) -> str:
        if names[name] == 1:
            return name
        return f"{name} v{version}" if versions[name, version] == 1 else f"{name} #{id}"

    labels = [label(*row) for row in rows]
    while len(used := Counter(labels)) < len(labels):  # a person may be called "level:1 v1"
        labels = [f"{text} #{id}" if used[text] > 1 else text for text, (id, *_) in zip(labels, rows, strict=True)]
    players = _frame(rows, _PLAYERS, "player")
    return players.select("player_id", "kind", pl.Series("player", labels, pl.String))


def _moves(connection: sqlite3.Connection, ids: pl.Series, shows: Progress) -> pl.DataFrame:
    """`think_us` comes from milliseconds where nothing finer was recorded, which `is_coarse` tells."""
    # One page is unpacked while the next is read.
    with ThreadPoolExecutor(1) as beside, shows.step("Reading games", len(ids)) as step:
        pages = [beside.submit(_unpacked, [])]
        for first in range(0, len(ids), PAGE_GAMES):
            page = ids[first : first + PAGE_GAMES].to_list()
            rows = connection.execute(_SELECT_MOVES, (msgspec.json.encode(page).decode(),)).fetchall()
            pages.append(beside.submit(_unpacked, rows))
            step.advance(len(page))
        moves = pl.concat([page.result() for page in pages])
    return moves.with_columns(
        think_us=pl.coalesce("think_us", 1000 * pl.col("think_ms")), is_coarse=pl.col("think_us").is_null()
    )


def _unpacked(games: Sequence[tuple[Any, ...]]) -> pl.DataFrame:
    """The moves that `_SELECT_MOVES` packs, a row each."""
    if not games:
        return pl.DataFrame(schema=_MOVES)
    ids, *columns = zip(*games, strict=True)
    unpacked = {
        name: pl.Series([",".join(column)]).str.split(",").explode().cast(pl.Int64, strict=False)
        for name, column in zip([*_MOVES][1:], columns, strict=True)
    }
    moves = [text.count(",") + 1 for text in columns[0]]
    game_id = pl.Series(ids, dtype=pl.Int64).repeat_by(pl.Series(moves)).explode()
    return (
        checked(pl.DataFrame({"game_id": game_id, **unpacked}), "a move of game")
        .cast(pl.Schema(_MOVES))
        .sort("game_id", "ply")
    )


def _frame(rows: Sequence[tuple[Any, ...]], schema: _Schema, what: str) -> pl.DataFrame:
    return checked(frame(rows, schema, what), what)


def _start_plies(games: pl.DataFrame) -> pl.Series:
    starts = games.unique("start").select("game_id", "start").iter_rows()
    lengths = {start: len(decoded(start, list[str], "game", id, "start")) for id, start in starts}
    return pl.Series([lengths[start] for start in games["start"]], dtype=pl.Int32)


def start_moves(start: str) -> tuple[str, ...]:
    """The moves of a start's JSON as text; none if it is something else."""
    try:
        return msgspec.json.decode(start, type=tuple[str, ...])
    except msgspec.MsgspecError:
        return ()


def start_cells(game: str, start: str) -> tuple[int, ...]:
    """The cells of a start's JSON; none if its moves do not belong to this game."""
    try:
        parse = rules(game).parse_move
        return tuple(parse(text) for text in start_moves(start))
    except (UnknownGame, ValueError):
        return ()
