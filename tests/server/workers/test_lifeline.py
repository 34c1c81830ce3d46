"""Children end with whoever started them, whatever ended that."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import psutil
import pytest

PARENT = """
import os, subprocess, sys
environment = {**os.environ, "NOUGHTS_PARENT_PID": str(os.getpid())}
child = subprocess.Popen([sys.executable, "-c", sys.argv[1]], env=environment, stdout=subprocess.PIPE)
print(child.pid, child.stdout.readline().decode().strip(), flush=True)
import signal; signal.pause()
"""
CHILD = """
import sys
from server.workers import lifeline
{before}
lifeline.die_with_server()
print("NOUGHTS_PARENT_PID" in __import__("os").environ, flush=True)
import signal; signal.pause()
"""
ELSEWHERE = "lifeline._LOOK_S = 0.01; sys.platform = 'darwin'"


@pytest.mark.parametrize("before", ["", ELSEWHERE])
def test_a_program_ends_with_a_killed_server(before: str) -> None:
    command = [sys.executable, "-c", PARENT, CHILD.format(before=before)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        pid, inherits = parent.stdout.readline().split()
        child = psutil.Process(int(pid))
        assert inherits == "False", "its own children are not the server's"
        parent.kill()
    assert child not in psutil.wait_procs([child], timeout=60)[1]


def test_a_program_that_a_person_starts_goes_on() -> None:
    program = "from server.workers.lifeline import die_with_server; die_with_server(); print('on')"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "on\n"


# The kernel's own way exists on Linux alone; the thread that stands in for it elsewhere is tested everywhere.
@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a thread of the child has to run")
def test_on_linux_a_stopped_child_is_killed_too() -> None:
    command = [sys.executable, "-c", PARENT, CHILD.format(before="")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        child = psutil.Process(int(parent.stdout.readline().split()[0]))
        os.kill(child.pid, signal.SIGSTOP)
        parent.kill()
    assert child not in psutil.wait_procs([child], timeout=60)[1]


def test_who_comes_too_late_ends_at_once() -> None:
    program = "from server.workers.lifeline import die_with_server; die_with_server(); print('on')"
    environment = {**os.environ, "NOUGHTS_PARENT_PID": "1"}
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, env=environment)
    assert (done.returncode, done.stdout) == (1, "")
