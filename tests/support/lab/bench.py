"""What benches measure, for tests of them."""

from __future__ import annotations

from client.lab.bench.figures import Part
from client.lab.bench.solve import solves
from client.lab.bench.solve.solves import Case


def figures(part: Part) -> dict[str, float]:
    """The median of each, by its name."""
    return {one.name: one.value.median for one in part.figures}


def named(*names: str) -> tuple[Case, ...]:
    """These of the positions that are solved."""
    return tuple(case for case in solves.CASES if case.name in names)
