"""Whole runs: that they repeat, pass, and find what is wrong; and how a story is shortened."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest

from tests.simulation.broken import Broken
from tests.simulation.run import Outcome, Run, shortened, simulations
from tests.simulation.story import Step, story

FEW = range(3)
FIXED = range(100)


@pytest.fixture(scope="module")
def run() -> Iterator[Run]:
    with simulations() as run:
        yield run


@pytest.mark.parametrize("seed", FEW)
def test_every_invariant_holds(run: Run, seed: int) -> None:
    outcome = run(seed, None)
    assert outcome.broken is None
    assert outcome.events > 50
    assert outcome.restarts > 1


@pytest.mark.slow
@pytest.mark.parametrize("seed", FIXED)
def test_every_invariant_holds_for_a_hundred(run: Run, seed: int) -> None:
    assert run(seed, None).broken is None


def test_a_seed_repeats_bit_for_bit_however_python_hashes(run: Run) -> None:
    program = "from tests.simulation.run import simulations\nwith simulations() as run: print(run(1, None).digest)"
    told = subprocess.run(
        [sys.executable, "-c", program], env={**os.environ, "PYTHONHASHSEED": "7"}, capture_output=True, check=True
    )
    here = run(1, None).digest
    assert told.stdout.decode().strip() == here
    assert run(2, None).digest != here


def test_a_clock_on_the_wall_that_jumps_touches_no_game(run: Run) -> None:
    """Between any two steps, also while the server is down."""
    steps = [one for step in story(3) for one in (step, replace(step, what="wall jumps"))]
    outcome = run(3, steps)
    assert outcome.broken is None
    assert outcome.restarts > 2
    assert outcome.events > 50
    assert sum("jumps by" in sentence for _, sentence in outcome.told) > 200


def test_a_story_is_shortened_to_what_matters() -> None:
    """Where two of many steps break something together."""

    def fails_with_two(seed: int, steps: Sequence[Step] | None) -> Outcome:
        assert steps is not None
        at_ms = [step.at_ms for step in steps]
        broken = Broken("two", "both") if at_ms.count(5) and at_ms.count(70) else None
        return Outcome(seed, steps, broken, "", [], 0, 0.080, 0, 0)

    steps = [Step(at_ms, "ping", 0, 0) for at_ms in range(100)]
    shortest = shortened(fails_with_two, fails_with_two(0, steps))
    assert [step.at_ms for step in shortest.steps] == [5, 70]


def test_stories_differ_by_their_seeds_alone() -> None:
    assert story(3) == story(3) != story(4)
