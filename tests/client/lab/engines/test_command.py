"""`noughts engines`: what is in a file, and what is wrong with it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from client.cli import main as cli
from tests.support.foreign_engines.scripts import SCRIPT, arenas_toml, toml

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


def test_check_has_each_engine_make_a_move(file: Path, capfd: pytest.CaptureFixture[str]) -> None:
    file.write_text(toml("good") + toml("crash", "other", 'games = ["qubic"]'))
    status, out, err = run(capfd, "check", "--engines", str(file))
    assert (status, err) == (0, "")
    walls, bad, other = out.splitlines()
    assert walls.startswith("Engines run ")
    assert re.fullmatch(r"bad: ready after \d+ ms, plays a1 on tictactoe in \d+ ms\.", bad)
    assert re.fullmatch(r"other: ready after \d+ ms, plays a1\.1 on qubic in \d+ ms\.", other)


def test_check_asks_engines_of_each_arena(file: Path, capfd: pytest.CaptureFixture[str]) -> None:
    file.write_text(arenas_toml())
    status, out, err = run(capfd, "check", "--engines", str(file))
    assert (status, err) == (0, "")
    assert [line.split(" ms, ")[1].rsplit(" in ")[0] for line in out.splitlines()[1:]] == [
        "plays e5 on gomoku",
        "plays b2 on tictactoe",
        "plays 1/2 on nine-board",
    ]


def test_check_names_each_engine_that_cannot_play(file: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with file.open("a") as more:
        more.write(toml("missing").replace(str(SCRIPT), "no-such-script"))
    status, _, err = run(capfd, "check", "--engines", str(file))
    assert status == 1
    mine, bad = err.splitlines()
    assert mine == f"mine cannot be started: Engine mine: there is no program './mine' in {file.parent}."
    assert bad.startswith("bad ended with exit status 2: ")


def test_a_wrong_file_is_misuse(file: Path, capfd: pytest.CaptureFixture[str]) -> None:
    file.write_text(ONE + ONE)
    status, _, err = run(capfd, "check", "--engines", str(file))
    assert status == 2
    assert "Two engines are called mine: give each its own name." in err
