"""Tests of real processes and pages that fail are tried once more: what that hides, and what begins anew."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow  # each runs pytest in processes of its own

ROOT = Path(__file__).parents[2]
TESTS = """
import pytest

servers = []

@pytest.fixture(scope="session")
def server():
    servers.append("new")
    yield servers
    servers.append("stopped")

tries = []

def tried(name):
    tries.append(name)
    return tries.count(name)

def test_before(server):
    assert servers == ["new"]

@pytest.mark.timeout(1)
def test_at_last(server):
    if tried("at last") == 1:
        raise ValueError("what went wrong at first")
    assert servers == ["new", "stopped", "new"]

def test_in_vain(server):
    assert tried("in vain") == 3, "wrong every time"

def test_after(server):
    assert tried("after") == 1
    assert servers == ["new", "stopped", "new", "stopped", "new", "stopped", "new"]

@pytest.fixture
def thorough():
    yield
    assert tried("torn down") == 2, "found when it was torn down"

def test_torn_down(thorough):
    pass

@pytest.fixture
def fragile():
    assert tried("set up") == 2, "found when it was set up"

def test_set_up(fragile):
    pass

@pytest.mark.timeout(0.5)
def test_hung():
    tried("hung")
    while True:
        pass
"""


FRAGILE = """
import pytest
import socket

tried = set()

@pytest.mark.parametrize("number", range(FRAGILE))
def test_fragile(number):
    first = number not in tried
    tried.add(number)
    left_open = socket.socket()
    assert not first
    left_open.close()
"""


def run(root: Path, there: str, here: str, processes: int = 1) -> subprocess.CompletedProcess[str]:
    """pytest over tests inside the folder and outside of it, in a process of xdist as `make test-wire` has it."""
    (root / "pytest.ini").write_text("[pytest]\nfilterwarnings = error\n")
    for folder in ("wire", "server"):
        (root / "tests" / folder).mkdir(parents=True)
    (root / "tests" / "wire" / "test_there.py").write_text(there)
    (root / "tests" / "server" / "test_here.py").write_text(here)
    command = [sys.executable, "-m", "pytest", "-p", "tests.support.second_try", "-p", "no:asyncio"]
    command += ["-n", str(processes), "tests"]
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(command, cwd=root, env=env, capture_output=True, text=True, timeout=100, check=False)


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> str:
    done = run(tmp_path_factory.mktemp("project"), TESTS, "def test_outside():\n    assert False, 'at once'\n")
    assert done.returncode == 1, done.stdout + done.stderr
    return done.stdout


def test_what_passes_at_last_has_passed_and_is_told(told: str) -> None:
    assert "3 failed, 5 passed, 5 second try" in told
    tried = told[told.index("= failed and tried once more") :]
    for name, message in (
        ("test_at_last (call)", "ValueError: what went wrong at first"),
        ("test_in_vain (call)", "AssertionError: wrong every time"),
        ("test_torn_down (teardown)", "AssertionError: found when it was torn down"),
        ("test_set_up (setup)", "AssertionError: found when it was set up"),
        ("test_hung (call)", "Timeout (>0.5s)"),
    ):
        assert tried.index(f"tests/wire/test_there.py::{name}") < tried.index(message)


@pytest.mark.parametrize(("fragile", "processes", "status"), [(3, 1, 0), (3, 0, 0), (4, 1, 1)])
def test_more_than_three_second_tries_fail_the_run(tmp_path: Path, fragile: int, processes: int, status: int) -> None:
    done = run(tmp_path, FRAGILE.replace("FRAGILE", str(fragile)), "def test_outside():\n    pass\n", processes)
    assert f"{fragile + 1} passed, {fragile} second try" in done.stdout
    assert done.returncode == status, done.stdout + done.stderr
    assert ("More than 3 tests needed a second try" in done.stdout) == bool(status)


def test_what_fails_twice_or_elsewhere_fails(told: str) -> None:
    failed = {line.split()[1] for line in told.splitlines() if line.startswith("FAILED")}
    there = "tests/wire/test_there.py::"
    assert failed == {f"{there}test_in_vain", f"{there}test_hung", "tests/server/test_here.py::test_outside"}
