"""Engines for tests: the script of bad ones, and good ones in a few lines."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from server.workers.engines.engine import Engine

SCRIPT = Path(__file__).with_name("bad_engines.py")


def engine(mode: str = "good", *arguments: str, **settings: Any) -> Engine:
    """`bad_engines.py` in one of its modes, by the name `bad`."""
    told: dict[str, Any] = {"move_ms": 5000, "memory_mb": 512, **settings}
    return Engine("bad", sys.executable, str(SCRIPT.parent), "json", (SCRIPT.name, mode, *arguments), **told)


def toml(mode: str = "good", name: str = "bad", more: str = "") -> str:
    """The same as a file's text."""
    return (
        f'[[engines]]\nname = "{name}"\ncommand = "{sys.executable}"\narguments = ["{SCRIPT}", "{mode}"]\n'
        f"move_ms = 5000\n{more}\n"
    )
