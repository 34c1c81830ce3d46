"""An engine's process: what it may use and say, and that nothing of it outlives whoever started it."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from engine.bots.fault import BotFault
from engine.bots.player import NO_LIMIT, NO_WATCH
from engine.rules.registry import rules
from server.workers.engines import leash
from server.workers.engines.dialogue import Question
from server.workers.engines.engine import Engine
from server.workers.engines.files import CannotRun
from server.workers.engines.leash import LINE_BYTES, TURN_BYTES, LeashedProcess
from server.workers.engines.session import Session
from tests.support.foreign_engines.ended import assert_gone
from tests.support.foreign_engines.scripts import engine

FIRST = Question(rules("tictactoe").initial, (), NO_LIMIT, 60_000)

# What an engine has started is ended by its keeper, which needs prctl; elsewhere its group and its stdin end it, as the
# tests without this mark show. Linux alone bounds memory by RLIMIT_DATA, and looks processes up without a race.
ON_LINUX = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere there is no keeper, and no /proc")


def of_shell(script: str) -> Engine:
    return Engine("mine", "/bin/sh", "/", "json", ("-c", script))


def leashed(script: str) -> AbstractContextManager[LeashedProcess]:
    return running(of_shell(script))


@contextmanager
def running(what: Engine) -> Iterator[LeashedProcess]:
    process = LeashedProcess(what)
    try:
        yield process
    finally:
        process.end()


# What it says


def test_lines_come_without_their_ends_and_half_of_one_is_none() -> None:
    with leashed(r"printf 'one \r\n\ntwo\r three\nhalf'; read nothing") as process:
        assert [process.line(60) for _ in range(3)] == [b"one ", b"", b"two\r three"]
        while not process.half_line():
            assert process.line(0.02) is None
        assert process.half_line() == "half"
        process.say("")  # now it ends
        with pytest.raises(BotFault, match=r"^ended with exit status 0$"):
            process.line(60)


@pytest.mark.parametrize("end", ["; echo", ""])
def test_a_line_has_a_bound(end: str) -> None:
    longest = f"head -c {LINE_BYTES} /dev/zero | tr '\\0' x"
    with leashed(f"{longest}; echo; {longest}; printf x{end}; read nothing") as process:
        assert process.line(60) == b"x" * LINE_BYTES
        with pytest.raises(BotFault, match=r"^was ended, since it wrote a line of more than 64 KB$") as fault:
            process.line(60)
    assert fault.value.termination == "crash"


def test_all_that_it_writes_in_a_turn_has_a_bound() -> None:
    with leashed(f"yes {'x' * 999}") as process:
        for _ in range(3 * TURN_BYTES // 1000):
            process.begin_turn()
            assert process.line(60) == b"x" * 999
        heard: list[bytes] = []
        with pytest.raises(BotFault, match=r"^was ended, since it wrote more than 1024 KB before its move$") as fault:
            keep_listening(process, heard)
    assert fault.value.termination == "crash"
    assert TURN_BYTES - 1000 < 1000 * len(heard) < TURN_BYTES + 3 * LINE_BYTES


def keep_listening(process: LeashedProcess, heard: list[bytes]) -> None:
    while (line := process.line(60)) is not None:
        heard.append(line)


def test_what_is_said_to_it_goes_out_whole_while_its_lines_are_waited_for() -> None:
    said = ["a" * 300_000, "b" * 300_000]
    with leashed("head -c 600002 | tr -d '\\n' | md5sum") as process:
        for line in said:
            process.say(line)
        assert process.line(60) == f"{hashlib.md5(''.join(said).encode()).hexdigest()}  -".encode()


# How it ends


@pytest.mark.parametrize(
    ("script", "ending"),
    [
        ("exit 3", "ended with exit status 3"),
        ("echo first >&2; printf 'what is wrong' >&2; exit 1", "ended with exit status 1: what is wrong"),
        ("head -c 100000 /dev/zero | tr '\\0' x >&2; echo last >&2; exit 1", "ended with exit status 1: xxxxx"),
        ("echo why >&2; kill -SEGV $$", "was ended by signal 11: why"),
        ("kill -XCPU $$", "used up its 3600 s of processor time"),
    ],
)
def test_how_it_came_to_its_end_is_said_with_its_last_words(script: str, ending: str) -> None:
    with leashed(script) as process:
        with pytest.raises(BotFault) as fault:
            process.line(60)
        assert (fault.value.termination, str(fault.value)[: len(ending)]) == ("crash", ending)
        assert len(str(fault.value)) < 200
        process.say("which nobody reads")


def test_one_that_closes_its_output_and_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leash, "_STATUS_S", 0.0)
    with leashed("exec >&-; read nothing") as process, pytest.raises(BotFault, match=r"^closed its output$"):
        process.line(60)
    assert_gone(process.pid)


def test_what_was_not_started_leaves_no_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def refuse(*arguments: object, **options: object) -> None:
        raise BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable")

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(subprocess, "Popen", refuse)
    with pytest.raises(BlockingIOError):
        LeashedProcess(of_shell("exit"))
    with pytest.raises(CannotRun):
        LeashedProcess(Engine("mine", "./mine", str(tmp_path), "json"))
    assert not [*tmp_path.iterdir()]


def test_what_an_engine_wrote_last_is_harmless_to_show() -> None:
    assert leash._last_line("first\n\x1b[2Jfünf \u202e\u2066🎲\n\n".encode()) == "?[2Jfünf ??🎲"


def test_a_flood_on_stderr_does_not_make_a_line_come_later(monkeypatch: pytest.MonkeyPatch) -> None:
    process = LeashedProcess(engine())
    monkeypatch.setattr(process, "_wait", lambda timeout_s: True)
    assert process.line(0) is None
    process.end()


@ON_LINUX
def test_its_limits_are_those_of_the_engine() -> None:
    told = "ulimit -d; ulimit -t; ulimit -f"
    with running(replace(of_shell(told), memory_mb=512, cpu_s=7, file_mb=0)) as process:
        assert [process.line(60) for _ in range(3)] == [b"%d" % (512 << 10), b"7", b"0"]


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
    assert not list(Path(tempfile.gettempdir()).glob(f"noughts-engine-{os.getpid()}-*"))


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


def test_it_ends_with_whoever_started_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # A folder of its own: another process of the tests may sweep that of all at any time.
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    owner, [pid], [descriptor] = killed_owner("sleepy")
    assert_gone(pid, descriptor)
    left = list(tmp_path.glob(f"noughts-engine-{owner}-*"))
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
