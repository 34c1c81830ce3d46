"""An experiment: what can be run, and by which function."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from client.lab.experiments.findings import Section
from client.lab.experiments.lab import Lab


@dataclass(frozen=True, slots=True)
class Experiment:
    """What can be run."""

    name: str
    title: str
    source: str
    games: int
    """Of each pairing, unless another number is asked for."""
    run: Callable[[Lab], list[Section]]
