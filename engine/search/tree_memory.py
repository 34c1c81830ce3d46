"""The tree of a process for Monte Carlo searches: allocated once, lent to one search at a time, and kept between moves.

It is as large as the largest that was asked for; a search that asks for less gets the first part. So bots of two sizes
that move in turn do not wait for memory in their own time.

A search under a limit of time goes on with what the same search found two plies before; any other begins empty, so that
it can be repeated.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from typing import Final

from engine.kernels import mcts as kernel
from engine.rules.lines import cells_of
from engine.rules.nested import NestedPosition


class TreeMemory:
    """A tree, and what it was last used for."""

    def __init__(self, most: int) -> None:
        self.most = most
        """Nodes that it may be given room for."""
        self.tree = self._whole = kernel.tree(most)
        self._kept: Hashable = None
        self._position: NestedPosition | None = None

    def fit(self, room: int) -> None:
        """Give the tree room for so many nodes. If it had another, nothing is known of any position."""
        if room == len(self.tree.visits):
            return
        fields = self._whole._asdict()
        parts = {name: fields[name][:room] for name in kernel.NODE_FIELDS}
        self.tree = self._whole._replace(**parts)
        self._kept = None

    def prepare(self, position: NestedPosition, kept: Hashable, seed: int) -> None:
        """Make ready to search a position: with what is known of it if `kept`, which names all else that nodes depend
        on, is that of the search before; None begins empty."""
        node = self._node_of(position) if kept is not None and kept == self._kept else None
        if node is None:
            kernel.begin(self.tree, seed)
        else:
            kernel.go_on(self.tree, node, seed)
        self._kept, self._position = kept, position

    def _node_of(self, position: NestedPosition) -> int | None:
        """The node of a position two plies below the root, if there is one."""
        before = self._position
        assert before is not None
        if position.ply != before.ply + 2:
            return None
        new = cells_of(position.x & ~before.x), cells_of(position.o & ~before.o)
        if len(new[0]) != 1 or len(new[1]) != 1:
            return None
        moves = (new[0][0], new[1][0]) if before.ply % 2 == 0 else (new[1][0], new[0][0])
        node: int | None = int(self.tree.counters[kernel.ROOT])
        for move in moves:
            if node is None or not before.is_legal(move):
                return None
            before = before.play(move)
            node = self._child(node, move)
        return node if before == position else None

    def _child(self, node: int, move: int) -> int | None:
        first = int(self.tree.first[node])
        children = range(first, first + int(self.tree.children[node]))
        return next((child for child in children if self.tree.move[child] == move), None)


_spare: Final[list[TreeMemory]] = []


@contextmanager
def lent(room: int) -> Iterator[TreeMemory]:
    """A tree of this process with room for this many nodes; a new one if none is free, or only a smaller one."""
    try:
        memory = _spare.pop()  # without a look before it: another thread might take the last one in between
    except IndexError:
        memory = TreeMemory(room)
    if memory.most < room:
        memory = TreeMemory(room)
    memory.fit(room)
    try:
        yield memory
    finally:
        _spare.append(memory)


def free() -> None:
    """Give back the memory of the trees that are not lent."""
    _spare.clear()
