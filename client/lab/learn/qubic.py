"""Learning to judge Qubic: how much the marks on open lines are worth, and the move.

The positions are those that the search judges: in which the side to move neither completes a line nor has a win by
threats that a short search finds. So its third mark is on no open line there, and is worth nothing. What follows once a
search saw the end of a game tells nothing more, and is left out.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, Final, NamedTuple

import numpy as np

from client.lab.learn.cross_entropy import cross_entropy
from client.lab.learn.records import Games, Scale
from client.lab.learn.subject import AnyOpening, Found
from engine.kernels import qubic_threats
from engine.rules.limit import Limit
from engine.rules.position import Position, Rules
from engine.search import qubic, qubic_weights, threat_wins
from engine.search.decision import Decision
from engine.search.qubic_weights import UNIT
from engine.search.watch import NO_WATCH
from server.console.progress import Progress

_FIRST_PLY: Final = 2
_CAP: Final = 100
"""Nodes of the search for a win by threats, as at a leaf."""
_FAILURES: Final = 1 << 16
_PRIOR: Final = 1.0
"""One over the variance about 0 that is expected of a weight, in squared logits."""


class Judged(NamedTuple):
    """One row for each position, from the view of the side to move."""

    game: Any
    """int32[n]: the game of each position, from 0."""
    marks: Any
    """float32[n, 7]: what each weight is multiplied by."""
    results: Any
    """float32[n]: 1 the side to move won, 1/2 a draw, 0."""
    values: Any
    """float32[n]: the same as a search expected it; NaN where none is known."""


@dataclass(frozen=True, slots=True)
class QubicSubject(AnyOpening):
    """See Subject."""

    rules: Rules
    scale: ClassVar[Scale] = Scale(UNIT, since_version=6)
    opening_plies: ClassVar = tuple(range(2, 7))
    random_moves: ClassVar = 0.05

    def decided(self, position: Position, nodes: int, seed: int) -> Decision:
        return qubic.choose(position, Limit(nodes=nodes), NO_WATCH)

    def fitted(self, games: Games, seed: int, passes: int, mix: float, shows: Progress) -> Found:
        found = judged(games)
        held = found.game % 10 == 9
        known = ~np.isnan(found.values)
        targets = np.where(known, (1 - mix) * found.results + mix * np.nan_to_num(found.values), found.results)
        logits = best = np.zeros(found.marks.shape[1])
        best_error = np.inf
        with shows.step("passes", passes) as step:
            for _ in range(passes):
                logits = _step(logits, found.marks[~held], targets[~held])
                error = cross_entropy(found.marks[held] @ logits, found.results[held])
                step.advance(note=f"error {error:.4f}")
                if error < best_error:
                    best, best_error = logits, error
        share = np.clip(found.results[~held].mean(), 1e-6, 1 - 1e-6)
        guessing = cross_entropy(np.log(share / (1 - share)), found.results[held])
        learned = tuple(int(weight) for weight in np.rint(best * UNIT))
        to_bytes = partial(qubic_weights.to_bytes, learned)
        return Found(to_bytes, learned, best_error, guessing, int((~held).sum()), int(held.sum()))

    def judging(self, candidate: Any) -> AbstractContextManager[None]:
        return qubic_weights.instead(candidate)


def judged(games: Games) -> Judged:
    """The positions of the games that a search would judge."""
    threats = qubic_threats.threats(threat_wins.qubic().lines, _FAILURES)
    rows: list[tuple[int, int, int, float, float]] = []
    for game, (moves, result, values) in enumerate(zip(games.moves, games.results, games.values, strict=True)):
        own = others = 0
        for ply, (move, value) in enumerate(zip(moves, values, strict=True)):
            if value in (0.0, 1.0):
                break
            if ply >= _FIRST_PLY and _is_judged(threats, own, others):
                of_mover = (result, value) if ply % 2 == 0 else (1 - result, 1 - value)
                rows.append((game, own, others, *of_mover))
            own, others = others, own | 1 << move
    games_of, owns, all_others, results_of, values_of = zip(*rows, strict=True)
    marks = _marks(_cells(owns), _cells(all_others))
    return Judged(
        np.array(games_of, np.int32),
        marks,
        np.array(results_of, np.float32),
        np.array(values_of, np.float32),
    )


def _is_judged(threats: qubic_threats.Threats, own: int, others: int) -> bool:
    if threat_wins.completing(own, others):
        return False
    return threat_wins.search(threats, own, others, _CAP) != qubic_threats.WON


def _cells(words: tuple[int, ...]) -> Any:
    """float32[n, 64]."""
    return (np.array(words, np.uint64)[:, None] >> np.arange(64, dtype=np.uint64) & np.uint64(1)).astype(np.float32)


def _marks(own: Any, others: Any) -> Any:
    lines = np.zeros((64, len(threat_wins.qubic().lines)), np.float32)
    for number, line in enumerate(threat_wins.qubic().lines):
        lines[list(line), number] = 1
    ours, theirs = own @ lines, others @ lines
    counted = [((ours >= number) & (theirs == 0)).sum(axis=1) for number in (1, 2, 3)]
    counted += [-((theirs >= number) & (ours == 0)).sum(axis=1) for number in (1, 2, 3)]
    return np.stack([*counted, np.ones(len(own))], axis=1).astype(np.float32)


def _step(logits: Any, marks: Any, targets: Any) -> Any:
    """A step of Newton's method."""
    expected = 1 / (1 + np.exp(-(marks @ logits)))
    slope = marks.T @ (expected - targets) + _PRIOR * logits
    curve = (marks * (expected * (1 - expected))[:, None]).T @ marks + _PRIOR * np.eye(len(logits))
    return logits - np.linalg.solve(curve, slope)
