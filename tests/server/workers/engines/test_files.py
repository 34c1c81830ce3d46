"""Files of engines on a disk, and the programs that they name."""

from __future__ import annotations

from pathlib import Path

import pytest

from server.typed_toml import TomlError
from server.workers.engines.files import CannotRun, folder, program, read, read_roster

ONE = '[[engines]]\nname = "mine"\ncommand = "./mine"\n'


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file of one engine, whose program is there."""
    (tmp_path / "mine").write_text("#!/bin/sh\n")
    (tmp_path / "mine").chmod(0o755)
    path = tmp_path / "engines.toml"
    path.write_text(ONE)
    return path


def test_a_program_is_found_beside_the_file_or_on_the_path(file: Path) -> None:
    [engine] = read(file)
    assert program(engine) == str(file.parent / "mine")
    assert folder(engine) == str(file.parent)
    file.write_text(ONE.replace("./mine", "sh"))
    assert program(read(file)[0]).endswith("/sh")
    assert read_roster(file).bot("mine").name == "mine"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (ONE.replace("./mine", "no-such-program"), "Engine mine: there is no program 'no-such-program' on the PATH"),
        (ONE.replace("./mine", "./yours"), "Engine mine: there is no program './yours' in "),
        (ONE.replace("./mine", "./target/release/my-engine"), "there is no program './target/release/my-engine' in "),
        (ONE.replace("./mine", "./engines.toml"), "'./engines.toml' is not executable; make it so with chmod"),
        (ONE + 'folder = "away"', "Engine mine: there is no folder 'away' in "),
    ],
)
def test_a_program_that_cannot_run(file: Path, text: str, sentence: str) -> None:
    file.write_text(text)
    [engine] = read(file)
    with pytest.raises(CannotRun, match=sentence):
        (program(engine), folder(engine))
    with pytest.raises(TomlError, match=sentence):
        read_roster(file)


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        read(tmp_path / "none.toml")
    path = tmp_path / "engines.toml"
    path.write_text(ONE + ONE)
    with pytest.raises(TomlError, match="Two engines are called mine"):
        read(path)
