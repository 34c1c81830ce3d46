"""An engine's process: what it may use and say, and that nothing of it outlives whoever started it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from engine.bots.fault import BotFault
from engine.bots.player import NO_LIMIT, NO_WATCH
from engine.rules.registry import rules
from server.workers.engines import leash
from server.workers.engines.dialogue import Question
from server.workers.engines.engine import Engine
from server.workers.engines.leash import LeashedProcess
from server.workers.engines.session import Session
from tests.support.foreign_engines.ended import assert_gone
from tests.support.foreign_engines.scripts import engine

FIRST = Question(rules("tictactoe").initial, (), NO_LIMIT, 60_000)


def test_what_an_engine_wrote_last_is_harmless_to_show() -> None:
    assert leash._last_line("first\n\x1b[2Jfünf \u202e\u2066🎲\n\n".encode()) == "?[2Jfünf ??🎲"


def test_a_flood_on_stderr_does_not_make_a_line_come_later(monkeypatch: pytest.MonkeyPatch) -> None:
    process = LeashedProcess(engine())
    monkeypatch.setattr(process, "_wait", lambda timeout_s: True)
    assert process.line(0) is None
    process.end()


def test_the_environment_the_folder_and_the_descriptors_are_its_own(tmp_path: Path) -> None:
    spy = tmp_path / "spy.py"
    spy.write_text(
        "import json, os, sys\n"
        "for line in sys.stdin:\n"
        "    told = json.loads(line)\n"
        "    names = sorted(os.environ)\n"
        "    own = os.environ['HOME'] == os.environ['TMPDIR'] != os.getcwd()\n"
        "    open(told['options']['out'], 'w').write(json.dumps("
        "[names, own, os.getcwd(), sorted(os.listdir('/proc/self/fd'))[:-1], os.getpgid(0) == os.getsid(0)]))\n"
        "    print(json.dumps({'move': told['legal'][0]}), flush=True)\n"
    )
    out = tmp_path / "out"
    held = os.open(os.devnull, os.O_RDONLY)
    os.set_inheritable(held, True)
    one = Session(Engine("spy", sys.executable, str(tmp_path), "json", ("spy.py",), options=(("out", str(out)),)))
    one.decide(FIRST, NO_WATCH)
    one.end()
    os.close(held)
    names, own, folder, descriptors, leads = json.loads(out.read_text())
    assert set(names) <= {"HOME", "LANG", "LC_CTYPE", "NUMBA_CACHE_DIR", "PATH", "TMPDIR"}
    assert "NUMBA_CACHE_DIR" in names, "a brain of ours would compile its search at each start"
    assert own
    assert folder == str(tmp_path)
    assert set(descriptors) <= {"0", "1", "2", "3"}
    assert leads
    assert not list(Path(leash.tempfile.gettempdir()).glob(f"noughts-engine-{os.getpid()}-*"))


ON_LINUX = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere there is no keeper, and no /proc")


STARTED = ["with-child", pytest.param("with-runaway", marks=ON_LINUX)]
"""Engines that start another process, and say which."""


@pytest.mark.parametrize("mode", STARTED)
def test_it_ends_with_what_it_has_started(mode: str) -> None:
    one = Session(engine(mode, "0"))
    child = one.decide(FIRST, NO_WATCH).nodes
    descriptor = os.pidfd_open(child)
    one.end()
    assert_gone(child, descriptor)


OWNER = """
import sys
from engine.bots.player import NO_LIMIT, NO_WATCH
from engine.rules.registry import rules
from server.workers.engines.dialogue import Question
from server.workers.engines.session import Session
from tests.support.foreign_engines.scripts import engine

one = Session(engine(sys.argv[1], "0"))
one.prepare(rules("tictactoe"), NO_WATCH)
started = one.decide(Question(rules("tictactoe").initial, (), NO_LIMIT, 60_000), NO_WATCH).nodes if sys.argv[2:] else 0
print(one.pid, started, flush=True)
sys.stdin.read()
"""


def killed_owner(*arguments: str) -> tuple[int, list[int], list[int]]:
    """Its id, those that it printed of others before it was killed by -9, and a descriptor of each."""
    with subprocess.Popen(
        [sys.executable, "-c", OWNER, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": "."},
    ) as owner:
        assert owner.stdout is not None
        others = [int(word) for word in owner.stdout.readline().split() if word != b"0"]
        descriptors = [os.pidfd_open(pid) for pid in others]
        owner.kill()
    return owner.pid, others, descriptors


def test_it_ends_with_whoever_started_it() -> None:
    owner, [pid], [descriptor] = killed_owner("sleepy")
    assert_gone(pid, descriptor)
    left = list(Path(leash.tempfile.gettempdir()).glob(f"noughts-engine-{owner}-*"))
    assert len(left) == 1
    leash._sweep.cache_clear()
    leash._sweep()
    assert not left[0].exists()


@ON_LINUX
@pytest.mark.parametrize("mode", ["with-child", "with-runaway"])
def test_what_it_has_started_ends_with_whoever_started_it(mode: str) -> None:
    _, others, descriptors = killed_owner(mode, "asked")
    assert len(others) == 2
    for pid, descriptor in zip(others, descriptors, strict=True):
        assert_gone(pid, descriptor)


@ON_LINUX
def test_what_it_has_started_ends_with_it() -> None:
    one = Session(engine("with-runaway", "0"))
    started = one.decide(FIRST, NO_WATCH).nodes
    descriptor = os.pidfd_open(started)
    for child in psutil.Process(one.pid).children():
        if child.pid != started:
            with suppress(psutil.NoSuchProcess):  # one may end with another
                child.kill()
    assert_gone(started, descriptor)
    with pytest.raises(BotFault, match="was ended by signal 9"):
        one.decide(FIRST, NO_WATCH)
