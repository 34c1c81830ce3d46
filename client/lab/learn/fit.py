"""Fitting weights to results: logistic regression over indicator features, by Adam (Kingma & Ba 2015).

The score of a position is a sum of weights; its logistic function is the expected result of the side to move. A rare
code of a small board learns little, so its weight is the sum of one of its own and of coarser ones that it shares with
codes of the same open lines; only the sum is kept.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final, NamedTuple

import numpy as np

from client.lab.learn.cross_entropy import cross_entropy
from client.lab.learn.positions import Positions, settled_at_once, threat_sets
from engine.kernels import nested, weighted
from engine.kernels.nested import CODES
from engine.kernels.weighted import CONTEXTS, FREE_CHOICES, PLACES
from engine.rules.nested import ALL_BOARDS, LINE_MASKS, NestedRules
from engine.rules.nine_board import NineBoardRules
from engine.search import evaluation, weights
from engine.search.weights import UNIT, Learned

_UNITS: Final = (8, 10, 12, 15, 20, 25, 30, 40, 50, 60, 80, 100, 150)
_BATCH: Final = 1 << 12
_RATE: Final = 0.02
_FINE_PRIOR: Final = 8.0
"""Prior of a weight of its own: one over the variance about 0 that is expected, in squared logits."""
_COARSE_PRIOR: Final = 1.0


class Fit(NamedTuple):
    """What fitting found."""

    learned: Learned
    error: float
    """Mean cross-entropy of the held-out positions, in nats."""
    guessing: float
    """The same where every position is given the mean result."""
    trained: int
    """Positions."""
    held_out: int
    """Positions."""


class _Features(NamedTuple):
    indices: Any
    """int32[n, features]."""
    signs: Any
    """float32[n, features]."""


def fit(
    rules: NestedRules,
    found: Positions,
    seed: int,
    passes: int,
    report: Callable[[float], None],
    mix: float = 0.0,
) -> Fit:
    """Weights for the positions' results; every tenth game is held out. `report(held-out error)` after each pass.

    `mix` (0 to 1) is how much of the target is the value that a search gave to the position, where one is known; the
    rest, and all of what the error is measured by, is the result. Positions that the search settles at once are left
    out.
    """
    quiet = ~settled_at_once(rules, found)
    found = Positions(*(column[quiet] for column in found))
    held = found.game % 10 == 9
    targets = _targets(found, mix)
    layout = _layout()
    base = _hand_made(rules, found)
    scale = _best_scale(base[~held], targets[~held])
    base *= scale
    random = np.random.default_rng(seed)
    values = np.zeros(layout.size, np.float32)
    mean, square = np.zeros_like(values), np.zeros_like(values)
    train, test = np.flatnonzero(~held), np.flatnonzero(held)
    decay = (layout.priors / max(len(train), 1)).astype(np.float32)
    best, best_error, step = values.copy(), np.inf, 0
    for number in range(1, passes + 1):
        rate = _RATE * 0.5 * (1 + np.cos(np.pi * (number - 1) / passes))
        for part in _batches(random.permutation(train), _BATCH):
            step += 1
            features = _features(rules, found, part, layout)
            wrong = _expected(values, features, base[part]) - targets[part]
            slope = np.bincount(
                features.indices.ravel(), (wrong[:, None] * features.signs).ravel(), layout.size
            ).astype(np.float32)
            slope = slope / len(part) + decay * values
            mean += 0.1 * (slope - mean)
            square += 0.001 * (slope * slope - square)
            values -= (rate / (1 - 0.9**step)) * mean / (np.sqrt(square / (1 - 0.999**step)) + 1e-7)
        error = _error(values, rules, found, test, layout, base)
        report(error)
        if error < best_error:
            best, best_error = values.copy(), error
    share = float(found.results[train].mean())
    guessing = -float(np.mean(found.results[test] * np.log(share) + (1 - found.results[test]) * np.log(1 - share)))
    return Fit(_learned(rules, best, layout, scale), best_error, guessing, len(train), len(test))


def _targets(found: Positions, mix: float) -> Any:
    """float32[n]: what is to be predicted for each position."""
    mixed = (1 - mix) * found.results + mix * found.values
    return np.where(np.isnan(found.values), found.results, mixed).astype(np.float32)


def _expected(values: Any, features: _Features, base: Any) -> Any:
    score = base + np.einsum("ij,ij->i", values[features.indices], features.signs)
    return 1 / (1 + np.exp(-score))


def _hand_made(rules: NestedRules, found: Positions) -> Any:
    """float32[n]: the evaluation that learning begins with."""
    small = _small_values()[found.codes]
    total = np.sum(np.where(found.undecided, small, 0), axis=1)
    return (total + _big_values(rules)[found.states]).astype(np.float32)


def _big_values(rules: NestedRules) -> Any:
    """Nine-board has no big board, and uses its weights of that kind for something else."""
    return evaluation.no_big_values() if isinstance(rules, NineBoardRules) else evaluation.big_values()


@lru_cache(maxsize=1)
def _small_values() -> Any:
    own, others = nested.marks_of_codes()
    pairs = zip(own.tolist(), others.tolist(), strict=True)
    return np.array([evaluation.small_value(*pair) for pair in pairs], np.float32)


def _best_scale(values: Any, results: Any) -> float:
    """What makes logits of values, by the least error among a few."""

    return min((1 / unit for unit in _UNITS), key=lambda scale: cross_entropy(scale * values, results))


def _error(values: Any, rules: NestedRules, found: Positions, rows: Any, layout: _Layout, base: Any) -> float:
    total = 0.0
    for part in _batches(rows, _BATCH):
        expected = np.clip(_expected(values, _features(rules, found, part, layout), base[part]), 1e-6, 1 - 1e-6)
        results = found.results[part]
        total -= float(np.sum(results * np.log(expected) + (1 - results) * np.log(1 - expected)))
    return total / max(len(rows), 1)


def _batches(rows: Any, size: int) -> list[Any]:
    return [rows[begin : begin + size] for begin in range(0, len(rows), size)]


class _Layout(NamedTuple):
    """Where each kind of weight begins, and the coarser classes of codes."""

    small: int
    shaped: int
    placeless: int
    big: int
    sent: int
    sent_shaped: int
    free: int
    safe: int
    counted: int
    size: int
    shapes: Any
    """int32[CODES]: the class of the open lines."""
    swapped_shapes: Any
    """int32[CODES]: the class for the code with the sides swapped."""
    shape_count: int
    priors: Any
    """float32[size]."""


def _layout() -> _Layout:
    sizes = weights.sizes()
    _, swapped, classes = weights.code_classes()
    shapes, count = _shapes()
    kinds = [
        sizes.small, len(set(PLACES)) * CONTEXTS * count, CONTEXTS * classes, sizes.big, sizes.sent, CONTEXTS * count,
        sizes.free, sizes.safe, _COUNTS,
    ]  # fmt: skip
    begins = [0, *np.cumsum(kinds).tolist()]
    fine = (True, False, False, True, True, False, False, False, False)
    priors = np.repeat(np.where(fine, _FINE_PRIOR, _COARSE_PRIOR), kinds)
    return _Layout._make([*begins, shapes, shapes[swapped], count, priors])


def _shapes() -> tuple[Any, int]:
    """The class of each code by the numbers of open lines with one and with two marks of each side."""
    own, others = nested.marks_of_codes()
    counts = np.zeros((4, CODES), np.int64)
    for mask in LINE_MASKS:
        ours, theirs = _bits(own & mask), _bits(others & mask)
        for kind, (mine, yours, marks) in enumerate(
            ((ours, theirs, 1), (ours, theirs, 2), (theirs, ours, 1), (theirs, ours, 2))
        ):
            counts[kind] += (mine == marks) & (yours == 0)
    _, found = np.unique(counts, axis=1, return_inverse=True)
    found = found.ravel()
    return found.astype(np.int32), int(found.max()) + 1


def _bits(sets: Any) -> Any:
    return sum(sets >> bit & 1 for bit in range(9))


_COUNTS: Final = 1000


def _counted(states: Any) -> tuple[Any, Any]:
    """The class of states by their numbers of boards that have the first mark, the second and both; and its sign."""
    first, second = states & ALL_BOARDS, states >> 9
    both = _bits(first & second)
    ours, theirs = _bits(first) - both, _bits(second) - both
    return _paired(100 * ours + 10 * theirs + both, 100 * theirs + 10 * ours + both)


def _paired(first: Any, second: Any) -> tuple[Any, Any]:
    """The index of a thing and its image with the sides swapped, and the sign of the thing."""
    return np.minimum(first, second), np.sign(second - first)


def _features(rules: NestedRules, found: Positions, rows: Any, layout: _Layout) -> _Features:
    where = weights.indices()
    classes, swapped, count = weights.code_classes()
    codes, undecided, states = found.codes[rows].astype(np.int64), found.undecided[rows], found.states[rows]
    forced = found.forced[rows].astype(np.int64)
    is_nine_board = isinstance(rules, NineBoardRules)
    in_context = weighted.contexts()[states][:, None] >> 4 * np.arange(9) & 15
    turned = in_context % 4 * 4 + in_context // 4
    place = np.array(PLACES)
    thing = (place * CONTEXTS + in_context) * CODES + codes
    shaped, shaped_signs = _paired(
        (place * CONTEXTS + in_context) * layout.shape_count + layout.shapes[codes],
        (place * CONTEXTS + turned) * layout.shape_count + layout.swapped_shapes[codes],
    )
    placeless, placeless_signs = _paired(in_context * count + classes[codes], turned * count + classes[swapped[codes]])
    big = threat_sets(Positions(*(column[rows] for column in found))) if is_nine_board else states
    is_free = forced < 0
    target = np.maximum(forced, 0)
    row = np.arange(len(rows))
    target_code = codes[row, target]
    sent_context = in_context[row, target]
    sent = where.sent[0, sent_context * CODES + target_code]
    sent_shaped = sent_context * layout.shape_count + layout.shapes[target_code]
    closed = found.closed[rows].astype(np.int64)
    free = _bits(closed)
    safe = np.zeros(len(rows), np.int64)
    if is_nine_board:
        dangers = big >> 9 & ALL_BOARDS
        safe = np.where(is_free, 10, _bits(nested.tables().empty[target_code] & ~dangers))
    counted, counted_signs = _counted(big)
    ones = undecided.astype(np.float32)
    sent_signs = (~is_free).astype(np.float32)[:, None]
    return _Features(
        np.concatenate(
            (
                where.small[thing] + layout.small, shaped + layout.shaped, placeless + layout.placeless,
                where.big[big][:, None] + layout.big, sent[:, None] + layout.sent,
                sent_shaped[:, None] + layout.sent_shaped, free[:, None] + layout.free, safe[:, None] + layout.safe,
                counted[:, None] + layout.counted,
            ),
            axis=1,
        ),
        np.concatenate(
            (
                where.small_signs[thing] * ones, shaped_signs * ones, placeless_signs * ones,
                where.big_signs[big][:, None], sent_signs, sent_signs, 1 - sent_signs,
                np.full((len(rows), 1), is_nine_board), counted_signs[:, None],
            ),
            axis=1,
            dtype=np.float32,
        ),
    )  # fmt: skip


def _learned(rules: NestedRules, values: Any, layout: _Layout, scale: float) -> Learned:
    """The sums of fine and coarse weights, as whole numbers."""
    classes, swapped, count = weights.code_classes()
    sizes = weights.sizes()
    one_of = np.zeros(count, np.int64)
    one_of[classes] = np.arange(CODES)
    contexts = np.arange(CONTEXTS)[:, None]
    turned = contexts % 4 * 4 + contexts // 4
    placeless, placeless_signs = _paired(contexts * count + np.arange(count), turned * count + classes[swapped[one_of]])
    small = []
    for place in range(len(set(PLACES))):
        shaped, shaped_signs = _paired(
            (place * CONTEXTS + contexts) * layout.shape_count + layout.shapes[one_of],
            (place * CONTEXTS + turned) * layout.shape_count + layout.swapped_shapes[one_of],
        )
        small.append(
            values[layout.shaped + shaped] * shaped_signs + values[layout.placeless + placeless] * placeless_signs
        )
    fine = values[layout.small : layout.small + sizes.small].reshape(-1, CONTEXTS, count)
    sent = values[layout.sent : layout.sent + sizes.sent].reshape(CONTEXTS, count)
    sent = sent + values[layout.sent_shaped + contexts * layout.shape_count + layout.shapes[one_of]]
    counted, counted_signs = _counted(np.arange(sizes.big))
    big = values[layout.big : layout.big + sizes.big] + values[layout.counted + counted] * counted_signs
    return Learned(
        _whole(fine + np.stack(small) + scale * _small_values()[one_of]),
        _whole(big + scale * _big_values(rules)),
        _whole(sent),
        _whole(values[layout.free : layout.free + FREE_CHOICES]),
        _whole(values[layout.safe : layout.safe + sizes.safe]),
    )


def _whole(numbers: Any) -> Any:
    return np.clip(np.rint(numbers * UNIT), -32_000, 32_000).astype(np.int16).ravel()
