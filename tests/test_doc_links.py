"""What our pages link to is there, files and headings in them; their tables are whole, their lines not too long."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
LINK = re.compile(r"\]\((?!https?:|mailto:)([^)\s#]*)(?:#([^)\s]+))?\)")
TABLE = re.compile(r"(?:^\|.*\n)+", re.MULTILINE)
BORDER = re.compile(r"(?<!\\)\|")
WIDTH = 120
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_what_a_page_links_to_is_there(page: Path) -> None:
    assert [link for link in LINK.findall(_prose(page)) if not _is_there(page, *link)] == []


def test_a_link_to_nothing_is_found(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# What is *here*\n\n[a](page.md) [b](#what-is-here) [c](none.md) [d](page.md#nothing)\n", "utf-8")
    assert [_is_there(page, *link) for link in LINK.findall(_prose(page))] == [True, True, False, False]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_each_row_of_a_table_has_the_cells_of_its_head(page: Path) -> None:
    for table in TABLE.findall(_prose(page)):
        head, *rows = table.splitlines()
        assert [row for row in rows if len(BORDER.findall(row)) != len(BORDER.findall(head))] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_no_line_of_prose_is_longer_than_a_line_of_code(page: Path) -> None:
    lines = _prose(page).splitlines()
    assert [line for line in lines if len(line) > WIDTH and not line.startswith(("|", "[", "    "))] == []


def _is_there(page: Path, file: str, heading: str) -> bool:
    target = page.parent / file if file else page
    return target.exists() and (not heading or target.suffix != ".md" or heading in _anchors(target))


@cache
def _anchors(page: Path) -> frozenset[str]:
    """By GitHub's rule: letters, digits, hyphens and underscores of a heading, spaces as hyphens."""
    return frozenset(re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-") for text in HEADING.findall(_prose(page)))


@cache
def _prose(page: Path) -> str:
    return re.sub(r"^```.*?^```", "", page.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
