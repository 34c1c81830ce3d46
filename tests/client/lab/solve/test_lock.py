"""Files that one process at a time uses: a second opening stands for another process's."""

from __future__ import annotations

import errno
import fcntl
import os
from pathlib import Path

import pytest

from client.lab.solve import checkpoint
from client.lab.solve.lock import locked, opened
from client.lab.solve.saving import alone, unfinished


def test_a_lock_is_free_again_and_leaves_nothing(tmp_path: Path) -> None:
    path = tmp_path / "saved"
    for _ in range(2):
        with locked(path), pytest.raises(BlockingIOError), locked(path, waits=False):
            pass
    assert not list(tmp_path.iterdir())


def test_a_file_that_has_the_name_of_a_lock_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "saved.lock"
    path.write_text("of somebody else")
    with locked(tmp_path / "saved"):
        pass
    assert path.read_text() == "of somebody else"


def test_whoever_waited_for_a_file_that_went_gets_the_next(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, waited = tmp_path / "saved.part", list[int]()

    def flock(file: object, how: int) -> None:
        waited.append(how)
        if len(waited) == 1:
            path.unlink()

    monkeypatch.setattr(fcntl, "flock", flock)
    with opened(path, waits=True) as file:
        assert os.path.samestat(os.fstat(file.fileno()), path.stat())
    assert waited == [fcntl.LOCK_EX] * 2


def test_where_there_are_no_locks_files_are_used_without(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def flock(file: object, how: int) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr(fcntl, "flock", flock)
    with locked(tmp_path / "saved"), locked(tmp_path / "saved", waits=False):
        pass
    (tmp_path / "file").touch()
    with alone(tmp_path / "file" / "saved"):
        pass


def test_two_saves_do_not_begin_in_one_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, tried = tmp_path / "saved", list[int]()

    def fsync(handle: int) -> None:
        with pytest.raises(BlockingIOError), opened(unfinished(path), waits=False):
            pass
        tried.append(handle)

    monkeypatch.setattr(os, "fsync", fsync)
    unfinished(path).write_bytes(b"cut off")
    checkpoint.write(path, "solve", "question", {}, ())
    assert len(tried) == 1
    assert checkpoint.read(path, "solve", "question") is not None
    assert [file.name for file in tmp_path.iterdir()] == ["saved"]
