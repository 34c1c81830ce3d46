"""`--cluster`, wherever many games or searches are."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from client.cli import main as cli
from tests.support import optional

optional.module("distributed")

SENTENCE = "noughts: 'http://there' names no cluster: write tcp://HOST:PORT, tls://HOST:PORT or local:N."
LADDER = 'name = "night"\n[[lists]]\ngame = "tictactoe"\nbots = ["random", "level:1"]\n'


@pytest.mark.parametrize(
    "command",
    [
        "match random random --game tictactoe --games 2",
        "simulate random random --games 2",
        "experiment run osipa --games 2 --no-plots --out FOLDER/out",
        "bench levels --game tictactoe --games 2",
        "ladder run FOLDER/night.toml --db FOLDER/ladder.db",
    ],
)
def test_an_address_that_names_no_cluster_is_refused_by_every_command_that_uses_one(
    command: str, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("client.lab.match.command.PATIENCE_S", 0)
    (tmp_path / "night.toml").write_text(LADDER)
    words = command.replace("FOLDER", str(tmp_path)).split()
    assert cli._status([*words, "--cluster", "http://there"]) == 2
    shown = capfd.readouterr()
    assert shown.err.splitlines()[-1] == SENTENCE
    assert "No game has finished yet" not in shown.err
    assert shown.out == ""


def test_a_server_refuses_it_before_anything_is_made(tmp_path: Path) -> None:
    """In a process of its own, since a server sets up the process in which it runs."""
    database = tmp_path / "served.db"
    words = ["serve", "--port", "0", "--db", str(database), "--cluster", "http://there"]
    done = subprocess.run([sys.executable, "-m", "client.cli", *words], capture_output=True, text=True, timeout=60)
    assert done.returncode == 2
    assert done.stderr == f"{SENTENCE} (noughts serve --help)\n"
    assert not database.exists()
