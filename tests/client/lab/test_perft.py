"""`noughts perft`: counts of move sequences."""

from __future__ import annotations

import json
import signal
import subprocess
import sys

from click.testing import CliRunner

from client.cli.main import cli as noughts


def test_perft_prints_one_count_a_line() -> None:
    assert CliRunner().invoke(noughts, ["perft", "tictactoe", "4"]).output == "9\n72\n504\n3024\n"


def test_perft_as_json() -> None:
    shown = CliRunner().invoke(noughts, ["perft", "tictactoe", "4", "--json"]).output
    assert json.loads(shown) == {"game": "tictactoe", "counts": [9, 72, 504, 3024]}


def test_perft_shows_each_count_as_it_comes() -> None:
    counting = subprocess.Popen(
        [sys.executable, "-m", "client.cli", "perft", "qubic", "12"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    with counting:
        assert counting.stdout is not None
        assert counting.stderr is not None
        assert [counting.stdout.readline(), counting.stdout.readline()] == [b"64\n", b"4032\n"]
        counting.send_signal(signal.SIGINT)
        assert counting.wait(30) == 130
        assert b"Traceback" not in counting.stderr.read()
