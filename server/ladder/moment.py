"""A moment as people write it: a time of the day, `07:00`, or a date with a time, `2026-11-22T07:00`."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime, time


def moment(text: str) -> time | datetime:
    """A date is of this machine's time zone. Raises ValueError."""
    with suppress(ValueError):
        return datetime.strptime(text, "%H:%M").time()
    try:
        return datetime.fromisoformat(text).astimezone()
    except OverflowError as error:  # before the first year, or after the last, in another zone
        raise ValueError(str(error)) from None
