"""Alpha-beta for Qubic with styles, after a project report of 2019 that gives no name.

A line with marks of one side only scores 4^marks for that side; a position is worth the own scores minus the other's.
Won ends score 100000 plus the depth that is left, so that faster wins come first, drawn ones 0. Alpha-beta cuts when
alpha > beta. Before it searches, a rule wins at once where that is possible and else blocks. Where it begins, its first
move is drawn from the cells with the most lines, the 8 corners and the 8 centre cells with 7 each. The defensive style
scores a line of the other's by marks x 4^marks.

Left open: the formula of the aggressive style, which builds before it blocks (here the defensive one's mirror: own
lines score marks x 4^marks) and the switching one (here: before each search, defensive if the other's lines are worth
more than its own, else aggressive); which of several blocks and of equal moves is played (the first, by cell); which
first moves are the best (the cells with the most lines).
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Final

from engine.bots.literature.answer import Scale, decision, depth_of, first
from engine.rules.flat import FlatPosition
from engine.rules.limit import NO_LIMIT, Limit
from engine.rules.lines import mask_of
from engine.rules.position import Move, Position, Side, X, marks_of, other
from engine.search.decision import Decision
from engine.search.fixed import Cut, Scoring, Searched, search
from engine.search.watch import NO_WATCH, Watch

WIN: Final = 100_000
_SCALE: Final = Scale(win=WIN, faster=True)


def _plain(marks: int) -> int:
    return (0, 4, 16, 64, 256)[marks]


def _dear(marks: int) -> int:
    return marks * _plain(marks)


def _scoring(own: Callable[[int], int], others: Callable[[int], int]) -> Scoring:
    def line(mine: int, theirs: int) -> int:
        if mine and theirs:
            return 0
        return own(mine) - others(theirs)

    return Scoring(
        lines=tuple(tuple(line(mine, theirs) for theirs in range(5)) for mine in range(5)), win=WIN, faster=1
    )


STYLES: Final = {
    "balanced": _scoring(_plain, _plain),
    "aggressive": _scoring(_dear, _plain),
    "defensive": _scoring(_plain, _dear),
}
"""`switching` becomes one of the last two, see `style_of`."""


def decide(values: tuple[int | str, ...], position: Position, limit: Limit, random: Random, watch: Watch) -> Decision:
    style, ply = values
    depth = depth_of(position, int(ply), limit)
    if position.ply == 0:
        move = random.choice(best_cells(position))
        return Decision(move, pv=(move,))
    ruled = by_rule(position, depth)
    if ruled is not None:
        return ruled
    found = searched(position, depth, str(style), Cut.STRICT, limit, watch)
    return decision(position, found, first(found), depth, _SCALE)


def searched(
    position: Position, depth: int, style: str, cut: Cut, limit: Limit = NO_LIMIT, watch: Watch = NO_WATCH
) -> Searched:
    """The report's search, `depth` plies deep: `Cut.STRICT` is its alpha-beta."""
    scoring = STYLES[style_of(position) if style == "switching" else style]
    return search(position, depth, scoring, cut=cut, first_only=True, limit=limit, watch=watch)


def best_cells(position: Position) -> tuple[Move, ...]:
    """The free cells with the most lines: on the empty board the 8 corners and the 8 centre cells."""
    assert isinstance(position, FlatPosition)
    through, free = position.rules.masks, position.legal_moves()
    most = max(len(through[cell]) for cell in free)
    return tuple(cell for cell in free if len(through[cell]) == most)


def by_rule(position: Position, depth: int) -> Decision | None:
    """The move that is made without a search: a win at once, else the block of one; None if there is neither.

    Against two threats at once the first is blocked, and the loss is known. `depth` is that of the search which is
    not needed: it makes the value of a won end.
    """
    to_move = position.to_move
    wins = winning_cells(position, to_move)
    if wins:
        won = float(WIN + depth - 1)
        return Decision(wins[0], depth=1, value=won, win_in=1, bound=False, proven=True, pv=wins[:1])
    blocks = winning_cells(position, other(to_move))
    if len(blocks) > 1:
        lost = -float(WIN + max(0, depth - 2))
        return Decision(blocks[0], depth=2, value=lost, win_in=-2, bound=False, proven=True, pv=blocks[:2])
    return Decision(blocks[0], pv=blocks) if blocks else None


def winning_cells(position: Position, side: Side) -> tuple[Move, ...]:
    """The free cells that complete a line of this side's, ascending."""
    assert isinstance(position, FlatPosition)
    marks = position.x if side == X else position.o
    through = position.rules.masks
    return tuple(
        cell for cell in position.legal_moves() if any((marks | 1 << cell) & mask == mask for mask in through[cell])
    )


def style_of(position: Position) -> str:
    """The style that `switching` takes for this search."""
    assert isinstance(position, FlatPosition)
    own, theirs = marks_of(position, position.to_move)
    table = STYLES["balanced"].lines
    assert table is not None
    masks = map(mask_of, position.rules.lines)
    lead = sum(table[(own & mask).bit_count()][(theirs & mask).bit_count()] for mask in masks)
    return "defensive" if lead < 0 else "aggressive"
