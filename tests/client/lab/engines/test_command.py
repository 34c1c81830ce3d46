"""`noughts engines`: what is in a file, and what is wrong with it."""

from __future__ import annotations

from pathlib import Path

import pytest

from client.cli import main as cli

ONE = '[[engines]]\nname = "mine"\ncommand = "./mine"\ncharacter = "Plays calmly."\ngames = ["qubic"]\n'


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "engines.toml"
    path.write_text(ONE)
    return path


def run(capfd: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    status = cli._status(["engines", *words])
    shown = capfd.readouterr()
    return status, shown.out, shown.err


def test_the_list_tells_name_version_and_character(file: Path, capfd: pytest.CaptureFixture[str]) -> None:
    status, out, err = run(capfd, "list", "--engines", str(file))
    assert (status, err) == (0, "")
    first, second = out.splitlines()
    assert first.startswith("mine  (qubic; json, version ")
    assert second == "    Plays calmly."


def test_check_names_each_engine_that_cannot_run(file: Path, capfd: pytest.CaptureFixture[str]) -> None:
    status, out, err = run(capfd, "check", "--engines", str(file))
    assert (status, out) == (1, "")
    assert err == f"Engine mine: there is no program './mine' in {file.parent}.\n"


def test_a_wrong_file_is_misuse(file: Path, capfd: pytest.CaptureFixture[str]) -> None:
    file.write_text(ONE + ONE)
    status, _, err = run(capfd, "check", "--engines", str(file))
    assert status == 2
    assert "Two engines are called mine: give each its own name." in err
