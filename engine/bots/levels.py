"""Players of graded strength, who err as people do: by overlooking.

A level first *notices* some of the legal moves. The more marks of one side stand on an open line through a move, the
more easily it is noticed: completing or blocking a line strikes the eye. Only the noticed moves are then compared, by
looking ahead as far as the level can. A weak level therefore misses wins and threats now and then, the less visible
ones more often, but never plays a move that it knows to be bad.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Final

from engine.bots import skills
from engine.rules.flat import FlatPosition
from engine.rules.limit import Limit
from engine.rules.nested import ALL_BOARDS, LINE_MASKS, NestedPosition
from engine.rules.position import Move, Position
from engine.search import strongest
from engine.search.decision import Decision
from engine.search.skill import Skill
from engine.search.watch import Watch

_LEAST_NOTICED: Final = 3
"""The fewest moves noticed: nobody plays the only move that comes to mind."""
_LINES_THROUGH: Final = tuple(tuple(mask for mask in LINE_MASKS if mask >> square & 1) for square in range(9))


def decide(values: tuple[int | str, ...], position: Position, limit: Limit, random: Random, watch: Watch) -> Decision:
    """`level:N`. A limit can only weaken the level."""
    skill = skills.level(position.rules, int(values[0]))
    nodes = min(skill.nodes, limit.nodes or skill.nodes)
    return think(replace(skill, nodes=nodes), position, replace(limit, nodes=None), random, watch)


def think(skill: Skill, position: Position, limit: Limit, random: Random, watch: Watch) -> Decision:
    """The move that a player of this skill makes. `limit` may bound the time or the depth besides."""
    moves = noticed(position, skill.sees, random)
    decision = strongest.think(skill, position, limit, random, watch, moves)
    if len(moves) == len(position.legal_moves()) or (decision.win_in or 0) > 0:
        return decision
    # An overlooked move might be better, so only a win is certain. A loss in two shows without a look that deep.
    depth = min(decision.depth, limit.depth or decision.depth)
    return replace(decision, depth=depth, win_in=None, proven=False)


def noticed(position: Position, sees: float, random: Random) -> tuple[Move, ...]:
    """The legal moves that come to mind, ascending; at least three where there are as many.

    A plain move comes to mind with probability `sees`, a move of salience `s` with `1 - (1 - sees) ** s`.
    """
    moves = position.legal_moves()
    if sees >= 1:
        return moves
    keys = {move: random.random() ** (1 / salience(position, move)) for move in moves}
    ranked = sorted(moves, key=lambda move: -keys[move])
    found = sum(key >= 1 - sees for key in keys.values())
    return tuple(sorted(ranked[: max(found, _LEAST_NOTICED)]))


def salience(position: Position, move: Move) -> float:
    """How striking a legal move is: 1 off all begun lines, up to 2K - 1 where it completes a line of K."""
    if isinstance(position, FlatPosition):
        rules = position.rules
        return _salience(_most_marks(position.x, position.o, rules.masks[move]), rules.length)
    if isinstance(position, NestedPosition):
        board, square = divmod(move, 9)
        if position.board_owner(board) is not None:
            return 1
        x, o = position.x >> 9 * board & ALL_BOARDS, position.o >> 9 * board & ALL_BOARDS
        return _salience(_most_marks(x, o, _LINES_THROUGH[square]), 3)
    return 1


def _salience(marks: int, length: int) -> float:
    return 1 + 2 * marks * marks / (length - 1)


def _most_marks(x: int, o: int, masks: tuple[int, ...]) -> int:
    """Most marks of one side on one of these lines, with none of the other."""
    most = 0
    for mask in masks:
        ours, others = x & mask, o & mask
        if not (ours and others):
            most = max(most, (ours | others).bit_count())
    return most
