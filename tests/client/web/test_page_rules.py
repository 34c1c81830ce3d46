"""What node's tests of the page compare it with: games by the engine's rules, in tests/web/playthroughs.json.

`python -m tests.client.web.test_page_rules` makes that file anew.
"""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

from engine.rules.registry import games, rules
from engine.stats.score import expected_with_draws

FILE = Path(__file__).parents[2] / "web" / "playthroughs.json"
SIZES = ("mnk:7,3,3", "mnk:5,4,3", "mnk:9,4,4", "mnk:3,19,3", "mnk:7,4,4,exact", "cube:3", "cube:5")
SEEDS = (0, 1, 5)
"""With them every game on nine boards has a position that leaves one move."""
SHARES = ((0.0, 0.4), (100.0, 0.0), (100.0, 0.4), (-250.0, 3.0), (2000.0, 1.0))


def playthrough(game: str, seed: int) -> dict[str, Any]:
    """Random play to the end, with the cells that won; on nested boards with what held after each move too."""
    kind = rules(game)
    random = Random(seed)
    position = kind.initial
    moves: list[str] = []
    boards = [nested(position)] if kind.nested else []
    while position.outcome is None:
        move = random.choice(position.legal_moves())
        moves.append(kind.format_move(move))
        position = position.play(move)
        if kind.nested:
            boards.append(nested(position))
    won = {"winner": position.outcome.winner, "line": sorted(map(kind.format_move, position.line))}
    return {"moves": moves, **won, **({"boards": boards} if boards else {})}


def nested(position: Any) -> dict[str, Any]:
    """Of nine boards: whose they are, which are closed, where the next move goes, and how many moves there are."""
    return {
        "owners": "".join(position.board_owner(board) or "." for board in range(9)),
        "closed": "".join(".x"[position.closed >> board & 1] for board in range(9)),
        "forced": None if position.forced is None else position.forced + 1,
        "legal": 0 if position.outcome else len(position.legal_moves()),
    }


def text() -> str:
    """One line for each game, so that a change can be read."""
    lines = []
    for game in (*(entry.id for entry in games()), *SIZES):
        kind = rules(game)
        shape = {"id": game, "dimensions": kind.dimensions, "nested": kind.nested}
        played = [playthrough(game, seed) for seed in SEEDS]
        cells = [kind.format_move(cell) for cell in range(kind.cells)]
        lines.append(json.dumps({"rules": shape, "cells": cells, "games": played}, separators=(",", ":")))
    shares = json.dumps([[elo, drawing, expected_with_draws(elo, drawing)] for elo, drawing in SHARES])
    return '{"playthroughs":[\n' + ",\n".join(lines) + '\n],"shares":' + shares + "}\n"


def test_what_the_page_is_compared_with_is_what_the_engine_says() -> None:
    assert FILE.read_text(encoding="utf-8") == text()


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
