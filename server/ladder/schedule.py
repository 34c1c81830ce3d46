"""Who plays whom next in a list of a ladder. Pure: the same plan and the same results give the same pairs.

A list is played in rounds, and each is chosen when the one before is complete:

    round robin   every bot against every other, once or more often, until all have met so often as is asked for
    after that    pairs of bots whose order is least certain

Rounds grow with what was played, by a quarter of it at first and by a twentieth later: so there are few of them, and
workers seldom wait for the last game of one.

A pair is two games with the same opening and swapped sides. Any two bots go through the list's openings in order, each
two from a place of their own: so all openings are played from the beginning, and two bots meet in each once before they
meet in one again. Where openings are not used again, two bots that have met in all of them do not meet any more. Pairs
are numbered from 0 in the order in which they were chosen. A bot whose faults are too many is retired before the next
round. A list is complete when its standing is certain or nobody is left to meet. A certain one
can be extended by a round, as if it were not certain.

Bots may enter and leave between runs. A change of the line-up holds from a round on: what is left of the round before
is played, but for the pairs of bots that left. Results of bots that left go on counting for the ratings.

In a gauntlet new bots meet the others, and neither kind meets its own. An SPRT is between two bots, and its list
complete when the test has decided. Any list may end sooner, when its intervals are narrow enough or after a number of
rounds.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from random import Random
from typing import Final, Literal, NamedTuple

from engine.stats.davidson import Fit, PairResult, fit
from engine.stats.score import Z
from engine.stats.sprt import Sprt

Mode = Literal["round-robin", "gauntlet", "sprt"]

VERSION: Final = 2
"""Version of the schedule: raised when the same plan and results would give other pairs."""
CERTAIN: Final = 0.995
"""An order is certain when the better of two neighbours is the stronger with this likelihood. High, since it is asked
after every round: of equal bots one is sometimes ahead by chance."""
MAX_FAULT_SHARE: Final = 0.1
"""A bot is retired when a larger share of its games than this ended by its own fault."""
TRIAL_GAMES: Final = 10
"""Games that a bot must have played before it can be retired."""
_ROBIN_GROWTH: Final = 4
_ROUND_GROWTH: Final = 20
"""A round has at least one pair for this many pairs played before it."""
_AGAIN: Final = 0.5
"""Factor for the need of a further pair of the same two bots, for each that this round already has."""
_BUSY: Final = 0.8
"""Factor for the need of pairs with either of two bots, for each pair of theirs that this round already has."""
_PLACES: Final = 64
"""Number of places at which two bots may begin in an endless sequence of openings."""
_TEST_PAIRS: Final = 8
"""Pairs of a round of an SPRT, which is asked after each."""
_DIGITS: Final = 6
"""Significant digits of numbers that are compared: processors differ beyond about the tenth, the schedule must not."""
_DECIMALS: Final = 3
"""Decimal places of ratings that are compared, which may be 0 but for such differences."""
_FAINT: Final = 2.0**-500
_LOUDER: Final = 2.0**400


class LineUp(NamedTuple):
    """Who plays from a round on, as indices of bots; how many pairs any two of them play at first; and the mode."""

    round: int
    bots: tuple[int, ...]
    pairs: int
    mode: Mode = "round-robin"
    new: tuple[int, ...] = ()
    """In a gauntlet, the bots that meet the others; in an SPRT, the bot in question."""
    elo: tuple[float, float] | None = None
    """The hypotheses of an SPRT."""
    width: float | None = None
    """The list is complete when no interval is wider, in Elo."""
    rounds: int | None = None
    """The list is complete after this many."""

    def meets(self, a: int, b: int) -> bool:
        """Whether these two of its bots are to play each other."""
        return self.mode != "gauntlet" or (a in self.new) != (b in self.new)

    @property
    def robin(self) -> int:
        """Pairs of the whole round robin: `pairs` for any two bots that meet."""
        return self.pairs * sum(self.meets(a, b) for a, b in combinations(self.bots, 2))

    @property
    def test(self) -> Sprt | None:
        """The test of an SPRT; None in other modes."""
        return None if self.elo is None else Sprt(*self.elo)


@dataclass(frozen=True, slots=True)
class PairingPlan:
    """What decides the pairs of a list, apart from results. `pairs` is the length of the round robin.

    Without line-ups all bots play from the beginning.
    """

    bots: int
    pairs: int
    seed: str
    openings: int | None = None
    """How many there are, if the same two bots may not reuse one."""
    line_ups: tuple[LineUp, ...] = ()
    """The line-ups by round; the first is of round 0."""

    def line_up(self, round: int) -> LineUp:
        """The line-up of this round."""
        begun = [one for one in self.line_ups if one.round <= round]
        return begun[-1] if begun else LineUp(0, tuple(range(self.bots)), self.pairs)


class Meeting(NamedTuple):
    """A pair to be played: `a` and `b` are indices of bots."""

    pair: int
    a: int
    b: int
    opening: int
    """Index in the list's sequence of openings."""


class PairScore(NamedTuple):
    """A pair that was played: points of `a` as X and as O (None: without a result), and the faults of each."""

    as_x: float | None
    as_o: float | None
    a_faults: int = 0
    b_faults: int = 0
    bots: tuple[int, int] | None = None
    """`a` and `b`, where that is not known otherwise."""


@dataclass(frozen=True, slots=True)
class Round:
    """What is to be played now. Without meetings the list is complete, and `reason` says why."""

    number: int
    """From 0."""
    meetings: tuple[Meeting, ...]
    """All meetings of the round, including those that were played."""
    retired: frozenset[int]
    reason: str = ""


class Schedule:
    """The rounds of a list, one after another, and what came of them."""

    def __init__(self, plan: PairingPlan) -> None:
        self._plan = plan
        self._times: Counter[tuple[int, int]] = Counter()
        """Pairs chosen for any two bots."""
        self._given_up: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
        """Openings chosen for any two bots and, since one of them left, not played."""
        self._chosen = 0
        self._games = [0] * plan.bots
        self._faults = [0] * plan.bots
        self.results: Counter[PairResult] = Counter()
        """What the ratings are made from: whole pairs with two results."""
        self._missing: dict[int, Meeting] = {}
        self._robin_left = 0
        """Pairs that the round robin lacked when the present round was chosen."""
        self.round = self._next_round(0)

    @property
    def too_faulty(self) -> frozenset[int]:
        """The bots whose faults are more than MAX_FAULT_SHARE of their games so far."""
        return frozenset(
            bot
            for bot, (games, faults) in enumerate(zip(self._games, self._faults, strict=True))
            if games >= TRIAL_GAMES and faults > MAX_FAULT_SHARE * games
        )

    @property
    def unplayed(self) -> frozenset[int]:
        """The bots without a pair that counts for the ratings."""
        return frozenset(range(self._plan.bots)).difference(*({pair.a, pair.b} for pair in self.results))

    @property
    def to_play(self) -> tuple[Meeting, ...]:
        """The meetings of the present round without a result."""
        return tuple(self._missing.values())

    @property
    def robin_left(self) -> int:
        """Pairs without a result that the round robin of the present line-up still needs."""
        return max(0, self._robin_left - len(self.round.meetings) + len(self._missing))

    @property
    def next_line_up(self) -> int:
        """The first round that can have another line-up: the present one if it has no result yet."""
        return self.round.number + (len(self._missing) < len(self.round.meetings))

    def record(self, pair: int, score: PairScore) -> bool:
        """Takes the result of a pair of the present round; True if that was its last, and the next has begun.

        Raises ValueError for a result of other bots.
        """
        one = self._missing.pop(pair)
        if score.bots is not None and score.bots != (one.a, one.b):
            raise ValueError(
                f"Pair {pair} is one of bots {one.a} and {one.b}, not of {score.bots[0]} and {score.bots[1]}."
            )
        for bot, faults in ((one.a, score.a_faults), (one.b, score.b_faults)):
            self._games[bot] += 2
            self._faults[bot] += faults
        if score.as_x is not None and score.as_o is not None:
            self.results[PairResult(one.a, one.b, score.as_x, score.as_o)] += 1
        if self._missing:
            return False
        self.round = self._next_round(self.round.number + 1)
        return True

    def catch_up(self, scores: Mapping[int, PairScore]) -> None:
        """Takes the results of earlier runs, by pair, as many rounds of them as there are, extensions among them."""
        last = max(scores, default=-1)
        while self._take(scores) or (last >= self._chosen and self.extend()):
            pass

    def _take(self, scores: Mapping[int, PairScore]) -> bool:
        """Takes the results of the present round; True if it is over, and the next has begun."""
        number = self.round.number
        staying = frozenset(self._plan.line_up(number + 1).bots)
        for one in self.to_play:
            if one.pair not in scores and not staying.issuperset((one.a, one.b)):
                del self._missing[one.pair]
                self._times[one.a, one.b] -= 1
                self._given_up[one.a, one.b].append(one.opening)
        for one in self.to_play:
            if one.pair in scores:
                self.record(one.pair, scores[one.pair])
        return self.round.number > number

    def extend(self) -> bool:
        """Another round for a list that was complete because its order is certain; False if nobody is left to meet."""
        if not self.round.meetings:
            self.round = self._next_round(self.round.number, until_certain=False)
        return bool(self.round.meetings)

    def _next_round(self, number: int, until_certain: bool = True) -> Round:
        plan, retired = self._plan, self.too_faulty
        line_up = plan.line_up(number)
        active = sorted(bot for bot in line_up.bots if bot not in retired)
        self._robin_left = 0
        meet = [pair for pair in combinations(active, 2) if line_up.meets(*pair)]
        able = [pair for pair in meet if plan.openings is None or self._times[pair] < plan.openings]
        if not able:
            some = "every pair of bots has met in every opening"
            return Round(number, (), retired, some if meet else "fewer than two bots remain")
        if until_certain and (reason := self._decided(number, line_up, active)):
            return Round(number, (), retired, reason)
        Random(f"{plan.seed}/round/{number}").shuffle(able)
        least = min(self._times[pair] for pair in able)
        if least < line_up.pairs:
            wanted = line_up.pairs if plan.openings is None else min(line_up.pairs, plan.openings)
            self._robin_left = sum(max(0, wanted - self._times[pair]) for pair in able)
            return self._meet(number, self._robin(able, least, wanted), retired)
        fitted = fit(plan.bots, self.results)
        order = sorted(active, key=lambda bot: (-round(fitted.ratings[bot], _DECIMALS), bot))
        near = [(a, b) for a, b in pairwise(order) if line_up.meets(a, b)]
        if until_certain and line_up.test is None and all(doubt(fitted, a, b) < 1 - CERTAIN for a, b in near):
            return Round(number, (), retired, "the order is certain")
        size = max(len(active) if line_up.test is None else _TEST_PAIRS, self._chosen // _ROUND_GROWTH)
        return self._meet(number, _neediest(able, fitted, size, plan, self._times), retired)

    def _decided(self, number: int, line_up: LineUp, active: Sequence[int]) -> str:
        """Why the list ends here, as its configuration asks for; empty if it does not."""
        if line_up.rounds is not None and number >= line_up.rounds:
            return f"{line_up.rounds} round{'s have' if line_up.rounds > 1 else ' has'} been played"
        verdict = None if line_up.test is None else line_up.test.verdict(_rounded(self.llr(line_up)))
        if verdict is not None and line_up.elo is not None:
            lead = f"{line_up.elo[0]:g} Elo or less" if verdict == "H0" else f"{line_up.elo[1]:g} Elo or more"
            return f"the test accepts {verdict}: a lead of {lead}"
        if line_up.width is None or any(self.unplayed.intersection(active)):
            return ""
        fitted = fit(self._plan.bots, self.results)
        widest = max(2 * Z * fitted.error(bot) for bot in active)
        return f"no interval is wider than {line_up.width:g} Elo" if _rounded(widest) <= line_up.width else ""

    def llr(self, line_up: LineUp) -> float:
        """The log-likelihood ratio of a line-up's SPRT."""
        assert line_up.test is not None
        pairs = [0] * 5
        [first] = line_up.new
        for result, times in self.results.items():
            if {result.a, result.b} == {*line_up.bots}:
                half_points = round(2 * (result.as_x + result.as_o))
                pairs[half_points if result.a == first else 4 - half_points] += times
        return line_up.test.llr(pairs)

    def _robin(self, able: Sequence[tuple[int, int]], least: int, wanted: int) -> list[tuple[int, int]]:
        """The bots that have met least often meet, all equally often."""
        behind = [pair for pair in able if self._times[pair] == least]
        return behind * min(wanted - least, max(1, least // _ROBIN_GROWTH))

    def _meet(self, number: int, chosen: Sequence[tuple[int, int]], retired: frozenset[int]) -> Round:
        meetings: list[Meeting] = []
        for a, b in chosen:
            meetings.append(Meeting(self._chosen, a, b, self._opening(a, b)))
            self._times[a, b] += 1
            self._chosen += 1
        self._missing = {one.pair: one for one in meetings}
        return Round(number, tuple(meetings), retired)

    def _opening(self, a: int, b: int) -> int:
        """The next one for these two bots; first those that were given up, if the bot that left is back."""
        if self._given_up[a, b]:
            return self._given_up[a, b].pop(0)
        openings = self._plan.openings
        begin = Random(f"{self._plan.seed}/openings/{a}/{b}").randrange(openings or _PLACES)
        return begin + self._times[a, b] if openings is None else (begin + self._times[a, b]) % openings


def _rounded(number: float) -> float:
    return float(f"{number:.{_DIGITS}g}")


def doubt(fitted: Fit, a: int, b: int) -> float:
    """How likely it is that the order of two bots is the other way round: 0 to 1/2."""
    error = fitted.errors[a][b]
    if error == 0 or not math.isfinite(error):
        return 0.5
    return _rounded(0.5 * math.erfc(abs(fitted.ratings[a] - fitted.ratings[b]) / (error * math.sqrt(2))))


def _neediest(
    able: Sequence[tuple[int, int]], fitted: Fit, number: int, plan: PairingPlan, times: Counter[tuple[int, int]]
) -> list[tuple[int, int]]:
    """Pairs of bots that teach most of the order: it is in doubt, and the result of their games is open.

    Equal needs are met in the order of `able`, which is the seed's.
    """
    needs = {(a, b): _rounded(doubt(fitted, a, b) * _openness(fitted, a, b)) for a, b in able}
    of_bot: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
    for pair in able:
        for bot in pair:
            of_bot[bot].append(pair)
    met = Counter({pair: times[pair] for pair in able})
    chosen: list[tuple[int, int]] = []
    while needs and len(chosen) < number:
        best = max(needs, key=needs.__getitem__)
        if 0 < needs[best] < _FAINT:
            # Long rounds: needs fall until all of them were 0. A power of two changes none of their digits.
            needs = {pair: need * _LOUDER for pair, need in needs.items()}
        chosen.append(best)
        met[best] += 1
        for bot in best:
            for pair in of_bot[bot]:
                if pair != best and pair in needs:
                    needs[pair] *= _BUSY
        needs[best] *= _AGAIN
        if plan.openings is not None and met[best] >= plan.openings:
            del needs[best]
    return chosen


def _openness(fitted: Fit, a: int, b: int) -> float:
    """The variance of the points in a pair of games, in the mean of its games."""
    variances = []
    for x, o in ((a, b), (b, a)):
        win, draw, _ = fitted.expected(x, o)
        mean = win + draw / 2
        variances.append(win + draw / 4 - mean * mean)
    return sum(variances) / 2
