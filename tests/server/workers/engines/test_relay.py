"""What stands between us and an engine that connects to a port."""

from __future__ import annotations

import subprocess
import sys

import pytest

CONNECTS = "import socket, sys; link = socket.create_connection(('127.0.0.1', int(sys.argv[1]))); "


def relayed(program: str, sent: bytes = b"") -> tuple[int, bytes]:
    """The exit status of a relay with this program, which is given its port, and what came back."""
    code = f"import sys; sys.path[:] = {sys.path!r}; from server.workers.engines.relay import main; "
    code += "main('PORT', 'here', sys.argv[1:])"
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code, sys.executable, "-c", program, "PORT"],
        input=sent,
        capture_output=True,
        timeout=60,
    )
    return done.returncode, done.stdout


def test_lines_go_both_ways_and_what_is_printed_goes_nowhere() -> None:
    program = CONNECTS + "print('a board'); link.sendall(link.recv(100).upper())"
    assert relayed(program, b"hello\n") == (0, b"here\nHELLO\n")


@pytest.mark.parametrize("program", ["raise SystemExit(3)", CONNECTS + "raise SystemExit(3)"])
def test_it_ends_as_its_program_does(program: str) -> None:
    assert relayed(program)[0] == 3


def test_a_program_that_is_killed_is_told_by_its_signal() -> None:
    assert relayed("import os, signal; os.kill(os.getpid(), signal.SIGKILL)")[0] == 128 + 9


def test_one_that_goes_on_without_its_connection_is_ended() -> None:
    # Once its line is closed it stays, so that the end of the line alone is seen; it is killed long before the hour.
    program = CONNECTS + "link.close(); import time; time.sleep(3600)"
    assert relayed(program) == (1, b"here\n")
