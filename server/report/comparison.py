"""What differs between the key figures of two reports, as lines for a terminal and for programs. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from server.console.columns import in_columns
from server.report.outputs import ComparedReports, ListChange, PlaceChange, ReportNumbers
from server.report.page.changes import changes, gone_lists, headlines, new_lists, same_lists, traced
from server.report.page.key_figures import Key, List
from server.report.plots import written


def lines(before: Key, after: Key) -> Iterator[str]:
    """Sentences, then the tables of a report's part on changes."""
    yield from headlines(before, after)
    if gone := [one.title for one in gone_lists(before, after)]:
        yield f"Not in the second report: {', '.join(gone)}."
    for table in changes(before, after).tables:
        yield ""
        yield f"{table.title}:"
        rows = [table.head, *([*map(written, row)] for row in table.rows)]
        yield from (f"  {line}" for line in in_columns(rows))


def as_object(before: Key, after: Key) -> ComparedReports:
    """Both reports' numbers, and for each list that both have its bots with their differences."""
    return ComparedReports(
        before=_numbers(before),
        after=_numbers(after),
        lists=[_bots(old, new) for old, new in same_lists(before, after)],
        new_lists=[one.title for one in new_lists(before, after)],
        gone_lists=[one.title for one in gone_lists(before, after)],
    )


def _numbers(key: Key) -> ReportNumbers:
    return ReportNumbers(key.as_of_ms, key.games, key.moves, key.by_game)


def _bots(before: List, after: List) -> ListChange:
    found = traced(before, after)
    bots = [PlaceChange(old, one, None if change is None else round(change, 1)) for old, one, change in found]
    gone = sorted(place.bot for place in before.places if place not in [one.before for one in found])
    return ListChange(after.run, after.title, bots, gone)
