"""The sequential probability ratio test: is the first bot the stronger one, asked after every pair of games. Pure.

Two hypotheses on the Elo of the first bot against the second, as the share of the points that
`engine.stats.score.expected` makes of it: H0, it is `elo0` or less; H1, it is `elo1` or more. The log-likelihood ratio
(LLR) says how much better H1 explains the pairs played so far. The test ends when it leaves the bounds of Wald (Annals
of Mathematical Statistics 16, 1945), `log(beta / (1 - alpha))` below and `log((1 - beta) / alpha)` above: then H1 is
accepted with a chance of about `alpha` at most where H0 is true, and H0 with about `beta` where H1 is.

How often pairs bring 0, 1/2, 1, 1 1/2 and 2 points is not known, only its mean is in question: so the test is the
generalised one, with the likeliest five chances under each hypothesis (Van den Bergh, "A practical introduction to the
GSPRT", as in fishtest and fastchess). They are computed exactly, not by the usual normal approximation. Where shares
`q` of the pairs brought the shares `a` of their points, the likeliest chances with the mean `s` are
`q[i] / (1 + x * (a[i] - s))`, with the `x` that makes the sum of `q[i] * (a[i] - s) / (1 + x * (a[i] - s))` 0 (Owen,
Empirical Likelihood, 2001; Van den Bergh, cantate.be/Fishtest/support_MLE_multinomial.pdf, proposition 1.1). Points
that no pair brought count as a thousandth of a pair, as in fishtest and fastchess: else a mean outside of what was seen
would be impossible.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from engine.stats.score import expected

Verdict: TypeAlias = Literal["H0", "H1"]

LARGEST_ELO: Final = 2000.0
"""The largest Elo of a hypothesis; beyond it the share of the points is 0 or 1 in any match that can be played."""

_SHARES: Final = (0.0, 0.25, 0.5, 0.75, 1.0)
_UNSEEN: Final = 1e-3
_STEPS: Final = 200
_CLOSE: Final = 1e-12


@dataclass(frozen=True, slots=True)
class Sprt:
    """A test of H0: Elo `elo0` or less, against H1: `elo1` or more.

    Raises ValueError unless `-2000 <= elo0 < elo1 <= 2000`, the errors are above 0, and their sum is below 1.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    """The chance of accepting H1 where H0 is true."""
    beta: float = 0.05
    """The chance of accepting H0 where H1 is true."""

    def __post_init__(self) -> None:
        if not -LARGEST_ELO <= self.elo0 < self.elo1 <= LARGEST_ELO:
            raise ValueError(
                f"The test needs two Elo differences from {-LARGEST_ELO:.0f} to {LARGEST_ELO:.0f}, the smaller one"
                f" first, not {self.elo0:g} and {self.elo1:g}."
            )
        if not (self.alpha > 0 and self.beta > 0 and self.alpha + self.beta < 1):
            raise ValueError(
                f"The chances of error are above 0 and below 1 together, not {self.alpha} and {self.beta}."
            )

    @property
    def lower(self) -> float:
        """The LLR at which H0 is accepted."""
        return math.log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """The LLR at which H1 is accepted."""
        return math.log((1 - self.beta) / self.alpha)

    def llr(self, pairs: Sequence[int]) -> float:
        """The log-likelihood ratio of H1 to H0; 0 without pairs.

        `pairs` are the numbers of pairs that brought the first bot 0, 1/2, 1, 1 1/2 and 2 points (`Score.pairs`).
        """
        if not any(pairs):
            return 0.0
        seen = [count or _UNSEEN for count in pairs]
        return _log_likelihood(seen, expected(self.elo1)) - _log_likelihood(seen, expected(self.elo0))

    def verdict(self, llr: float) -> Verdict | None:
        """The hypothesis that is accepted; None while the test goes on."""
        if llr >= self.upper:
            return "H1"
        return "H0" if llr <= self.lower else None


def _log_likelihood(seen: Sequence[float], mean: float) -> float:
    """The log-likelihood of the likeliest chances with this mean, up to a constant that does not depend on the mean."""
    away = [share - mean for share in _SHARES]
    multiplier = _multiplier(seen, away)
    return -math.fsum(count * math.log1p(multiplier * by) for count, by in zip(seen, away, strict=True))


def _multiplier(seen: Sequence[float], away: Sequence[float]) -> float:
    """Where the sum of `count * by / (1 + x * by)` is 0: it falls all the way from one end of its range to the other.

    Newton's steps, and half of the range where one would leave what is left of it.
    """
    low, high = -1 / away[-1], -1 / away[0]
    x = 0.0
    for _ in range(_STEPS):
        parts = [by / (1 + x * by) for by in away]
        slope = math.fsum(count * part for count, part in zip(seen, parts, strict=True))
        low, high = (x, high) if slope > 0 else (low, x)
        step = slope / math.fsum(count * part * part for count, part in zip(seen, parts, strict=True))
        after = x + step
        if not low < after < high:
            after = (low + high) / 2
        if abs(after - x) <= _CLOSE * (1 + abs(x)):
            return after
        x = after
    return x
