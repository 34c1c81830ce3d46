"""Which list of a ladder is which, at two times or in two databases. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, TypeVar

Item = TypeVar("Item")


class ListName(NamedTuple):
    """What identifies a list."""

    run: str
    """Changes with the list's settings."""
    name: str
    """What people call it."""


def matched(
    before: Sequence[Item], after: Sequence[Item], name: Callable[[Item], ListName]
) -> Iterator[tuple[Item, Item]]:
    """Each later list with what it was: the same run, else the last one of its name that is no other list's past."""
    runs = {name(one).run: one for one in before}
    later = {name(one).run for one in after}
    names = {name(one).name: one for one in before if name(one).run not in later}
    for one in after:
        past = runs.get(name(one).run) or names.pop(name(one).name, None)
        if past is not None:
            yield past, one
