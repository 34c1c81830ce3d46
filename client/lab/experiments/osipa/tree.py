"""Osipa's tree of 3 x 3, which grows where it is asked."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import pairwise
from typing import Final

from client.lab.experiments.estimates import average
from client.lab.experiments.findings import Estimate, Figure, Section
from client.lab.experiments.lab import Lab, timed
from engine.bots.literature import osipa
from engine.bots.player import decide
from engine.bots.roster import bot
from engine.rules.position import Position
from engine.rules.registry import rules

HIS_GAIN: Final = (900 / 36, 1_000 / 36)
"""0.9 to 1 s for the tree's first move to 0.036 s for a reply."""
_UNLIKE: Final = (0, 1, 4)
"""A corner, an edge and the centre: all openings of 3 x 3 but for symmetry."""
_TREES: Final = 20
"""Most trees that are rebuilt for timing."""
_START: Final = rules("tictactoe").initial


class Grown:
    """Trees rebuilt, and the cost of each."""

    def __init__(self) -> None:
        self.first_ms: list[float] = []
        self.reply_ms: list[float] = []
        self.later_ms: list[float] = []
        self.first_positions: set[int] = set()
        self.reply_positions: list[float] = []


def grow(lab: Lab) -> Grown:
    """Trees that play X against O, and ones first asked for the reply to each opening."""
    grown = Grown()
    openings = _START.legal_moves()
    trees = min(_TREES, lab.games)
    with lab.step("trees", trees * (1 + len(openings))) as step:
        for number in range(trees):
            tree, first_ms = _grown_for(_START)
            grown.first_ms.append(first_ms)
            grown.first_positions.add(len(tree))
            grown.later_ms += _rest_ms(tree)
            step.advance()
            for opening in openings:
                tree, reply_ms = _grown_for(_START.play(opening))
                grown.reply_ms.append(reply_ms)
                if number == 0:
                    grown.reply_positions.append(float(len(tree)))
                step.advance()
    return grown


def _grown_for(position: Position) -> tuple[osipa.Tree, float]:
    """A tree first asked for a position, and the milliseconds of that."""

    def grow() -> osipa.Tree:
        tree = osipa.Tree()
        tree.explored(position)
        return tree

    tree, us = timed(grow)
    return tree, us / 1000


def _rest_ms(tree: osipa.Tree) -> list[float]:
    """Milliseconds of each move after the first, in the tree's game against itself."""
    taken = []
    position = _START.play(tree.explored(_START).best[0])
    while position.outcome is None:
        explored, us = timed(partial(tree.explored, position))
        taken.append(us / 1000)
        position = position.play(explored.best[0])
    return taken


def section(grown: Grown) -> Section:
    position = _START
    while position.outcome is None:
        position = position.play(decide(bot("osipa-tree"), position).move)
    drawn = position.outcome.winner is None
    (first_positions,) = grown.first_positions
    reply = average(grown.reply_positions)
    assert reply is not None
    return Section(
        "The tree of 3 x 3",
        [
            f"To move first, the tree explores {first_positions:,} positions, of the 5,478 that can be reached at all; "
            f"first asked for the reply to an opening, {min(grown.reply_positions):,.0f} to "
            f"{max(grown.reply_positions):,.0f}, {reply.value:,.0f} on average of the nine. Later moves find their "
            "position explored. It leaves nothing to chance, so there is one game against itself."
        ],
        [
            Figure("draws against itself", "always", Estimate(100.0 * drawn), "%", exact=True, agrees=drawn),
            _searched_once(),
            *_savings(),
        ],
    )


def _searched_once() -> Figure:
    """How many moves of its game against itself need positions that no move before has explored."""
    tree, position, sizes = osipa.Tree(), _START, [0]
    while position.outcome is None:
        position = position.play(tree.explored(position).best[0])
        sizes.append(len(tree))
    grew = sum(after > before for before, after in pairwise(sizes))
    return Figure(
        "moves of its game against itself for which the tree is searched",
        "a chance of only one",
        Estimate(float(grew)),
        exact=True,
        agrees=grew == 1,
        note="" if grew == 1 else "Later moves need positions that the first search left out.",
    )


def _savings() -> list[Figure]:
    """What a first move costs to a reply, and what the symmetry that he wishes for would gain; exact."""
    plain = [_plain_size(_START.play(opening)) for opening in _START.legal_moves()]
    whole, unlike = 1 + sum(plain), 1 + sum(plain[opening] for opening in _UNLIKE)
    merged, merged_unlike = _merged_size(_START.legal_moves()), _merged_size(_UNLIKE)
    to_reply = whole / plain[0]
    return [
        Figure(
            "positions for the first move to those for the reply to the first square, none merged",
            "25 to 28 (in time)",
            Estimate(to_reply),
            exact=True,
            agrees=HIS_GAIN[0] <= to_reply <= HIS_GAIN[1],
            note=f"{whole:,} to {plain[0]:,}, a position reached twice counted twice, as in his tree without links "
            f"back; for the other openings {whole / max(plain):.1f} to {whole / min(plain[1:]):.1f}.",
        ),
        Figure(
            "positions for the first move to those from three openings that no rotation makes alike, none merged",
            "3",
            Estimate(whole / unlike),
            exact=True,
            agrees=whole / unlike >= 3,
            note=f"{whole:,} to {unlike:,}: more than the factor of three that he expects. Ours merges positions, so "
            f"the three openings would save it less, {merged:,} to {merged_unlike:,} or {merged / merged_unlike:.1f} "
            "times; it does not use them.",
        ),
    ]


def _plain_size(position: Position) -> int:
    """The positions of his tree from here, this one counted: each as often as it is reached."""
    return _plain(position)[1]


def _plain(position: Position) -> tuple[int, int]:
    """The value for the side to move, and the size."""
    if position.outcome is not None:
        return (0 if position.outcome.winner is None else -1), 1
    value, size = -1, 1
    for move in position.legal_moves():
        after, below = _plain(position.play(move))
        value, size = max(value, -after), size + below
        if value == 1:
            break
    return value, size


def _merged_size(openings: Sequence[int]) -> int:
    tree = osipa.Tree()
    for opening in openings:
        tree.explored(_START.play(opening))
    return 1 + len(tree)
