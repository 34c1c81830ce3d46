"""The bounds of a clock."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.wire import BadClock, ClockSettings, check_clock

INITIAL_MIN, INITIAL_MAX = 1_000, 10_800_000
INCREMENT_MAX = 180_000
MOVE_MIN, MOVE_MAX = 100, 86_400_000

fischer = st.builds(
    ClockSettings, initial_ms=st.integers(INITIAL_MIN, INITIAL_MAX), increment_ms=st.integers(0, INCREMENT_MAX)
)
per_move = st.builds(ClockSettings, move_ms=st.integers(MOVE_MIN, MOVE_MAX))


@given(fischer | per_move)
def test_settings_within_bounds_stay_as_they_are(settings: ClockSettings) -> None:
    assert check_clock(settings) == settings


@pytest.mark.parametrize("initial_ms", [INITIAL_MIN, INITIAL_MAX])
@pytest.mark.parametrize("increment_ms", [None, 0, INCREMENT_MAX])
def test_an_increment_left_out_is_none(initial_ms: int, increment_ms: int | None) -> None:
    checked = check_clock(ClockSettings(initial_ms=initial_ms, increment_ms=increment_ms))
    assert checked == ClockSettings(initial_ms=initial_ms, increment_ms=increment_ms or 0)


@pytest.mark.parametrize(
    "settings",
    [
        ClockSettings(),
        ClockSettings(increment_ms=0),
        ClockSettings(initial_ms=0),
        ClockSettings(initial_ms=INITIAL_MIN - 1),
        ClockSettings(initial_ms=INITIAL_MAX + 1),
        ClockSettings(initial_ms=INITIAL_MIN, increment_ms=-1),
        ClockSettings(initial_ms=INITIAL_MIN, increment_ms=INCREMENT_MAX + 1),
        ClockSettings(move_ms=0),
        ClockSettings(move_ms=MOVE_MIN - 1),
        ClockSettings(move_ms=MOVE_MAX + 1),
        ClockSettings(move_ms=-(10**30)),
        ClockSettings(move_ms=1_000, initial_ms=1_000),
        ClockSettings(move_ms=1_000, increment_ms=0),
    ],
    ids=str,
)
def test_settings_out_of_bounds(settings: ClockSettings) -> None:
    with pytest.raises(BadClock, match=r"\.$"):
        check_clock(settings)


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        (ClockSettings(initial_ms=1), "initial_ms is 1; it must be 1000 to 10800000 milliseconds."),
        (ClockSettings(initial_ms=1_000, increment_ms=-1), "increment_ms is -1; it must be 0 to 180000 milliseconds."),
        (ClockSettings(move_ms=1), "move_ms is 1; it must be 100 to 86400000 milliseconds."),
    ],
    ids=str,
)
def test_the_setting_that_is_out_of_bounds_is_named(settings: ClockSettings, sentence: str) -> None:
    with pytest.raises(BadClock) as caught:
        check_clock(settings)
    assert str(caught.value) == sentence
