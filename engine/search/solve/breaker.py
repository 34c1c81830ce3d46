"""Draws of flat boards and cubes that one side holds as Breaker, and their proofs.

Breaker stops every line of Maker's and wants none itself. If O can do that from the empty board, nobody wins there: O
never wins with best play, as X could otherwise steal its strategy. The converse does not hold: on `mnk:5,5,4`, a draw,
Maker wins. `engine/kernels/breaker.py` searches, and `client/lab/verify/breaker_checker.py` has the proof's format and
the rules by which it is read, which are the same here.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from engine.kernels import breaker as kernel
from engine.rules.flat import FlatRules
from engine.rules.lines import mask_of
from engine.search.solve.flat_proof import Images, bits_of, weight

ENTRIES: Final = (1 << 20) - 3
"""Positions that are remembered: 25 MB."""
_SLICE: Final = 1 << 11
_HEAD: Final = struct.Struct("<8sHI4B")
_MAGIC: Final = b"flatgame"
_FORMAT: Final = 2
_NO_PAIRS: Final = 255
_TELL_EVERY: Final = 1_000


class Breaker:
    """Answers for one board. What it has found out helps with the next question."""

    def __init__(self, rules: FlatRules, entries: int = ENTRIES, largest_slice: int = _SLICE) -> None:
        self.rules = rules
        self.lines = [mask_of(line) for line in rules.lines]
        self._search = kernel.search(rules.cells, len(self.lines), rules.symmetries, entries)
        self._pairs = np.zeros(rules.cells, np.uint64)
        self._slice = largest_slice

    @property
    def nodes(self) -> int:
        """Positions searched so far."""
        return int(self._search.counters[kernel.NODES])

    @property
    def move(self) -> int | None:
        """The cell with which Breaker, to move, holds once `holds` has said so; None where every cell does."""
        move = int(self._search.counters[kernel.MOVE])
        return move if move >= 0 else None

    def holds(
        self,
        sets: Sequence[int],
        attacking: bool,
        most_nodes: int,
        between: Callable[[int], None] = lambda nodes: None,
    ) -> bool | None:
        """Whether no set is ever filled by Maker, who moves first if `attacking`; None if the nodes do not suffice.

        `between` is called with the nodes so far after `largest_slice` more each time, and may raise.
        """
        counters = self._search.counters
        end = self.nodes + most_nodes
        while True:
            counters[kernel.UNTIL] = min(self.nodes + self._slice, end)
            self._put(sets)
            answer = kernel.answer(self._search, len(sets), attacking)
            between(self.nodes)
            if answer != kernel.OPEN:
                return bool(answer == kernel.HELD)
            if self.nodes >= end:
                return None

    def reply(self, sets: Sequence[int]) -> int:
        """A cell with which Breaker, to move, holds; it must be able to."""
        held = self.holds(sets, attacking=False, most_nodes=1 << 40)
        assert held
        return sets[0] & -sets[0] if self.move is None else 1 << self.move

    def pairs(self, sets: Sequence[int]) -> list[int]:
        """Pairs of cells, no cell in two of them: such that each set has one, or what costs nothing if that fails."""
        self._put(sets)
        number = kernel.pairs(self._search, len(sets), self._pairs)
        return [int(pair) for pair in self._pairs[:number]]

    def _put(self, sets: Sequence[int]) -> None:
        self._search.sets[0, : len(sets)] = sets


def prove(breaker: Breaker, told: Callable[[int], None] = lambda positions: None) -> bytes:
    """The file that shows that O holds the empty board as Breaker, which must be so.

    `told` is called now and then with the number of positions.
    """
    rules = breaker.rules
    writer = _Writer(breaker, told)
    writer.hold(0, breaker.lines)
    size = _HEAD.size + len(writer.words) + hashlib.sha256().digest_size
    levels = (1,) * (3 - len(rules.dimensions))
    data = _HEAD.pack(_MAGIC, _FORMAT, size, *rules.dimensions, *levels, rules.length) + writer.words
    return data + hashlib.sha256(data).digest()


class _Writer:
    """Walks through O's strategy as the checker does, and writes down what that asks for."""

    def __init__(self, breaker: Breaker, told: Callable[[int], None]) -> None:
        self.words = bytearray()
        self._breaker = breaker
        self._lines = breaker.lines
        self._images = Images(breaker.rules)
        self._zones: dict[tuple[int, int, bool], int] = {}
        self._told = told

    def hold(self, own: int, lines: list[int]) -> int:
        """X is to move. The zone: the cells that O needs to be free, whatever X has elsewhere."""
        zone = 0
        for region in _regions(own, lines):
            zone |= self._zone(own, region, attacking=True)
        return zone

    def _zone(self, own: int, lines: list[int], attacking: bool) -> int:
        """Zone of X's cells and the lines open to it, looked up if a symmetric position has been seen."""
        live = _union(lines)
        (least_own, least_live), symmetries = self._images.symmetries(own & live, live)
        key = least_own, least_live, attacking
        if key not in self._zones:
            open_lines = [line for line in self._lines if not line & ~least_live]
            self._zones[key] = (self._attacked if attacking else self._answered)(least_own, open_lines)
            if len(self._zones) % _TELL_EVERY == 0:
                self._told(len(self._zones))
        return self._images.back(symmetries, self._zones[key])

    def _attacked(self, own: int, lines: list[int]) -> int:
        lacking = [line & ~own for line in lines]
        pairs = self._breaker.pairs(lacking)
        rest = _unpaired(lacking, pairs)
        if weight(rest) < 0.5:
            self.words.append(len(pairs))
            self.words += bytes(cell.bit_length() - 1 for pair in pairs for cell in bits_of(pair))
            return _union([*pairs, *rest])
        self.words.append(_NO_PAIRS)
        zone, tried = 0, _union(lacking)
        while tried:
            move = max(bits_of(tried), key=lambda cell: weight([cells for cells in lacking if cells & cell]))
            answered = self._zone(own | move, lines, attacking=False)
            zone |= answered
            tried &= answered & ~move
        return zone

    def _answered(self, own: int, lines: list[int]) -> int:
        lacking = [line & ~own for line in lines]
        move = next((cells for cells in lacking if not cells & (cells - 1)), 0)
        if not move:
            move = self._breaker.reply(lacking)
            self.words.append(move.bit_length() - 1)
        return move | self.hold(own, [line for line in lines if not line & move])


def _regions(own: int, lines: list[int]) -> list[list[int]]:
    """The lines, apart where no chain of common free cells joins them."""
    regions: list[tuple[int, list[int]]] = []
    for line in lines:
        cells, joined, apart = line & ~own, [line], []
        for region in regions:
            if region[0] & line & ~own:
                cells |= region[0]
                joined += region[1]
            else:
                apart.append(region)
        regions = [*apart, (cells, joined)]
    return [joined for _, joined in sorted(regions)]


def _unpaired(lacking: list[int], pairs: list[int]) -> list[int]:
    """What X lacks of the lines without a pair if it gets all cells of pairs; without lines that contain another."""
    given = sum(pairs)
    left = {cells & ~given for cells in lacking if not any(cells & pair == pair for pair in pairs)}
    return [cells for cells in left if not any(other != cells and other & cells == other for other in left)]


def _union(words: list[int]) -> int:
    union = 0
    for word in words:
        union |= word
    return union
