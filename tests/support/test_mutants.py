"""The driver's own tests: which mutants a file has, and that a sample stays one."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pytest

from tests.mutation.mutants import mutants, mutated, sample
from tests.mutation.swap import loaded_functions, swap_in

SOURCE = '''"""A docstring."""
from dataclasses import dataclass

LIMIT = 3

@dataclass(frozen=True)
class Point:
    x: int = 0

def near(a: int, b: int = 1) -> bool:
    """Another."""
    if not a:
        raise ValueError("This is a sentence.")
    return a < b and a is not None
'''


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "room").mkdir()
    (tmp_path / "room" / "file.py").write_text(SOURCE)
    return tmp_path


def changes(folder: Path) -> set[tuple[str, str]]:
    return {(mutant.before, mutant.after) for mutant in mutants(folder, ["room"])}


def test_each_mutant_is_one_change(folder: Path) -> None:
    assert changes(folder) == {
        ("3", "4"),
        ("3", "2"),
        ("x: int = 0", "x: int"),
        ("0", "1"),
        ("0", "-1"),
        ("1", "2"),
        ("1", "0"),
        ("not a", "a"),
        ("raise ValueError('This is a sentence.')", "pass"),
        ("return a < b and a is not None", "return None"),
        ("a < b and a is not None", "a < b or a is not None"),
        ("a < b", "a <= b"),
        ("a < b", "a >= b"),
        ("a is not None", "a is None"),
    }


def test_a_mutant_differs_from_its_file_and_compiles(folder: Path) -> None:
    path = folder / "room" / "file.py"
    texts = {ast.unparse(mutated(path, mutant.index)) for mutant in mutants(folder, ["room"])}
    assert len(texts) == len(mutants(folder, ["room"]))
    assert ast.unparse(ast.parse(SOURCE)) not in texts
    for text in texts:
        compile(text, str(path), "exec")


def test_a_sample_survives_a_move_and_a_change_elsewhere(folder: Path) -> None:
    before = {mutant.key for mutant in sample(mutants(folder, ["room"]), 7, seed=1)}
    assert len(before) == 7
    (folder / "room" / "file.py").rename(folder / "room" / "other.py")
    assert {mutant.key for mutant in sample(mutants(folder, ["room"]), 7, seed=1)} == before
    (folder / "room" / "new.py").write_text("def far() -> int:\n    return 5\n")
    after = {mutant.key for mutant in sample(mutants(folder, ["room"]), 7, seed=1)}
    assert len(after & before) >= 7 - 3, "a new mutant takes the place of one"
    assert {mutant.key for mutant in sample(mutants(folder, ["room"]), 7, seed=2)} != after


def test_a_mutant_is_put_into_functions_that_are_loaded(folder: Path) -> None:
    path = folder / "room" / "file.py"
    space: dict[str, Any] = {"__name__": __name__}
    exec(compile(SOURCE, str(path), "exec"), space)
    by_change = {(mutant.before, mutant.after): mutant for mutant in mutants(folder, ["room"])}
    functions = loaded_functions()
    assert space["near"](2, 2) is False
    assert swap_in(path, by_change["a < b", "a <= b"].index, functions)
    assert space["near"](2, 2) is True
    assert not swap_in(path, by_change["3", "4"].index, functions), "outside of functions"
