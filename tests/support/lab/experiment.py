"""What the tests of the experiments share."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from client.lab.experiments.findings import Cell, Estimate, Figure, Section
from client.lab.experiments.lab import Lab, Measured, Search
from client.lab.experiments.registry import Experiment
from server.console.progress import Step
from tests.support.lab.matches import timed


class Silent:
    """Progress that nobody sees; it notes what was announced and what was done of it."""

    def __init__(self) -> None:
        self.steps: dict[str, tuple[int, int]] = {}

    @contextmanager
    def step(self, what: str, total: int | None = None) -> Iterator[Step]:
        steps = self.steps
        steps[what] = (0, total or 0)

        class Noted:
            def advance(self, pieces: int = 1, note: str = "") -> None:
                steps[what] = (steps[what][0] + pieces, total or 0)

        yield Noted()

    def say(self, sentence: str) -> None:
        raise AssertionError(sentence)


def ran(experiment: Experiment, games: int = 2, seed: int = 1, jobs: int = 1) -> list[Section]:
    """An experiment in small; every step must have come to its end."""
    progress = Silent()
    sections = experiment.run(Lab(games, seed, jobs, progress, experiment.name))
    assert progress.steps
    assert all(done == total for done, total in progress.steps.values())
    return sections


def searched(*searches: Search) -> Measured:
    """A game of these searches, whatever was played."""
    game = timed("")
    return Measured(game.task, game.record, searches=searches)


def figures(sections: list[Section]) -> dict[str, Figure]:
    """By what they are of, which must be unique."""
    found = [figure for section in sections for figure in section.figures]
    by_name = {figure.what: figure for figure in found}
    assert len(by_name) == len(found)
    return by_name


def value(cell: Cell) -> float:
    """The number in a cell that is an estimate."""
    assert isinstance(cell, Estimate)
    return cell.value


def untimed(sections: list[Section]) -> list[Section]:
    """What the seed and the number of games decide."""
    return [section for section in sections if not section.timed]


def check(sections: list[Section]) -> None:
    """What holds for every experiment's answer."""
    assert any(section.timed for section in sections)
    for section in sections:
        for figure in section.figures:
            if figure.agrees is False:
                assert figure.note, f"{figure.what} differs and nothing explains it"
            if figure.ours and figure.ours.low is not None and figure.ours.high is not None:
                assert figure.ours.low - 1e-9 <= figure.ours.value <= figure.ours.high + 1e-9
        for table in section.tables:
            assert all(len(row) == len(table.head) for row in table.rows)
        for plot in section.plots:
            assert plot.series
            for series in plot.series:
                assert len(series.x) == len(series.y)
                assert len(series.low) == len(series.high)
                assert len(series.low) in (0, len(series.y))
