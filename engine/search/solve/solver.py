"""Solving positions of flat boards and cubes: who wins with best play, in how many plies at least, by which moves.

The kernel answers one kind of question, whether a side can force a line within a number of plies. A position is solved
by asking for 1, 3, 5, ... plies until the answer is yes: that is the shortest forced win, as the question before it was
answered no. At the same time it is asked for any number of plies, since a no to that usually proves a draw much faster;
neither gets more than about twice the work of the other.

If the side to move cannot win, the other side is asked for, but not from the empty board: there the second side never
wins, as the first could else play anywhere and then win in the second's place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

import numpy as np

from engine.kernels import solving as kernel
from engine.kernels.solving import ALL, ALWAYS, MOST_CELLS
from engine.rules.flat import FlatPosition, FlatRules
from engine.rules.lines import cells_of, mask_of
from engine.rules.position import Move, Rules, Side, X, other

Value: TypeAlias = Side | Literal["draw"]

IDEAS: Final = {
    "symmetry": kernel.SYMMETRY,
    "table": kernel.TABLE,
    "dead-lines": kernel.DEAD_LINES,
    "weights": kernel.WEIGHTS,
    "pairing": kernel.PAIRING,
    "threats": kernel.THREATS,
}
"""The ideas that the kernel can be run without, by name."""
ENTRIES: Final = (1 << 22) - 3
"""Positions that are remembered: 84 MB."""
_FIRST_SLICE: Final = 1 << 12
_LARGEST_SLICE: Final = 1 << 16


class Stopped(Exception):
    """The answer is no longer wanted."""


@dataclass(frozen=True, slots=True)
class Solution:
    """The result of best play from a position."""

    value: Value
    """Who wins, or a draw."""
    plies: int | None
    """Moves of both sides until the winner has its line, one hurrying and the other holding out; None: a draw."""
    best: tuple[Move, ...]
    """All moves with this result, ascending: the fastest wins, every move that draws, or the longest losses."""
    line: tuple[Move, ...]
    """One way to the end of a won game, with best play by both sides; empty for a draw."""
    nodes: int
    """Positions visited."""


@dataclass(slots=True)
class Known:
    """What is certain of a position while it is being solved."""

    held: dict[Side, int]
    """For each side, the plies within which it cannot force a line (ALWAYS: not at all)."""
    wins: Side | None = None
    """The side that can force a line, in a number of plies that may not be known yet."""
    nodes: int = 0


def solvable(rules: Rules) -> bool:
    """Whether the solver takes this game, however long that would be."""
    return isinstance(rules, FlatRules) and rules.cells <= MOST_CELLS and not rules.exact


class Solver:
    """Solves positions of one game. What it has found out about one helps with the next."""

    def __init__(
        self,
        rules: FlatRules,
        options: int = ALL,
        entries: int = ENTRIES,
        between: Callable[[Known], None] = lambda known: None,
        largest_slice: int = _LARGEST_SLICE,
        most_nodes: int = 1 << 60,
    ) -> None:
        """`between` is called after at most `largest_slice` nodes each time, and may raise Stopped to give up.

        Raises ValueError for a game that is not `solvable`.
        """
        if not solvable(rules):
            raise ValueError(
                f"The solver takes boards of at most {MOST_CELLS} cells, where longer lines win too: not {rules.id}."
            )
        masks = [mask_of(line) for line in rules.lines]
        self._puzzle = kernel.puzzle(rules.cells, masks, rules.symmetries, entries, options)
        self._between = between
        self._largest_slice = largest_slice
        self._most_nodes = most_nodes
        self._slice = min(_FIRST_SLICE, largest_slice)
        self.known = Known({})

    @property
    def nodes(self) -> int:
        """Positions visited so far."""
        return int(self._puzzle.counters[kernel.NODES])

    def solve(self, position: FlatPosition) -> Solution:
        """The result of best play from a position that is not over.

        Raises Stopped when `between` does or `most_nodes` are made; `known` then holds what is certain so far.
        """
        before = self.nodes
        self.known = Known({})
        value, plies = self._judge(position)
        best = tuple(self._best(position, value, plies))
        line = () if plies is None else tuple(self._line(position, best[0], plies))
        return Solution(value, plies, best, line, self.nodes - before)

    def remembered(self, most: int) -> tuple[Any, Any]:
        """What is known of at most `most` positions, for `recall`: those with the most empty cells, whose search costs
        most. uint64[positions, 2] and uint8[positions, 4], as the kernel keeps them."""
        empty = self._puzzle.facts[:, 3]
        counts = np.bincount(empty, minlength=MOST_CELLS + 1)
        from_most = np.cumsum(counts[::-1])[::-1]
        fewest = next((cells for cells in range(1, len(counts)) if from_most[cells] <= most), len(counts))
        kept = np.flatnonzero(empty >= fewest)
        return self._puzzle.known[kept], self._puzzle.facts[kept]

    def recall(self, known: Any, facts: Any) -> None:
        """Begin with what another solver of this game `remembered`: every answer stays the same and comes sooner."""
        kernel.recall(self._puzzle, known, facts)

    def answer(self, attacker: int, defender: int, attacking: bool, plies: int) -> tuple[bool, Move | None]:
        """Whether the attacker, to move if `attacking`, can force a line within `plies`, and the move of the side to
        move that shows it; None where that took no search. The marks are bit masks.

        Raises Stopped as `solve` does.
        """
        found = None
        while found is None:
            found = self._ask(attacker, defender, attacking, plies, 1 << 40)
        move = kernel.known_move(self._puzzle, attacking) if found == attacking else -1
        return found, None if move < 0 else move

    def _judge(self, position: FlatPosition) -> tuple[Value, int | None]:
        mover = position.to_move
        plies = self._shortest(position, mover)
        if plies is not None:
            return mover, plies
        if position.ply == 0:
            return "draw", None
        plies = self._shortest(position, other(mover))
        return ("draw", None) if plies is None else (other(mover), plies)

    def _shortest(self, position: FlatPosition, attacker: Side) -> int | None:
        """The plies in which the attacker forces a line; None if it cannot."""
        plies = 1 if attacker == position.to_move else 2
        left = position.rules.cells - position.ply
        work = 4 * _FIRST_SLICE
        settled = False
        while plies <= left:
            found = self._try(position, attacker, plies, work)
            if found:
                self.known.wins = attacker
                return plies
            if found is False:
                self.known.held[attacker] = max(plies, self.known.held.get(attacker, 0))
                plies += 2
                continue
            if not settled:
                ever = self._try(position, attacker, ALWAYS, work)
                if ever is False:
                    break
                settled = bool(ever)
                self.known.wins = attacker if settled else None
            work *= 2
        self.known.held[attacker] = ALWAYS
        return None

    def _best(self, position: FlatPosition, value: Value, plies: int | None) -> Iterator[Move]:
        mover = position.to_move
        for move in position.legal_moves():
            after = position.play(move)
            if after.outcome is not None:
                # A completed line wins in one; a last mark without one is a draw.
                if after.outcome.winner is not None or value == "draw":
                    yield move
            elif value == mover:
                assert plies is not None
                if plies > 1 and self._forces(after, mover, plies - 1):
                    yield move
            elif value == "draw":
                if position.ply == 0 or not self._forces(after, other(mover), ALWAYS):
                    yield move
            else:
                assert plies is not None
                if plies <= 2 or not self._forces(after, other(mover), plies - 3):
                    yield move

    def _line(self, position: FlatPosition, move: Move, plies: int) -> Iterator[Move]:
        """Line from a position won in `plies`: the first of the best moves of either side each time."""
        winner = position.to_move if plies % 2 else other(position.to_move)
        while True:
            yield move
            position = position.play(move)
            plies -= 1
            if plies == 0:
                return
            move = next(self._best(position, winner, plies))

    def _forces(self, position: FlatPosition, attacker: Side, plies: int) -> bool:
        found = None
        while found is None:
            found = self._try(position, attacker, plies, 1 << 40)
        return found

    def _try(self, position: FlatPosition, attacker: Side, plies: int, work: int) -> bool | None:
        """Whether the attacker can force a line within `plies`; None if the nodes did not suffice."""
        marks = (position.x, position.o) if attacker == X else (position.o, position.x)
        return self._ask(*marks, attacker == position.to_move, plies, work)

    def _ask(self, attacker: int, defender: int, attacking: bool, plies: int, work: int) -> bool | None:
        kernel.set_up(self._puzzle, cells_of(attacker), cells_of(defender))
        counters = self._puzzle.counters
        end = self.nodes + work
        while True:
            counters[kernel.UNTIL] = min(self.nodes + self._slice, end, self._most_nodes)
            answer = kernel.can_win(self._puzzle, 0, attacking, plies)
            self.known.nodes = self.nodes
            self._between(self.known)
            if answer != kernel.PAUSED:
                return bool(answer == kernel.YES)
            if self.nodes >= self._most_nodes:
                raise Stopped
            if self.nodes >= end:
                return None
            # A pause costs the way back to where it was, so it is a growing part of a growing search.
            self._slice = min(self._slice + self._slice // 8, self._largest_slice)
