"""Ratings of players, one for each kind of game: Glicko-2 (Glickman, "Example of the Glicko-2 system", 2013). Pure.

A rating is a player's strength on the scale of Elo, with two companions: how far it may be off (`deviation`, about half
the width of its 95 % interval) and how much the player's strength wavers (`volatility`).

Glickman rates the games of a period together. Players wish to see their new rating at once, so here each game is
rated alone, when it ends, and the periods in which a deviation grows are the days since the player's game before:
an hour later it has hardly grown; after a quarter of a year without games a settled rating is provisional again.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import exp, log, pi, sqrt

from msgspec import Struct

START = 1500.0
START_DEVIATION = 350.0
"""The deviation of a player of whom nothing is known, which is also the largest."""
LEAST_DEVIATION = 45.0
"""The smallest deviation, so that a rating never stands still: between equals at it a win is worth 6 points."""
START_VOLATILITY = 0.06
PROVISIONAL_DEVIATION = 110.0
"""Above it a rating is provisional, which takes a newcomer 10 to 15 games to leave."""
PERIOD_MS = 24 * 60 * 60 * 1000
"""A rating period. With the volatility of a start, 45 grows to 110 in 93 of them."""
TAU = 0.5
"""The system's constant: how fast volatility may change. Glickman: 0.3 to 1.2."""
SCALE = 173.7178
"""Points in one unit of Glicko-2's own scale, in which all below is computed."""
CERTAIN = 20.0
"""A difference past which the better side's win is as good as certain: keeps every figure finite."""
EPSILON = 1e-6
"""How exactly a volatility is found, as its logarithm."""


class Rating(Struct, frozen=True):
    """A player's rating in one kind of game after `games` rated games, the last of them at Unix time `updated_ms`."""

    rating: float = START
    deviation: float = START_DEVIATION
    volatility: float = START_VOLATILITY
    games: int = 0
    updated_ms: int = 0

    def deviation_at(self, at_ms: int) -> float:
        """The deviation as it has grown since the last game."""
        return _grown(self.deviation, self.volatility, self._periods(at_ms))

    def provisional_at(self, at_ms: int) -> bool:
        return self.deviation_at(at_ms) > PROVISIONAL_DEVIATION

    def _periods(self, at_ms: int) -> float:
        """Rating periods since the last game; a clock that was set back counts as none."""
        return max(0, at_ms - self.updated_ms) / PERIOD_MS if self.games else 0.0


NEW = Rating()


def after_game(x: Rating, o: Rating, x_points: float, at_ms: int) -> tuple[Rating, Rating]:
    """The ratings of X and O after a game that ended at Unix time `at_ms`; a draw is half a point."""
    return _after_game(x, o, x_points, at_ms), _after_game(o, x, 1.0 - x_points, at_ms)


def _after_game(player: Rating, opponent: Rating, points: float, at_ms: int) -> Rating:
    met = (opponent.rating, opponent.deviation_at(at_ms), points)
    rating, deviation, volatility = after_period(
        player.rating, player.deviation, player.volatility, [met], periods=player._periods(at_ms)
    )
    return Rating(
        rating=rating,
        deviation=min(max(deviation, LEAST_DEVIATION), START_DEVIATION),
        volatility=volatility,
        games=player.games + 1,
        updated_ms=max(at_ms, player.updated_ms),
    )


def after_period(
    rating: float,
    deviation: float,
    volatility: float,
    games: Iterable[tuple[float, float, float]],
    *,
    periods: float = 1.0,
) -> tuple[float, float, float]:
    """Rating, deviation and volatility after games, each an opponent's rating and deviation and the points won.

    Steps 2 to 8 of the paper, with its letters. `periods` is for how long the deviation grows before the games: the
    paper's is one.
    """
    phi = deviation / SCALE
    information = 0.0
    """1/v: what the games tell"""
    gain = 0.0
    """the sum of g (s - E): what was scored above expectation"""
    for other_rating, other_deviation, points in games:
        g = _weight(other_deviation / SCALE)
        expected = _expected(g * (rating - other_rating) / SCALE)
        information += g * g * expected * (1.0 - expected)
        gain += g * (points - expected)
    if information == 0.0:
        return rating, _grown(deviation, volatility, periods), volatility
    volatility = _new_volatility(phi, volatility, 1.0 / information, gain / information)
    grown = _grown(deviation, volatility, periods) / SCALE
    phi = 1.0 / sqrt(1.0 / grown**2 + information)
    return rating + SCALE * phi * phi * gain, SCALE * phi, volatility


def _grown(deviation: float, volatility: float, periods: float) -> float:
    return min(START_DEVIATION, sqrt(deviation**2 + (SCALE * volatility) ** 2 * periods))


def _weight(phi: float) -> float:
    """g: how much a game against an opponent of this deviation tells, at most 1."""
    return 1.0 / sqrt(1.0 + 3.0 * (phi / pi) ** 2)


def _expected(difference: float) -> float:
    """E: the points to be expected of whoever is better by `difference`."""
    return 1.0 / (1.0 + exp(-min(max(difference, -CERTAIN), CERTAIN)))


def _new_volatility(phi: float, volatility: float, v: float, delta: float) -> float:
    """Step 5: the root of f, enclosed between A and B and found by the Illinois method."""
    old = log(volatility**2)

    def f(x: float) -> float:
        e = exp(x)
        return e * (delta**2 - phi**2 - v - e) / (2.0 * (phi**2 + v + e) ** 2) - (x - old) / TAU**2

    a = old
    if delta**2 > phi**2 + v:
        b = log(delta**2 - phi**2 - v)
    else:
        k = 1
        while f(old - k * TAU) < 0.0:
            k += 1
        b = old - k * TAU
    f_a, f_b = f(a), f(b)
    while abs(b - a) > EPSILON:
        c = a + (a - b) * f_a / (f_b - f_a)
        f_c = f(c)
        if f_c * f_b <= 0.0:
            a, f_a = b, f_b
        else:
            f_a /= 2.0
        b, f_b = c, f_c
    return exp(a / 2.0)
