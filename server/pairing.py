"""Who plays whom next in a list of a ladder. Pure: the same plan and the same results give the same pairs.

A list is played in rounds, and each is chosen when the one before is complete:

    rounds 1..n   a round robin: every bot against every other, one pair of games each
    after that    as many pairs as there are bots, where the order of two bots is least certain

A pair is two games with the same opening and swapped sides. The nth pair of two bots has the nth opening of the list,
so all meet the same openings; where openings are not used again, two bots that have met in all of them do not meet
any more. Pairs are numbered from 0 in the order in which they were chosen. A bot whose faults are too many is retired
before the next round. A list is complete when its standing is certain or nobody is left to meet.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from random import Random
from typing import Final, NamedTuple

from engine.davidson import Fit, PairResult, fit

CERTAIN: Final = 0.975
"""An order is certain when the better of two neighbours is the stronger with this likelihood."""
FAULTS: Final = 0.1
"""A bot with a greater share of faults in its games is retired,"""
TRIAL_GAMES: Final = 10
"""once it has played so many."""
_AGAIN: Final = 0.5
"""What a pair chosen for this round leaves of the need for another one of the same bots,"""
_BUSY: Final = 0.8
"""and of the need for others of either bot."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What decides the pairs of a list, results apart. `pairs` is the length of the round robin."""

    bots: int
    pairs: int
    seed: str
    openings: int | None = None
    """How many there are, if none is to be used again by the same two bots."""


class Meeting(NamedTuple):
    """A pair to be played: `a` and `b` are indices of bots."""

    pair: int
    a: int
    b: int
    opening: int
    """Index in the list's sequence of openings."""


class Met(NamedTuple):
    """A pair that was played: points of `a` as X and as O (None: without a result), and the faults of each."""

    as_x: float | None
    as_o: float | None
    a_faults: int = 0
    b_faults: int = 0


@dataclass(frozen=True, slots=True)
class Round:
    """What is to be played now. Without meetings the list is complete, and `reason` says why."""

    number: int
    """From 0."""
    meetings: tuple[Meeting, ...]
    """Of the round, those that were played among them."""
    retired: frozenset[int]
    reason: str = ""


class Schedule:
    """The rounds of a list, one after another."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._before: list[Meeting] = []
        self.round = _chosen(plan, 0, (), {})

    def advance(self, met: Mapping[int, Met]) -> Round:
        """Goes on to the first round that is not complete, given all results so far by pair, and answers it."""
        while self.round.meetings and all(one.pair in met for one in self.round.meetings):
            self._before += self.round.meetings
            self.round = _chosen(self._plan, self.round.number + 1, self._before, met)
        return self.round

    @property
    def meetings(self) -> tuple[Meeting, ...]:
        """Every meeting up to the present round's."""
        return (*self._before, *self.round.meetings)


def results(meetings: Sequence[Meeting], met: Mapping[int, Met]) -> list[PairResult]:
    """What the ratings are made from: whole pairs with two results."""
    return [
        PairResult(one.a, one.b, done.as_x, done.as_o)
        for one in meetings
        if (done := met.get(one.pair)) is not None and done.as_x is not None and done.as_o is not None
    ]


def too_faulty(bots: int, meetings: Sequence[Meeting], met: Mapping[int, Met]) -> frozenset[int]:
    """The bots whose faults are more than FAULTS of their games."""
    games, faults = [0] * bots, [0] * bots
    for one in meetings:
        done = met.get(one.pair)
        if done is not None:
            games[one.a] += 2
            games[one.b] += 2
            faults[one.a] += done.a_faults
            faults[one.b] += done.b_faults
    return frozenset(bot for bot in range(bots) if games[bot] >= TRIAL_GAMES and faults[bot] > FAULTS * games[bot])


def doubt(fitted: Fit, a: int, b: int) -> float:
    """How likely it is that the order of two bots is the other way round: 0 to 1/2."""
    error = fitted.errors[a][b]
    if error == 0 or not math.isfinite(error):
        return 0.5
    return 0.5 * math.erfc(abs(fitted.ratings[a] - fitted.ratings[b]) / (error * math.sqrt(2)))


def _chosen(plan: Plan, number: int, played: Sequence[Meeting], met: Mapping[int, Met]) -> Round:
    retired = too_faulty(plan.bots, played, met)
    times = Counter((one.a, one.b) for one in played)
    active = [bot for bot in range(plan.bots) if bot not in retired]
    able = [(a, b) for a, b in combinations(active, 2) if plan.openings is None or times[a, b] < plan.openings]
    if not able:
        reason = "every two bots have met in every opening" if len(active) > 1 else "fewer than two bots are left"
        return Round(number, (), retired, reason)
    random = Random(f"{plan.seed}/round/{number}")
    random.shuffle(able)
    if number < plan.pairs:
        chosen = able
    else:
        fitted = fit(plan.bots, results(played, met))
        order = sorted(active, key=lambda bot: -fitted.ratings[bot])
        if all(doubt(fitted, a, b) < 1 - CERTAIN for a, b in pairwise(order)):
            return Round(number, (), retired, "the standing is certain")
        chosen = _neediest(able, fitted, len(active), plan, times)
    meetings: list[Meeting] = []
    for a, b in chosen:
        meetings.append(Meeting(len(played) + len(meetings), a, b, times[a, b]))
        times[a, b] += 1
    return Round(number, tuple(meetings), retired)


def _neediest(
    able: Sequence[tuple[int, int]], fitted: Fit, number: int, plan: Plan, times: Counter[tuple[int, int]]
) -> list[tuple[int, int]]:
    """Pairs of bots that teach most of the order: it is in doubt, and the result of their games is open.

    Equal needs are met in the order of `able`, which is the seed's.
    """
    needs = {(a, b): doubt(fitted, a, b) * _openness(fitted, a, b) for a, b in able}
    chosen: list[tuple[int, int]] = []
    while needs and len(chosen) < number:
        best = max(needs, key=lambda pair: needs[pair])
        chosen.append(best)
        if plan.openings is not None and times[best] + chosen.count(best) >= plan.openings:
            del needs[best]
        for pair in needs:
            if pair == best:
                needs[pair] *= _AGAIN
            elif set(pair) & set(best):
                needs[pair] *= _BUSY
    return chosen


def _openness(fitted: Fit, a: int, b: int) -> float:
    """The variance of the points in a pair of games, in the mean of its games."""
    variances = []
    for x, o in ((a, b), (b, a)):
        win, draw, _ = fitted.expected(x, o)
        mean = win + draw / 2
        variances.append(win + draw / 4 - mean * mean)
    return sum(variances) / 2
