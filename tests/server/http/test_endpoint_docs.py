"""The table of endpoints in the documentation."""

from __future__ import annotations

from pathlib import Path

from server.http.endpoint_docs import BEGIN, END, table, updated
from server.http.routes import ROUTES

DOCS = Path(__file__).parents[3] / "docs" / "protocol.md"


def test_the_documented_endpoints_are_those_of_the_table() -> None:
    page = DOCS.read_text()
    assert page == updated(page), "run: python -m server.http.endpoint_docs docs/protocol.md"
    assert table() in page


def test_every_route_has_a_row() -> None:
    rows = table().splitlines()[2:]
    assert len(rows) < len(ROUTES), "the page's paths share one"
    for route in ROUTES:
        [row] = [row for row in rows if f"`{route.name}`" in row.split("|")[1]]
        assert row.endswith(f"| {route.summary} |")


def test_what_is_around_the_table_stays() -> None:
    assert updated(f"before\n{BEGIN}old\n{END}after\n") == f"before\n{BEGIN}{table()}{END}after\n"
