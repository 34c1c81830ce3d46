"""What differs between the key figures of two reports, as lines for a terminal and for programs. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from server.report.changes import Key, List, changes, headlines
from server.report.plots import written


def lines(before: Key, after: Key) -> Iterator[str]:
    """Sentences, then the tables of a report's part on changes."""
    yield from headlines(before, after)
    for table in changes(before, after).tables:
        yield ""
        yield f"{table.title}:"
        yield from _aligned([table.head, *(tuple(map(written, row)) for row in table.rows)])


def _aligned(rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for first, *others in rows:
        cells = (cell.rjust(width) for cell, width in zip(others, widths[1:], strict=True))
        yield "  ".join([f"  {first.ljust(widths[0])}", *cells]).rstrip()


def as_object(before: Key, after: Key) -> dict[str, Any]:
    """Both reports' numbers, and for each list that both have its bots with their differences."""
    known = {one.run: one for one in before.lists}
    return {
        "before": _numbers(before),
        "after": _numbers(after),
        "lists": [_bots(known[one.run], one) for one in after.lists if one.run in known],
        "new_lists": [one.title for one in after.lists if one.run not in known],
        "gone_lists": [one.title for one in before.lists if one.run not in {new.run for new in after.lists}],
    }


def _numbers(key: Key) -> dict[str, Any]:
    return {"as_of_ms": key.as_of_ms, "games": key.games, "moves": key.moves, "by_game": key.by_game}


def _bots(before: List, after: List) -> dict[str, Any]:
    known = {place.bot: place for place in before.places}
    bots = []
    for place in after.places:
        old = known.get(place.bot)
        bots.append(
            {"before": msgspec.to_builtins(old), "after": msgspec.to_builtins(place)}
            | {"rating_change": None if old is None else round(place.rating - old.rating, 1)}
        )
    gone = sorted(known.keys() - {place.bot for place in after.places})
    return {"run": after.run, "title": after.title, "bots": bots, "gone": gone}
