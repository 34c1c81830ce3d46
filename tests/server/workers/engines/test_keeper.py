"""The keeper ends as its engine does, hides nothing of it, and outlives nothing that the engine has started.

What becomes of an engine's children when a worker is killed is tested with whole sessions, in `test_leash`.
"""

from __future__ import annotations

import signal
import subprocess
import sys

import psutil
import pytest

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere there is no keeper")

KEPT = "import os, sys; from server.workers.engines.keeper import keep; keep(os.getppid())\n"


def kept(program: str) -> subprocess.Popen[str]:
    return subprocess.Popen([sys.executable, "-c", KEPT + program], stdout=subprocess.PIPE, text=True)


@pytest.mark.parametrize(
    ("program", "status"),
    [
        ("pass", 0),
        ("sys.exit(3)", 3),
        ("import signal; os.kill(os.getpid(), signal.SIGKILL)", -signal.SIGKILL),
        ("import signal; os.kill(os.getpid(), signal.SIGXCPU)", -signal.SIGXCPU),
        ("import signal; os.kill(os.getpid(), signal.SIGTERM)", -signal.SIGTERM),
        ("os.abort()", -signal.SIGABRT),
    ],
)
def test_it_ends_as_the_engine_does(program: str, status: int) -> None:
    with kept(program) as keeper:
        assert keeper.wait(60) == status


def test_others_that_end_before_do_not_count() -> None:
    orphan = "if os.fork() == 0:\n    os._exit(0 if os.fork() else 9)\n"
    with kept(orphan + "os.wait(); print('on', flush=True); sys.exit(4)") as keeper:
        assert keeper.communicate(timeout=60)[0] == "on\n"
        assert keeper.returncode == 4


def test_an_end_of_the_output_is_heard_while_the_engine_runs() -> None:
    with kept("import signal; os.close(1); signal.pause()") as keeper:
        assert keeper.stdout is not None
        assert keeper.stdout.read() == ""
        [engine] = psutil.Process(keeper.pid).children()
        keeper.terminate()
        assert keeper.wait(60) == -signal.SIGKILL
    assert not engine.is_running()


def test_the_table_of_processes_is_not_read_for_each_that_the_engine_left(capfd: pytest.CaptureFixture[str]) -> None:
    counted = "from server.workers.engines import keeper; read = keeper._children\n"
    counted += "keeper._children = lambda: print('read', flush=True) or read()\n"
    counted += "keeper._let_go_of_pipes = lambda: None\n"
    many = "for _ in range(20):\n    os.fork() or os.execvp('sleep', ['sleep', '600'])\n"
    command = KEPT.replace("keep(os", f"\n{counted}keep(os") + many
    assert subprocess.run([sys.executable, "-c", command], timeout=60).returncode == 0
    assert capfd.readouterr().out.splitlines() == ["read", "read"]
