"""Reports as pages, and as JSON and back."""

from __future__ import annotations

import re

import pytest

from client.lab.experiments import report
from client.lab.experiments.findings import Estimate, Figure, Report, Section, Table
from tests.support.lab.reports import PLOTS, drawable


@pytest.mark.parametrize(
    ("estimate", "unit", "text"),
    [
        (Estimate(58.5), "%", "58.5"),
        (Estimate(50, 40.38, 59.62), "%", "50.0 (40.4 to 59.6)"),
        (Estimate(0.0412, 0.0392, 0.0434), "", "0.041 (0.039 to 0.043)"),
        (Estimate(173_383.4, 168_516, 178_251), "", "173,383 (168,516 to 178,251)"),
        (Estimate(9, 9, 9), "", "9"),
        (Estimate(31.079038987428696, 31.079038987428692, 31.0790389874287), "", "31.1"),
        (Estimate(0, 0, 0), "%", "0.0"),
        (Estimate(0.000638), "", "0.000638"),
        (Estimate(43_680), "", "43,680"),
        (None, "%", "-"),
    ],
)
def test_estimates_are_written_with_the_digits_that_count(estimate: Estimate | None, unit: str, text: str) -> None:
    assert report.estimate_text(estimate, unit) == text


def test_wrapping_never_begins_a_line_with_markup() -> None:
    text = " ".join(["x" * 115, "alpha > beta - and", "y" * 99, "+ 3. >= 4"])
    found = report.wrapped(text)
    assert " ".join(found.split()) == text
    assert not re.search(r"^\s*([-+*#>]|\d+\.)", found, re.MULTILINE)


def test_a_note_of_several_figures_is_said_once() -> None:
    same = [Figure(what, "1", Estimate(2), note="Why.") for what in ("a", "b")]
    page = report.page(Report("n", "t", "s", 2, 0, "0", "m", 1.0, False, [Section("S", figures=same)]))
    assert page.count("Why.") == 1
    assert "- *a*; *b*: Why." in page


def test_json_and_back() -> None:
    found = drawable()
    assert report.from_json(report.to_json(found)) == found
    with pytest.raises(ValueError, match="truncated"):
        report.from_json("{")


def told(*sections: Section, pictures: bool = False) -> Report:
    return Report("name", "a title", "Who", 1_000, 7, "1.0", "here", 2.4, pictures, list(sections))


FIGURES = [
    Figure("share", "about 60 %", Estimate(58.5, 55, 62), "%", agrees=True),
    Figure("nodes", "1,000", Estimate(1_234.5), exact=True, agrees=False, note="Why."),
    Figure("time", "fast", None, exact=True),
    Figure("ours alone", "", Estimate(0.25), "ms"),
]


def test_figures_are_told_with_what_the_author_says() -> None:
    assert report.lines(told(Section("S", figures=FIGURES))) == [
        "name: a title",
        "  share: 58.5 (55.0 to 62.0) %; the author: about 60 %, agrees",
        "  nodes: 1,234, exact; the author: 1,000, differs",
        "  time: -; the author: fast",
        "  ours alone: 0.25 ms",
    ]
    page = report.page(told(Section("S", figures=FIGURES)))
    assert "| share | about 60 % | 58.5 (55.0 to 62.0) % | yes |\n" in page
    assert "| nodes | 1,000 | 1,234, exact | no |\n" in page
    assert "| time | fast | - |  |\n" in page


def test_the_overview_counts_the_figures_of_authors() -> None:
    row = report.overview([told(Section("S", figures=FIGURES[:1]), Section("T", figures=FIGURES[1:]))]).splitlines()[-1]
    assert row == "| [name](experiments/name.md) | Who | 3 | 1 | 1 | 1,000 | 2 s |"


def test_a_number_has_the_unit_of_its_column() -> None:
    table = Table("T", ["what", "won %", "nodes"], [["a", 12.34, 12.34], ["b", Estimate(5), None]], "A note.")
    page = report.page(told(Section("S", tables=[table])))
    assert "**T**\n\n| what | won % | nodes |\n|---|---|---|\n| a | 12.3 | 12.3 |\n| b | 5.0 | - |\n\nA note.\n" in page


def test_pictures_are_linked_where_they_were_drawn() -> None:
    linked = [report.page(told(*drawable().sections, pictures=drawn)).count(".svg)") for drawn in (True, False)]
    assert linked == [len(PLOTS), 0]


@pytest.mark.parametrize(
    ("value", "text"),
    [(0, "0"), (0.5, "0.5"), (99.96, "100"), (1.2345e-4, "0.000123"), (-12.345, "-12.3"), (9e5 + 0.5, "900,000")],
)
def test_a_number_has_three_digits_that_count_or_is_whole(value: float, text: str) -> None:
    assert report.shown(value) == text
