"""Reports as pages, and as JSON and back."""

from __future__ import annotations

import re

import pytest

from client.lab.experiments import report
from client.lab.experiments.findings import Estimate, Figure, Report, Section
from tests.support.lab.reports import drawable


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
    found = report._wrapped(text)
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
