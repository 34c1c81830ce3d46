"""The table of endpoints in docs/protocol.md, made of the table of routes.

`python -m server.http.endpoint_docs docs/protocol.md` brings it up to date, and a test keeps it so.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from server.http.route import Route
from server.http.routes import ROUTES
from server.http.schema import parameters

BEGIN = "<!-- endpoints: made by `python -m server.http.endpoint_docs docs/protocol.md` -->\n"
END = "<!-- end of endpoints -->\n"


def table() -> str:
    """One row for each endpoint. Routes that are said to be the same share one."""
    rows = ("| " + " | ".join(row) + " |\n" for row in _rows())
    return "| path | parameters | |\n|---|---|---|\n" + "".join(rows)


def _rows() -> Iterator[tuple[str, str, str]]:
    for summary, same in groupby(ROUTES, key=lambda route: route.summary):
        routes = list(same)
        yield ", ".join(f"`{route.name}`" for route in routes), _parameters(routes[0]), summary


def _parameters(route: Route) -> str:
    found = parameters(route.query)["properties"].items()
    return "; ".join(f"`{name}`: {parameter['description']}" for name, parameter in found)


def updated(page: str) -> str:
    """The page with today's table between the two marks."""
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    return before + begin + table() + end + after


if __name__ == "__main__":
    path = Path(sys.argv[1])
    path.write_text(updated(path.read_text()))
