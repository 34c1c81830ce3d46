"""Tables as lines of text."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence


def in_columns(rows: Sequence[Sequence[str]], left: Collection[int] = (0,)) -> Iterator[str]:
    """A line for each row; the columns of `left` begin below each other, all others end there, as numbers do."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = [
            cell.ljust(width) if place in left else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        yield "  ".join(cells).rstrip()
