"""docs/sources.md: made of the rows of each document and the reports of the experiments, with no figure left out."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from client.lab.experiments import report, sources_page
from client.lab.experiments.command import EXPERIMENTS
from client.lab.experiments.findings import Estimate, Figure, Report, Section
from client.lab.experiments.sources_page import Source, sources

DOCS = Path(__file__).parents[4] / "docs"


@pytest.fixture(scope="module")
def reports() -> dict[str, Report]:
    return {name: report.from_json((DOCS / f"experiments/{name}.json").read_bytes()) for name in EXPERIMENTS}


def test_the_page_is_made_of_the_rows_and_the_reports(reports: dict[str, Report]) -> None:
    assert (DOCS / "sources.md").read_text("utf-8") == sources_page.page(list(reports.values()))


@pytest.mark.parametrize("name", sources())
def test_every_figure_that_a_row_names_is_in_the_report(name: str, reports: dict[str, Report]) -> None:
    measured = {figure.what for section in reports[name].sections for figure in section.figures}
    assert {row.figure for row in sources()[name].rows if row.figure} <= measured


@pytest.mark.parametrize("name", sources())
def test_what_differs_is_explained(name: str, reports: dict[str, Report]) -> None:
    page = sources_page.page([reports[name]])
    rows = [row.strip("| ").split(" | ") for row in page.splitlines() if row.startswith("| ") and " | no |" in row]
    assert all(row[-1] not in ("no", "") for row in rows)


def test_a_row_takes_its_value_from_the_report_or_says_it(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [
        {"kind": "number", "what": "a", "where": "here", "author": "1 | 2", "figure": "counted", "why": "Also this."},
        {"kind": "wish", "what": "b", "where": "there", "ours": "built", "agrees": "yes"},
        {"kind": "table", "what": "c", "where": "nowhere", "figure": "unknown"},
    ]
    source = msgspec.convert({"citation": "Someone.", "rows": rows}, Source)
    monkeypatch.setattr(sources_page, "sources", lambda: {"one": source})
    figure = Figure("counted", "1", Estimate(2.0), exact=True, agrees=False, note="Why.")
    found = Report("one", "t", "s", 1, 0, "0", "m", 1.0, False, [Section("S", figures=[figure])])
    page = sources_page.page([found])
    assert "| number | a | here | 1 &#124; 2 | 2, exact | no | Why. Also this. |" in page
    assert "| wish | b | there |  | built | yes |  |" in page
    assert "| table | c | nowhere |  | - |  |  |" in page
    assert "[one](experiments.md#one-t)" in page
    assert "| number | a | here | 1 &#124; 2 | - |  | Also this. |" in sources_page.page([])


def test_a_misspelt_field_is_refused() -> None:
    with pytest.raises(ValueError, match="wher"):
        msgspec.convert({"citation": "", "rows": [{"kind": "wish", "what": "", "wher": ""}]}, Source)
