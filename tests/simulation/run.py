"""One seed run from its beginning to its end, and its story cut down to what makes it fail."""

from __future__ import annotations

import gc
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias

from server.db import migrate
from tests.simulation.broken import Broken
from tests.simulation.story import Step, story
from tests.simulation.world import World


@dataclass(frozen=True)
class Outcome:
    """What came of a seed; `broken` is None where every invariant held."""

    seed: int
    steps: Sequence[Step]
    broken: Broken | None
    digest: str
    """of everything that went over the network"""
    told: list[tuple[int, str]]
    """what happened, with the microseconds since the beginning"""
    callbacks: int
    simulated_s: float
    events: int
    """that were committed in rooms and seen by somebody"""
    restarts: int


Run: TypeAlias = Callable[[int, Sequence[Step] | None], Outcome]


@contextmanager
def simulations() -> Iterator[Run]:
    """What runs a seed, with the steps of its story or others."""
    with tempfile.TemporaryDirectory(prefix="noughts-simulation-", dir=_memory()) as folder:
        database = Path(folder) / "prepared.db"
        for _ in migrate.prepare(database):
            pass
        yield lambda seed, steps: _run(seed, story(seed) if steps is None else steps, database)


def _run(seed: int, steps: Sequence[Step], database: Path) -> Outcome:
    with uncollected(), tempfile.TemporaryDirectory(dir=database.parent) as folder:
        return _outcome(World(seed, Path(folder), database), steps)


@contextmanager
def uncollected() -> Iterator[None]:
    """Cycles are collected at the end alone, so that nothing is cleaned up in the middle of a moment."""
    gc.disable()
    try:
        yield
    finally:
        _throw_away()
        gc.enable()


def _outcome(world: World, steps: Sequence[Step]) -> Outcome:
    broken: Broken | None = None
    try:
        world.run(steps)
    except Broken as found:
        broken = found.with_traceback(None)
    return Outcome(
        world.seed,
        steps,
        broken,
        world.network.digest,
        world.told,
        world.loop.callbacks,
        world.loop.time(),
        len(world.ledger.seen),
        world.restarts,
    )


def _throw_away() -> None:
    """Servers that were killed: what they would still say of files and tasks left open is nobody's concern."""
    hook, sys.unraisablehook = sys.unraisablehook, lambda unraisable: None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            gc.collect()
    finally:
        sys.unraisablehook = hook


def shortened(run: Run, outcome: Outcome) -> Outcome:
    """The shortest story found that breaks the same invariant: by delta debugging (Zeller, Hildebrandt, 2002)."""
    begun = [step for step in outcome.steps if step.at_ms <= outcome.simulated_s * 1000]
    best = replace(outcome, steps=begun)  # the others never came to pass
    parts = 2
    while len(best.steps) >= 2:
        size = max(1, len(best.steps) // parts)
        for start in range(0, len(best.steps), size):
            fewer = [*best.steps[:start], *best.steps[start + size :]]
            again = run(best.seed, fewer)
            if again.broken is not None and outcome.broken is not None and again.broken.name == outcome.broken.name:
                best, parts = again, max(2, parts - 1)
                break
        else:
            if size == 1:
                break
            parts = min(len(best.steps), 2 * parts)
    return best


def _memory() -> str | None:
    """Where files need no disk, if there is such a place."""
    return "/dev/shm" if Path("/dev/shm").is_dir() else None
