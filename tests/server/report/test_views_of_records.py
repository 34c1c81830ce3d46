"""The views of the database, row by row against the same computed in Python from what was recorded."""

from __future__ import annotations

import json
import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, get_args

import pytest

from engine.analysis.verdict import Grade, Verdict, grade
from server.db.review import verdict_row
from server.wire import Termination
from tests.support.database.database_files import new_database

RUN = "night/small/abc"
PLAYERS = {1: ("Ann", "person"), 2: ("depth3", "bot"), 3: ("alphabeta:2", "bot"), 4: ("crasher", "bot")}
VERSIONS = {2: 1, 3: 4}
"""The crasher is no bot of the roster."""
FAULTS = ("crash", "stall", "illegal_move", "flag")

Row = dict[str, Any]


def recorded_game(id: int, draw: random.Random) -> Row:
    """A game of any kind: of rooms and of a ladder, running, aborted, with a start and without."""
    x, o = draw.sample(sorted(PLAYERS), 2)
    termination = draw.choice([None, *get_args(Termination), *FAULTS])
    winner = None if termination in (None, "aborted", "board_full") else draw.choice(["x", "o", None])
    of_ladder = draw.random() < 0.6 and 1 not in (x, o)
    clock = draw.choice([(None, None, None), (60_000, 1000, None), (None, None, 500)])
    limits = [json.dumps(draw.choice([{"move_ms": 70}, {"nodes": 100}])) if draw.random() < 0.5 else None for _ in "xo"]
    return {
        "id": id, "source": "ladder" if of_ladder else "match", "game": draw.choice(["tictactoe", "qubic"]),
        "x_player": x, "o_player": o, "initial_ms": clock[0], "increment_ms": clock[1], "move_ms": clock[2],
        "x_limit": limits[0], "o_limit": limits[1],
        "start": json.dumps(["a1.1", "b1.1", "c1.1"][: draw.randrange(4)]), "rated": 0, "private": draw.randrange(2),
        "run_id": RUN if of_ladder else None, "pair_id": id if of_ladder else None, "opening_id": None, "machine": "m",
        "software": "0.1.0", "started_ms": 1000 * id, "ended_ms": None if termination is None else 1000 * id + 77,
        "winner": winner, "termination": termination, "plies": None if termination is None else draw.randrange(6),
    }  # fmt: skip


def recorded_moves(game: Row, draw: random.Random) -> list[Row]:
    return [
        {
            "game_id": game["id"], "ply": ply, "cell": ply, "at_ms": 1000 * game["id"] + ply,
            "think_ms": (think_us := draw.randrange(900_000)) // 1000, "think_us": draw.choice([None, think_us]),
            "wait_ms": None, "nodes": draw.choice([None, 500]), "depth": None,
            "value": 0.5, "win_in": None, "pruned": 3,
        }
        for ply in range(game["plies"] or 2)
    ]  # fmt: skip


def reviewed_moves(game: Row, draw: random.Random) -> list[Row]:
    """Verdicts on some moves of half of the finished games, of any kind and likely or not."""
    if game["termination"] is None or draw.random() < 0.5:
        return []
    bounds = draw.choice([(0,), (0, 1)])
    return [
        {
            "game_id": game["id"], "ply": ply, "verdict": draw.choice(get_args(Verdict)), "exact": draw.randrange(2),
            "value": 0.5, "win_in": draw.choice([None, 3, 5, -2, -6]), "at_most": draw.choice(bounds),
            "best": json.dumps(draw.choice([[], [ply], [ply, 9], [8], [8, ply]])),
            "could": draw.choice(get_args(Verdict)), "could_in": draw.choice([None, 3, 5, -2, -6]), "nodes": 7,
        }
        for ply in range(draw.randrange(game["plies"] + 1))
    ]  # fmt: skip


def judgement(game: Row, move: Row) -> Row:
    """What the engine says of a move that was reviewed."""
    of_game = {review["ply"]: review for review in REVIEWS if review["game_id"] == game["id"]}
    if move["ply"] not in of_game:
        return dict.fromkeys(("verdict", "exact", "best_verdict", "grade", "blunder"))
    stored = [verdict_row(*(review[name] for name in VERDICT)) for review in of_game.values()]
    judged = dict(stored)[move["ply"]]
    found = grade(judged, move["cell"], any(one.bound for _, one in stored))
    return {
        "verdict": judged.verdict, "exact": int(judged.exact), "best_verdict": judged.best_verdict, "grade": found,
        "blunder": int(found == "mistake"),
    }  # fmt: skip


VERDICT = ("ply", "verdict", "exact", "value", "win_in", "at_most", "best", "could", "could_in", "nodes")
GAMES = [recorded_game(id, draw) for draw in [random.Random(4)] for id in range(1, 400)]
MOVES = [move for draw in [random.Random(5)] for game in GAMES for move in recorded_moves(game, draw)]
REVIEWS = [review for draw in [random.Random(6)] for game in GAMES for review in reviewed_moves(game, draw)]
STANDINGS = [
    {"run_id": RUN, "player_id": player, "place": place, "rating": 10.0 * place, "low": 1.0, "high": 99.0,
     "superiority": 0.75 if place < 4 else None, "retired": int(player == 4)}
    for place, player in enumerate([3, 2, 4, 1], 1)
]  # fmt: skip
"""Ann has played none of the ladder's games."""


@pytest.fixture(scope="module")
def connection(tmp_path_factory: pytest.TempPathFactory) -> Iterator[sqlite3.Connection]:
    path: Path = new_database(tmp_path_factory.mktemp("views"))
    with closing(sqlite3.connect(path)) as opened:
        opened.row_factory = sqlite3.Row
        players = [
            {"id": id, "name": name, "kind": kind, "token_hash": None, "created_ms": 1}
            for id, (name, kind) in PLAYERS.items()
        ]
        insert(opened, "players", players)
        insert(
            opened,
            "bot_versions",
            [
                {"player_id": id, "name": PLAYERS[id][0], "parameters": "{}", "version": version}
                for id, version in VERSIONS.items()
            ],
        )
        one = {"run_id": RUN, "ladder": "night", "list": "small", "game": "qubic", "settings": "{}", "created_ms": 1}
        insert(opened, "ladder_lists", [one])
        insert(opened, "ladder_standings", STANDINGS)
        insert(opened, "games", GAMES)
        insert(opened, "moves", MOVES)
        reviewed = {review["game_id"] for review in REVIEWS}
        insert(opened, "reviews", [{"game_id": id, "version": 1, "begun_ms": 1} for id in sorted(reviewed)])
        insert(opened, "review_moves", REVIEWS)
        opened.commit()
        yield opened


def insert(connection: sqlite3.Connection, table: str, rows: list[Row]) -> None:
    names = list(rows[0])
    sql = f"INSERT INTO {table} ({', '.join(names)}) VALUES ({', '.join(f':{name}' for name in names)})"
    connection.executemany(sql, rows)


def view(connection: sqlite3.Connection, name: str, order: str) -> list[Row]:
    return [dict(row) for row in connection.execute(f"SELECT * FROM {name} ORDER BY {order}")]


def x_points(game: Row) -> float | None:
    if game["termination"] in (None, "aborted"):
        return None
    return {"x": 1.0, "o": 0.0, None: 0.5}[game["winner"]]


def test_v_games(connection: sqlite3.Connection) -> None:
    def expected(game: Row) -> Row:
        same = {name: value for name, value in game.items() if name not in ("id", "start", "x_player", "o_player")}
        for name in ("initial_ms", "increment_ms", "move_ms"):
            del same[name]
        for side in "xo":
            id = game[f"{side}_player"]
            same |= {f"{side}_id": id, side: PLAYERS[id][0], f"{side}_kind": PLAYERS[id][1]}
            same[f"{side}_version"] = VERSIONS.get(id)
        of_ladder = game["run_id"] is not None
        same |= {"ladder": "night" if of_ladder else None, "list": "small" if of_ladder else None}
        duration = None if game["ended_ms"] is None else 77
        return same | {
            "game_id": game["id"], "x_points": x_points(game), "start_plies": len(json.loads(game["start"])),
            "duration_ms": duration,
        }  # fmt: skip

    assert view(connection, "v_games", "game_id") == list(map(expected, GAMES))


def test_v_moves(connection: sqlite3.Connection) -> None:
    games = {game["id"]: game for game in GAMES}

    def expected(move: Row) -> Row:
        game = games[move["game_id"]]
        ply = len(json.loads(game["start"])) + move["ply"]
        side = "xo"[ply % 2]
        mover = game[f"{side}_player"]
        limit = json.loads(game[f"{side}_limit"] or "{}").get("move_ms", game["move_ms"])
        return move | {
            "game": game["game"], "source": game["source"], "run_id": game["run_id"], "ply": ply, "side": side,
            "player_id": mover, "player": PLAYERS[mover][0], "kind": PLAYERS[mover][1], "limit_ms": limit,
            "think_us": 1000 * move["think_ms"] if move["think_us"] is None else move["think_us"],
            "resolution_us": 1000 if move["think_us"] is None else 1,
            **judgement(game, move),
        }  # fmt: skip

    found = view(connection, "v_moves", "game_id, ply")
    assert found == list(map(expected, MOVES))
    assert {move["limit_ms"] for move in found} == {None, 70, 500}
    assert {move["grade"] for move in found} == {None, *get_args(Grade)}


def test_v_standings(connection: sqlite3.Connection) -> None:
    def expected(standing: Row) -> Row:
        bot = standing["player_id"]
        points: list[float] = []
        faults = 0
        for game in GAMES:
            made = x_points(game)
            if game["source"] != "ladder" or made is None or bot not in (game["x_player"], game["o_player"]):
                continue
            points.append(made if bot == game["x_player"] else 1 - made)
            faults += points[-1] == 0 and game["termination"] in FAULTS
        return standing | {
            "ladder": "night", "list": "small", "game": "qubic", "bot": PLAYERS[bot][0], "version": VERSIONS.get(bot),
            "games": len(points), "won": points.count(1), "drawn": points.count(0.5), "lost": points.count(0),
            "points": sum(points), "share": sum(points) / len(points) if points else None, "faults": faults,
        }  # fmt: skip

    found = view(connection, "v_standings", "place")
    assert found == list(map(expected, STANDINGS))
    assert all(row["games"] > 30 and row["faults"] > 5 for row in found[:3])
    assert [found[3][name] for name in ("games", "won", "points", "share", "faults")] == [0, 0, 0.0, None, 0]
