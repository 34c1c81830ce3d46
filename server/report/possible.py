"""What the rows of a database can be: a damaged or foreign one is told in a sentence, by its row."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, TypeVar

import msgspec
import polars as pl

from server.db.connect import DatabaseError

_LAST_MS: Final = 253_402_300_799_999
"""The end of the year 9999, which Python can still write."""
_LARGEST: Final = 1e9
"""Of what is no whole number: ratings, shares and points."""
_PLIES: Final = ("ply", "plies", "cell", "depth")
_MOST_PLIES: Final = (1 << 31) - 1
_MOST: Final = 10**15
"""Of anything else; so many nodes an engine may say that it searched."""

Kind = TypeVar("Kind")


class Impossible(Exception):
    """One sentence, without the file and the full stop."""


@contextmanager
def impossible_is_told(path: Path) -> Iterator[None]:
    """Raises DatabaseError instead of Impossible."""
    try:
        yield
    except Impossible as error:
        raise DatabaseError(f"{path} is damaged: {error}.") from None


def frame(rows: Sequence[tuple[Any, ...]], schema: Mapping[str, type[pl.DataType]], what: str) -> pl.DataFrame:
    """Built by columns, which is much faster than by rows. The first names what a row is of. Raises Impossible.

    Whole numbers have 64 bits in the schema, as they do in SQLite.
    """
    columns = list(zip(*rows, strict=True)) if rows else [()] * len(schema)
    found = []
    for (name, kind), values in zip(schema.items(), columns, strict=True):
        try:
            found.append(pl.Series(name, values, kind))
        except TypeError:  # SQLite makes a fraction of what is too large, and JSON may hold anything
            expected = int if kind.is_integer() else float if kind.is_float() else str
            row = next(row for row, value in enumerate(values) if not isinstance(value, expected | None))
            raise _impossible(what, columns[0][row], name, values[row]) from None
    return pl.DataFrame(found)


def checked(found: pl.DataFrame, what: str) -> pl.DataFrame:
    """The same frame. Raises Impossible for numbers with which nothing could be counted or drawn."""
    for name, kind in found.schema.items():
        column = found[name]
        if not kind.is_numeric():
            continue
        if kind.is_integer():
            most = _MOST_PLIES if name in _PLIES else _LAST_MS if name.endswith("_ms") else _MOST
            fits = column.is_between(0, most)
        else:
            fits = column.is_between(-_LARGEST, _LARGEST)
        if not fits.all():
            row = int((~fits).arg_true()[0])
            raise _impossible(what, found[row, 0], name, column[row])
    return found


def decoded(text: str, kind: type[Kind], what: str, first: object, name: str) -> Kind:
    """A column's JSON. Raises Impossible."""
    try:
        return msgspec.json.decode(text, type=kind)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        raise _impossible(what, first, name, text) from None


def _impossible(what: str, first: object, name: str, value: object) -> Impossible:
    shown = ascii(value) if isinstance(value, str) else str(value)
    shown = f"{shown[:40]}..." if len(shown) > 40 else shown
    return Impossible(f"{what} {first} has {name} {shown}, which cannot be")
