"""`noughts export-bot`."""

from __future__ import annotations

import ast
from importlib.metadata import version

from click.testing import CliRunner

from client.cli.main import cli

MOST_CHARACTERS = 100_000
"""Of a program that CodinGame takes."""
PLAIN = {"__future__", "sys", "time"}


def test_a_program_for_codingame_stands_alone() -> None:
    program = CliRunner().invoke(cli, ["export-bot", "codingame", "--game", "ultimate"]).output
    assert program.startswith(f"# noughts {version('noughts')}\n")
    assert len(program) < MOST_CHARACTERS
    imported = [
        node.module if isinstance(node, ast.ImportFrom) else node.names[0].name
        for node in ast.walk(ast.parse(program))
        if isinstance(node, ast.Import | ast.ImportFrom)
    ]
    assert set(imported) == PLAIN
    spoken: list[str] = []
    lines = iter(["-1 -1", "1", "3 5", ""])
    names = {"__name__": "__main__", "print": lambda line, flush: spoken.append(line)}
    source = compile(program.replace("sys.stdin.readline()", "readline()"), "bot.py", "exec")
    exec(source, {**names, "readline": lambda: next(lines)})
    assert spoken == ["3 5"]
