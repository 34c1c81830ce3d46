"""Engines for tests: the script of bad ones, and good ones in a few lines."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from engine.rules.limit import NO_LIMIT, Limit
from engine.rules.registry import rules
from server.workers.engines.dialogue import Event, Question, Say
from server.workers.engines.engine import Engine
from tests.support.engine.games import replay

SCRIPT = Path(__file__).with_name("bad_engines.py")


def engine(mode: str = "good", *arguments: str, **settings: Any) -> Engine:
    """`bad_engines.py` in one of its modes, by the name `bad`; it has a minute for a move."""
    told: dict[str, Any] = {"move_ms": 60_000, "memory_mb": 512, **settings}
    return Engine("bad", sys.executable, str(SCRIPT.parent), "json", (SCRIPT.name, mode, *arguments), **told)


def question_of(game: str, texts: str = "", limit: Limit = NO_LIMIT, seed: int = 0) -> Question:
    """What an engine is asked after these moves; it has a second."""
    moves = tuple(map(rules(game).parse_move, texts.split()))
    return Question(replay(game, [*moves]), moves, limit, 1000, seed)


def said(events: list[Event]) -> list[str]:
    """What the engine is told, line by line."""
    return [event.line for event in events if isinstance(event, Say)]


def toml(mode: str = "good", name: str = "bad", more: str = "") -> str:
    """The same as a file's text."""
    return (
        f'[[engines]]\nname = "{name}"\ncommand = "{sys.executable}"\narguments = ["{SCRIPT}", "{mode}"]\n'
        f"move_ms = 5000\n{more}\n"
    )


ARENAS = {"gomocup": "mnk:9,9,5", "codingame": "ultimate:count", "servt": "nine-board"}
"""Protocols of arenas, and a game of each; an engine of that name is in `arenas_toml`."""
_SCRIPTS = {
    "gomocup": ("gomocup_brain.py", "good"),
    "codingame": ("codingame_bot.py", "good"),
    "servt": ("servt_agent.py", "-p", "{port}", "good"),
}


def arenas_toml() -> str:
    """An engine of each protocol of an arena, named as that is."""
    engines = []
    for protocol, (script, *arguments) in _SCRIPTS.items():
        told = ", ".join(f'"{word}"' for word in (SCRIPT.with_name(script), *arguments))
        engines.append(
            f'[[engines]]\nname = "{protocol}"\nprotocol = "{protocol}"\ncommand = "{sys.executable}"\n'
            f"arguments = [{told}]\nmove_ms = 30000\n"
        )
    return "".join(engines)
