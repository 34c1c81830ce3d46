"""`python -m client.lab.solve.nine_board.make_outlook`: fit what boards of nine-board are worth, and rewrite the file.

Positions that a proof search meets are solved, and a logistic regression finds how far each board speaks for the
attacker. It takes some ten minutes, and as long as docs/solved/nine-board.known is the same, so is the file. A path
after it names another place.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

import numpy as np

from client.lab.solve.nine_board import known as nine_board_known
from engine.kernels.nested import CODES, marks_of_codes
from engine.kernels.nine_board_proof import WAYS
from engine.rules.nested import LINE_MASKS
from engine.rules.position import O, Side, X
from engine.search import weights_file
from engine.search.solve import nine_board_outlook
from engine.search.solve.nine_board_solver import INFINITY, Place, Solver, target
from server.console.files import write_file

KNOWN: Final = Path(__file__).parents[4] / "docs" / "solved" / "nine-board.known"
SEED: Final = 1
ROOTS: Final = 1_000
"""Known positions from which searches begin, for each side as the attacker."""
_NODES: Final = (100_000, 1_000_000)
"""Nodes of a search whose positions are taken, one or the other."""
_WALKS: Final = 60
"""Walks from each root."""
_FURTHER: Final = 10
"""A walk takes fewer steps than this beyond what the search remembers."""
_WIDTH: Final = 3
"""The most promising moves, of which a walk takes one."""
_MOST_NODES: Final = 100_000
"""Nodes to decide a position; one that takes more is left out."""
_EASY_NODES, _EASY_WEIGHT = 300, 0.05
"""A position that takes this few hardly counts."""
_LEAST: Final = 20
"""A kind of board that is seen in fewer boards keeps its first worth."""
_PULL: Final = 3.0
"""Pull towards the first worths, as the precision of a normal prior."""

_PRECISE: Final = 1e-4
"""Precision of a worth."""

_THREAT: Final = 4.1
"""A board in which this side can complete a line and the other cannot. Where both can, nobody moves: it is worth 0."""
_BEGUN: Final = np.array([0, 1.37, 1.78, 1.91, 1.98])
"""Worths by the number of open lines with one mark, of a board in which nobody can complete a line."""
_BEGUN_BELOW_THREAT: Final = np.array([0, 1.25, 1.67])
"""The same where the other side can complete one."""


class Sample(NamedTuple):
    """A solved position."""

    codes: tuple[int, ...]
    """Codes of the nine boards, the attacker's marks being those of side 0."""
    attacking: bool
    """Whether the attacker is to move."""
    wins: bool
    """Whether the attacker can force a line."""
    nodes: int
    """Nodes that it took to know that."""


def sampled(roots: list[tuple[Place, Side]], random: Random) -> Iterator[tuple[Place, bool]]:
    """Positions near the leaves of searches from roots where X moves first, and whether the attacker moves; each once.

    A root is the attacker's cells, the other side's and the forced board, with the attacker.
    """
    seen = set[tuple[Place, bool]]()
    for root, attacker in roots:
        solver = _solver(1 << 18)
        start = root, attacker == (O if (root[0] | root[1]).bit_count() % 2 else X)
        solver.look(*start, random.choice(_NODES))
        for _ in range(_WALKS):
            found = _walked(solver, start, random)
            if found is not None and found not in seen:
                seen.add(found)
                yield found


def _walked(solver: Solver, at: tuple[Place, bool], random: Random) -> tuple[Place, bool] | None:
    """The end of a walk along promising moves, some steps beyond what the solver remembers; None without safe moves."""
    search, left = solver.search, None
    while True:
        place, attacking = at
        solver.look(place, attacking, 1)
        count = int(search.count[0])
        if count == 0:
            return None
        numbers = search.numbers[0, :count, 1]
        promising = np.argsort(numbers, kind="stable")[:_WIDTH].tolist()
        chosen = random.choice([move for move in promising if 0 < numbers[move] < INFINITY] or promising[:1])
        at = _after(place, attacking, int(search.moves[0, chosen])), not attacking
        if left is None and search.work[0, chosen] == 0:
            left = random.randrange(_FURTHER)
        if numbers[chosen] in (0, INFINITY) or left == 0:
            return at
        if left is not None:
            left -= 1


def _after(place: Place, attacking: bool, move: int) -> Place:
    attacker, defender, _ = place
    if attacking:
        attacker |= 1 << move
    else:
        defender |= 1 << move
    return attacker, defender, target(attacker | defender, move)


def solved(positions: Iterator[tuple[Place, bool]]) -> Iterator[Sample]:
    """A sample of each position that is decided in time."""
    solver = _solver(1 << 17)
    for place, attacking in positions:
        if solver.nodes > 10 * _MOST_NODES:
            solver = _solver(1 << 17)
        before = solver.nodes
        proof, disproof = solver.look(place, attacking, _MOST_NODES)
        if 0 in (proof, disproof):
            yield Sample(tuple(solver.search.codes.tolist()), attacking, proof == 0, solver.nodes - before)


def _solver(entries: int) -> Solver:
    """A solver that judges by the first worths, so that what is made does not depend on what was made before."""
    solver = Solver(entries)
    solver.search = solver.search._replace(values=nine_board_outlook.rounded(first_worths()))
    return solver


@lru_cache(maxsize=1)
def first_worths() -> Any:
    """float[CODES]: what a board is worth to side 0 by its open lines alone, as it was fitted earlier."""
    marks = marks_of_codes()
    begun = np.zeros((2, CODES), np.int64)
    threatens = np.zeros((2, CODES), bool)
    for side in range(2):
        for line in LINE_MASKS:
            left = line & ~marks[side]
            is_open = line & marks[1 - side] == 0
            is_threat = is_open & (left & (left - 1) == 0)
            threatens[side] |= is_threat
            begun[side] += is_open & ~is_threat & (left != line)
    worth = np.zeros((2, CODES))
    for side in range(2):
        below = _BEGUN_BELOW_THREAT[np.minimum(begun[side], len(_BEGUN_BELOW_THREAT) - 1)]
        calm = _BEGUN[np.minimum(begun[side], len(_BEGUN) - 1)]
        worth[side] = np.where(threatens[side], _THREAT, np.where(threatens[1 - side], below, calm))
    worths = np.where(threatens.all(axis=0), 0, worth[0] - worth[1])
    worths.flags.writeable = False
    return worths


@lru_cache(maxsize=1)
def kinds() -> tuple[Any, Any]:
    """int64[CODES] twice: the kind of each board, and 1 or -1 for one and the same with the sides swapped, 0 where that
    is no difference.

    Boards that play alike, are turned, or have the sides swapped are of one kind.
    """
    search = _solver(WAYS).search
    _, alike = np.unique(search.words[0], return_inverse=True)
    name = np.arange(CODES)
    while True:
        least = np.full(alike.max() + 1, CODES)
        np.minimum.at(least, alike, name[search.images].min(axis=0))
        if (least[alike] == name).all():
            break
        name = least[alike]
    powers = 3 ** np.arange(9)
    digits = np.arange(CODES)[:, None] // powers % 3
    swapped = name[(3 - digits) % 3 @ powers]
    return np.minimum(name, swapped), np.sign(swapped - name)


def fitted(samples: list[Sample]) -> Any:
    """float[CODES]: what a board is worth to side 0, as an addend to the logarithm of its odds."""
    codes = np.array([sample.codes for sample in samples])
    wins = np.array([sample.wins for sample in samples], float)
    weight = np.where([sample.nodes > _EASY_NODES for sample in samples], 1.0, _EASY_WEIGHT)
    move = np.where([sample.attacking for sample in samples], 1, -1)
    kind, sign = kinds()
    frequent = _frequent_kinds(codes)
    column = np.full(CODES, -1)
    column[frequent] = np.arange(len(frequent))
    column = column[kind]
    first = first_worths()
    features = np.zeros((len(samples), len(frequent) + 1), np.float32)
    features[:, -1] = move
    others = np.zeros(len(samples))
    for here in codes.T:
        known = column[here] >= 0
        np.add.at(features, (np.flatnonzero(known), column[here[known]]), sign[here[known]])
        others += np.where(known, 0, first[here])
    found = _regression(features, others, wins, weight, np.append(first[frequent], 1.0))
    return np.where(column >= 0, found[column] * sign, first)


def _frequent_kinds(codes: Any) -> Any:
    """int64[n]: the kinds that are fitted, of those of these boards."""
    kind, sign = kinds()
    found, seen = np.unique(kind[codes], return_counts=True)
    return found[(seen >= _LEAST) & (sign[found] != 0)]


def _regression(features: Any, others: Any, wins: Any, weight: Any, prior: Any) -> Any:
    """The coefficients of a logistic regression, by Newton's method; `others` is added to each position."""

    def loss(at: Any) -> float:
        odds = features @ at + others
        return float(weight @ (np.logaddexp(0, odds) - wins * odds) + _PULL / 2 * np.square(at - prior).sum())

    found = prior.copy()
    for _ in range(30):
        chance = (1 + np.tanh((features @ found + others) / 2)) / 2
        slope = features.T @ (weight * (chance - wins)) + _PULL * (found - prior)
        scaled = features * (weight * chance * (1 - chance))[:, None].astype(np.float32)
        step = np.linalg.solve((scaled.T @ features).astype(float) + _PULL * np.eye(len(prior)), slope)
        while loss(found - step) > loss(found) and np.abs(step).max() > _PRECISE:
            step /= 2
        found -= step
        if np.abs(step).max() <= _PRECISE:
            break
    return found


def make(roots: int, seed: int) -> bytes:
    """The file, fitted to positions of searches from this many roots."""
    random = Random(seed)
    known = nine_board_known.read(KNOWN)[X]
    chosen = random.sample(known, min(roots, len(known)))
    starts: list[tuple[Place, Side]] = []
    for (x, o, forced), *_ in chosen:
        starts += [((x, o, forced), X), ((o, x, forced), O)]
    samples = list(solved(sampled(starts, random)))
    made = {
        "game": "nine-board",
        "by": "make_nine_board_outlook",
        "positions": len(samples),
        "roots": len(chosen),
        "seed": seed,
    }
    return weights_file.to_bytes(nine_board_outlook.rounded(fitted(samples)), made)


def main(out: Path) -> None:
    data = make(ROOTS, SEED)
    write_file(out, data)
    print(f"{len(data):,} bytes in {out}.")


if __name__ == "__main__":
    main(
        Path(sys.argv[1]) if len(sys.argv) > 1 else Path(nine_board_outlook.__file__).with_name(nine_board_outlook.FILE)
    )
