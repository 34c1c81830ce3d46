"""The sequential test (SPRT) of a running match. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.bots.match import Played
from engine.stats.sprt import Sprt, Verdict


@dataclass(frozen=True, slots=True)
class SprtResult:
    """How far a test has got."""

    test: Sprt
    llr: float
    pairs: int
    """Pairs counted so far."""
    verdict: Verdict | None
    """None if neither bound has been reached."""


class SequentialTest:
    """Counts whole pairs in the order of the match until a bound is reached.

    Parallel games end in any order, so a pair waits until all pairs before it are counted: where the test ends depends
    on the games alone, not on how many ran at a time. A pair with an aborted game is skipped.
    """

    def __init__(self, sprt: Sprt) -> None:
        self._sprt = sprt
        self._early: dict[int, list[float | None]] = {}
        self._next = 0
        self._counts = [0] * 5
        self._llr = 0.0
        self._verdict: Verdict | None = None

    def add(self, played: Played) -> None:
        """Adds a game; ignored once there is a verdict."""
        self._early.setdefault(played.task.pair, []).append(played.a_points)
        while self._verdict is None and len(self._early.get(self._next, ())) == 2:
            self._count(self._early.pop(self._next))
            self._next += 1

    @property
    def last_pair(self) -> int | None:
        """The pair that decided the test; None without a verdict."""
        return None if self._verdict is None else self._next - 1

    @property
    def result(self) -> SprtResult:
        return SprtResult(self._sprt, self._llr, sum(self._counts), self._verdict)

    def _count(self, points: Sequence[float | None]) -> None:
        one, two = points
        if one is not None and two is not None:
            self._counts[round(2 * (one + two))] += 1
            self._llr = self._sprt.llr(self._counts)
            self._verdict = self._sprt.verdict(self._llr)
