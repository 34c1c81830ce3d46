"""Many seeds, several at a time; what has passed is added up in a file."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from typing import TypeAlias

import click

from tests.simulation.run import Outcome, shortened, simulations

TOLD_EVERY_S = 5.0

_Running: TypeAlias = "Future[tuple[int, str | None]]"


def run_seeds(seeds: Sequence[int], processes: int, resume: Path | None, *, story: bool = True) -> int:
    """The exit status: 1 where a seed fails, of which the shortest story is told."""
    try:
        passed = Passed(resume)
        left = [seed for seed in seeds if seed not in passed]
        failed = _first_failure(left, len(seeds), processes, passed)
    except ValueError as error:
        raise click.UsageError(f"{resume} cannot be resumed: {error}.") from None
    except KeyboardInterrupt:
        click.echo("Stopped; what has passed is in the file of --resume, where one was named.", err=True)
        return 130
    click.echo(f"Of version {passed.version} {len(passed)} seeds have passed.")
    if failed is None:
        return 0
    if not story:
        return 1
    click.echo(f"Seed {failed} fails; its story is being shortened ...")
    with simulations() as run:
        tell(shortened(run, run(failed, None)))
    return 1


def tell(outcome: Outcome) -> None:
    """What happened, in words."""
    click.echo(f"Seed {outcome.seed} breaks an invariant; {len(outcome.steps)} steps are enough:")
    for at_us, sentence in outcome.told:
        click.echo(f"  {at_us / 1_000_000:10.3f} s  {sentence}")
    click.echo(f"  {outcome.simulated_s:10.3f} s  {outcome.broken}")


def _first_failure(seeds: Sequence[int], of: int, processes: int, passed: Passed) -> int | None:
    begun_s = told_s = time.monotonic()
    failed: int | None = None
    try:
        for seed, broken in _run_all(seeds, processes):
            if broken is not None:
                click.echo(f"Seed {seed}: {broken}")
                failed = seed
                break
            passed.add(seed)
            if time.monotonic() - told_s > TOLD_EVERY_S:
                told_s = time.monotonic()
                passed.save()
                click.echo(f"{len(passed)} of {of} seeds have passed after {told_s - begun_s:.0f} s", err=True)
    finally:
        passed.save()
    return failed


def _run_all(seeds: Sequence[int], processes: int) -> Iterator[tuple[int, str | None]]:
    """Each with what is broken, in order."""
    with ProcessPoolExecutor(processes, mp_context=get_context("fork")) as pool:
        to_run = iter(seeds)
        running: list[Future[tuple[int, str | None]]] = [
            pool.submit(_one, seed) for seed in islice(to_run, 2 * processes)
        ]
        try:
            while running:
                yield running.pop(0).result()
                running += [pool.submit(_one, seed) for seed in islice(to_run, 1)]
        finally:
            for waiting in running:
                waiting.cancel()


def _one(seed: int) -> tuple[int, str | None]:
    with simulations() as run:
        broken = run(seed, None).broken
        return seed, None if broken is None else str(broken)


class Passed:
    """The seeds of this version that have passed, in `path` together with those of other versions.

    Raises ValueError for a file that is none of these.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self.version = _version()
        self._versions: dict[str, list[int]] = {}
        if path is not None and path.exists():
            self._versions = json.loads(path.read_text())
            if not isinstance(self._versions, dict):
                raise ValueError("it is not a file of seeds that have passed")
        self._seeds = set(self._versions.get(self.version, []))

    def __len__(self) -> int:
        return len(self._seeds)

    def __contains__(self, seed: int) -> bool:
        return seed in self._seeds

    def add(self, seed: int) -> None:
        self._seeds.add(seed)

    def save(self) -> None:
        """Whole or not at all, so that a run that is killed has kept what it last told."""
        if self._path is not None:
            self._versions[self.version] = sorted(self._seeds)
            fresh = self._path.with_name(f"{self._path.name}.new")
            fresh.write_text(json.dumps(self._versions))
            fresh.replace(self._path)


def _version() -> str:
    asked = ["git", "describe", "--always", "--dirty", "--exclude=*"]
    told = subprocess.run(asked, capture_output=True, text=True, check=False, cwd=Path(__file__).parent)
    return told.stdout.strip() or "unknown"
