"""A database for tests of reports: ladders, people and bots in other games, and what the views say of them as rows."""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from collections.abc import Callable, Iterable
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

from engine.rules.registry import rules
from engine.stats.score import quantile
from server.db.migrate import prepare
from server.report.page.figures import HIGH, LOW
from tests.support.ladder.records import BEGUN_MS, add_list

ANN, BOB = 901, 902
Row = dict[str, Any]


def many_records(folder: Path) -> Path:
    """Lists of four games, one of them with limits of time, and games of people; some run, some were aborted."""
    path = folder / "many.db"
    prepare(path)
    add_list(path, pairs=4, begun_ms=BEGUN_MS)
    add_list(path, list="big", game="ultimate", pairs=2, begun_ms=BEGUN_MS + 500)
    add_list(path, list="nine", game="nine-board", pairs=1, bots=("strongest", "level:2", "random"))
    add_list(path, list="timed", game="mnk:5,4,4", pairs=2, limit={"move_ms": 40}, seed=3)
    add_people(path)
    with closing(sqlite3.connect(path)) as connection, connection:
        # Half of the games of bots were recorded before there were microseconds.
        connection.execute(
            "UPDATE moves SET think_us = 1000 * think_ms + 97 * (cell + ply) % 1000 "
            "WHERE nodes IS NOT NULL AND game_id % 2"
        )
        # A half-played pair, and limits that are not the same for both sides.
        connection.execute("UPDATE games SET winner = NULL, termination = 'aborted' WHERE id = 5")
        connection.execute("UPDATE games SET o_limit = '{\"move_ms\":55}' WHERE game = 'mnk:5,4,4' AND id % 4 < 2")
    return path


def add_people(path: Path, games: int = 30) -> None:
    """Games of two people with the same name, won, drawn, given up, running and aborted, some of them private."""
    random = Random(7)
    with closing(sqlite3.connect(path)) as connection, connection:
        for id in (ANN, BOB):
            connection.execute("INSERT INTO players VALUES (?, 'Ann', 'person', ?, 1)", (id, bytes([id % 256]) * 32))
        for number in range(games):
            id = 100_000 + number
            cells, winner, termination = _random_game("tictactoe", random)
            if number % 5 == 1:
                cells, winner, termination = cells[:2], None, random.choice([None, "aborted"])
            elif number % 5 == 2:
                cells, winner, termination = cells[:3], "x", "resignation"
            over = termination is not None
            connection.execute(
                "INSERT INTO games (id, source, game, x_player, o_player, move_ms, start, rated, private, machine, "
                "software, started_ms, ended_ms, winner, termination, plies) "
                "VALUES (?, 'match', 'tictactoe', ?, ?, ?, '[]', 0, ?, 'm', 's', ?, ?, ?, ?, ?)",
                (id, *random.sample([ANN, BOB], 2), random.choice([None, 9_000]), number % 3 == 0, BEGUN_MS + id,
                 BEGUN_MS + id + 9 if over else None, winner, termination, len(cells) if over else None),
            )  # fmt: skip
            connection.executemany(
                "INSERT INTO moves (game_id, ply, cell, at_ms, think_ms) VALUES (?, ?, ?, ?, ?)",
                [(id, ply, cell, BEGUN_MS, random.randrange(10_000)) for ply, cell in enumerate(cells)],
            )


def add_samples(path: Path, samples: int = 200, ladder: str = "night") -> None:
    """Of two processes: one that was stopped at once and one that ran for two hours, growing 12 MB an hour."""
    begun = BEGUN_MS + 60_000
    rows = [(ladder, BEGUN_MS + 10_000, BEGUN_MS, 3, 80 * 1024, 300 * 1024, 900, 8_000, 20, 5, 0)]
    for number in range(samples):
        passed = round(number * 2 * 3_600_000 / (samples - 1))
        memory = round(1024 * (80 + 12 * passed / 3_600_000))
        rows.append(
            (ladder, begun + passed, begun, passed // 1_000, memory, 300 * 1024, passed // 10, passed, passed // 100,
             passed // 500, 0)
        )  # fmt: skip
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.executemany("INSERT INTO ladder_samples VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)


def counted_games(path: Path) -> list[Row]:
    """Of `v_games`, those that count, with `start`."""
    return _rows(
        path, "SELECT v.*, g.start FROM v_games AS v JOIN games AS g ON g.id = v.game_id WHERE x_points IS NOT NULL"
    )


def counted_moves(path: Path) -> list[Row]:
    """Of `v_moves`, those of games that count, in the order of their games and plies."""
    return _rows(
        path,
        "SELECT * FROM v_moves WHERE game_id IN (SELECT game_id FROM v_games WHERE x_points IS NOT NULL) "
        "ORDER BY game_id, ply",
    )


def legal_moves_of(game: Row, moves: list[Row]) -> list[int]:
    """How many there were at each ply of a recorded game, by the rules."""
    kind = rules(game["game"])
    position, found = kind.initial, []
    cells = [*map(kind.parse_move, json.loads(game["start"])), *(move["cell"] for move in moves)]
    for cell in cells:
        found.append(len(position.legal_moves()))
        position = position.play(cell)
    return found


def _rows(path: Path, sql: str) -> list[Row]:
    with closing(sqlite3.connect(path)) as connection:
        connection.row_factory = sqlite3.Row
        return [dict(row) for row in connection.execute(sql)]


def _random_game(game: str, random: Random) -> tuple[list[int], str | None, str | None]:
    position, cells = rules(game).initial, []
    while position.outcome is None:
        cells.append(random.choice(position.legal_moves()))
        position = position.play(cells[-1])
    return cells, position.outcome.winner, position.outcome.termination


def grouped(rows: Iterable[Row], key: Callable[[Row], object]) -> dict[object, list[Row]]:
    found: dict[object, list[Row]] = defaultdict(list)
    for row in rows:
        found[key(row)].append(row)
    return found


def spread_of(values: list[float]) -> list[float]:
    return [quantile(values, share) for share in (0.5, LOW, HIGH)]
