"""Minimax with pruning for Qubic, after Pawar and Ren, 2019.

A position is worth the sum over its 76 lines of the first of these that holds: X has four, +9999; O has four, -9999;
X three, +100; O three, -100, the fourth cell taken or not; two, 10, also with one mark of the other's; one, 1, with
none of the other's. A won game is worth what its lines are. A later equal replaces the choice, always or by a coin.

Player 1 is the program, here whichever side the bot plays, and player 2 moves at random.

Left open: the ply (2 unless named), the cut (alpha >= beta, which does not change the choice: equal moves are told
apart), a drawn game (worth what its lines are, as a won one), and two marks against two (0: neither rule fits).
"""

from __future__ import annotations

from random import Random
from typing import Final

from engine.bots.literature.answer import Scale, coin, decision, depth_of, last
from engine.rules.limit import NO_LIMIT, Limit
from engine.rules.position import Position
from engine.search.decision import Decision
from engine.search.fixed import Cut, Scoring, Searched, search
from engine.search.watch import NO_WATCH, Watch


def line_value(own: int, others: int) -> int:
    """The value of a line by the own marks and the other side's, the same for X and O."""
    for marks, most_against, value in ((4, 0, 9999), (3, 1, 100), (2, 1, 10), (1, 0, 1)):
        if own == marks and others <= most_against:
            return value
        if others == marks and own <= most_against:
            return -value
    return 0


SCORING: Final = Scoring(
    lines=tuple(tuple(line_value(own, others) for others in range(5)) for own in range(5)),
    win_adds_lines=True,
    draw_adds_lines=True,
)
# A game that is not won is worth at most 76 lines of three.
_SCALE: Final = Scale(win=76 * 100 + 1, draws=False)


def decide(values: tuple[int | str, ...], position: Position, limit: Limit, random: Random, watch: Watch) -> Decision:
    ply, tie = values
    depth = depth_of(position, int(ply), limit)
    found = searched(position, depth, Cut.LOOSE, limit, watch)
    return decision(position, found, last(found) if tie == "last" else coin(found, random), depth, _SCALE)


def searched(position: Position, depth: int, cut: Cut, limit: Limit = NO_LIMIT, watch: Watch = NO_WATCH) -> Searched:
    """Their search, `depth` plies deep, without pruning or with; equal best moves are told from worse ones."""
    return search(position, depth, SCORING, cut=cut, limit=limit, watch=watch)
