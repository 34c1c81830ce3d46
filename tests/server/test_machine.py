"""The clock of games, on a machine that stops now and then."""

from __future__ import annotations

import time

import pytest

from server.machine import STOOD_MS, SystemClock


@pytest.fixture
def monotonic(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The machine's milliseconds, as one number that may be changed."""
    now = [5_000]
    monkeypatch.setattr(time, "monotonic_ns", lambda: now[0] * 1_000_000)
    return now


def test_time_in_which_the_process_stands_still_does_not_count(monotonic: list[int]) -> None:
    clock = SystemClock()
    begun_ms = clock.now_ms()
    for passes_ms in (20, 5_000, 20, 3_600_000, STOOD_MS):
        monotonic[0] += passes_ms
        clock.now_ms()
    assert clock.now_ms() - begun_ms == 20 + 20 + STOOD_MS


def test_microseconds_count_all_of_it(monotonic: list[int]) -> None:
    clock = SystemClock()
    begun_us = clock.now_us()
    monotonic[0] += 5_000
    assert clock.now_us() - begun_us == 5_000_000
