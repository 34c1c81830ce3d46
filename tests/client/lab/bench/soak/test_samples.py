"""The file of a soak: pieces add up in it, and what does not belong to it is refused."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from client.lab.bench.soak.samples import Life, Piece, Soak, below, database_of, files, load, pss, save, threads
from client.lab.bench.wire import BenchError


def test_a_soak_is_read_as_it_was_written(tmp_path: Path) -> None:
    file = tmp_path / "soak.json"
    assert load(file) == Soak()
    soak = Soak([Piece("a machine", 1_000, [Life(0, "killed")], 3, ["an error"])])
    save(soak, file)
    database_of(file).touch()
    assert load(file) == soak
    assert sorted(path.name for path in tmp_path.iterdir()) == ["soak.json", "soak.json.db"]


def test_a_soak_without_its_database_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "soak.json"
    save(Soak([Piece("a machine", 1_000)]), file)
    with pytest.raises(BenchError, match=r"soak\.json\.db, which is missing"):
        load(file)


def test_a_database_without_its_soak_is_refused(tmp_path: Path) -> None:
    database_of(tmp_path / "soak.json").touch()
    with pytest.raises(BenchError, match="without"):
        load(tmp_path / "soak.json")


def test_another_file_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "notes.json"
    file.write_text('{"pieces": [1]}')
    with pytest.raises(BenchError, match="is not a file of an earlier soak"):
        load(file)


def test_the_processes_below_one_are_found() -> None:
    """Once it runs: until then it may have no command line yet."""
    command = [sys.executable, "-c", "print(flush=True); input()", "server.ladder"]
    child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    try:
        assert child.stdout is not None
        child.stdout.readline()
        found = below(os.getpid())
        assert child.pid in found.ladder
        assert child.pid not in found.workers
    finally:
        child.kill()
        child.communicate()


def test_memory_of_a_process_that_has_gone_is_left_out() -> None:
    def measure(pid: int) -> int:
        if pid == 1:
            raise ProcessLookupError
        return 7

    assert pss([1, 2, 3], measure) == 14


def test_files_and_threads_are_counted(tmp_path: Path) -> None:
    before = files(os.getpid())
    with (tmp_path / "one").open("w"):
        assert files(os.getpid()) == before + 1
    assert threads(os.getpid()) >= 1
