"""The dialogue that speaks an engine's protocol."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from server.workers.engines.codingame import CodinGame
from server.workers.engines.dialogue import Dialogue
from server.workers.engines.engine import Engine
from server.workers.engines.gomocup import Gomocup
from server.workers.engines.json_lines import JsonLines
from server.workers.engines.servt import Servt
from server.workers.engines.ugi import Ugi

_DIALOGUES: Final[dict[str, Callable[[Engine], Dialogue]]] = {
    "json": JsonLines,
    "ugi": Ugi,
    "gomocup": Gomocup,
    "codingame": CodinGame,
    "servt": Servt,
}


def dialogue(engine: Engine) -> Dialogue:
    """A dialogue for one process of the engine."""
    return _DIALOGUES[engine.protocol](engine)
