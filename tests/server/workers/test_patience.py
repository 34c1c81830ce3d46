"""What counts as a hang."""

from __future__ import annotations

from server.workers.patience import Patience


def test_before_its_bound_nobody_asks_what_it_used() -> None:
    assert Patience().left_ms(1000, 400, 0) == 600


def test_what_has_used_its_bound_hangs() -> None:
    assert Patience().left_ms(1000, 1001, 1000) <= 0


def test_what_uses_nothing_hangs_after_its_bound() -> None:
    assert Patience().left_ms(1000, 1000, 0) <= 0
    stuck = Patience()
    assert stuck.left_ms(1000, 1500, 10) > 0
    assert stuck.left_ms(1000, 2400, 10) > 0
    assert stuck.left_ms(1000, 2500, 10) <= 0


def test_what_gets_little_of_a_busy_machine_does_not_hang() -> None:
    slow, passed_ms, looks = Patience(), 0.0, 0
    while (left_ms := slow.left_ms(1000, passed_ms, round(passed_ms / 8))) > 0:
        passed_ms += left_ms
        looks += 1
    assert passed_ms == 8000, "its own time is what is bounded"
    assert looks < 100


def test_the_clock_decides_where_processor_time_is_not_to_be_known() -> None:
    assert Patience().left_ms(1000, 999, None) == 1
    assert Patience().left_ms(1000, 1000, None) == 0
