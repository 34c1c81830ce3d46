"""Solving nine-board over days: a tree near the root, whose leaves are searched here or by a cluster's workers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final, NamedTuple, Protocol

from engine.rules.nested import NestedPosition
from engine.rules.position import O, Side, X, marks_of
from engine.search.solve.nine_board_solver import FREE, Known, Place, Solution, Solver, winning_move
from engine.search.solve.nine_board_tree import Row, Tree, images
from engine.search.solve.solver import Value

LEAF_NODES: Final = 1 << 22
"""Positions that a leaf may cost before its moves become leaves: a second or two."""


class Leaf(NamedTuple):
    """A position to be searched."""

    attacker: Side
    place: Place
    attacking: bool
    """Whether the attacker is to move."""
    most_nodes: int


class Looked(NamedTuple):
    """What was found out about a leaf."""

    leaf: Leaf
    row: Row
    nodes_elsewhere: int = 0
    """Positions that other solvers than the tree's visited for it."""
    cpu_elsewhere_s: float = 0.0
    """Processor time that it cost in other processes than this one."""


class ClusterLost(Exception):
    """The text says why, in a sentence."""


class Workers(Protocol):
    """Whoever searches leaves."""

    @property
    def free(self) -> int:
        """How many more leaves keep them busy."""

    def begin(self, leaf: Leaf) -> None: ...

    def next(self) -> Looked | Leaf | None:
        """A result; or a leaf that will have none; or None, now and then, while they work."""


class Here:
    """This process searches."""

    def __init__(self, solver: Solver) -> None:
        self._solver = solver
        self._leaf: Leaf | None = None

    @property
    def free(self) -> int:
        return int(self._leaf is None)

    def begin(self, leaf: Leaf) -> None:
        self._leaf = leaf

    def next(self) -> Looked | None:
        if self._leaf is None:
            return None
        leaf, self._leaf = self._leaf, None
        return Looked(leaf, look(self._solver, leaf))


def look(solver: Solver, leaf: Leaf) -> Row:
    """Search a leaf. Raises what `between` of the solver does."""
    before = solver.nodes
    proof, disproof = solver.look(leaf.place, leaf.attacking, leaf.most_nodes)
    return Row(leaf.place, proof, disproof, solver.nodes - before)


class TreeSearch:
    """One position's tree for each side that may be able to force a line."""

    def __init__(
        self,
        solver: Solver,
        workers: Workers,
        position: NestedPosition,
        done: Callable[[Looked], object],
        decided: Mapping[Side, list[Row]] = {},
    ) -> None:
        """`done` is told of each result once the tree has it, and may raise. `decided`: positions, of any tree."""
        self._solver, self._workers, self._position, self._done = solver, workers, position, done
        self.attacker: Side = X
        self.trees: dict[Side, Tree] = {}
        self._earlier: dict[Side, list[Row]] = {}
        self._decided = decided

    def recall(self, rows: dict[Side, list[Row]]) -> None:
        """Begin with what an earlier search of the same position knew. Raises ValueError for what cannot be."""
        if winning_move(self._position) is not None:
            return
        self._earlier = rows
        try:
            for side in rows:
                self._tree(side)
        except ValueError:
            self._earlier = {}
            self.trees.clear()
            raise

    def teach(self) -> None:
        """Have the solver know again what is decided, once it has recalled what it knew before that."""
        for side, tree in self.trees.items():
            self._teach(tree, self._decided.get(side, []))

    def solve(self) -> Solution:
        """The result of best play. Raises Unsound."""
        winning = winning_move(self._position)
        if winning is not None:
            return Solution(self._position.to_move, winning)
        value: Value = X if self._can_win(X) else O if self._can_win(O) else "draw"
        for tree in self.trees.values():
            self._teach(tree)
        return self._solver.solution(self._position, value)

    @property
    def known(self) -> Known:
        """How far it has come."""
        tree = self.trees.get(self.attacker)
        return Known(self.attacker, *tree.numbers) if tree is not None and tree.is_split else self._solver.known

    def _can_win(self, attacker: Side) -> bool:
        self.attacker = attacker
        self._solver.known = Known(attacker)
        tree = self._tree(attacker)
        while not tree.is_decided:
            while self._workers.free and (place := tree.next()) is not None:
                self._workers.begin(Leaf(attacker, place, tree.attacks(place), LEAF_NODES))
            found = self._workers.next()
            if isinstance(found, Looked):
                self.trees[found.leaf.attacker].found(found.row)
                self._done(found)
            elif found is not None:
                self.trees[found.attacker].give_back(found.place)
        return tree.numbers[0] == 0

    def _tree(self, attacker: Side) -> Tree:
        if attacker not in self.trees:
            at = self._position
            own, others = marks_of(at, attacker)
            place = own, others, FREE if at.forced is None else at.forced
            tree = Tree(place, attacker == at.to_move, lambda place, attacks: self._solver.look(place, attacks, 1))
            decided = self._decided.get(attacker, [])
            # The last row of a position counts: what was open in an earlier search may be decided by now.
            tree.recall([*self._earlier.get(attacker, []), *decided])
            self.trees[attacker] = tree
            self._teach(tree, decided)
        return self.trees[attacker]

    def _teach(self, tree: Tree, more: Iterable[Row] = ()) -> None:
        """Have the solver know what the tree has decided, and `more`, in whatever image a proof may meet it."""
        for row in (*more, *tree.rows()):
            if row.proof == 0 or row.disproof == 0:
                attacks = tree.attacks(row.place)
                for place in images(row.place):
                    self._solver.learn(place, attacks, row.proof == 0, max(row.nodes, LEAF_NODES))
