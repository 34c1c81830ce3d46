"""Kernels without the compiler, without a cache, and under another cache folder."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from engine.bots.player import Limit, decide
from engine.bots.roster import bot
from engine.rules.registry import rules

GAMES = ("tictactoe", "mnk:9,9,5", "qubic", "nine-board", "super")

SCRIPT = """
import sys
from engine.bots.player import Limit, decide
from engine.bots.roster import bot
from engine.rules.registry import rules
for game in sys.argv[1:]:
    print(decide(bot("alphabeta:3"), rules(game).initial, Limit(nodes=2000), seed=4))
"""


def decisions(*games: str, **variables: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-W", "always", "-c", SCRIPT, *games]
    env = {**os.environ, **variables}
    return subprocess.run(command, env=env, capture_output=True, text=True, timeout=110)


def test_plain_python_decides_the_same() -> None:
    done = decisions(*GAMES, NUMBA_DISABLE_JIT="1")
    assert done.stderr == ""
    here = [decide(bot("alphabeta:3"), rules(game).initial, Limit(nodes=2000), seed=4) for game in GAMES]
    assert done.stdout.splitlines() == [repr(decision) for decision in here]


@pytest.mark.parametrize("place", ["file", "below a file"])
def test_a_cache_that_cannot_be_written_is_said_once_and_done_without(tmp_path: Path, place: str) -> None:
    taken = tmp_path / "taken"
    taken.write_text("")
    folder = taken if place == "file" else taken / "cache"
    done = decisions("tictactoe", NUMBA_CACHE_DIR=str(folder), NUMBA_DISABLE_JIT="1")
    assert done.stderr.count("Compiled searches cannot be kept in") == 1
    assert "NUMBA_CACHE_DIR" in done.stderr
    assert done.stdout.startswith("Decision(move=")
    assert taken.read_text() == ""


def test_the_cache_lies_in_a_folder_named_after_the_sources(tmp_path: Path) -> None:
    done = decisions("tictactoe", NUMBA_CACHE_DIR=str(tmp_path), NUMBA_DISABLE_JIT="1")
    assert done.stderr == ""
    (folder,) = tmp_path.iterdir()
    assert folder.name.startswith("kernels-")
    assert len(folder.name) == len("kernels-") + 16


KERNEL = """
import resource, signal, sys
if len(sys.argv) > 1:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), int(sys.argv[1])))
from engine.kernels.jit import jit

@jit
def double(number):
    return 2 * number

print(double(21))
"""


def doubled(script: Path, cache: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "NUMBA_CACHE_DIR": str(cache), "PYTHONPATH": str(Path(__file__).parents[3])}
    command = [sys.executable, "-W", "always", str(script), *arguments]
    return subprocess.run(command, env=env, capture_output=True, text=True, timeout=60)


@pytest.mark.parametrize(
    ("suffix", "left"),
    [(".nbi", 20), *(pytest.param(*each, marks=pytest.mark.slow) for each in ((".nbi", 0), (".nbc", 0), (".nbc", 20)))],
)
def test_a_damaged_cache_is_compiled_anew(tmp_path: Path, suffix: str, left: int) -> None:
    script = tmp_path / "kernel.py"
    script.write_text(KERNEL)
    assert doubled(script, tmp_path / "cache").stdout == "42\n"
    (file,) = (tmp_path / "cache").rglob(f"*{suffix}")
    whole = file.read_bytes()
    file.write_bytes(whole[:left])
    again = doubled(script, tmp_path / "cache")
    assert (again.stdout, again.stderr) == ("42\n", "")
    assert [path.stat().st_size for path in (tmp_path / "cache").rglob(f"*{suffix}")] == [len(whole)]


READ_ONLY = """
import errno, os, sys, tempfile
cache, anywhere = os.environ["NUMBA_CACHE_DIR"], tempfile.TemporaryFile

def elsewhere(*arguments, **named):
    if str(named.get("dir")).startswith(cache):
        raise OSError(errno.EROFS, "Read-only file system")
    return anywhere(*arguments, **named)

if sys.argv[1:]:
    tempfile.TemporaryFile = elsewhere
    sys.argv.pop()
"""


def test_a_cache_that_can_only_be_read_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "tmp").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "tmp"))
    script = tmp_path / "kernel.py"
    script.write_text(READ_ONLY + KERNEL + "print(sum(double.stats.cache_hits.values()))")
    assert doubled(script, tmp_path / "cache").stdout == "42\n0\n"
    again = doubled(script, tmp_path / "cache", "read only")
    assert (again.stdout, again.stderr) == ("42\n1\n", "")
    assert list((tmp_path / "tmp").iterdir()) == []


@pytest.mark.slow
def test_a_full_disk_keeps_nothing_and_stops_nothing(tmp_path: Path) -> None:
    script = tmp_path / "kernel.py"
    script.write_text(KERNEL)
    done = doubled(script, tmp_path / "cache", "200")
    assert done.stdout == "42\n"
    assert done.stderr.count("Compiled searches cannot be kept") == 1
    assert doubled(script, tmp_path / "cache").stdout == "42\n"


def test_an_empty_name_is_no_cache_folder(tmp_path: Path) -> None:
    env = {**os.environ, "NUMBA_CACHE_DIR": "", "XDG_CACHE_HOME": str(tmp_path / "home"), "NUMBA_DISABLE_JIT": "1"}
    env["PYTHONPATH"] = str(Path(__file__).parents[3])
    subprocess.run([sys.executable, "-c", "import engine.kernels.jit"], cwd=tmp_path, env=env, check=True, timeout=60)
    assert [path.name for path in tmp_path.iterdir()] == ["home"]


INSPECTED = """
from typing import Any, NamedTuple
import numpy as np
from engine.kernels.jit import inlined, jit

class Pair(NamedTuple):
    left: Any
    right: Any

@inlined
def both(pair, place):
    return pair.left[place] + pair.right[place]

@jit
def total(pair):
    found = 0
    for place in range(pair.left.shape[0]):
        found += both(pair, place)
    return found

assert total(Pair(np.arange(4), np.arange(4))) == 12
print(*total.inspect_llvm().values(), *both.inspect_llvm().values())
"""


def test_numba_does_what_the_options_ask_for(tmp_path: Path) -> None:
    """They are not all public: an upgrade may drop them, or take them and do nothing."""
    script = tmp_path / "inspected.py"
    script.write_text(INSPECTED)
    done = doubled(script, tmp_path / "cache")
    assert done.stderr == ""
    defined = [line for line in done.stdout.splitlines() if line.startswith("define ")]
    assert len([line for line in defined if "cpython" in line]) == 1, "no_cpython_wrapper: only `total` needs one"
    assert "cfunc." not in done.stdout, "no_cfunc_wrapper: nobody calls from C"
    assert "NRT_" not in done.stdout, "_nrt: references are counted"
    assert "alwaysinline" in done.stdout, "forceinline: LLVM decides"


CALLED_WITH_A_LITERAL = """
from engine.kernels.jit import inlined, jit

@inlined
def twice(number, negated):
    return -2 * number if negated else 2 * number

@jit
def thrice(number):
    return 3 * number

@jit
def several(number):
    return twice(3, True) + twice(number, negated=number > 4) + thrice(3) + thrice(number)

print(several(4), len(twice.signatures), len(thrice.signatures))
"""


def test_a_literal_argument_compiles_no_second_copy(tmp_path: Path) -> None:
    script = tmp_path / "literal.py"
    script.write_text(CALLED_WITH_A_LITERAL)
    done = doubled(script, tmp_path / "cache")
    assert (done.stdout, done.stderr) == ("23 1 1\n", "")


def test_the_cache_keeps_an_inlined_function_within_its_callers_only(tmp_path: Path) -> None:
    script = tmp_path / "literal.py"
    script.write_text(CALLED_WITH_A_LITERAL)
    doubled(script, tmp_path / "cache")
    kept = {path.name.split("-")[0] for path in (tmp_path / "cache").rglob("*.nbi")}
    assert kept == {"literal.several", "literal.thrice"}
    assert doubled(script, tmp_path / "cache").stdout == "23 0 0\n"
