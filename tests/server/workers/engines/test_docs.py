"""The engines of docs/engines.md play as they are written there."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from engine.bots import match
from engine.bots.match import Task
from engine.bots.player import NO_LIMIT
from engine.bots.roster import bot
from server.workers.engines.engine import Engine
from tests.support.page.node import NODE

DOCS = Path(__file__).parents[4] / "docs" / "engines.md"


def example(language: str) -> str:
    [found] = re.findall(rf"```{language}\n(.*?)```", DOCS.read_text("utf-8"), re.DOTALL)
    return str(found)


def plays(engine: Engine) -> None:
    for game in ("ultimate", "qubic"):
        task = Task(0, 0, "x", game, engine.bot, bot("random"), NO_LIMIT, NO_LIMIT, (), 1)
        assert match.play(task).fault is None


def test_python(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(example("python"))
    plays(Engine("mine", sys.executable, str(tmp_path), "json", ("bot.py",)))


def test_javascript(tmp_path: Path) -> None:
    (tmp_path / "bot.cjs").write_text(example("js"))
    plays(Engine("mine", str(NODE), str(tmp_path), "json", ("bot.cjs",)))


# A newcomer's machine may have no compiler, and needs none for anything else.
def test_c(tmp_path: Path) -> None:
    if shutil.which("cc") is None:
        pytest.skip("there is no C compiler here (cc)")
    (tmp_path / "bot.c").write_text(example("c"))
    subprocess.run(["cc", "-Wall", "-Werror", "-o", tmp_path / "bot", tmp_path / "bot.c"], check=True)
    plays(Engine("mine", "./bot", str(tmp_path), "json"))
