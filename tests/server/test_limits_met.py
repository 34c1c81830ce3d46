from __future__ import annotations

import pytest

from server.limits_met import REMEMBERED, WINDOW_MS, LimitsMet


class Time:
    ms = 0

    def __call__(self) -> int:
        return self.ms


def test_each_limit_is_counted_and_told_once_a_minute_by_network(caplog: pytest.LogCaptureFixture) -> None:
    time = Time()
    limits = LimitsMet(time)
    for address in ("203.0.113.7", "203.0.113.8", "2001:db8:1:2::/64"):
        limits.met("chat_rate", address)
    limits.met("address_open", "203.0.113.7")
    assert limits.counts == {"chat_rate": 3, "address_open": 1}
    assert limits.recent() == [
        ("chat_rate", "203.0.113.0/24", 2),
        ("chat_rate", "2001:db8:1::/48", 1),
        ("address_open", "203.0.113.0/24", 1),
    ]
    assert len(caplog.records) == 3
    time.ms = WINDOW_MS
    assert limits.recent() == []
    limits.met("chat_rate", "203.0.113.9")
    assert len(caplog.records) == 4
    record = vars(caplog.records[-1])
    assert (record["limit"], record["network"]) == ("chat_rate", "203.0.113.0/24")


def test_no_more_is_remembered_than_a_bound() -> None:
    limits = LimitsMet(Time())
    for number in range(3 * REMEMBERED):
        limits.met("address_rate", f"10.{number >> 8}.{number & 255}.1")
    assert len(limits.recent()) <= REMEMBERED
    assert limits.counts == {"address_rate": 3 * REMEMBERED}
