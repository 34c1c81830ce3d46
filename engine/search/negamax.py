"""Our own searches: iterative deepening over the kernel, from plain alpha-beta to everything it offers.

Values are whole numbers from the view of the side to move. A game won at ply `n` below the root is worth `WIN - n`,
lost `n - WIN`, drawn 0, so faster wins and slower losses are worth more; everything between is evaluation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Final

import numpy as np

from engine.kernels import negamax as kernel
from engine.kernels.boards import Board
from engine.kernels.negamax import Options
from engine.rules.flat import FlatPosition
from engine.rules.limit import Limit
from engine.rules.nested import NestedPosition
from engine.rules.position import Move, Position
from engine.search import evaluation, slices, table, weights
from engine.search.boards import flat_board, nested_board, weighted_board
from engine.search.decision import LEAST_WIN, SURE_PLIES, Decision
from engine.search.decision import WIN as WIN
from engine.search.decision import win_in as win_in
from engine.search.table import Table
from engine.search.watch import Watch

_REPORT_EVERY_MS: Final = 250
_LATE: Final = 3
_VERY_LATE: Final = 8
_LEAST_ENTRIES: Final = 1 << 12
_SYMMETRIC_PLIES: Final = 6
"""With more marks, symmetric positions hardly occur in one search, and a key for each symmetry costs up to 40 % of the
time. With fewer, it saves up to 98 % of the nodes (Qubic, 192 symmetries, 8 plies from the empty board)."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What a search uses. The defaults are alpha-beta with ordered moves to exactly the given depth."""

    table: bool = False
    """Remember positions up to symmetry."""
    tactics: bool = False
    """Take wins and block the other side's without search, extend forced blocks, know dead positions."""
    width: int = 0
    """The most promising moves tried at a node below the root, at most this number; 0 for all."""
    learned: bool = False
    """Judge by the learned weights of the game, which must have some."""
    scout: bool = False
    """Try late moves with a null window and less deep first."""
    exact_ties: bool = True
    """Tell equal best moves from worse ones and draw among them; else the first best move found is played."""


PLAIN: Final = Plan()
FULL: Final = Plan(table=True, tactics=True, exact_ties=False)
LEARNED: Final = replace(FULL, learned=True, scout=True)
"""Plan for the games of `skill.LEARNED`."""


def decide(values: tuple[int | str, ...], position: Position, limit: Limit, random: Random, watch: Watch) -> Decision:
    """`alphabeta:PLY`."""
    return choose(position, int(values[0]), limit, random, watch)


def choose(
    position: Position,
    depth: int,
    limit: Limit,
    random: Random,
    watch: Watch,
    plan: Plan = PLAIN,
    moves: Sequence[Move] | None = None,
    most_nodes: int | None = None,
) -> Decision:
    """The best move of a position that is not over, looking `depth` plies ahead or until the limit ends the search.

    Only `moves` are considered if they are given, all of them legal; `most_nodes` bounds the search besides `limit`.
    Under PLAIN the value is that of minimax at the depth reached. Stopped before the first ply is searched, it returns
    the most promising move without a value. A search that time alone ends goes on with what the process remembers of
    the game; any other begins empty, so that it can be repeated.
    """
    if not plan.table:
        return _Search(position, depth, limit, watch, plan, moves, most_nodes).decide(random)
    with table.lent() as lent:
        return _Search(position, depth, limit, watch, plan, moves, most_nodes, lent).decide(random)


class _Search:
    """One search from one root: what it has found in the deepest iteration, and the kernel's board and stack."""

    def __init__(
        self,
        position: Position,
        depth: int,
        limit: Limit,
        watch: Watch,
        plan: Plan,
        moves: Sequence[Move] | None,
        most_nodes: int | None = None,
        memory: Table | None = None,
    ) -> None:
        left = position.rules.cells - position.ply
        self._depth = min(depth, limit.depth or depth, left)
        self._limit = limit
        self._watch = watch
        self._plan = plan
        # A forced block costs no depth while there is room; the move after it usually does.
        plies = min(left, 2 * self._depth + 2 if plan.tactics else self._depth)
        self._board = _board(position, plies, plan)
        nodes = limit.nodes or most_nodes
        if memory is None:
            self._stack = kernel.stack(plies, position.rules.cells)
        else:
            mark = memory.mark(_kept(position, plan) if limit.move_ms and nodes is None else None)
            self._stack = kernel.stack(plies, position.rules.cells, memory.entries[: _entries(nodes)], mark)
        self._options = Options(
            cut=kernel.LOOSE,
            order=kernel.BY_PROMISE,
            margin=int(plan.exact_ties),
            win=WIN,
            faster=1,
            tactics=int(plan.tactics),
            extend=int(plan.tactics),
            width=plan.width,
            scout=int(plan.scout),
            late=_LATE if plan.scout else 0,
            very_late=_VERY_LATE,
            node_limit=slices.node_limit(nodes),
        )
        self._last_report_ms = 0
        self._cells = position.rules.cells
        legal = position.legal_moves()
        self._is_whole = not plan.width and not plan.scout and (moves is None or len(moves) == len(legal))
        """Whether all that can happen within the depth is seen."""
        self._wins: list[Move] = []
        self._blocks: set[Move] = set()
        self._order = self._survey(legal if moves is None else moves)
        self._best: list[Move] = self._order[:1]
        self._lines: dict[Move, tuple[Move, ...]] = {}
        """The principal variations of the best moves."""
        self._value: int | None = None
        self._reached = 0
        self._proven = False

    def decide(self, random: Random) -> Decision:
        if not (self._plan.tactics and self._settled_at_once()):
            self._deepen()
        move = self._best[0] if len(self._best) == 1 else random.choice(sorted(self._best))
        counters = self._stack.counters
        plies = None if self._value is None else win_in(self._value)
        # A sooner end comes a ply before at the latest, so within the depth.
        sure = max(self._reached + 1, SURE_PLIES) if self._is_whole else SURE_PLIES
        return Decision(
            move=move,
            nodes=int(counters[kernel.NODES]),
            leaves=int(counters[kernel.LEAVES]),
            depth=self._reached,
            value=None if self._value is None else float(self._value),
            win_in=plies,
            bound=plies is None or abs(plies) > sure,
            proven=self._proven,
            pruned=int(counters[kernel.PRUNED]),
            interior=int(counters[kernel.INTERIOR]),
            pv=self._lines.get(move, (move,)),
        )

    def _survey(self, moves: Sequence[Move]) -> list[Move]:
        """The moves, the most promising first. Sees the wins in one and the cells that must be blocked."""
        listed = np.array(moves, np.uint16)
        promises, statuses = np.zeros(len(moves), np.int64), np.zeros(len(moves), np.int64)
        row = np.zeros(self._cells, np.uint16)
        kind, count = kernel.survey(self._board, listed, promises, statuses, row)
        self._wins = [move for move, status in zip(moves, statuses.tolist(), strict=True) if status == 1]
        self._blocks = set(row[:count].tolist()) if kind == 2 else set()
        judged = sorted(zip((-promises).tolist(), moves, strict=True))
        return [move for _, move in judged]

    def _settled_at_once(self) -> bool:
        """A win in one is taken; against one of the other side's only blocks are considered; two of those lose."""
        if self._wins:
            self._best, self._value, self._reached = self._wins, WIN - 1, 1
        elif self._blocks:
            self._order = [move for move in self._order if move in self._blocks] or self._order
            self._best = self._order[:1]
            if len(self._blocks) == 1:
                return False
            self._value, self._reached = 2 - WIN, 2
        else:
            return False
        self._proven = True
        return True

    def _deepen(self) -> None:
        """Search 1, 2, ... plies, until the result is certain or a limit is reached."""
        for depth in range(1, self._depth + 1):
            kernel.begin(self._stack, self._order, depth)
            finished = slices.run(
                self._board, self._stack, self._options, self._watch, self._limit.move_ms, self._report, slices.LEAST
            )
            values = self._stack.root_values[: kernel.tried_at_root(self._stack)].tolist()
            if not finished:
                self._take_unfinished(values, depth)
                return
            self._take(values, depth)
            guessed = self._stack.counters[kernel.GUESSES] > 0
            self._proven = win_in(max(values)) is not None or not guessed
            if self._proven:
                return

    def _take_unfinished(self, values: list[int], depth: int) -> None:
        """The result of an iteration that a limit ended: its first move is the best of the iteration before.

        If every move it searched loses, the next one is played, with the value of the iteration before.
        """
        if not values:
            return
        if max(values) > -LEAST_WIN:
            self._take(values, depth - 1)
            self._proven = max(values) > LEAST_WIN
        elif len(values) < len(self._order):
            self._best, self._lines = [self._order[len(values)]], {}

    def _take(self, values: list[int], depth: int) -> None:
        best = max(values)
        self._value, self._reached = best, depth
        places = [place for place, value in enumerate(values) if value == best]
        if not self._plan.exact_ties:
            places = places[:1]
        self._best = [self._order[place] for place in places]
        self._lines = {self._order[place]: kernel.line(self._stack, place) for place in places}
        tried = sorted(range(len(values)), key=lambda place: -values[place])
        first = [self._order[place] for place in tried]
        self._order = first + self._order[len(values) :]

    def _report(self) -> None:
        now_ms = self._watch.elapsed_ms()
        if self._value is not None and now_ms - self._last_report_ms >= _REPORT_EVERY_MS:
            self._last_report_ms = now_ms
            nodes = int(self._stack.counters[kernel.NODES])
            line = self._lines.get(self._best[0], self._best[:1])
            self._watch.report(nodes, self._reached, float(self._value), tuple(line))


def _kept(position: Position, plan: Plan) -> tuple[object, ...]:
    """What a value in the table depends on besides the position: values are from the view of the root's side."""
    return position.rules.id, position.ply & 1, plan


def _entries(nodes: int | None) -> int:
    """Table entries for the nodes that may be made: a power of two within bounds."""
    wanted = nodes or table.MOST_ENTRIES
    return min(max(1 << wanted.bit_length(), _LEAST_ENTRIES), table.MOST_ENTRIES)


def _symmetries(position: Position) -> int:
    return len(position.rules.symmetries) if position.ply <= _SYMMETRIC_PLIES else 1


def _board(position: Position, plies: int, plan: Plan) -> Board:
    if isinstance(position, FlatPosition):
        rules = position.rules
        symmetries = _symmetries(position) if plan.table else 0
        values, places = evaluation.line_values(rules.length, rules.exact), evaluation.places(rules)
        return flat_board(position, values, plies, symmetries, places)
    assert isinstance(position, NestedPosition)
    symmetries = _symmetries(position) if plan.table else 0
    if plan.learned:
        return weighted_board(position, weights.of(position.rules.id), plies, symmetries)
    return nested_board(position, evaluation.small_value, evaluation.big_values, plies, symmetries)
