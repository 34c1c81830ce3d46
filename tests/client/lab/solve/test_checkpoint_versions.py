"""A checkpoint is only good for the code that wrote it: whoever changes a solver must not forget its VERSION."""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from client.lab.solve.flat import checkpoint as flat_checkpoint
from client.lab.solve.nine_board import solve as nine_board
from client.lab.solve.qubic import checkpoint as qubic_checkpoint

FLAT = ("engine.kernels.pairing", "engine.kernels.solving", "engine.search.solve.solver")
QUBIC = ("engine.kernels.qubic_proof", "engine.kernels.qubic_threats", "engine.search.perfect.qubic_solver")
NINE_BOARD = (
    "engine.kernels.nine_board_proof",
    "engine.search.solve.nine_board_outlook",
    "engine.search.solve.nine_board_solver",
    "engine.search.solve.nine_board_tree",
    "client.lab.solve.nine_board.rows",
)


@pytest.mark.parametrize(
    ("version", "modules", "pinned_version", "pinned_code"),
    [
        (flat_checkpoint.VERSION, FLAT, "1dd87b7fa8aa6392", "9f02480f72c65de8"),
        (nine_board.VERSION, NINE_BOARD, "3", "54f1615c9ab3c0b1"),
        (qubic_checkpoint.VERSION, QUBIC, "3", "e310ec86e22684d1"),
    ],
)
def test_code_and_version_change_together(
    version: str, modules: tuple[str, ...], pinned_version: str, pinned_code: str
) -> None:
    found = digest(modules)
    assert (version, found) == (pinned_version, pinned_code), (
        f"The code of {', '.join(modules)} is not what is pinned here. If old checkpoints would now be read wrongly or "
        f"go on to another result, write a new VERSION beside the checkpoint's code and pin it here with {found!r}. If "
        "only names or types changed, keep VERSION, so that nobody loses a checkpoint, and pin the new digest alone."
    )


def digest(modules: tuple[str, ...]) -> str:
    """Of the code without comments, docstrings and imports; the same in every version of Python."""
    hashed = hashlib.sha256()
    for module in modules:
        spec = find_spec(module)
        assert spec is not None
        assert spec.origin is not None
        for statement in ast.parse(Path(spec.origin).read_text()).body:
            hashed.update(" ".join(words(statement)).encode())
    return hashed.hexdigest()[:16]


def words(node: object) -> Iterator[str]:
    """A syntax tree as words; empty fields are left out, since versions of Python differ in them."""
    if isinstance(node, ast.Import | ast.ImportFrom):
        return
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
        return
    if isinstance(node, ast.AST):
        yield f"({type(node).__name__}"
        for name, value in ast.iter_fields(node):
            if value is not None and value != []:
                yield name
                yield from words(value)
        yield ")"
    elif isinstance(node, list):
        for part in node:
            yield from words(part)
    else:
        yield repr(node)
