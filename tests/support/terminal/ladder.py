"""The ladder as a server tells it to the terminal: a list, its standings, meetings and a game."""

from __future__ import annotations

RUN = "night/tictactoe/1f"
LIST = {"run": RUN, "ladder": "night", "list": "tictactoe", "game": "tictactoe", "games": 20, "limit": {"nodes": 500}}


def standing(player: str, bot: str, **more: object) -> dict[str, object]:
    counts = {"games": 20, "won": 10, "drawn": 5, "lost": 5, "points": 12.5}
    return {"player": player, "bot": bot, "versions": 1, "version": 1, "retired": False, **counts, **more}


STANDINGS = [
    standing("7", "level:2", place=1, rating=31.4, low=-12.0, high=80.0),
    standing("8", "alphabeta:1", place=2, rating=-31.4, low=-80.0, high=12.0, versions=2, version=3, retired=True),
    standing("9", "random", games=0, won=0, drawn=0, lost=0, points=0.0),
]
CELL = {"points": 12.5, "games": 20}
PAGE = {
    **LIST,
    "standings": STANDINGS,
    "crosstable": {"bots": ["7", "8", "9"], "cells": [[None, CELL, None], [CELL, None, None], [None, None, None]]},
}
GAME = {
    "id": 5, "game": "tictactoe", "x": {"id": "7", "name": "level:2", "kind": "bot"},
    "o": {"id": "8", "name": "alphabeta:1", "kind": "bot"}, "rated": False, "start": [], "clock": None,
    "started_ms": 0, "winner": "x", "termination": "line", "plies": 1,
}  # fmt: skip
MOVE = {"ply": 0, "move": "b2", "by": "x", "think_ms": 4}
PAGES: dict[str, object] = {
    "/api/ladder": {
        "lists": [LIST, {**LIST, "run": "night/own/2a", "list": "own", "game": "qubic", "limit": None, "running": True}]
    },
    f"/api/ladder?run={RUN.replace('/', '%2F')}": PAGE,
    f"/api/games?run={RUN.replace('/', '%2F')}&a=7&b=8&limit=30": {"games": [GAME], "next": None},
    "/api/games/5": {**GAME, "moves": [MOVE]},
    "/api/players/7": {"id": "7", "name": "level:2", "kind": "bot", "since_ms": 0},
    "/api/games?player=7&limit=30": {"games": [], "next": None},
}
