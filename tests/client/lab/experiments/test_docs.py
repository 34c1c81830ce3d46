"""docs/experiments.md and docs/experiments/: made of the data there, with the pictures that they show."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from client.lab.experiments import report
from client.lab.experiments.findings import Report
from client.lab.experiments.registry import EXPERIMENTS

DOCS = Path(__file__).parents[4] / "docs"
PAGES = DOCS / report.PAGES


@pytest.fixture(scope="module")
def reports() -> list[Report]:
    return [report.from_json((DOCS / f"experiments/{name}.json").read_bytes()) for name in EXPERIMENTS]


def test_the_pages_are_made_of_the_data(reports: list[Report]) -> None:
    """So every number on them comes from the data."""
    assert (DOCS / "experiments.md").read_text() == report.overview(reports)
    assert {path.name: path.read_text() for path in PAGES.glob("*.md")} == {
        f"{one.name}.md": report.page(one) for one in reports
    }


def test_the_pictures_are_there_and_no_others(reports: list[Report]) -> None:
    text = "".join(map(report.page, reports))
    shown = {(PAGES / name).resolve() for name in re.findall(r"\(([^()]+\.(?:png|svg))\)", text)}
    assert shown == set((DOCS / report.PICTURES).iterdir())
    assert all(2_000 < path.stat().st_size < 60_000 for path in shown)


def test_it_was_run_in_full_and_what_differs_is_explained(reports: list[Report]) -> None:
    for one in reports:
        assert one.pictures
        assert (one.title, one.source, one.games) == (
            EXPERIMENTS[one.name].title,
            EXPERIMENTS[one.name].source,
            EXPERIMENTS[one.name].games,
        )
        figures = [figure for section in one.sections for figure in section.figures]
        assert figures
        assert all(figure.note for figure in figures if figure.agrees is False)


AUTHORS = {
    "altekar": (
        *("43,680", "4,033", "443", "about 10,000", "82 %", "42, from 62 falling to 0", "97,281", "22,600", "3,138"),
        *("47", "4 of 4", "always", "4,000 to 5,000", "95", "8,000"),
    ),
    "depth3": ("dominates", "70 %", "half of the time", "due to forks", "one is shown", "up to 5,000"),
    "pawar-ren": ("180 s", "30 s", "76", "55"),
    "bragstad": (
        *("56 % of 100", "58 % of 100", "95 % of 100", "77 % of 100", "78 % of 100", "82 % of 100", "98 % of 100"),
        *("79 % of 100", "100 % of 10", "6.1", "27.6", "1,152"),
        *("4.17857", "4.10345", "3.21053", "3", "4", "3.18182", "4.18182", "3.27", "3.34694", "4.88312", "4.8481"),
        *("6.24051", "3.67857", "3.73913", "3.25", "3.27273", "3.33333", "3.5122", "7", "7.62", "7.61", "5.5", "6.89"),
        *("7.38", "5.54", "5.76", "10.43", "10.19", "14.32", "9"),
    ),
    "osipa": (
        *("900 to 1,000", "36", "0.1", "under 200", "often", "up to 49", "none", "25 to 28", "3", "not that big"),
        *("much bigger", "his game"),
    ),
}
"""What each author says, or begins with. On its page it stands beside our figure: see the first test."""


def test_every_figure_of_an_author_stands_beside_ours(reports: list[Report]) -> None:
    assert {report.name for report in reports} == AUTHORS.keys()
    for one in reports:
        said = [figure.author for section in one.sections for figure in section.figures]
        missing = [words for words in AUTHORS[one.name] if not any(f"{text} ".startswith(f"{words} ") for text in said)]
        assert not missing, one.name
    page = (PAGES / "altekar.md").read_text()
    assert "1 of 4" in page, "Altekar's wins over his other programs, which are told in a sentence"
    assert "2 of 4" in page
