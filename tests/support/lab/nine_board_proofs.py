"""Proofs of nine-board in memory."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

from client.lab.solve.nine_board.parts import Parts
from client.lab.solve.nine_board.proof import ProofFile
from engine.rules.nested import NestedPosition
from engine.search.solve.nine_board_solver import Place, Solver
from engine.search.solve.nine_board_strategy import Claim, Part, claims, first_places
from engine.search.solve.solver import Value


def proof(solver: Solver, position: NestedPosition, value: Value, threads: int = 1) -> bytes:
    """The file that proves a result. Raises Unsound and Stopped."""
    with TemporaryDirectory() as folder:
        written = BytesIO()
        with closing(ProofFile(Path(folder) / "proof", position, claims(value))) as file:
            file.prove(
                lambda claim: first_places(solver, position, claim),
                lambda claim, missing: parts(solver, claim, missing, threads),
            )
            file.copy_to(written)
        return written.getvalue()


def parts(solver: Solver, claim: Claim, missing: list[Place], threads: int = 1) -> Generator[Part]:
    for part in Parts(solver, threads, claim, missing).found():
        if part is not None:
            yield part
