from __future__ import annotations

import errno
import os
import stat
import threading
from collections.abc import Callable
from pathlib import Path

import click
import pytest

from server.console.files import must_be_writable, named_file, new_file, write_file
from server.typed_toml import TomlError


def misnamed(path: Path, reads: Callable[[Path], object]) -> str:
    with pytest.raises(click.UsageError) as raised, named_file(path):
        reads(path)
    assert raised.value.exit_code == 2
    return str(raised.value)


def test_a_named_file_that_is_not_right_is_misuse(tmp_path: Path) -> None:
    path = tmp_path / "some.toml"
    assert misnamed(path, Path.read_text) == f"{path} cannot be read: No such file or directory."
    assert misnamed(tmp_path, Path.read_text) == f"{tmp_path} cannot be read: Is a directory."
    path.write_bytes(b"\xff")
    assert misnamed(path, lambda path: path.read_text("utf-8")) == f"{path} is not text in UTF-8."

    def refuse(path: Path) -> None:
        raise TomlError("name is missing: it must be text.")

    assert misnamed(path, refuse) == f"{path}: name is missing: it must be text."


def test_a_file_is_replaced_when_it_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "some.txt"
    path.write_text("old")
    with new_file(path) as partial:
        partial.write_text("new")
        assert path.read_text() == "old"
    assert path.read_text() == "new"
    assert [*tmp_path.iterdir()] == [path]


def test_a_file_and_its_name_are_on_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, synced = tmp_path / "some.txt", list[tuple[bool, bool]]()

    def fsync(handle: int) -> None:
        synced.append((stat.S_ISDIR(os.fstat(handle).st_mode), path.exists()))
        if path.exists():
            raise OSError("this file system takes no sync of a folder")

    monkeypatch.setattr(os, "fsync", fsync)
    write_file(path, b"new")
    assert synced == [(False, False), (True, True)]


def test_a_fault_leaves_the_file_and_nothing_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "some.txt"
    path.write_text("old")

    def write() -> None:
        with new_file(path) as partial:
            partial.write_text("half")
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with pytest.raises(OSError, match="No space left"):
        write()
    assert path.read_text() == "old"
    assert [*tmp_path.iterdir()] == [path]


def test_a_link_stays_one_and_its_target_keeps_its_mode(tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_text("old")
    target.chmod(0o640)
    link.symlink_to(target)
    write_file(link, b"new")
    assert link.is_symlink()
    assert target.read_text() == "new"
    assert stat.S_IMODE(target.stat().st_mode) == 0o640


def test_a_pipe_stays_one(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    write_file(pipe, b"text")
    reader.join(30)
    assert read == [b"text"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


@pytest.mark.parametrize("name", ["missing/some.txt", "file/some.txt", "."])
def test_what_cannot_be_written_is_said_before_the_work_and_after(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").touch()
    path = tmp_path / name
    with pytest.raises(click.ClickException, match=r"cannot be written: name a file in a folder that can be\.$"):
        must_be_writable(path)
    with pytest.raises(click.ClickException, match=r"cannot be written: (No such file|Is a|Not a) .*directory\.$"):
        write_file(path, b"text")


def test_a_new_file_in_a_folder_can_be_written(tmp_path: Path) -> None:
    must_be_writable(tmp_path / "new.txt")
    assert [*tmp_path.iterdir()] == []
