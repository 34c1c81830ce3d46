from __future__ import annotations

import errno
import io
import os
import subprocess
import sys
from pathlib import Path

import click
import pytest

from server.report.output import new_file, output

FULL = Path("/dev/full")


def test_a_dash_is_stdout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(io.BytesIO()))
    with output(Path("-"), tmp_path / "some.db") as file:
        assert file is sys.stdout
    assert [*tmp_path.iterdir()] == []


def test_a_full_disk_leaves_the_old_file(tmp_path: Path) -> None:
    out = tmp_path / "out.txt"
    out.write_text("old")

    def write() -> None:
        with new_file(out, tmp_path / "some.db") as partial:
            partial.write_text("half")
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with pytest.raises(click.ClickException, match=r"out\.txt cannot be written: No space left on device\.$"):
        write()
    assert out.read_text() == "old"
    assert [*tmp_path.iterdir()] == [out]


@pytest.mark.parametrize("path", ["some.db", "link.db"])
def test_the_database_itself(path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    database = tmp_path / "some.db"
    database.touch()
    (tmp_path / "link.db").symlink_to(database)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(click.UsageError, match="is the database itself"), new_file(Path(path), database):
        pass


def test_a_full_disk_behind_stdout() -> None:
    program = (
        "import click\nfrom pathlib import Path\nfrom server.report.output import output\n"
        "try:\n  with output(None, Path('x')) as file: file.write('a' * 100_000)\n"
        "except click.ClickException as error: error.show()"
    )
    with FULL.open("w") as full:
        done = subprocess.run(
            [sys.executable, "-c", program], stdout=full, stderr=subprocess.PIPE, text=True, timeout=60, check=True
        )
    assert done.stderr == "Error: stdout cannot be written: No space left on device.\n"
