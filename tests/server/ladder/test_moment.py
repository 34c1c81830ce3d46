"""Moments as people write them."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import UTC, datetime
from datetime import time as time_of_day

import pytest

from server.ladder.moment import moment


@pytest.fixture(autouse=True)
def kathmandu(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Five and three quarters of an hour ahead of UTC."""
    with monkeypatch.context() as patch:
        patch.setenv("TZ", "Asia/Kathmandu")
        time.tzset()
        yield
    time.tzset()


@pytest.mark.parametrize(
    ("text", "told"), [("07:00", (7, 0)), ("7:05", (7, 5)), ("00:00", (0, 0)), ("23:59", (23, 59))]
)
def test_a_time_of_the_day_has_no_date(text: str, told: tuple[int, int]) -> None:
    assert moment(text) == time_of_day(*told)


@pytest.mark.parametrize(
    ("text", "utc"),
    [
        ("2026-11-22T07:00", "2026-11-22T01:15"),
        ("2026-11-22", "2026-11-21T18:15"),
        ("2026-11-22T07:00+00:00", "2026-11-22T07:00"),
        ("2026-11-22T07:00:30-01:00", "2026-11-22T08:00:30"),
    ],
)
def test_a_date_is_of_this_machines_time_zone_unless_it_names_one(text: str, utc: str) -> None:
    assert moment(text) == datetime.fromisoformat(utc).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    "text", ["", "seven", "24:00", "07:60", "7", "0001-01-01T00:00", "9999-12-31T23:59-12:00", "2026-02-30", "07:00\0"]
)
def test_anything_else_is_no_moment(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - nobody reads what it says
        moment(text)
