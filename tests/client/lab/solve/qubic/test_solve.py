"""`noughts solve qubic`: progress, the file, and files that cannot be written; the solver itself is tested apart."""

from __future__ import annotations

import errno
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from importlib.resources import files
from pathlib import Path

import pytest

from client.cli import main as cli
from client.lab.solve.qubic import checkpoint as qubic_checkpoint
from client.lab.solve.qubic import solve as solve_qubic
from engine.search.perfect import qubic_solver
from engine.search.perfect.qubic_book import Book, Entry, to_bytes
from engine.search.perfect.qubic_solver import EXPANSIONS, Progress, Solver
from tests.support.lab.interrupts import interrupted_again
from tests.support.schemas import checked

BOOK: Book = {(0, 0): Entry(0, 31)}


def progress(expanded: int) -> Progress:
    return Progress(100, 2 * expanded, expanded, 3 * expanded, 4_000_000)


def quickly(solver: Solver) -> Iterator[Progress | Book]:
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
    assert lines[0] == "qubic: X wins in at most 31 plies, whatever O plays."
    assert lines[1] == "The proof has 1 position with X to move that threats alone do not win."
    assert lines[3] == f"Written to {out}. `noughts verify {out}` checks it, with code that had no part in this."
    assert out.read_bytes() == to_bytes(BOOK)
    assert list(tmp_path.iterdir()) == [out]


@pytest.mark.usefixtures("quick")
def test_without_a_file_the_result_is_told(capfd: pytest.CaptureFixture[str]) -> None:
    assert cli._status(["solve", "qubic"]) == 0
    assert len(capfd.readouterr().out.splitlines()) == 3


def test_progress_tells_what_an_estimate_rests_on() -> None:
    line = solve_qubic.progress_line(progress(EXPANSIONS // 4), 3.0, 3.0)
    assert line.startswith(f"    3 s: {EXPANSIONS // 4:,} positions expanded, 4 million threats tried; of the ")
    assert line.endswith(
        f"{EXPANSIONS:,} that the search took when this version was made: about 9 s left, then the book."
    )
    later = solve_qubic.progress_line(progress(EXPANSIONS // 4), 30.0, 1.0, EXPANSIONS // 8)
    assert "about 6 s left" in later


def test_no_estimate_is_made_up_where_the_search_takes_longer_than_it_did() -> None:
    line = solve_qubic.progress_line(progress(EXPANSIONS + 1), 3.0, 3.0)
    assert line.endswith("so the time left is unknown.")


@pytest.mark.usefixtures("quick")
def test_a_file_that_cannot_be_written_is_said_first(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    for out, status in ((tmp_path, 2), (tmp_path / "none" / "proof", 1)):
        assert cli._status(["solve", "qubic", "--out", str(out)]) == status
        shown = capfd.readouterr()
        assert shown.out == ""
        assert "cannot be written" in shown.err or "is a directory" in shown.err


def test_too_little_memory_is_said(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    def starved(solver: Solver) -> Iterator[Progress | Book]:
        raise MemoryError
        yield BOOK

    monkeypatch.setattr(qubic_solver, "solve", starved)
    assert cli._status(["solve", "qubic"]) == 1
    assert "not enough memory: Solving Qubic takes 700 MB" in capfd.readouterr().err


def test_more_memory_than_there_is(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(solve_qubic, "available_bytes", lambda: 8_000_000_000)
    assert cli._status(["solve", "qubic", "--memory", "100000000"]) == 1
    assert "There are not 100,000,000 MB; only 8,000 MB are free here: leave --memory out." in capfd.readouterr().err


def test_less_memory_than_it_needs_is_refused_before_anything_is_loaded(capfd: pytest.CaptureFixture[str]) -> None:
    assert cli._status(["solve", "qubic", "--memory", "100"]) == 2
    assert "takes 700 MB with the libraries that it loads: --memory 100 is too little." in capfd.readouterr().err
    limited = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_AS, (300_000_000, 300_000_000));"
        "from client.cli import main; status = main._status(['solve', 'qubic']);"
        "assert 'numpy' not in sys.modules; sys.exit(status)"
    )
    done = subprocess.run([sys.executable, "-c", limited], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stdout == ""
    assert re.fullmatch(r"noughts: Solving Qubic takes 700 MB .*, and only \d+ MB are free here: .*\n", done.stderr)


@pytest.mark.usefixtures("quick")
def test_json_is_one_object(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "proof"
    assert cli._status(["solve", "qubic", "--json", "--out", str(out)]) == 0
    found = checked("solve", capfd.readouterr().out)
    assert (found["game"], found["value"], found["most_plies"], found["positions"]) == ("qubic", "x", 31, 1)


class Interrupting:
    """Expands a little of a small search, and is interrupted then; the first runs leave a checkpoint only."""

    def __init__(self, slices: int) -> None:
        self.slices = slices

    def __call__(self, solver: Solver) -> Iterator[Progress | Book]:
        for _ in range(self.slices):
            solver.grow(10)
            yield solver.progress()
        raise KeyboardInterrupt


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Solves in little memory, and saves after each slice."""
    monkeypatch.setattr(qubic_solver, "Solver", partial(Solver, nodes=1 << 16))
    monkeypatch.setattr(solve_qubic, "SAVE_EVERY_S", 0)
    monkeypatch.setattr(solve_qubic, "_SAVING_PART", 0)


def interrupted(monkeypatch: pytest.MonkeyPatch, slices: int, *options: str) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(qubic_solver, "solve", Interrupting(slices))
        patched.setattr(solve_qubic, "uninterrupted", interrupted_again)
        assert cli._status(["solve", "qubic", *options]) == 130


@pytest.mark.usefixtures("small")
def test_an_interrupted_search_goes_on_and_ends_with_the_same_numbers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    out, kept = tmp_path / "proof", tmp_path / "proof.partial"
    for _ in range(3):
        interrupted(monkeypatch, 2, "--out", str(out))
        shown = capfd.readouterr().out
        assert shown.endswith(f"Interrupted. The same command resumes; the search is saved in {kept}.\n")
    assert f"Resuming from {kept}: 40 positions were expanded before." in shown
    straight, resumed = (qubic_solver.Solver(plan=qubic_solver.SHORT) for _ in range(2))
    arrays = qubic_checkpoint.load(kept)
    assert arrays is not None
    resumed.go_on(arrays)
    straight.grow(60)
    for _ in range(3):
        for one, other in zip(straight.kept(), resumed.kept(), strict=True):
            assert one.tobytes() == other.tobytes()
        assert straight.grow(100) == resumed.grow(100)


@pytest.mark.usefixtures("small")
def test_a_checkpoint_that_is_damaged_foreign_or_older_is_told_and_left_aside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    kept = tmp_path / "kept"
    interrupted(monkeypatch, 2, "--checkpoint", str(kept))
    good = kept.read_bytes()
    for data, words in (
        (good[:-1], "it is damaged or cut off"),
        (good[:5_000] + bytes([good[5_000] ^ 1]) + good[5_001:], "it is damaged or cut off"),
        (b"something else", "it is not a checkpoint of `noughts solve qubic`"),
        (b"", "it is not a checkpoint of `noughts solve qubic`"),
    ):
        kept.write_bytes(data)
        capfd.readouterr()
        interrupted(monkeypatch, 0, "--checkpoint", str(kept))
        shown = capfd.readouterr().out
        assert f"The checkpoint {kept} is ignored: {words}" in shown
        # A file of somebody's is not written over.
        is_foreign = "not a checkpoint" in words
        assert ("Starting over, and nothing will be saved: name another with --checkpoint." in shown) == is_foreign
        assert (f"No checkpoint can be written to {kept}: Another file is there." in shown) == is_foreign
        assert (kept.read_bytes() == data) == is_foreign
        kept.write_bytes(data)
        interrupted(monkeypatch, 0, "--checkpoint", str(kept), "--fresh")
        assert (f"The checkpoint {kept} is ignored: {words}" in capfd.readouterr().out) == is_foreign
    kept.write_bytes(good)
    with monkeypatch.context() as patched:
        patched.setattr(qubic_checkpoint, "VERSION", "another")
        interrupted(patched, 0, "--checkpoint", str(kept))
    assert "another version of the solver wrote it. Starting over." in capfd.readouterr().out


@pytest.mark.usefixtures("small")
def test_fresh_begins_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    kept = str(tmp_path / "kept")
    interrupted(monkeypatch, 1, "--checkpoint", kept)
    interrupted(monkeypatch, 1, "--fresh", "--checkpoint", kept)
    assert "Going on" not in capfd.readouterr().out


def full(descriptor: object) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize(
    ("failing", "after"),
    [
        ("server.console.files._sync", "The same command resumes."),
        ("os.fsync", "The search could not be saved."),
    ],
)
def test_a_proof_that_cannot_be_written_is_told_with_what_is_saved(
    failing: str, after: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def solved(solver: Solver) -> Iterator[Progress | Book]:
        solver.grow(10)
        yield solver.progress()
        yield BOOK

    monkeypatch.setattr(qubic_solver, "solve", solved)
    monkeypatch.setattr(failing, full)
    out = tmp_path / "proof"
    assert cli._status(["solve", "qubic", "--out", str(out)]) == 1
    assert capfd.readouterr().err == f"noughts: {out} cannot be written: No space left on device. {after}\n"
    assert (tmp_path / "proof.partial").exists() == ("resumes" in after)


@pytest.mark.usefixtures("small")
def test_a_full_disk_is_told_once_and_the_search_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("client.lab.solve.checkpoint.os.fsync", full)
    interrupted(monkeypatch, 3, "--out", str(tmp_path / "proof"))
    shown = capfd.readouterr().out
    assert shown.count("No checkpoint can be written") == 1
    assert "No space left on device. Continuing without one." in shown
    assert shown.endswith("Interrupted; nothing was saved.\n")
    assert not list(tmp_path.iterdir())


@pytest.mark.usefixtures("small")
def test_without_a_file_nothing_is_kept(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    interrupted(monkeypatch, 1)
    assert "nothing was saved. With --out FILE" in capfd.readouterr().out


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_killed_again_and_again_it_ends_with_the_same_bytes(tmp_path: Path) -> None:
    out, kept = tmp_path / "proof", tmp_path / "proof.partial"
    # It saves and tells often enough for a machine that is done in a few seconds.
    often = "qubic.SAVE_EVERY_S = qubic._EVERY_S = 0.2"
    imports = "import sys; from client.cli.main import main; from client.lab.solve.qubic import solve as qubic"
    script = f"{imports}; {often}; main()"
    command = [sys.executable, "-c", script, "solve", "qubic", "--out", str(out)]
    killed = 0
    while not out.exists():
        seen = kept.stat().st_mtime_ns if kept.exists() else 0
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            for _ in process.stdout:
                if killed < 3 and kept.exists() and kept.stat().st_mtime_ns != seen:
                    process.kill()
                    killed += 1
                    break
    assert killed == 3
    assert out.read_bytes() == files("engine.search.perfect").joinpath("qubic.book").read_bytes()
    assert list(tmp_path.iterdir()) == [out]
