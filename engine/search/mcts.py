"""Our Monte Carlo tree search for the nine boards, with proofs: the alternative to alpha-beta on the same weights.

A playout makes all the replies to one position, so nodes are positions that were judged, as in our other searches, and
in random playouts those that were made. The kernel says how it searches.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache, partial
from math import log
from random import Random
from typing import Final

import numpy as np

from engine.kernels import mcts as kernel
from engine.kernels.jit import DISABLED
from engine.kernels.mcts import NODE_BYTES, REACH, Options, Scale
from engine.rules.limit import Limit
from engine.rules.nested import NestedPosition
from engine.rules.position import Move, Position
from engine.search import negamax, proven_lines, slices, tree_memory, weights
from engine.search.boards import weighted_board
from engine.search.decision import SURE_PLIES, WIN, Decision
from engine.search.negamax import LEARNED
from engine.search.tree_memory import TreeMemory
from engine.search.turning import turned
from engine.search.watch import Watch

_NODES: Final = 8_000_000
"""Positions that take a second or less."""
_MEGABYTE: Final = 1 << 20
ROOM: Final = 64 * _MEGABYTE // NODE_BYTES
"""Nodes of a tree of 64 MB, the size that `mcts` has unless it is told another."""
_LEAST: Final = 64 if DISABLED else 256
"""A position gets this many playouts however late its search begins: less than a millisecond."""
_LEAST_CHANCE: Final = 1e-6
_REPORT_EVERY_MS: Final = 250
_DIGITS: Final = 6
"""Decimals of chances and priors: rounded, they are the same on every machine."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How a search explores and what it believes. Floats must be written as floats: for a whole number the kernel would
    be compiled again."""

    explore: float = 1.0
    """The weight of the prior against the value."""
    trust: float = 1.0
    """The part of a playout's value that the weights give; random moves give the rest."""
    blind: bool = False
    """All moves look alike before they are tried, whatever the weights say."""


PLANS: Final = {
    "weights": Plan(),
    "mixed": Plan(trust=0.5),
    "random": Plan(trust=0.0, blind=True),
}
"""Plans by what judges a leaf."""


def decide(values: tuple[int | str, ...], position: Position, limit: Limit, random: Random, watch: Watch) -> Decision:
    """`mcts:LEAF,MB`. A limit of nodes or of time replaces its own."""
    leaf, megabytes = values
    plan, room = PLANS[str(leaf)], int(megabytes) * _MEGABYTE // NODE_BYTES
    if limit.move_ms is None:
        return choose(position, Limit(nodes=limit.nodes or _NODES), random, watch, plan, room)
    known = proven_lines.known(position)
    if known is not None:
        return known
    decision = choose(position, limit, random, watch, plan, room)
    proven_lines.keep(position, decision)
    return decision


def choose(position: Position, limit: Limit, random: Random, watch: Watch, plan: Plan, room: int) -> Decision:
    """The move of a position that is not over; the tree has `room` for so many nodes.

    Under a limit of time it goes on with the tree that it had two plies before, if the process still has it.
    """
    assert isinstance(position, NestedPosition)
    with tree_memory.lent(room) as memory:
        decision = _Search(position, limit, random, watch, plan, memory).decide()
    if decision is None:
        # Stopped before the root's moves were judged.
        decision = negamax.choose(position, 1, limit, random, watch, LEARNED)
    return turned(decision, position, random)


@lru_cache(maxsize=2)
def scale(blind: bool) -> Scale:
    """What the evaluations of the weights are worth; all the same if `blind`."""
    odds = np.arange(-REACH, REACH + 1) / weights.UNIT * (not blind)
    chance, weight = 1 / (1 + np.exp(-odds)), np.exp(odds)
    return Scale(chance.round(_DIGITS).astype(np.float32), weight.round(_DIGITS).astype(np.float32))


class _Search:
    """One search from one root."""

    def __init__(
        self, position: NestedPosition, limit: Limit, random: Random, watch: Watch, plan: Plan, memory: TreeMemory
    ) -> None:
        self._limit = limit
        self._watch = watch
        self._tree = memory.tree
        self._last_report_ms = 0
        left = position.rules.cells - position.ply
        self._board = weighted_board(position, weights.of(position.rules.id), left + 1)
        self._scale = scale(plan.blind)
        self._options = Options(plan.explore, plan.trust, slices.node_limit(limit.nodes))
        kept = (position.rules.id, plan) if limit.move_ms else None
        memory.prepare(position, kept, 1 + random.getrandbits(62))

    def decide(self) -> Decision | None:
        """None when it was stopped too early to say anything."""
        counters = self._tree.counters
        step = partial(kernel.run, self._board, self._tree, self._scale, self._options)
        # What is known of a position already is there before the tree is copied.
        least = max(_LEAST - int(self._tree.visits[counters[kernel.ROOT]]), 0)
        slices.run_steps(step, counters, self._watch, self._limit.move_ms, self._report, least)
        line = self._line()
        if not line:
            return None
        proof = int(self._tree.proof[counters[kernel.ROOT]])
        is_proven = kernel.is_proven(proof)
        plies = _plies(proof) if is_proven and proof != kernel.DRAW else None
        nodes = int(counters[kernel.NODES])
        interior = max(int(counters[kernel.PLAYOUTS]) - 1, 0)
        return Decision(
            move=line[0],
            nodes=nodes,
            leaves=nodes - interior,
            depth=len(line),
            value=self._value(proof),
            win_in=plies,
            bound=plies is None or abs(plies) > SURE_PLIES,
            proven=is_proven,
            interior=interior,
            pv=line,
        )

    def _value(self, proof: int) -> float:
        """Value of the root with this proof; on the scale of the weights where it has none."""
        if proof == kernel.DRAW:
            return 0.0
        if kernel.is_proven(proof):
            plies = _plies(proof)
            return float(WIN - plies if plies > 0 else -WIN - plies)
        chance = self._chance(self._best(int(self._tree.counters[kernel.ROOT])))
        return float(round(weights.UNIT * log(chance / (1 - chance))))

    def _chance(self, node: int) -> float:
        if self._tree.proof[node] == kernel.DRAW:
            return 0.5
        return min(max(float(self._tree.total[node] / (self._tree.visits[node] + 1)), _LEAST_CHANCE), 1 - _LEAST_CHANCE)

    def _line(self) -> tuple[Move, ...]:
        """The moves that were found best, as far as they were tried."""
        node = int(self._tree.counters[kernel.ROOT])
        line: list[Move] = []
        while self._tree.children[node]:
            node = self._best(node)
            if line and not self._tree.visits[node] and not kernel.is_proven(int(self._tree.proof[node])):
                break
            line.append(int(self._tree.move[node]))
        return tuple(line)

    def _best(self, node: int) -> int:
        """The child to be played: a win, the soonest; else the most visited, or a draw if that is better; else a loss,
        the latest."""
        first = int(self._tree.first[node])
        children = range(first, first + int(self._tree.children[node]))
        best = max(children, key=self._rank)
        if not kernel.is_proven(int(self._tree.proof[best])) and self._chance(best) < 0.5:
            return next((child for child in children if self._tree.proof[child] == kernel.DRAW), best)
        return best

    def _rank(self, child: int) -> tuple[int, float]:
        proof = int(self._tree.proof[child])
        if not kernel.is_proven(proof):
            return 2, float(self._tree.visits[child]) + self._chance(child)
        return (1, 0) if proof == kernel.DRAW else (3 if proof > 0 else 0, -float(proof))

    def _report(self) -> None:
        now_ms = self._watch.elapsed_ms()
        if now_ms - self._last_report_ms >= _REPORT_EVERY_MS and (line := self._line()):
            self._last_report_ms = now_ms
            proof = int(self._tree.proof[self._tree.counters[kernel.ROOT]])
            self._watch.report(int(self._tree.counters[kernel.NODES]), len(line), self._value(proof), line)


def _plies(proof: int) -> int:
    """Plies to the end by a root's proof, as in `Decision.win_in`: a node's proof counts from its parent."""
    return -proof - 1 if proof < 0 else 1 - proof
