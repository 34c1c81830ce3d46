"""What a user is told of a checkpoint, and that another Ctrl-C does not cost the last one."""

from __future__ import annotations

import errno
import os
import signal
from pathlib import Path

import click
import pytest

from client.lab.solve.saving import Saving, must_be_apart, uninterrupted


def full() -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_what_cannot_be_written_is_told_once() -> None:
    said: list[str] = []
    saving = Saving(Path("here"), said.append)
    assert [saving.done(full), saving.done(full), saving.done(lambda: None)] == [False, False, True]
    assert said == ["No checkpoint can be written to here: No space left on device. Continuing without one."]


def test_what_cannot_be_deleted_is_told() -> None:
    said: list[str] = []
    saving = Saving(Path("here"), said.append)
    saving.over(lambda: None)
    assert said == []
    saving.over(full)
    assert said == ["The checkpoint here is no longer needed but could not be deleted: No space left on device."]


def test_a_file_has_one_use(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("file")
    file, link = tmp_path / "file", tmp_path / "link"
    must_be_apart(
        {"--out": file, "--known": None, "--checkpoint": tmp_path / "other"}, saved=(None, tmp_path / "other")
    )
    for out, checkpoint in ((file, file), (link, file), (tmp_path / "file.part", file)):
        with pytest.raises(click.UsageError, match=r"would be both --out and .*: name two files"):
            must_be_apart({"--out": out, "--checkpoint": checkpoint}, saved=(checkpoint,))


def test_nothing_interrupts_the_last_save() -> None:
    with uninterrupted():
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.raise_signal(number)
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)
