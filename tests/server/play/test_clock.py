"""The clock, by plain numbers."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from server.play.clock import Clock
from server.wire import INCREMENT_MS, INITIAL_MS, MOVE_MS, ClockSettings, ClockView, Side


def within(bounds: range) -> st.SearchStrategy[int]:
    return st.integers(bounds[0], bounds[-1])


sudden = st.builds(ClockSettings, initial_ms=within(INITIAL_MS), increment_ms=st.just(0))
fischer = st.builds(ClockSettings, initial_ms=within(INITIAL_MS), increment_ms=within(INCREMENT_MS))
per_move = st.builds(ClockSettings, move_ms=within(MOVE_MS))


def started(settings: ClockSettings | None, side: Side = "x", since_ms: int | None = 0) -> Clock:
    clock = Clock(settings)
    clock.turn(side, since_ms)
    return clock


def test_time_passes_for_the_side_to_move_alone() -> None:
    clock = started(ClockSettings(initial_ms=60_000, increment_ms=0), since_ms=100)
    assert (clock.remaining_ms("x", 1_100), clock.remaining_ms("o", 1_100)) == (59_000, 60_000)
    assert clock.elapsed_ms(1_100) == 1_000
    assert clock.deadline_ms == 60_100
    assert clock.remaining_ms("x", 60_100) == 0
    assert clock.remaining_ms("x", 99_999) == 0, "never negative"
    assert clock.elapsed_ms(50) == 0, "a frame may arrive before the commit of the move before"


def test_no_time_passes_before_the_turn_begins() -> None:
    clock = started(ClockSettings(move_ms=1_000), since_ms=None)
    assert (clock.remaining_ms("x", 10**9), clock.elapsed_ms(10**9), clock.deadline_ms) == (1_000, 0, None)


def test_without_settings_it_only_tells_how_long_a_move_took() -> None:
    clock = started(None, since_ms=100)
    assert clock.elapsed_ms(350) == 250
    assert (clock.deadline_ms, clock.view(350), clock.after_move("x", 250)) == (None, None, (0, 0))
    clock.pause(400)
    assert clock.elapsed_ms(500) == 300
    clock.go_on(600)
    assert clock.elapsed_ms(650) == 350
    clock.go_on(700, 20)
    assert clock.elapsed_ms(750) == 70, "what the turn has cost is known better"


def test_without_a_setting_there_is_no_time() -> None:
    for settings in (None, ClockSettings()):
        assert (Clock(settings).x_ms, Clock(settings).o_ms) == (0, 0)


def test_nobodys_turn_has_no_deadline() -> None:
    clock = Clock(ClockSettings(move_ms=1_000))
    assert (clock.deadline_ms, clock.elapsed_ms(100)) == (None, 0)
    clock.pause(100)
    assert (clock.x_ms, clock.o_ms) == (1_000, 1_000)
    clock.turn("x", 0)
    clock.turn(None, None)
    assert clock.deadline_ms is None
    assert clock.remaining_ms("x", 10**9) == 1_000


@given(per_move, st.integers(0, MOVE_MS[-1]), st.sampled_from(["x", "o"]))
def test_time_a_move_is_full_again_after_it(settings: ClockSettings, spent_ms: int, side: Side) -> None:
    clock = started(settings, side)
    clock.pause(spent_ms)
    left = clock.after_move(side, spent_ms)
    assert left == (settings.move_ms, settings.move_ms)


@given(fischer, st.lists(st.integers(0, 20_000), max_size=30))
def test_time_is_conserved(settings: ClockSettings, takes_ms: list[int]) -> None:
    """What a side has left is what it began with, less what its moves took, and its increments."""
    assert settings.initial_ms is not None
    assert settings.increment_ms is not None
    clock = Clock(settings)
    left = {"x": settings.initial_ms, "o": settings.initial_ms}
    now_ms = 0
    for ply, took_ms in enumerate(takes_ms):
        side: Side = "x" if ply % 2 == 0 else "o"
        clock.turn(side, now_ms)
        took_ms = min(took_ms, left[side])
        now_ms += took_ms
        assert clock.remaining_ms(side, now_ms) == left[side] - took_ms
        clock.set(*clock.after_move(side, clock.elapsed_ms(now_ms)))
        left[side] += settings.increment_ms - took_ms
        assert {"x": clock.x_ms, "o": clock.o_ms} == left


@given(fischer | per_move, st.integers(0, 2 * MOVE_MS[-1]), st.sampled_from(["x", "o"]))
def test_the_deadline_is_the_last_moment_with_time_left(settings: ClockSettings, since_ms: int, side: Side) -> None:
    clock = started(settings, side, since_ms)
    assert clock.deadline_ms is not None
    assert clock.remaining_ms(side, clock.deadline_ms) == 0
    assert clock.remaining_ms(side, clock.deadline_ms - 1) == 1


def test_the_deadline_is_that_of_the_side_to_move() -> None:
    clock = Clock(ClockSettings(initial_ms=60_000, increment_ms=0))
    clock.set(10_000, 20_000)
    by_side: tuple[tuple[Side, int], ...] = (("x", 10_000), ("o", 20_000))
    for side, left_ms in by_side:
        clock.turn(side, 100)
        assert clock.deadline_ms == 100 + left_ms


@given(fischer | per_move, st.lists(st.tuples(st.integers(0, 50_000), st.integers(0, 10**9)), max_size=8))
def test_pauses_cost_nothing(settings: ClockSettings, pauses: list[tuple[int, int]]) -> None:
    """What a turn takes and what it costs are the same, however often its time stood still."""
    clock = started(settings, since_ms=None)
    full_ms = clock.x_ms
    now_ms = thought_ms = 0
    for think_ms, away_ms in pauses:
        clock.go_on(now_ms)
        assert clock.remaining_ms("x", clock.deadline_ms or 0) == 0
        now_ms += think_ms
        thought_ms += think_ms
        clock.pause(now_ms)
        clock.pause(now_ms + away_ms)
        now_ms += away_ms
        assert clock.elapsed_ms(now_ms) == thought_ms
        assert clock.remaining_ms("x", now_ms) == max(0, full_ms - thought_ms)
        assert (clock.x_ms, clock.o_ms) == (full_ms, full_ms), "what was left when the turn began"
        assert clock.deadline_ms is None


@given(
    fischer | sudden | per_move,
    st.lists(
        st.tuples(st.sampled_from(["turn", "stop", "move", "pause", "go on"]), st.integers(0, 10**8)), max_size=20
    ),
)
def test_nobody_ever_has_less_than_nothing(settings: ClockSettings, steps: list[tuple[str, int]]) -> None:
    clock = Clock(settings)
    now_ms = 0
    side: Side = "x"
    for step, ms in steps:
        now_ms += ms
        if step == "turn":
            clock.turn(side, now_ms)
        elif step == "stop":
            clock.turn(None, None)
        elif step == "pause":
            clock.pause(now_ms)
        elif step == "go on":
            clock.go_on(now_ms)
        else:
            clock.set(*clock.after_move(side, clock.elapsed_ms(now_ms)))
            side = "o" if side == "x" else "x"
        view = clock.view(now_ms)
        assert view is not None
        assert min(view.x_ms, view.o_ms) >= 0


def test_a_view_is_as_of_its_moment() -> None:
    settings = ClockSettings(initial_ms=60_000, increment_ms=500)
    clock = started(settings, "o", 100)
    assert clock.view(1_100) == ClockView(
        x_ms=60_000, o_ms=59_000, running="o", initial_ms=60_000, increment_ms=500, move_ms=None
    )
