"""The positions of nine-board near the root of a long proof search, each searched once, by whoever has time.

A proof-number search (L. V. Allis 1994) whose leaves are searches themselves: a leaf that its search has not decided
gets its safe moves as children, and those become leaves. Whoever asks for leaves while others are still being searched
gets different ones, and the numbers of leaves under way count double (*virtual loss*), so that the next one tends to
lie elsewhere. What the tree knows of positions outlives it as rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from engine.rules import lines
from engine.rules.nested import ALL_BOARDS
from engine.search.solve.nine_board_solver import FREE, INFINITY, Place, completes, target

Numbers = tuple[int, int]
"""Proof and disproof number: how far it is from certain that the attacker can force a line, and that it cannot."""

_CELLS: Final = 81
_TURNS: Final = tuple(
    (turn, [sum(1 << turn[square] for square in range(9) if marks >> square & 1) for marks in range(512)])
    for turn in lines.flat_symmetries(3, 3)
)
"""Where a symmetry takes a board, and a set of squares."""


class Row(NamedTuple):
    """What is known of a position."""

    place: Place
    proof: int
    disproof: int
    nodes: int
    """Positions that its own search visited; 0 if there was none."""


@dataclass(slots=True)
class _Node:
    place: Place
    proof: int
    disproof: int
    nodes: int = 0
    """Positions visited by its own search; 0 if there was none."""
    is_under_way: bool = False
    children: list[_Node] = field(default_factory=list)
    parents: list[_Node] = field(default_factory=list)

    @property
    def is_decided(self) -> bool:
        return self.proof == 0 or self.disproof == 0

    @property
    def weighted(self) -> Numbers:
        """Proof and disproof as they count for its parents."""
        return (2 * self.proof, 2 * self.disproof) if self.is_under_way else (self.proof, self.disproof)


class Tree:
    """Whether the attacker can force a line from a position: the tree of one question."""

    def __init__(self, place: Place, attacking: bool, guess: Callable[[Place, bool], Numbers]) -> None:
        """`place`: the attacker's cells first; neither side can complete a line at once. `guess` is asked for the first
        numbers of each position, and whether the attacker is to move in it.
        """
        self._marks_are_odd = _marks(place) % 2 == 1
        self._attacking = attacking
        self._guess = guess
        self._nodes: dict[Place, _Node] = {}
        self._known: dict[Place, Row] = {}
        self._root = self._node(place)

    @property
    def numbers(self) -> Numbers:
        return self._root.proof, self._root.disproof

    @property
    def is_decided(self) -> bool:
        return self._root.is_decided

    @property
    def is_split(self) -> bool:
        """Whether the root's own search was not enough."""
        return bool(self._root.children)

    def attacks(self, place: Place) -> bool:
        """Whether the attacker is to move."""
        return self._attacking == (_marks(place) % 2 == self._marks_are_odd)

    def next(self) -> Place | None:
        """A position to be searched, the most promising that nobody has; None if there is none at present."""
        leaf = self._free_leaf(self._root, set())
        if leaf is None:
            return None
        leaf.is_under_way = True
        self._update(leaf.parents)
        return leaf.place

    def found(self, row: Row) -> None:
        """The result of a search of a position that `next` gave."""
        node = self._nodes[turned(row.place)]
        node.is_under_way = False
        self._take(node, row)
        self._update([node, *node.parents])

    def give_back(self, place: Place) -> None:
        """Its search will not end."""
        node = self._nodes[turned(place)]
        node.is_under_way = False
        self._update(node.parents)

    def rows(self) -> Iterator[Row]:
        """What is known, including the first numbers of leaves that wait for a search: a table may lose them."""
        for node in self._nodes.values():
            yield Row(node.place, node.proof, node.disproof, node.nodes)

    def recall(self, rows: list[Row]) -> None:
        """Begin with what another tree of the same question knew. Only before the first `next`."""
        self._known = {turned(row.place): row for row in rows}
        row = self._known.get(turned(self._root.place))
        if row is not None:
            self._restore(self._root, row)

    def _free_leaf(self, node: _Node, seen: set[Place]) -> _Node | None:
        if node.is_decided or node.is_under_way or node.place in seen:
            return None
        seen.add(node.place)
        if not node.children:
            return node
        attacks = self.attacks(node.place)
        for child in sorted(node.children, key=lambda child: child.weighted[0 if attacks else 1]):
            leaf = self._free_leaf(child, seen)
            if leaf is not None:
                return leaf
        return None

    def _take(self, node: _Node, row: Row) -> None:
        node.proof, node.disproof, node.nodes = row.proof, row.disproof, row.nodes
        if not node.is_decided and not node.children:
            for place in safe_places(node.place, self.attacks(node.place)):
                child = self._node(place)
                node.children.append(child)
                child.parents.append(node)
            if not node.children:
                raise ValueError("A position without safe moves is not open.")

    def _restore(self, node: _Node, row: Row) -> None:
        if row.nodes:
            self._take(node, row)
            self._refresh(node)
        else:
            node.proof, node.disproof = row.proof, row.disproof

    def _node(self, place: Place) -> _Node:
        """Node of the position or of an image of it; else a new one.

        It is searched as it stands, not turned: a proof asks for positions below it, which the solver does not know in
        other images.
        """
        image = turned(place)
        found = self._nodes.get(image)
        if found is not None:
            return found
        if _marks(place) == _CELLS:
            node = self._nodes[image] = _Node(place, INFINITY, 0)
            return node
        row = self._known.get(image)
        if row is not None:
            node = self._nodes[image] = _Node(place, row.proof, row.disproof)
            self._restore(node, row)
            return node
        node = self._nodes[image] = _Node(place, *self._guess(place, self.attacks(place)))
        return node

    def _update(self, nodes: list[_Node]) -> None:
        """Numbers of these, and of all above whose children's numbers have changed."""
        pending = list(nodes)
        while pending:
            node = pending.pop()
            if self._refresh(node):
                pending += node.parents

    def _refresh(self, node: _Node) -> bool:
        """Whether its numbers have changed, or may count otherwise above."""
        if not node.children:
            return True
        proofs, disproofs = zip(*(child.weighted for child in node.children), strict=True)
        if self.attacks(node.place):
            proof, disproof = min(proofs), sum(disproofs)
        else:
            proof, disproof = sum(proofs), min(disproofs)
        if proof == 0:
            disproof = INFINITY
        elif disproof == 0:
            proof = INFINITY
        else:
            proof, disproof = min(proof, INFINITY - 1), min(disproof, INFINITY - 1)
        has_changed = (proof, disproof) != (node.proof, node.disproof)
        node.proof, node.disproof = proof, disproof
        return has_changed


def safe_places(place: Place, attacks: bool) -> list[Place]:
    """Places after each move that gives the other side no line at once; only the first of those that are images."""
    attacker, defender, forced = place
    taken = attacker | defender
    found = dict[Place, Place]()
    for cell in range(_CELLS) if forced == FREE else range(9 * forced, 9 * forced + 9):
        if not taken >> cell & 1:
            mark = 1 << cell
            after = (attacker | mark, defender) if attacks else (attacker, defender | mark)
            board = target(taken | mark, cell)
            if not completes(after[1] if attacks else after[0], taken | mark, board):
                found.setdefault(turned((*after, board)), (*after, board))
    return list(found.values())


def turned(place: Place) -> Place:
    """The least of its images."""
    return min(images(place))


def images(place: Place) -> Iterator[Place]:
    """The position as each symmetry turns it, itself first, which are all worth the same."""
    attacker, defender, forced = place
    for turn, squares in _TURNS:
        board = forced if forced == FREE else turn[forced]
        yield _turned(attacker, turn, squares), _turned(defender, turn, squares), board


def _turned(cells: int, turn: lines.Symmetry, squares: Sequence[int]) -> int:
    return sum(squares[cells >> 9 * board & ALL_BOARDS] << 9 * turn[board] for board in range(9))


def _marks(place: Place) -> int:
    return (place[0] | place[1]).bit_count()
