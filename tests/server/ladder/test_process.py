"""One process of a ladder: alone with its database, ended in order by a signal, and what it prints last."""

from __future__ import annotations

import signal
import subprocess
import sys
from types import SimpleNamespace
from typing import cast

from server.console.interrupts import Handler, handled
from server.ladder import process
from server.ladder.run import LadderRun
from server.ladder.screen import Lines


def test_what_a_terminal_sends_suspends_it_or_ends_it_in_order() -> None:
    stopped: list[str] = []
    playing = cast(LadderRun, SimpleNamespace(stop=stopped.append, suspend=lambda _: stopped.append("suspended")))
    # Whatever the tests run under.
    heard: dict[int, Handler] = dict.fromkeys((signal.SIGHUP, signal.SIGTSTP), signal.SIG_DFL)
    with handled(heard), process._stopped_by_signals(playing, Lines()):
        signal.raise_signal(signal.SIGTSTP)
        assert signal.getsignal(signal.SIGHUP) not in (signal.SIG_DFL, signal.SIG_IGN)
        signal.raise_signal(signal.SIGHUP)
        signal.raise_signal(signal.SIGHUP)
    assert stopped == ["suspended", "interrupted"]


SUSPENDED = """
import signal
from types import SimpleNamespace
from server.ladder import process, screen

playing = SimpleNamespace(suspend=lambda stand_still: stand_still())
with process._stopped_by_signals(playing, screen.Lines()):
    signal.raise_signal(signal.SIGTSTP)
    assert signal.getsignal(signal.SIGTSTP) is not signal.SIG_DFL
print("goes on")
"""


def test_what_no_shell_could_continue_is_not_suspended() -> None:
    """As the first process of a session, which `ssh HOST COMMAND` and tmux make."""
    command = [sys.executable, "-c", SUSPENDED]
    done = subprocess.run(command, start_new_session=True, capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == "goes on\n"


def test_where_it_is_ignored_nothing_is_suspended() -> None:
    ignored: dict[int, Handler] = {signal.SIGTSTP: signal.SIG_IGN}
    with handled(ignored), process._stopped_by_signals(cast(LadderRun, None), Lines()):
        assert signal.getsignal(signal.SIGTSTP) == signal.SIG_IGN
