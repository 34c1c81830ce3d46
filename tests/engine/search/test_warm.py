"""Warming up: what it reports, and where there is nothing to compile."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from engine.search.warm import BREAKER, FLAT, NESTED, NINE_BOARD, PATTERNS, QUBIC, SOLVER, TREES, WEIGHTED, stages, warm


def test_every_stage_is_reported_once_and_in_order() -> None:
    reports: list[tuple[int, int]] = []
    warm(lambda done, of: reports.append((done, of)))
    count = len(stages())
    assert reports[-1] == (count, count)
    assert reports == [(done, count) for done in range(1, count + 1)][-len(reports) :]


def test_stages_have_names_for_people() -> None:
    assert all(words and words == words.strip() for words in stages())
    assert len(set(stages())) == len(stages())


def test_naming_the_stages_loads_no_kernel() -> None:
    script = "import sys; from engine.search.warm import stages; stages(); print('numba' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == "False\n"


def test_plain_python_is_warm_at_once() -> None:
    script = "from engine.search.warm import warm; warm(lambda done, of: print(done))"
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=60, env=environment, check=True
    )
    assert done.stdout.split() == [str(number) for number in range(1, len(stages()) + 1)]


def test_it_begins_with_what_somebody_waits_for(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []
    monkeypatch.setattr("engine.search.warm.compile_stage", done.append)
    warm(lambda done, of: None, first=(SOLVER, NESTED))
    assert done == [SOLVER, NESTED, FLAT, WEIGHTED, TREES, PATTERNS, BREAKER, NINE_BOARD, QUBIC]
