from __future__ import annotations

from math import exp, isfinite, log, pi, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.stats.glicko import (
    LEAST_DEVIATION,
    NEW,
    PERIOD_MS,
    PROVISIONAL_DEVIATION,
    SCALE,
    START_DEVIATION,
    Rating,
    after_game,
    after_period,
)

NOW_MS = 1_700_000_000_000

points = st.sampled_from([0.0, 0.5, 1.0])
times = st.integers(0, 10 * 365 * PERIOD_MS)
ratings = st.builds(
    Rating,
    rating=st.floats(-4000, 8000),
    deviation=st.floats(LEAST_DEVIATION, START_DEVIATION),
    volatility=st.floats(0.01, 0.5),
    games=st.integers(1, 10_000),
    updated_ms=st.integers(NOW_MS - 365 * PERIOD_MS, NOW_MS),
)


def settled(rating: float = 1500, deviation: float = 60) -> Rating:
    """Of somebody who played a moment ago."""
    return Rating(rating=rating, deviation=deviation, games=100, updated_ms=NOW_MS)


# The paper


def test_the_worked_example_of_the_paper() -> None:
    games = [(1400.0, 30.0, 1.0), (1550.0, 100.0, 0.0), (1700.0, 300.0, 0.0)]
    rating, deviation, volatility = after_period(1500, 200, 0.06, games)
    # The paper's own figures are computed from rounded ones.
    assert rating == pytest.approx(1464.06, abs=0.01)
    assert deviation == pytest.approx(151.52, abs=0.01)
    assert volatility == pytest.approx(0.05999, abs=0.00001)


def test_the_order_of_games_in_a_period_does_not_matter() -> None:
    games = [(1400.0, 30.0, 1.0), (1550.0, 100.0, 0.0), (1700.0, 300.0, 0.0)]
    assert after_period(1500, 200, 0.06, games) == pytest.approx(after_period(1500, 200, 0.06, reversed(games)))


def test_a_period_without_games_only_widens_the_deviation() -> None:
    """Step 6 alone, as the paper has it for those who do not compete."""
    rating, deviation, volatility = after_period(1500, 200, 0.06, [])
    assert (rating, volatility) == (1500, 0.06)
    assert deviation == pytest.approx(sqrt(200**2 + (SCALE * 0.06) ** 2))


def test_volatility_grows_with_results_that_surprise_and_shrinks_with_others() -> None:
    lost = [(1000.0, 50.0, 0.0)] * 3
    won = [(1000.0, 50.0, 1.0)] * 3
    assert after_period(1500, 50, 0.06, lost)[2] > 0.06 > after_period(1500, 50, 0.06, won)[2]


@pytest.mark.parametrize("points", [0.0, 0.5, 1.0])
@pytest.mark.parametrize(("other", "rounds"), [(1000.0, 5), (1500.0, 1), (2400.0, 3)])
def test_volatility_is_the_root_of_the_papers_function(other: float, rounds: int, points: float) -> None:
    """Found here by bisection, with steps 3 and 4 written out for games against one opponent."""
    phi, phi_other, tau = 50 / SCALE, 60 / SCALE, 0.5
    g = 1 / sqrt(1 + 3 * phi_other**2 / pi**2)
    expected = 1 / (1 + exp(-g * (1500 - other) / SCALE))
    v = 1 / (rounds * g**2 * expected * (1 - expected))
    delta = v * rounds * g * (points - expected)

    def f(x: float) -> float:
        square = delta**2 - phi**2 - v - exp(x)
        return exp(x) * square / (2 * (phi**2 + v + exp(x)) ** 2) - (x - log(0.06**2)) / tau**2

    low, high = log(0.06**2) - 1, log(0.06**2) + 1
    assert f(low) > 0 > f(high), "the root beside the old volatility; far off there may be others"
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if f(middle) > 0 else (low, middle)
    _, _, volatility = after_period(1500, 50, 0.06, [(other, 60.0, points)] * rounds)
    assert volatility == pytest.approx(exp(low / 2), rel=1e-6)


def test_even_what_was_as_good_as_certain_counts_when_it_fails() -> None:
    surprised, _, _ = after_period(9000, 60, 0.06, [(-9000.0, 60.0, 0.0)])
    assert 9000 - 30 < surprised < 9000 - 10
    assert after_period(9e6, 60, 0.06, [(-9e6, 60.0, 1.0)])[0] == pytest.approx(9e6)


# Online


def test_the_first_game_of_two_newcomers() -> None:
    x, o = after_game(NEW, NEW, 1.0, NOW_MS)
    assert (round(x.rating), round(o.rating)) == (1662, 1338)
    assert round(x.deviation) == round(o.deviation) == 290
    assert (x.games, x.updated_ms) == (1, NOW_MS)


def test_a_newcomer_is_provisional_for_some_ten_games() -> None:
    player, opponent = NEW, settled()
    while player.provisional_at(NOW_MS):
        player, _ = after_game(player, opponent, player.games % 2, NOW_MS)
    assert 8 <= player.games <= 12


def test_a_settled_rating_moves_little_and_for_newcomers_less_than_they_do() -> None:
    x, o = after_game(settled(), NEW, 1.0, NOW_MS)
    assert 0 < x.rating - 1500 < 10
    assert o.rating < 1400
    won, _ = after_game(settled(deviation=LEAST_DEVIATION), settled(deviation=LEAST_DEVIATION), 1.0, NOW_MS)
    assert won.rating - 1500 == pytest.approx(6, abs=0.5)


def test_the_deviation_grows_with_the_days_since_the_last_game() -> None:
    player = settled(deviation=LEAST_DEVIATION)
    days = [player.deviation_at(NOW_MS + day * PERIOD_MS) for day in (0, 1, 30, 92, 94, 10_000)]
    assert days == sorted(days)
    assert days[0] == LEAST_DEVIATION
    assert days[1] == pytest.approx(sqrt(LEAST_DEVIATION**2 + (SCALE * 0.06) ** 2))
    assert days[3] < PROVISIONAL_DEVIATION < days[4]
    assert days[5] == START_DEVIATION


def test_games_far_apart_change_more_than_games_of_one_evening() -> None:
    same_evening, _ = after_game(settled(), settled(), 1.0, NOW_MS + 60_000)
    a_year_later, _ = after_game(settled(), settled(), 1.0, NOW_MS + 365 * PERIOD_MS)
    assert a_year_later.rating > same_evening.rating + 20


def test_an_opponent_who_was_long_away_tells_less() -> None:
    there, away = settled(), Rating(rating=1500, deviation=60, games=100, updated_ms=NOW_MS - 365 * PERIOD_MS)
    assert after_game(settled(), away, 1.0, NOW_MS)[0].rating < after_game(settled(), there, 1.0, NOW_MS)[0].rating


def test_a_newcomer_does_not_age() -> None:
    assert NEW.deviation_at(NOW_MS) == START_DEVIATION


def test_a_clock_that_was_set_back_takes_no_time_away() -> None:
    player = settled()
    assert player.deviation_at(NOW_MS - PERIOD_MS) == player.deviation
    x, _ = after_game(player, player, 1.0, NOW_MS - PERIOD_MS)
    assert x.updated_ms == NOW_MS
    assert x == after_game(player, player, 1.0, NOW_MS)[0]


# What holds for any ratings


@given(ratings, ratings, points, times)
def test_everything_stays_finite_and_within_bounds(x: Rating, o: Rating, x_points: float, later_ms: int) -> None:
    for before, after in zip((x, o), after_game(x, o, x_points, NOW_MS + later_ms), strict=True):
        assert isfinite(after.rating)
        assert isfinite(after.volatility)
        assert after.volatility > 0
        assert LEAST_DEVIATION <= after.deviation <= START_DEVIATION
        assert after.games == before.games + 1
        assert after.updated_ms == NOW_MS + later_ms


@given(ratings, ratings, times)
def test_a_win_never_lowers_and_a_loss_never_raises(x: Rating, o: Rating, later_ms: int) -> None:
    won, lost = after_game(x, o, 1.0, NOW_MS + later_ms)
    assert won.rating >= x.rating
    assert lost.rating <= o.rating


@given(ratings, ratings)
def test_more_points_are_never_worse(x: Rating, o: Rating) -> None:
    lost, drew, won = (after_game(x, o, x_points, NOW_MS)[0].rating for x_points in (0.0, 0.5, 1.0))
    assert lost <= drew <= won


@given(ratings, ratings, points)
def test_a_deviation_shrinks_with_a_game_played_at_once(x: Rating, o: Rating, x_points: float) -> None:
    after, _ = after_game(x, o, x_points, x.updated_ms)
    assert after.deviation <= max(x.deviation, LEAST_DEVIATION)


@given(ratings, points, times)
def test_equals_gain_and_lose_alike(player: Rating, x_points: float, later_ms: int) -> None:
    x, o = after_game(player, player, x_points, NOW_MS + later_ms)
    assert x.rating - player.rating == pytest.approx(player.rating - o.rating, abs=1e-6)
    assert x.deviation == pytest.approx(o.deviation)


@given(ratings, ratings, points, times)
def test_the_sides_do_not_matter(x: Rating, o: Rating, x_points: float, later_ms: int) -> None:
    at_ms = NOW_MS + later_ms
    assert after_game(x, o, x_points, at_ms) == after_game(o, x, 1.0 - x_points, at_ms)[::-1]


@given(st.lists(st.tuples(points, st.integers(0, 30 * PERIOD_MS)), max_size=60))
def test_any_series_of_games_stays_within_reason(games: list[tuple[float, int]]) -> None:
    x, o, at_ms = NEW, NEW, NOW_MS
    for x_points, pause_ms in games:
        at_ms += pause_ms
        x, o = after_game(x, o, x_points, at_ms)
    for player in (x, o):
        assert 0 < player.rating < 3000
        assert 0.05 < player.volatility < 0.07
