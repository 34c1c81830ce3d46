"""Our best general search for any game, within what a skill allows.

Wins are taken and blocked first, a table remembers, and on large boards only the most promising moves are considered.
Ultimate is played by a tree until its end can be searched exactly.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Final

from engine.rules.limit import Limit
from engine.rules.nested import ALL_BOARDS, NestedPosition
from engine.rules.position import Move, Position
from engine.search import mcts, negamax, patterned, proven_lines, qubic, skill
from engine.search.decision import Decision
from engine.search.negamax import Plan
from engine.search.skill import Skill
from engine.search.turning import turned
from engine.search.watch import Watch

_EXACT_CELLS: Final = 26
"""With at most this many cells left to play in, alpha-beta proves more of Ultimate in a given time than a tree."""


def decide(values: tuple[int | str, ...], position: Position, limit: Limit, random: Random, watch: Watch) -> Decision:
    """`strongest`. A limit of nodes or of time replaces its own; one of depth is kept beside it."""
    if limit.move_ms is None:
        return _search(position, limit.nodes, replace(limit, nodes=None), random, watch)
    known = proven_lines.known(position)
    if known is not None:
        return known
    decision = _search(position, skill.BOUNDLESS, limit, random, watch)
    proven_lines.keep(position, decision)
    return decision


def _search(position: Position, nodes: int | None, limit: Limit, random: Random, watch: Watch) -> Decision:
    strength = skill.strongest(position.rules)
    strength = replace(strength, nodes=nodes or strength.nodes)
    if limit.depth is None and skill.by_tree(position.rules) and _playable(position) > _EXACT_CELLS:
        bound = limit if limit.move_ms else Limit(nodes=strength.nodes)
        return mcts.choose(position, bound, random, watch, mcts.PLANS["weights"], mcts.ROOM)
    most_nodes = None if nodes == skill.BOUNDLESS else strength.nodes
    if skill.by_threats(position.rules):
        return turned(qubic.choose(position, limit, watch, most_nodes), position, random)
    return think(strength, position, limit, random, watch)


def _playable(position: Position) -> int:
    """The empty cells of the boards that are not closed."""
    assert isinstance(position, NestedPosition)
    marks = position.x | position.o
    return sum(
        9 - (marks >> 9 * board & ALL_BOARDS).bit_count() for board in range(9) if not position.closed >> board & 1
    )


def think(
    strength: Skill,
    position: Position,
    limit: Limit,
    random: Random,
    watch: Watch,
    moves: tuple[Move, ...] | None = None,
) -> Decision:
    """The best of `moves`, by default of all, found with this skill; the caller decides what it overlooks.

    `limit` may bound the time or the depth besides.
    """
    depth = min(strength.depth, limit.depth or strength.depth)
    nodes = None if strength.nodes == skill.BOUNDLESS else strength.nodes
    compared = position.legal_moves() if moves is None else moves
    is_whole = len(compared) == len(position.legal_moves())
    if is_whole and strength.learned and skill.by_patterns(position.rules):
        return turned(patterned.choose(position, limit, watch, nodes, depth), position, random)
    # Short searches tell equal moves apart and draw among them; in long ones that costs strength.
    plan = Plan(
        table=strength.tactics, tactics=strength.tactics, width=strength.width, learned=strength.learned,
        scout=strength.learned, exact_ties=not strength.tactics,
    )  # fmt: skip
    decision = negamax.choose(position, depth, limit, random, watch, plan, compared, nodes)
    return turned(decision, position, random) if is_whole else decision
