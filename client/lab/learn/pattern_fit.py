"""Fitting the numbers of patterns: regressions, logistic for worths and softmax for promises, by Newton's method.

There is a number for each set of four classes, and many sets are rare. So a number is expected to be near the sum of
one for its kind and one for each of its classes, which it shares with others: what it has of its own and what is shared
are normal about 0 before anything is known, and the fit is the most probable one. Patterns that neither make nor
prepare anything are worth nothing, or the number of empty cells would count.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from itertools import combinations_with_replacement
from typing import Any, Final, NamedTuple

import numpy as np

from client.lab.learn.cross_entropy import cross_entropy
from client.lab.learn.pattern_positions import Choices, Judged
from engine.kernels.patterns import CLASSES, KINDS, QUIET, SETS, WINNING, kinds_of
from engine.search.pattern_evaluation import PROMISE_UNIT, UNIT

_OWN: Final = 1 / 128
"""The variance of what a set has of its own, in squared logits."""
_SHARED: Final = 1.0
_THREAT: Final = 2.0
"""The worth of each cell where the other side would win, in logits. A search judges such a position only where its
defences have run out, which a search from there would find again, so this is not fitted (docs/strength/gomoku.md)."""
_AT_ONCE: Final = 4_096
"""Positions."""
_TEN: Final = 10
_HALVINGS: Final = 20


class PatternFit(NamedTuple):
    """What fitting found."""

    numbers: Any
    """int16[4 * SETS + 1], see `engine.search.pattern_evaluation`."""
    among_ten: float
    """The share of the held-out choices in which the chosen move is among the ten most promising."""
    error: float
    """Mean cross-entropy of the held-out positions, in nats."""
    guessing: float
    """The same where each is given the mean."""
    trained: int
    """Positions."""
    held_out: int
    """Positions."""


def fit(judged: Judged, choices: Choices, passes: int, report: Callable[[float], None]) -> PatternFit:
    """Numbers for the positions; `report(held-out error)` after each pass."""
    counts = np.where(np.tile(_kinds() >= QUIET, 2), judged.counts, 0)
    counts[:, SETS:] *= -1  # the other side's take away
    marks = np.concatenate((counts, np.ones((len(counts), 1), np.float32)), axis=1)
    held = judged.is_held_out
    worths, promises, error = np.zeros(2 * SETS + 1), np.zeros(2 * SETS), 0.0
    for _ in range(passes):
        worths = _judging_step(worths, marks[~held], judged.chances[~held])
        promises = _choosing_step(promises, choices)
        error = cross_entropy(marks[held] @ worths, judged.chances[held])
        report(error)
    mean = judged.chances[~held].mean()
    guessing = cross_entropy(np.log(mean / (1 - mean)), judged.chances[held])
    worths[:-1][np.tile(_kinds() < QUIET, 2)] = 0
    worths[SETS:-1][_kinds() == WINNING] = _THREAT
    numbers = np.concatenate((worths[:-1] * UNIT, promises * PROMISE_UNIT, worths[-1:] * UNIT))
    whole = np.clip(np.rint(numbers), -32_000, 32_000).astype(np.int16)
    return PatternFit(whole, _among_ten(promises, choices), error, guessing, int((~held).sum()), int(held.sum()))


def _classes() -> Any:
    """int64[SETS, 4]: the classes in each set."""
    return np.array(list(combinations_with_replacement(range(CLASSES), 4)))


@lru_cache(maxsize=1)
def _kinds() -> Any:
    """uint8[SETS]: the kind of a pattern of each set."""
    return kinds_of(_classes() @ CLASSES ** np.arange(4))


@lru_cache(maxsize=2)
def _prior(extra: int) -> Any:
    """The inverse of the expected covariance of two tables of numbers, with nothing known of `extra` more."""
    shared = np.zeros((SETS, CLASSES + KINDS))
    for of_set in _classes().T:
        shared[np.arange(SETS), of_set] += 1
    shared[np.arange(SETS), CLASSES + _kinds()] += 1
    one = np.linalg.inv(_OWN * np.eye(SETS) + _SHARED * shared @ shared.T)
    both = np.zeros((2 * SETS + extra, 2 * SETS + extra))
    both[:SETS, :SETS] = both[SETS : 2 * SETS, SETS : 2 * SETS] = one
    return both


def _stepped(numbers: Any, slope: Any, curve: Any, loss: Callable[[Any], float]) -> Any:
    """The numbers after a step of Newton's method, or after as much of it as makes the loss smaller."""
    step, now = np.linalg.solve(curve, slope), loss(numbers)
    for halved in range(_HALVINGS):
        after = numbers - step / 2**halved
        if loss(after) < now:
            return after
    return numbers


def _judging_step(worths: Any, marks: Any, chances: Any) -> Any:
    prior = _prior(1)
    slope, curve = prior @ worths, prior.copy()
    for begin in range(0, len(marks), _AT_ONCE):
        part = marks[begin : begin + _AT_ONCE].astype(np.float64)
        expected = 1 / (1 + np.exp(-(part @ worths)))
        slope += part.T @ (expected - chances[begin : begin + _AT_ONCE])
        curve += (part * (expected * (1 - expected))[:, None]).T @ part

    def loss(numbers: Any) -> float:
        return len(marks) * cross_entropy(marks @ numbers, chances) + float(numbers @ prior @ numbers) / 2

    return _stepped(worths, slope, curve, loss)


def _choosing_step(promises: Any, choices: Choices) -> Any:
    prior, size = _prior(0), 2 * SETS
    slope, curve = prior @ promises, prior.copy()
    shares, lengths = _shares(promises, choices), _lengths(choices)
    known = np.flatnonzero(~choices.is_held_out)
    for begin in range(0, len(known), _AT_ONCE):
        part = known[begin : begin + _AT_ONCE]
        moves, row = _moves(choices.begins[part], lengths[part]), np.repeat(np.arange(len(part)), lengths[part])
        kinds = (choices.own[moves], choices.others[moves] + SETS)
        mean = np.zeros((len(part), size))
        for kind in kinds:
            mean += np.bincount(row * size + kind, shares[moves], mean.size).reshape(mean.shape)
        chosen = choices.chosen[part]
        slope += mean.sum(axis=0)
        slope -= np.bincount(choices.own[chosen], minlength=size)
        slope -= np.bincount(choices.others[chosen] + SETS, minlength=size)
        for one in kinds:
            for other in kinds:
                curve += np.bincount(one * size + other, shares[moves], size * size).reshape(size, size)
        curve -= mean.T @ mean

    def loss(numbers: Any) -> float:
        of_chosen = _shares(numbers, choices)[choices.chosen[known]]
        return float(numbers @ prior @ numbers) / 2 - float(np.sum(np.log(np.maximum(of_chosen, 1e-300))))

    return _stepped(promises, slope, curve, loss)


def _lengths(choices: Choices) -> Any:
    """int64[n]: how many moves each position has."""
    return np.diff(np.append(choices.begins, len(choices.own)))


def _moves(begins: Any, lengths: Any) -> Any:
    """int64[..]: the numbers of the moves of positions that have so many from there on."""
    ends = np.cumsum(lengths)
    return np.arange(ends[-1]) + np.repeat(begins - ends + lengths, lengths)


def _promised(promises: Any, choices: Choices) -> Any:
    return promises[choices.own] + promises[choices.others + SETS] + choices.centre


def _shares(promises: Any, choices: Choices) -> Any:
    """float64[moves]: how likely each is chosen in its position."""
    score, lengths = _promised(promises, choices), _lengths(choices)
    odds = np.exp(score - np.repeat(np.maximum.reduceat(score, choices.begins), lengths))
    return odds / np.repeat(np.add.reduceat(odds, choices.begins), lengths)


def _among_ten(promises: Any, choices: Choices) -> float:
    score = _promised(promises, choices)
    is_better = score > np.repeat(score[choices.chosen], _lengths(choices))
    before = np.add.reduceat(is_better.astype(np.int64), choices.begins)
    held = before[choices.is_held_out]
    return float(np.mean(held < _TEN)) if len(held) else 0.0
