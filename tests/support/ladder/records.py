"""A ladder's records, made up: bots, games in pairs with legal moves, standings, faults and a game being played.

Written with plain SQL into a database that `server.db.migrate.prepare` has made; the same arguments give the same rows.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

from engine.bots.roster import bot as find_bot
from engine.rules.openings import openings
from engine.rules.position import Move, Rules
from engine.rules.registry import rules
from server.db.ladder import ADD_SAMPLE

BOTS = ("strongest", "alphabeta:3", "level:2", "random")
BEGUN_MS = 1_800_000_000_000
PAIR_MS = 10_000
"""Between the starts of two pairs; the second game of a pair starts in the middle."""
NIGHT_MS = 3 * PAIR_MS
GAMES_KNOWN = 40
"""So many different games are played out; longer lists play them again."""


def add_bot(connection: sqlite3.Connection, name: str, version: int | None = None) -> int:
    """The player id of a bot, known already or new; a version that is not the roster's may be asked for."""
    bot = find_bot(name)
    parameters = json.dumps(dict(sorted(bot.parameters)), separators=(",", ":"))
    key = (bot.family, parameters, bot.version if version is None else version)
    found = connection.execute(
        "SELECT player_id FROM bot_versions WHERE name = ? AND parameters = ? AND version = ?", key
    ).fetchone()
    if found:
        return int(found[0])
    id = _next_id(connection, "player")
    connection.execute("INSERT INTO players VALUES (?, ?, 'bot', NULL, ?)", (id, bot.name, BEGUN_MS))
    connection.execute("INSERT INTO bot_versions VALUES (?, ?, ?, ?)", (id, *key))
    return id


def add_list(
    path: Path,
    *,
    ladder: str = "night",
    list: str = "small",
    game: str = "tictactoe",
    bots: Sequence[str] = BOTS,
    versions: Sequence[int | None] = (),
    pairs: int = 2,
    limit: dict[str, int] | None = None,
    seed: int = 0,
    rated: bool = True,
    moves: bool = True,
    begun_ms: int = BEGUN_MS,
) -> str:
    """One list in which every two bots, the strongest first, play so many pairs; its run_id.

    The bot named first wins about three of four games, the last one of the list is retired for the fault of its
    first game, and one aborted game counts for nothing. Without `rated` nobody has computed standings yet.
    """
    limit = {"nodes": 2000} if limit is None else limit
    run = f"{ladder}/{list}/{seed:012x}"
    settings = {"game": game, "bots": _entrants(bots, versions), "limit": limit, "seed": seed}
    random = Random(f"{run}/{game}")
    kind = rules(game)
    with closing(sqlite3.connect(path)) as connection, connection:
        players = [
            add_bot(connection, name, version)
            for name, version in zip(bots, [*versions, *[None] * len(bots)], strict=False)
        ]
        rated_ms = begun_ms + 1 if rated else None
        fitted = (31.5, 0.4) if rated else (None, None)
        connection.execute(
            "INSERT INTO ladder_lists VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (run, ladder, list, game, json.dumps(settings), begun_ms, rated_ms, *fitted),
        )
        first = _next_id(connection, "game", 2 * pairs * len(players) ** 2 + 3)
        written = [*_games(kind, players, pairs, random, first)]
        _insert_games(connection, run, game, limit, begun_ms, written)
        if moves:
            _insert_moves(connection, begun_ms, written)
        if pairs:
            _insert_faults(connection, run, players[-1])
        if rated:
            _insert_standings(connection, run, players)
    return run


def _entrants(bots: Sequence[str], versions: Sequence[int | None]) -> list[dict[str, Any]]:
    found = (find_bot(name) for name in bots)
    each = zip(found, [*versions, *[None] * len(bots)], strict=False)
    return [{"name": bot.name, "version": bot.version if version is None else version} for bot, version in each]


def add_live(path: Path, run: str, *, moves: Sequence[str] = ("b2", "a1"), updated_ms: int = BEGUN_MS) -> None:
    """A game that the list's ladder is playing, as it stood at `updated_ms`; rewrites the one before."""
    with closing(sqlite3.connect(path)) as connection, connection:
        (ladder,) = connection.execute("SELECT ladder FROM ladder_lists WHERE run_id = ?", (run,)).fetchone()
        x, o = connection.execute(
            "SELECT x_player, o_player FROM games WHERE run_id = ? ORDER BY id LIMIT 1", (run,)
        ).fetchone()
        connection.execute(
            "INSERT OR REPLACE INTO ladder_live VALUES (?, ?, ?, ?, '[]', ?, ?, ?)",
            (ladder, run, x, o, json.dumps([*moves]), updated_ms - 1000, updated_ms),
        )


def player_id(path: Path, name: str) -> int:
    """Of the newest player with that name."""
    with closing(sqlite3.connect(path)) as connection:
        (id,) = connection.execute("SELECT max(id) FROM players WHERE name = ?", (name,)).fetchone()
        return int(id)


# One game: id, pair, started after the list's begin, x, o, opening, cells after it, winner, termination
_Game = tuple[int, int, int, int, int, list[str], list[Move], str | None, str]


def _games(kind: Rules, players: Sequence[int], pairs: int, random: Random, first: int) -> Iterator[_Game]:
    starts = openings(kind, seed=1, number=min(8, max(1, pairs)), plies=2)
    played = [_played(kind, starts[number % len(starts)], random) for number in range(GAMES_KNOWN)]
    id, pair = first, 0
    for repeat in range(pairs):
        for strong, weak in combinations(players, 2):
            start, cells, _, termination = played[(repeat + pair) % len(played)]
            for half, (x, o) in enumerate(((strong, weak), (weak, strong))):
                winner = random.choice(("x", "x", "x", "o", None)) if half == 0 else random.choice(("o", "x", None))
                ended = termination if winner else "board_full"
                yield id, pair, pair * PAIR_MS + half * PAIR_MS // 2, x, o, start, cells, winner, ended
                id += 1
            pair += 1
    yield id, pair, pair * PAIR_MS, players[0], players[1], played[0][0], [], None, "aborted"


def _played(kind: Rules, opening: Sequence[Move], random: Random) -> tuple[list[str], list[Move], str | None, str]:
    position, cells = kind.initial, []
    for move in opening:
        position = position.play(move)
    while position.outcome is None:
        cells.append(random.choice(position.legal_moves()))
        position = position.play(cells[-1])
    return [kind.format_move(move) for move in opening], cells, position.outcome.winner, position.outcome.termination


def _insert_games(
    connection: sqlite3.Connection, run: str, game: str, limit: dict[str, int], begun_ms: int, written: list[_Game]
) -> None:
    text = json.dumps(limit)
    connection.executemany(
        "INSERT INTO games (id, source, game, x_player, o_player, x_limit, o_limit, start, rated, private, seed, "
        "run_id, pair_id, opening_id, machine, software, started_ms, ended_ms, winner, termination, plies) "
        "VALUES (?, 'ladder', ?, ?, ?, ?, ?, ?, 0, 0, 7, ?, ?, ?, 'm', 's', ?, ?, ?, ?, ?)",
        (
            (id, game, x, o, text, text, json.dumps(start), run, pair, " ".join(start), begun_ms + after,
             begun_ms + after + 100 * len(cells), winner, termination, len(cells))
            for id, pair, after, x, o, start, cells, winner, termination in written
        ),
    )  # fmt: skip


def _insert_moves(connection: sqlite3.Connection, begun_ms: int, written: list[_Game]) -> None:
    connection.executemany(
        "INSERT INTO moves (game_id, ply, cell, at_ms, think_ms, nodes, depth, value) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (
            (id, ply, cell, begun_ms + after + 100 * ply, 1 + (id + 7 * ply) % 90, 2000, 3 + ply % 4, 0.5)
            for id, _, after, _, _, _, cells, _, _ in written
            for ply, cell in enumerate(cells)
        ),
    )


def _insert_faults(connection: sqlite3.Connection, run: str, player: int) -> None:
    """The first game of the last bot becomes a forfeit."""
    id, x = connection.execute(
        "SELECT id, x_player FROM games WHERE run_id = ? AND ? IN (x_player, o_player) AND termination != 'aborted' "
        "ORDER BY id LIMIT 1",
        (run, player),
    ).fetchone()
    winner = "o" if x == player else "x"
    connection.execute("UPDATE games SET winner = ?, termination = 'crash' WHERE id = ?", (winner, id))
    connection.execute("INSERT INTO faults VALUES (?, ?, 'It ended with an error: a test.')", (id, player))


def _insert_standings(connection: sqlite3.Connection, run: str, players: Sequence[int]) -> None:
    middle = (len(players) - 1) / 2
    rows: list[tuple[Any, ...]] = []
    for place, player in enumerate(players, start=1):
        rating = 120.0 * (middle - place + 1)
        last = place == len(players)
        rows.append((run, player, place, rating, rating - 40, rating + 45, None if last else 0.97, int(last)))
    connection.executemany("INSERT INTO ladder_standings VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)


def _next_id(connection: sqlite3.Connection, kind: str, number: int = 1) -> int:
    (end,) = connection.execute(
        "UPDATE ids SET next = next + ? WHERE kind = ? RETURNING next", (number, kind)
    ).fetchone()
    return int(end) - number


def add_nights(path: Path, ladder: str = "night", number: int = 3) -> None:
    """Nights of three pairs, of which samples were written."""
    with closing(sqlite3.connect(path)) as connection, connection:
        for night in range(number):
            begun_ms = BEGUN_MS + night * NIGHT_MS
            for games in (2, 6):
                connection.execute(ADD_SAMPLE, (ladder, begun_ms + games, begun_ms, games, 0, 0, 0, 0, 0, 0, 0))
