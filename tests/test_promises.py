"""docs/promises.md names a test for each promise, and every one is there."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from server.db.connect import BUSY_TIMEOUT_S

DOCS = Path(__file__).resolve().parents[1] / "docs"
NAMED = re.findall(r"\[(test_\w+)\]\(([^)#]+)\)", (DOCS / "promises.md").read_text("utf-8"))


def test_promises_are_shown() -> None:
    assert len(NAMED) > 15


@pytest.mark.parametrize(("test", "file"), NAMED, ids=[test for test, _ in NAMED])
def test_the_test_is_there(test: str, file: str) -> None:
    tree = ast.parse((DOCS / file).read_text("utf-8"))
    assert test in {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}


def test_how_long_a_lock_is_waited_for() -> None:
    assert f"refused as `unavailable` after {BUSY_TIMEOUT_S:g} s" in (DOCS / "promises.md").read_text("utf-8")
