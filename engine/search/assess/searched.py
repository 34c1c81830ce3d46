"""Judging by the search: what it proves of any game, and estimates where it proves nothing."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import replace
from random import Random
from typing import Final

from engine.rules.flat import FlatRules
from engine.rules.limit import Limit
from engine.rules.position import Move, Position, Rules
from engine.search import negamax, skill
from engine.search.decision import Decision
from engine.search.evaluation import line_weight
from engine.search.finding import Finding, raise_if_stopped
from engine.search.negamax import Plan
from engine.search.skill import LEARNED
from engine.search.watch import Watch

NODES: Final = 1_000_000
"""A tenth of a second, or a little more."""
_MOST: Final = 0.99
"""No estimate is more certain than this."""
# The hyperbolic tangent of value / scale comes nearest to how games ended, by least squares. Between our higher levels:
# 867 on Qubic (946 games), 3309 on Gomoku (30), 93 on Ultimate and Super when hand-made values judged both (570). On
# flat boards, as a multiple of the worth of a line that lacks one mark:
_OF_A_LINE: Final = 1.7
_SUPER: Final = 90.0
# Where learned weights judge, `strongest` ended the games, with 20,000 nodes a move from the position on: 267 on
# nine-board (260 positions of 146 games of these levels), 482 on Ultimate (347 of 159).
_NINE_BOARD: Final = 270.0
_ULTIMATE: Final = 480.0
_NEARLY_DECIDED: Final = negamax.WIN / 4
"""Beyond this evaluation all moves tried lose, although a narrow search does not try all."""


def assess(position: Position, watch: Watch) -> Finding:
    """The finding of a search of a few plies."""
    return _assess(position, position.legal_moves(), watch)


def others(position: Position, tried: Collection[Move], watch: Watch) -> Finding | None:
    """The same without some of the moves; None if there are no others."""
    moves = tuple(other for other in position.legal_moves() if other not in tried)
    return _assess(position, moves, watch) if moves else None


def _assess(position: Position, moves: Sequence[Move], watch: Watch) -> Finding:
    asked = None if len(moves) == len(position.legal_moves()) else moves
    plan = _plan(position)
    decision = negamax.choose(position, skill.ENDLESS, Limit(nodes=NODES), Random(0), watch, plan, asked)
    raise_if_stopped(watch)
    proven = _proven(decision, plan)
    if proven is not None:
        return proven
    nodes, value = decision.nodes, decision.value or 0.0
    estimate = squashed(position.rules, value)
    if decision.depth > 1 and abs(value) < _NEARLY_DECIDED:
        # The side that moves last before an evaluation looks too good, so each side moves last once.
        shallower = negamax.choose(position, decision.depth - 1, Limit(nodes=NODES), Random(0), watch, plan, asked)
        raise_if_stopped(watch)
        nodes += shallower.nodes
        if shallower.value is not None and abs(shallower.value) < _NEARLY_DECIDED:
            estimate = (estimate + squashed(position.rules, shallower.value)) / 2
    return Finding(False, estimate, best=decision.pv[:1], line=decision.pv, nodes=nodes)


def _plan(position: Position) -> Plan:
    """Plan of `strongest`, but with few moves left it leaves none out, so that a draw is certain too."""
    strength = skill.strongest(position.rules)
    few = position.rules.cells - position.ply <= strength.width + 1
    plan = negamax.LEARNED if position.rules.id in LEARNED else negamax.FULL
    return replace(plan, width=0 if few else strength.width)


def _proven(decision: Decision, plan: Plan) -> Finding | None:
    """None where nothing is proven. A loss concerns only the moves that were asked for."""
    if not decision.proven:
        return None
    line, win_in = decision.pv, decision.win_in
    if win_in is not None:
        return Finding(True, 1.0 if win_in > 0 else -1.0, win_in, decision.bound, line[:1], line, nodes=decision.nodes)
    if plan.width == 0 and decision.value == 0:
        return Finding(True, 0.0, best=line[:1], line=line, nodes=decision.nodes)
    return None


def squashed(rules: Rules, value: float) -> float:
    """An evaluation as a number strictly between -1 and 1, the greater the better."""
    return max(-_MOST, min(_MOST, math.tanh(value / _scale(rules))))


def _scale(rules: Rules) -> float:
    if isinstance(rules, FlatRules):
        return _OF_A_LINE * line_weight(rules.length - 1)
    if rules.id not in LEARNED:
        return _SUPER
    return _NINE_BOARD if rules.id == "nine-board" else _ULTIMATE
