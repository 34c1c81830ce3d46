"""How strong the bots of a ladder are: ratings by maximum likelihood, after Bradley-Terry-Davidson. Pure.

The model. Each bot has a strength `s`, moving first is worth `g`, and draws have a weight `nu`. With
`d = s(X) - s(O) + g`, the chances that X wins, draws and loses are as

    exp(d / 2) : nu : exp(-d / 2)

This is Davidson's extension of the Bradley-Terry model to draws (JASA 65, 1970, 317-328) with an effect of order as a
factor (Davidson & Beaver, Biometrics 33, 1977, 693-702); `nu` is the ratio of draws to wins of either side between
equals, the advantage taken away. All that leaves here is in Elo: `400 / ln 10` times `s` or `g`, so that of two bots
400 apart the stronger wins ten times as often as it loses. The mean rating is 0.

The prior. Bots that won or lost all would have infinite ratings. So each bot is given one game won and one lost against
an imagined bot of strength 0, with no draws and no first move to think of (a logistic prior on `s`), and between
imagined equals each side wins one game and one is drawn (for `g` and `nu`). However far a bot is from the middle, this
weighs no more than one game. Strength 0 is the field's middle, not its mean: one bot of no strength does not move it.

The likelihood and the prior are log-concave (a multinomial logit), so that there is one maximum, found by Newton's
method with step halving. Games are counted before anything else: their order cannot matter.

The intervals, of 95 %, are percentiles of a bootstrap over pairs: the two games of a pair share their opening and are
not independent. Resampling what never happened gives nothing: a bot that won everything would have an interval of no
width. So the imagined games are drawn anew as well, with weights from the exponential distribution with mean 1 (the
weighted bootstrap of Newton, Polson & Xu, Canadian Journal of Statistics 49, 2021): for a bot that won `n` games in a
strong field, the bound below is then where it loses about 3.7 of n, as exact intervals have it, and the bound above is
the prior's. And percentiles of few pairs are too narrow, so they are taken further out, as far as Student's t is from
the normal distribution (the expanded percentile interval of Hesterberg, American Statistician 69, 2015).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import NormalDist
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from engine.stats.score import Z, student_t

_Floats: TypeAlias = NDArray[np.float64]

ELO: Final = 400 / math.log(10)
"""Elo in one unit of strength, a factor e in the odds."""

_POINTS: Final = {0.0: 0, 0.5: 1, 1.0: 2}
_LOSS, _DRAW, _WIN = range(3)
_IMAGINED: Final = ((_WIN, _LOSS), (_DRAW, _DRAW), (_LOSS, _WIN))
"""Results of one imagined bot against its equal, as X and as O: X wins, draws and loses both games."""
_LEAST_OUTSIDE: Final = 0.0025
"""A thousand resamples say nothing about smaller tails; reached with six pairs or fewer."""
_STEPS: Final = 100
_LONGEST: Final = 4.0
"""Longest step, in units of strength: beyond it the curvature where the step began says little."""
_HALVINGS: Final = 40
_EXACT: Final = 1e-10
"""Newton's step at which the ratings are good enough, in units of strength."""
_LEAST_LEAD: Final = 1e-6
"""Elo: equals may come out as far apart, and none of them is ahead."""
_FAIR: Final = 3e-3
"""The same for a resample. The step is still made, so that about a thousandth of an Elo point is left."""


class PairResult(NamedTuple):
    """The points (0, 1/2 or 1) of bot `a` against bot `b` in the two games of a pair; bots are numbers from 0."""

    a: int
    b: int
    as_x: float
    as_o: float


Pairs: TypeAlias = Sequence[PairResult] | Mapping[PairResult, int]
"""Results one by one, or the number of times each occurred."""


@dataclass(frozen=True, slots=True)
class Fit:
    """The most likely strengths."""

    ratings: tuple[float, ...]
    """Elo of each bot, mean 0."""
    advantage: float
    """Elo that moving first is worth."""
    drawing: float
    """Davidson's nu: draws to wins of either side between equals, the advantage taken away; 0 is never."""
    errors: tuple[tuple[float, ...], ...]
    """Standard error of each difference of two ratings, in Elo, from the curvature at the maximum.

    It takes games for independent, so it is good for choosing who should play next; intervals come from `standings`.
    """

    def error(self, bot: int) -> float:
        """Standard error of a bot's rating, in Elo, which is against the mean of all; from the same curvature.

        Of ratings `r` with the mean `m`, `var(r[i] - m)` is the mean of the variances of `r[i] - r[j]` less half of the
        mean of those of all two.
        """
        number = len(self.errors)
        variances = [math.fsum(error * error for error in row) / number for row in self.errors]
        return math.sqrt(max(0.0, variances[bot] - math.fsum(variances) / number / 2))

    def expected(self, x: int, o: int) -> tuple[float, float, float]:
        """The chances that bot `x`, moving first, wins, draws and loses against bot `o`."""
        lead = (self.ratings[x] - self.ratings[o] + self.advantage) / ELO
        win, loss = math.exp((lead - abs(lead)) / 2), math.exp((-lead - abs(lead)) / 2)
        draw = self.drawing * math.exp(-abs(lead) / 2)
        whole = win + draw + loss
        return win / whole, draw / whole, loss / whole


class Standing(NamedTuple):
    """How sure one bot's rating is. All but the last are in Elo."""

    rating: float
    low: float
    high: float
    superiority: float | None
    """The likelihood that it is stronger than the bot with the next lower rating, a half at least; None for the last.

    Bots without pairs come after the others, and nobody who has played is compared with them.
    """


def fit(number: int, pairs: Pairs) -> Fit:
    """The most likely strengths of bots 0 to `number - 1`, whatever the order of the pairs.

    Raises ValueError for a pair of unknown bots, of a bot with itself, or with points that no game gives.
    """
    field = _Field(number)
    return _fit(field, *_most_likely(field, _counted(field, pairs)))


def standings(number: int, pairs: Pairs, seed: int = 0, resamples: int = 1000) -> tuple[Fit, tuple[Standing, ...]]:
    """The fit and each bot's standing, in the order of the bots. The same results and seed give the same standings.

    The superiority is the share of the resamples in which the one bot is ahead of the other, drawn towards a half where
    there are few pairs. Raises ValueError as `fit` does, and without resamples.
    """
    if resamples < 1:
        raise ValueError(f"Intervals need at least one resample, not {resamples}.")
    field = _Field(number)
    counts = _counted(field, pairs)
    best, curvature = _most_likely(field, counts)
    found = _fit(field, best, curvature)
    if not number:
        return found, ()
    random = np.random.default_rng(seed)
    drawn = _resampled(counts, random, resamples)
    resampled = _ratings(field, drawn, random.standard_exponential((resamples, 2 * number + 3)), best)
    resampled -= resampled.mean(axis=1, keepdims=True)
    played = counts.sum(axis=(1, 2)) @ np.abs(field.lead)
    return found, _standings(found.ratings, played.tolist(), resampled)


class Change(NamedTuple):
    """How far a bot's rating moved, in Elo, against the mean of the bots that have pairs on both sides."""

    before: float
    after: float
    low: float
    """Lower end of the 95 % interval of the difference; `high` is the upper end."""
    high: float


def changes(
    number: int, shared: Pairs, before: Pairs, after: Pairs, seed: int = 0, resamples: int = 1000
) -> tuple[Change | None, ...]:
    """How ratings from `shared` and `before` differ from those from `shared` and `after`; None for bots without pairs.

    Shared pairs are resampled once for both sides: what a list has played before a night is no news of that night.
    Where there is news, each side has imagined games of its own: the rating of a bot that goes on winning all rises
    because they weigh less and less, which says nothing of its strength.
    Raises ValueError as `standings` does.
    """
    if resamples < 1:
        raise ValueError(f"Intervals need at least one resample, not {resamples}.")
    field = _Field(number)
    common, *sides = (_counted(field, pairs) for pairs in (shared, before, after))
    random = np.random.default_rng(seed)
    drawn, weights = _resampled(common, random, resamples), (resamples, 2 * number + 3)
    imagined = random.standard_exponential(weights)
    played = np.min([(common + side).sum(axis=(1, 2)) @ np.abs(field.lead) for side in sides], axis=0)
    known = np.flatnonzero(played)
    if not len(known):
        return (None,) * number
    found: list[_Floats] = []
    for side in sides:
        best, _ = _most_likely(field, common + side)
        several = drawn + _resampled(side, random, resamples)
        each = np.concatenate([ELO * best[:, :number], _ratings(field, several, imagined, best)])
        found.append(each - each[:, known].mean(axis=1, keepdims=True))
        if any(news.any() for news in sides):
            imagined = random.standard_exponential(weights)
    moved = found[1] - found[0]
    told: list[Change | None] = [None] * number
    for bot in known.tolist():
        outside = _outside(float(played[bot]))
        low, high = np.quantile(moved[1:, bot], (outside, 1 - outside)).tolist()
        was, is_now = float(found[0][0, bot]), float(found[1][0, bot])
        told[bot] = Change(was, is_now, min(low, is_now - was), max(high, is_now - was))
    return tuple(told)


def _ratings(field: _Field, drawn: _Floats, imagined: _Floats, best: _Floats) -> _Floats:
    """The ratings in each resample, in Elo, from the middle of the field."""
    points = _maximum(_Sums(field, drawn, imagined), np.repeat(best, len(drawn), axis=0), _FAIR)
    ratings: _Floats = ELO * points[:, : field.number]
    return ratings


def _standings(ratings: Sequence[float], played: Sequence[float], resampled: _Floats) -> tuple[Standing, ...]:
    order = sorted(range(len(ratings)), key=lambda bot: (not played[bot], -ratings[bot], bot))
    superior: list[float | None] = [None] * len(ratings)
    for bot, following in pairwise(order):
        if played[bot] and not played[following]:
            continue
        lead = resampled[:, bot] - resampled[:, following]
        ahead = float(np.count_nonzero(lead > 0) + np.count_nonzero(lead == 0) / 2)
        likely = _superiority(ahead, len(lead), min(played[bot], played[following]))
        superior[bot] = 0.5 if ratings[bot] - ratings[following] < _LEAST_LEAD else max(0.5, likely)
    standings = []
    for bot, rating in enumerate(ratings):
        outside = _outside(played[bot])
        low, high = np.quantile(resampled[:, bot], (outside, 1 - outside)).tolist()
        standings.append(Standing(rating, min(rating, low), max(rating, high), superior[bot]))
    return tuple(standings)


def _superiority(ahead: float, resamples: int, pairs: float) -> float:
    """Superiority from the resamples in which a bot is ahead of another; `pairs` are those of the one with fewer.

    Few pairs resampled vary less than new ones would, so certainty is drawn back as intervals are drawn out.
    """
    share = NormalDist().inv_cdf((ahead + 0.5) / (resamples + 1))
    return NormalDist().cdf(share * Z / _further(pairs))


def _outside(pairs: float) -> float:
    """The share of resamples to leave out on each side, for the interval of a bot with this number of pairs."""
    return math.erfc(_further(pairs) / math.sqrt(2)) / 2


def _further(pairs: float) -> float:
    """How many standard deviations an interval reaches, after this many pairs; with many it is 1.96."""
    furthest = NormalDist().inv_cdf(1 - _LEAST_OUTSIDE)
    return furthest if pairs < 2 else min(furthest, math.sqrt(pairs / (pairs - 1)) * student_t(round(pairs) - 1))


class _Field:
    """The bots, and every two of them: `lead` has a row for each two, +1 for the first bot and -1 for the second.

    The last row, all zeros, is for the imagined equals.
    """

    def __init__(self, number: int) -> None:
        self.number = number
        self.first, self.second = np.triu_indices(number, 1)
        rows = np.arange(len(self.first))
        self.lead: _Floats = np.zeros((len(rows) + 1, number))
        self.lead[rows, self.first] = 1
        self.lead[rows, self.second] = -1

    def row(self, first: int, second: int) -> int:
        """Row of a pair of bots, `first < second`."""
        return first * (2 * self.number - first - 1) // 2 + second - first - 1


def _counted(field: _Field, pairs: Pairs) -> _Floats:
    """How many pairs of each two bots (rows of the field) gave the first one each result as X and as O."""
    counts: _Floats = np.zeros((len(field.lead), 3, 3))
    for (a, b, as_x, as_o), times in Counter(pairs).items():
        if not (0 <= a < field.number and 0 <= b < field.number and a != b):
            raise ValueError(f"Bots {a} and {b} make no pair: two of 0 to {field.number - 1} are needed.")
        if as_x not in _POINTS or as_o not in _POINTS:
            raise ValueError(f"A game gives 0, 0.5 or 1 points, not {as_o if as_x in _POINTS else as_x}.")
        first, second = _POINTS[as_x], _POINTS[as_o]
        if a < b:
            counts[field.row(a, b), first, second] += times
        else:
            counts[field.row(b, a), _WIN - second, _WIN - first] += times
    return counts


def _resampled(counts: _Floats, random: np.random.Generator, resamples: int) -> _Floats:
    """As many pairs as were played, drawn from them with replacement; the first axis is that of the resamples."""
    seen = np.flatnonzero(counts)
    played = counts.ravel()[seen]
    drawn: _Floats = np.zeros((resamples, counts.size))
    if len(seen):
        drawn[:, seen] = random.multinomial(int(played.sum()), played / played.sum(), size=resamples)
    return drawn.reshape(resamples, *counts.shape)


class _Sums:
    """What the likelihood must know of the games: how many there were, and the sum of what each parameter speeds up.

    Arrays have a first axis for the resamples. A point is the strengths, then `g`, then `log nu`.
    """

    def __init__(self, field: _Field, counts: _Floats, imagined: _Floats) -> None:
        """`imagined` has the weights of the imagined games: each bot's win, each bot's loss, and three of equals."""
        number = field.number
        self.field = field
        self.wins = imagined[:, :number]
        self.losses = imagined[:, number : 2 * number]
        counts = counts.copy()
        for column, (as_x, as_o) in enumerate(_IMAGINED, start=2 * number):
            counts[:, -1, as_x, as_o] += imagined[:, column] / 2  # half a pair is one game
        as_x, as_o = counts.sum(axis=3), counts.sum(axis=2)
        self.pairs: _Floats = as_x.sum(axis=2)
        x_margin = (as_x[..., _WIN] - as_x[..., _LOSS]) / 2
        o_margin = (as_o[..., _WIN] - as_o[..., _LOSS]) / 2
        draws = as_x[..., _DRAW] + as_o[..., _DRAW]
        self.target: _Floats = np.concatenate(
            [
                (x_margin + o_margin) @ field.lead + (self.wins - self.losses) / 2,
                (x_margin - o_margin).sum(axis=1, keepdims=True),
                draws.sum(axis=1, keepdims=True),
            ],
            axis=1,
        )

    def value(self, points: _Floats) -> _Floats:
        """The logarithm of the likelihood and the prior, but for a constant."""
        strengths, nu = points[:, : self.field.number], np.exp(points[:, -1:])
        lead, advantage = strengths @ self.field.lead.T, points[:, -2:-1]
        whole = _log_whole(lead + advantage, nu) + _log_whole(lead - advantage, nu)
        imagined = (self.wins + self.losses) * np.logaddexp(strengths / 2, -strengths / 2)
        value: _Floats = (points * self.target).sum(axis=1) - (self.pairs * whole).sum(axis=1) - imagined.sum(axis=1)
        return value

    def slopes(self, points: _Floats) -> tuple[_Floats, _Floats]:
        """The gradient of `value`, and its curvature: minus the Hessian."""
        field, number = self.field, self.field.number
        strengths, nu = points[:, :number], np.exp(points[:, -1:])
        lead, advantage = strengths @ field.lead.T, points[:, -2:-1]
        x_margin, x_draw, x_variance = _moments(lead + advantage, nu)
        o_margin, o_draw, o_variance = _moments(lead - advantage, nu)
        against_middle = np.tanh(strengths / 2) / 2

        gradient = self.target.copy()
        gradient[:, :number] -= (self.pairs * (x_margin + o_margin)) @ field.lead
        gradient[:, :number] -= (self.wins + self.losses) * against_middle
        gradient[:, -2] -= (self.pairs * (x_margin - o_margin)).sum(axis=1)
        gradient[:, -1] -= (self.pairs * (x_draw + o_draw)).sum(axis=1)

        x_spread, o_spread = self.pairs * x_variance, self.pairs * o_variance
        # The margin is 0 in a draw, so that their covariance is minus the product of the means.
        x_both, o_both = -self.pairs * x_margin * x_draw, -self.pairs * o_margin * o_draw
        spread = x_spread + o_spread
        curvature: _Floats = np.zeros((len(points), number + 2, number + 2))
        curvature[:, field.first, field.second] = curvature[:, field.second, field.first] = -spread[:, :-1]
        diagonal = np.arange(number)
        curvature[:, diagonal, diagonal] = spread @ np.abs(field.lead)
        curvature[:, diagonal, diagonal] += (self.wins + self.losses) / (2 * np.cosh(strengths / 2)) ** 2
        curvature[:, :number, -2] = curvature[:, -2, :number] = (x_spread - o_spread) @ field.lead
        curvature[:, :number, -1] = curvature[:, -1, :number] = (x_both + o_both) @ field.lead
        curvature[:, -2, -2] = spread.sum(axis=1)
        curvature[:, -2, -1] = curvature[:, -1, -2] = (x_both - o_both).sum(axis=1)
        curvature[:, -1, -1] = (self.pairs * (x_draw * (1 - x_draw) + o_draw * (1 - o_draw))).sum(axis=1)
        return gradient, curvature


def _log_whole(lead: _Floats, nu: _Floats) -> _Floats:
    """log(exp(d/2) + nu + exp(-d/2)), without overflow."""
    half = np.abs(lead) / 2
    whole: _Floats = half + np.log1p(np.exp(-2 * half) + nu * np.exp(-half))
    return whole


def _moments(lead: _Floats, nu: _Floats) -> tuple[_Floats, _Floats, _Floats]:
    """Mean of one game's margin (1/2 for a win, -1/2 for a loss), chance of a draw, and variance of the margin.

    The variance is written so that nothing cancels: it is small between unequal bots, but never 0.
    """
    behind = np.exp(-np.abs(lead) / 2)
    whole = 1 + behind * (behind + nu)
    margin: _Floats = np.copysign((1 - behind * behind) / (2 * whole), lead)
    draw: _Floats = nu * behind / whole
    variance: _Floats = behind * (4 * behind + nu * (1 + behind * behind)) / (2 * whole) ** 2
    return margin, draw, variance


def _most_likely(field: _Field, counts: _Floats) -> tuple[_Floats, _Floats]:
    sums = _Sums(field, counts[None], np.ones((1, 2 * field.number + 3)))
    best = _maximum(sums, np.zeros((1, field.number + 2)), _EXACT)
    return best, sums.slopes(best)[1]


def _maximum(sums: _Sums, points: _Floats, close: float) -> _Floats:
    """Newton's method from `points`, until steps are shorter than `close` or promise next to nothing.

    The second is for a bot whose few games and imagined games all have next to no weight in a resample: where its
    likelihood is that flat, rounding could keep the steps long.
    """
    value = sums.value(points)
    for _ in range(_STEPS):
        gradient, curvature = sums.slopes(points)
        step = np.linalg.solve(curvature, gradient[..., None])[..., 0]
        longest, promise = np.abs(step).max(axis=1), (step * gradient).sum(axis=1)
        step *= (_LONGEST / np.maximum(longest, _LONGEST))[:, None]
        # A rise that rounding swallows is not worth another step.
        least = value - 1e-12 * (1 + np.abs(value))
        after = points + step
        value = sums.value(after)
        for _ in range(_HALVINGS):
            down = value < least
            if not down.any():
                break
            step[down] /= 2
            after = points + step
            value = sums.value(after)
        points = after
        if np.all((longest <= close) | (promise <= close**2)):
            break
    return points


def _fit(field: _Field, best: _Floats, curvature: _Floats) -> Fit:
    number = field.number
    strengths = best[0, :number]
    spread = np.linalg.inv(curvature[0])[:number, :number]
    variances: _Floats = np.diag(spread)[:, None] + np.diag(spread)[None, :] - 2 * spread
    errors: _Floats = ELO * np.sqrt(np.maximum(variances, 0))
    np.fill_diagonal(errors, 0)
    ratings: _Floats = ELO * strengths
    if number:
        ratings -= ratings.mean()
    return Fit(
        ratings=tuple(ratings.tolist()),
        advantage=ELO * float(best[0, -2]),
        drawing=math.exp(float(best[0, -1])),
        errors=tuple(tuple(row) for row in errors.tolist()),
    )
