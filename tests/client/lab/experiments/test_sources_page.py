"""docs/sources.md: made of the rows of each document and the reports of the experiments, with no figure left out."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest

from client.lab.experiments import report, sources_page
from client.lab.experiments.bragstad.tables import ROWS as TABLES
from client.lab.experiments.bragstad.tables import Row as Table
from client.lab.experiments.findings import Estimate, Figure, Report, Section
from client.lab.experiments.registry import EXPERIMENTS
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
    rows = sources()[name].rows
    in_texts = {named for row in rows for text in (row.ours, row.why) for named in sources_page.NAMED.findall(text)}
    assert {row.figure for row in rows if row.figure} | (in_texts - {"games"}) <= measured


BY_HAND = re.compile(r"\d\.\d|\d[ -]?(?:%|ms\b|µs\b|times|Elo)|\d,\d{3}|\d games")
"""What looks like a measurement."""
NOT_OURS = {
    "altekar": (
        "Alpha-beta's 95 msec below are 42 to 53 times less, which its 443 states instead of",
        "4,033 less 3,138: he takes the pruned branches of 3 plies from a tree of 2.",
    ),
    "bragstad": (
        "His times are 2.3 to 1, and a move's 2.2 to 1.",
        "Unrounded, his are 6.0 and 6.1.",
    ),
    "osipa": ("which a test checks on all 5,478 positions.",),
}
"""Figures of the authors' own, and those that a test holds."""


@pytest.mark.parametrize("name", sources())
def test_no_measurement_of_ours_is_written_by_hand(name: str) -> None:
    told = []
    for row in (row for row in sources()[name].rows if row.kind != "evaluation"):  # these have the bots' own numbers
        for text in (row.ours, row.why):
            rest = sources_page.NAMED.sub("", text)
            for known in NOT_OURS.get(name, ()):
                rest = rest.replace(known, "")
            told += [text] if BY_HAND.search(rest) else []
    assert told == []


@pytest.mark.parametrize("name", sources())
def test_what_differs_is_explained(name: str, reports: dict[str, Report]) -> None:
    page = sources_page.page([reports[name]])
    rows = [row.strip("| ").split(" | ") for row in page.splitlines() if row.startswith("| ") and " | no |" in row]
    assert all(row[-1] not in ("no", "") for row in rows)


def test_a_row_takes_its_value_from_the_report_or_says_it(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [
        {"kind": "number", "what": "a", "where": "here", "author": "1 | 2", "figure": "counted", "why": "Also this."},
        {"kind": "wish", "what": "b", "where": "there", "ours": "built", "agrees": "yes"},
        {"kind": "wish", "what": "d", "where": "", "ours": "{counted} of {games}", "why": "{unknown}; {counted}."},
        {"kind": "table", "what": "c", "where": "nowhere", "figure": "unknown"},
    ]
    source = msgspec.convert({"citation": "Someone.", "rows": rows}, Source)
    monkeypatch.setattr(sources_page, "sources", lambda: {"one": source})
    figure = Figure("counted", "1", Estimate(2.0), exact=True, agrees=False, note="Why.")
    found = Report("one", "t", "s", 1000, 0, "0", "m", 1.0, False, [Section("S", figures=[figure])])
    page = sources_page.page([found])
    assert "| number | a | here | 1 &#124; 2 | 2, exact | no | Why. Also this. |" in page
    assert "| wish | b | there |  | built | yes |  |" in page
    assert "| wish | d |  |  | 2 of 1,000 |  | -; 2. |" in page
    assert "| table | c | nowhere |  | - |  |  |" in page
    assert "[one](experiments/one.md)" in page
    assert "| number | a | here | 1 &#124; 2 | - |  | Also this. |" in sources_page.page([])


def test_a_misspelt_field_is_refused() -> None:
    with pytest.raises(ValueError, match="place"):
        msgspec.convert({"citation": "", "rows": [{"kind": "wish", "what": "", "place": ""}]}, Source)


NUMBERS = {
    "altekar": (
        *("64", "76", "way too slow", "much faster", "10 points for 4", "1 point for 1", "5 seconds", "2-ply", "3-ply"),
        *("4 out of 4", "always ties", "1 out of 4", "2 out of 4", "long win time", "much more", "43680", "4033"),
        *("some 10,000", "about 10", "4-5 seconds", "less than 1 second", "97281", "22,600", "3,138", "900-1000"),
        *("roughly 47", "8 seconds", "about 3 seconds", "82%", "443", "about 10,000", "62", "42", "95 msec"),
    ),
    "depth3": (
        *("100000+depth", "-100000-depth", "76", "4^(number of marks)", "(number of marks)*(4^(number of marks))"),
        *("dominates", "100 games", "70%", "half of the time", "6 turns", "close to 5 seconds", "24", "the most"),
    ),
    "pawar-ren": ("9999", "100", "10", "1", "76", "55", "50 percent", "3 min", "30s", "every time"),
    "bragstad": (
        *("10 game modes", "100 games played", "10 games played", "time, random, datetime", "1, -1, 0", "1-10"),
        *("9 for a 3x3 board", "infinity", "Max Depth: 9", "n x n", "any n moves", "greater than or equal to beta"),
        *("always ties", "ties at best", "player 1 won", "3 plies", "ties 100% of the time", "about 10x", "10x10"),
        *("~0.09 to ~0.01", "~0.03 to ~0.004", "at most 9 moves", "very similar", "unreasonably long"),
        *("very slightly", "100 and 10"),
    ),
    "osipa": (
        *("10", "draw", "0.9-1s", "0.036s", "10^{-4} s", "factor of three", "0 for n = 0", "3 for 1 to 30", "4 other"),
        *("0.1", "[-0.9; 0.9]", "1/60", "1 and -1", "first two moves", "not that big", "much bigger", "below 0.2s"),
        *("strength 6 and 8", "often > 40 moves", "49-move", "none recorded", "3(5,...)", "a winning strategy for X"),
    ),
}
"""What each document says in figures, in its own words; Bragstad's thirteen tables have a test of their own."""


@pytest.mark.parametrize("name", NUMBERS)
def test_no_figure_of_a_document_is_left_out(name: str) -> None:
    said = [row.author for row in sources()[name].rows]
    assert [number for number in NUMBERS[name] if not any(number in text for text in said)] == []


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_every_figure_of_a_table_of_bragstads_has_a_row(table: Table) -> None:
    said = {row.what: row.author for row in sources()["bragstad"].rows}
    name, (x_s, o_s) = table.name, table.move_s
    assert said[name].startswith(f"{table.games} games played")
    for end, games, percent in zip(("X wins", "O wins", "ties"), table.ended, table.percent, strict=True):
        assert said[f"{name}: {end}"] == f"{games} ({percent}.0%)"
    moves = [float(said[f"{name}: {what}"]) for what in ("X's moves to win", "O's moves to win", "moves to the end")]
    assert moves == [*table.to_win, table.to_end]
    times = said[f"{name}: s of a game, of a move of X and of a move of O"].split("; ")
    assert [float(time) for time in times] == [table.game_s, x_s, o_s]


@pytest.mark.parametrize("name", NUMBERS)
def test_every_row_says_something_of_ours(name: str) -> None:
    assert all(row.where and (row.figure or row.ours or row.why or row.kind in WHERE) for row in sources()[name].rows)


WHERE = ("system", "evaluation", "option")
"""Of these the place is the answer."""


def test_every_document_has_its_rows() -> None:
    assert tuple(sources()) == sources_page.NAMES


def test_nothing_that_is_at_hand_is_said_to_be_missing() -> None:
    for page in ("sources.md", "literature.md"):
        assert "not at hand" not in (DOCS / page).read_text("utf-8")


def test_no_author_is_made_to_say_what_he_does_not() -> None:
    pages = [DOCS / "sources.md", DOCS / "literature.md", *(DOCS / "experiments").glob("*.md")]
    assert "mostly draws" not in "".join(page.read_text("utf-8") for page in pages).lower()
