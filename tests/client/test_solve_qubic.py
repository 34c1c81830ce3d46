"""`noughts solve qubic`: progress, the file, and files that cannot be written; the solver itself is tested apart."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from client import cli, solve_qubic
from engine.search.perfect import qubic_solver
from engine.search.perfect.qubic_book import Book, Entry, to_bytes
from engine.search.perfect.qubic_solver import EXPANSIONS, Progress

BOOK: Book = {(0, 0): Entry(0, 61)}


def progress(expanded: int) -> Progress:
    return Progress(100, 2 * expanded, expanded, 3 * expanded, 4_000_000)


def quickly() -> Iterator[Progress | Book]:
    yield progress(EXPANSIONS // 2)
    yield progress(EXPANSIONS)
    yield BOOK


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(qubic_solver, "solve", quickly)


@pytest.mark.usefixtures("quick")
def test_the_proof_is_written(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "proof"
    assert cli._status(["solve", "qubic", "--out", str(out)]) == 0
    lines = capfd.readouterr().out.splitlines()
    assert lines[0] == "qubic: X wins in at most 61 plies, whatever O plays."
    assert lines[1].startswith("The proof has 1 positions with X to move that threats alone do not win; it took ")
    assert lines[2] == f"Written to {out}. `noughts verify {out}` checks it, with code that had no part in this."
    assert out.read_bytes() == to_bytes(BOOK)
    assert list(tmp_path.iterdir()) == [out]


@pytest.mark.usefixtures("quick")
def test_without_a_file_the_result_is_told(capfd: pytest.CaptureFixture[str]) -> None:
    assert cli._status(["solve", "qubic"]) == 0
    assert len(capfd.readouterr().out.splitlines()) == 2


def test_progress_tells_the_share_and_an_estimate() -> None:
    line = solve_qubic.progress_line(progress(EXPANSIONS // 4), 3.0)
    assert line.startswith("    3 s: ")
    assert f"of {EXPANSIONS:,} positions expanded, 4 million threats tried; about 9 s left" in line


@pytest.mark.usefixtures("quick")
def test_a_file_that_cannot_be_written_is_said_first(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    for out in (tmp_path, tmp_path / "none" / "proof"):
        assert cli._status(["solve", "qubic", "--out", str(out)]) == 2
        shown = capfd.readouterr()
        assert shown.out == ""
        assert "cannot be written" in shown.err or "is a directory" in shown.err


def test_too_little_memory_is_said(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    def starved() -> Iterator[Progress | Book]:
        raise MemoryError
        yield BOOK

    monkeypatch.setattr(qubic_solver, "solve", starved)
    assert cli._status(["solve", "qubic"]) == 2
    assert "not enough memory: solving Qubic takes" in capfd.readouterr().err
