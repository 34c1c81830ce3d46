"""Dates as values of options."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any, cast

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.db.options import date_ms

NOTHING = cast(Any, None)


@pytest.fixture(scope="module", autouse=True)
def _in_tokyo() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TZ", "Asia/Tokyo")
        time.tzset()
        yield
    time.tzset()


@given(st.datetimes(datetime(1970, 1, 1), datetime(2100, 1, 1)), st.integers(0, 999))
def test_a_date_without_a_zone_is_in_utc(date: datetime, ms: int) -> None:
    date = date.replace(microsecond=0)
    expected = (date - datetime(1970, 1, 1)) // timedelta(milliseconds=1) + ms
    text = date.replace(microsecond=1000 * ms).isoformat()
    assert date_ms(NOTHING, NOTHING, text) == date_ms(NOTHING, NOTHING, f"{text}Z") == expected


def test_a_zone_that_is_named_counts_and_a_day_begins_at_midnight() -> None:
    assert date_ms(NOTHING, NOTHING, "1970-01-02T01:00+01:00") == date_ms(NOTHING, NOTHING, "1970-01-02") == 86_400_000
    assert date_ms(NOTHING, NOTHING, None) is None


@pytest.mark.parametrize("text", ["", "yesterday", "2026-02-30", "21.11.2026", "1795358204239"])
def test_what_is_no_date_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(click.BadParameter, match="is not a date: write it as 2026-11-21 or 2026-11-21T18:30"):
        date_ms(NOTHING, NOTHING, text)


def test_these_tests_are_in_tokyo() -> None:
    assert datetime(1970, 1, 1).timestamp() == datetime(1969, 12, 31, 15, tzinfo=UTC).timestamp()
