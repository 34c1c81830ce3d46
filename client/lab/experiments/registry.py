"""The experiments: what can be run. Their modules load when they run, since they need the compiled searches."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from client.lab.experiments.findings import Section
    from client.lab.experiments.lab import Lab


@dataclass(frozen=True, slots=True)
class Experiment:
    """What can be run."""

    name: str
    title: str
    source: str
    games: int
    """Games of each pairing, unless another number is asked for."""
    run: Callable[[Lab], list[Section]]
    about_s: int = 0
    """How long these games take, one at a time on two cores."""


def _of(author: str) -> Callable[[Lab], list[Section]]:
    def run(lab: Lab) -> list[Section]:
        sections: list[Section] = importlib.import_module(f"client.lab.experiments.{author}.experiment").run(lab)
        return sections

    return run


EXPERIMENTS: Final[dict[str, Experiment]] = {
    one.name: one
    for one in (
        Experiment(
            "altekar", "minimax and alpha-beta for Qubic", "Altekar, Project: 3-D Tic Tac Toe", 400, _of("altekar"), 75
        ),
        Experiment(
            "depth3",
            "alpha-beta with open lines for Qubic",
            "4x4x4 Tic-Tac-Toe Game, a project report without a name, 2019",
            500,
            _of("depth3"),
            10,
        ),
        Experiment(
            "pawar-ren",
            "minimax with pruning for Qubic",
            "Pawar and Ren, CS 640, 25 April 2019",
            500,
            _of("pawar_ren"),
            40,
        ),
        Experiment(
            "bragstad",
            "minimax and alpha-beta on n x n boards",
            "Bragstad, Project Report, github.com/Theobragstad/tictactoe",
            1000,
            _of("bragstad"),
            90,
        ),
        Experiment(
            "osipa",
            "a lazy tree for 3 x 3, alpha-beta for nine boards",
            "Osipa, CSC442 Project 1, September 2017",
            400,
            _of("osipa"),
            65,
        ),
    )
}
"""In the order of the page."""
