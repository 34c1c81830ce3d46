"""Minimax with pruning for Qubic, after Pawar and Ren, 2019.

A position is worth the sum over its 76 lines of the first of these that holds: X has four, +9999; O has four, -9999;
X three, +100; O three, -100, the fourth cell taken or not; two, 10, also with one mark of the other's; one, 1, with
none of the other's. A won game is worth what its lines are. A later equal replaces the choice, always or by a coin.

Player 1 is the program, here whichever side the bot plays, and player 2 moves at random.

Left open: the ply (2 unless named), the cut (alpha >= beta, which does not change the choice: equal moves are told
apart), a drawn game (worth what its lines are, as a won one), and two marks against two (0: neither rule fits).

Their win rates of 76 and 55 against random moves fit none of it, so `TABLES` has other readings of the evaluation and
`CUTS` of the pruning, which `pawar-ren-reading` plays by.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import accumulate
from random import Random
from typing import Final

from engine.bots.literature.answer import Scale, coin, decision, depth_of, first, last
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


_OPEN: Final = (0, 1, 10, 100, 9999)


def _listed(own: int, others: int) -> int:
    return 0 if own and others else _OPEN[own] - _OPEN[others]


def _unsigned(own: int, others: int) -> int:
    return abs(line_value(own, others))


def _signed_wins(own: int, others: int) -> int:
    return line_value(own, others) if 4 in (own, others) else _unsigned(own, others)


PRINTED: Final = "printed"
TABLES: Final[dict[str, Callable[[int, int], int]]] = {
    PRINTED: line_value,
    "list": _listed,
    "unsigned": _unsigned,
    "signed-wins": _signed_wins,
    "own": lambda own, others: max(0, line_value(own, others)),
    "others": lambda own, others: min(0, line_value(own, others)),
    "reversed": lambda own, others: -line_value(own, others),
    "nothing": lambda own, others: 0,
}
"""Readings of the evaluation, each the value of a line by the marks of player 1 and of player 2: the cases in their
printed order; the list above them, which counts lines of one side only; player 2's lines without their sign, or all but
its fours; player 1's lines alone; player 2's lines alone; the signs the other way round; and nothing."""
APART: Final = "apart"
CUTS: Final = (APART, "soft", "hard")
"""Readings of the pruning at alpha >= beta. `apart` tells moves that equal the best so far from worse ones. With the
other two the root's window is closed at the best so far, and a worse move looks equal where its search stopped there:
`soft` passes the best value found up, by which some stay worse, and `hard` the bound, by which none does."""


def _scoring(table: str) -> Scoring:
    value = TABLES[table]
    lines = tuple(tuple(value(own, others) for others in range(5)) for own in range(5))
    return Scoring(lines=lines, win_adds_lines=True, draw_adds_lines=True)


SCORINGS: Final = {table: _scoring(table) for table in TABLES}
SCORING: Final = SCORINGS[PRINTED]
# A game that is not won is worth at most 76 lines of three.
_SCALE: Final = Scale(win=76 * 100 + 1, draws=False)
_NEVER: Final = Scale(win=76 * 9999 + 1, draws=False)
"""Scale of the tables in which a value does not tell a won game from others."""
_TELLING: Final = (PRINTED, "list")


def decide(values: tuple[int | str, ...], position: Position, limit: Limit, random: Random, watch: Watch) -> Decision:
    return decide_by_reading((*values, PRINTED, APART), position, limit, random, watch)


def decide_by_reading(
    values: tuple[int | str, ...], position: Position, limit: Limit, random: Random, watch: Watch
) -> Decision:
    ply, tie, table, pruning = values
    depth = depth_of(position, int(ply), limit)
    found = searched(position, depth, Cut.LOOSE, limit, watch, table=str(table), pruning=str(pruning))
    seen = replace(found, values=tuple(accumulate(found.values, max))) if pruning == "hard" else found
    index = last(seen) if tie == "last" else coin(seen, random)
    scale = _SCALE if table in _TELLING else _NEVER
    if pruning == APART or index == first(found):
        return decision(position, found, index, depth, scale)
    assert index is not None
    # It looks equal to the best, and what it is worth is not known.
    best, move = decision(position, found, first(found), depth, scale), found.moves[index]
    return replace(best, move=move, value=None, win_in=None, proven=False, pv=(move,))


def searched(
    position: Position,
    depth: int,
    cut: Cut,
    limit: Limit = NO_LIMIT,
    watch: Watch = NO_WATCH,
    *,
    table: str = PRINTED,
    pruning: str = APART,
) -> Searched:
    """Their search, `depth` plies deep, without a cut or with. Where equal moves are told `apart`, the best values are
    exact; else a later move's value may be a bound that only looks as good."""
    return search(position, depth, SCORINGS[table], cut=cut, first_only=pruning != APART, limit=limit, watch=watch)
