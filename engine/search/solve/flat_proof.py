"""Proofs of what the solver found out about a flat board or cube, for a checker that shares nothing with it.

A *section* is about one side, the *attacker*. Either it wins: a move for each position that can arise with it to move.
Or it is held: a move for each position with the defender to move; and where the attacker is to move and the
defender can hold by pairs, the pairs. Forced moves are left out. `client/lab/verify/flat_checker.py` has the
file's format and the rules by which it is read; they are the same here.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from engine.kernels.solving import ALWAYS
from engine.rules.flat import FlatPosition, FlatRules
from engine.rules.lines import mask_of
from engine.rules.position import O, Side, X, marks_of
from engine.search.solve.solver import Solution, Solver, Value

Marks: TypeAlias = tuple[int, int]
"""The attacker's cells and the defender's as bit masks: of all positions that are alike, the least."""
Section: TypeAlias = Mapping[Marks, tuple[int, ...]]
"""The cell to be played, or the cells of the pairs, two by two."""

_MAGIC: Final = b"flatgame"
_FORMAT: Final = 1
_HEAD: Final = struct.Struct("<8sHI4BQQBBII")
_ENTRY: Final = struct.Struct("<QQB")
_WINNERS: Final[dict[Value, int]] = {"draw": 0, X: 1, O: 2}
_PAIRING_STEPS: Final = 200
_TELL_EVERY: Final = 1_000


@dataclass(frozen=True, slots=True)
class Proof:
    """Who wins from a position, and why."""

    position: FlatPosition
    value: Value
    plies: int | None
    sections: Mapping[Side, Section]
    """By attacker. A win needs the winner's; a draw both, but from the empty board only X's: O never wins there."""

    @property
    def records(self) -> int:
        return sum(map(len, self.sections.values()))


def prove(
    solver: Solver, position: FlatPosition, solution: Solution, told: Callable[[int], None] = lambda records: None
) -> Proof:
    """The proof of a solution. `told` is called now and then with the number of records.

    Raises Stopped as `solve` does. The solver must use its table.
    """
    sections: dict[Side, Section] = {X: {}, O: {}}
    for attacker in (X, O):
        writer = _Writer(solver, position, attacker, told)
        if solution.value == attacker:
            assert solution.plies is not None
            sections[attacker] = writer.win(solution.plies)
        elif solution.value == "draw" and (attacker == X or position.ply > 0):
            sections[attacker] = writer.hold()
    return Proof(position, solution.value, solution.plies, sections)


def to_bytes(proof: Proof) -> bytes:
    """The file of a proof."""
    position, sections = proof.position, (proof.sections[X], proof.sections[O])
    rules = position.rules
    levels = (1,) * (3 - len(rules.dimensions))
    head = (*rules.dimensions, *levels, rules.length, position.x, position.o, _WINNERS[proof.value], proof.plies or 0)
    entries = bytearray()
    for section in sections:
        for (attacker, defender), cells in sorted(section.items()):
            entries += _ENTRY.pack(attacker, defender, len(cells)) + bytes(cells)
    size = _HEAD.size + len(entries) + hashlib.sha256().digest_size
    data = _HEAD.pack(_MAGIC, _FORMAT, size, *head, *map(len, sections)) + entries
    return data + hashlib.sha256(data).digest()


class Images:
    """The positions that are alike, by tables: where each symmetry takes the cells of a byte of a word."""

    def __init__(self, rules: FlatRules) -> None:
        self._bytes = (rules.cells + 7) // 8
        self._tables = [[_table(image, 8 * byte) for byte in range(self._bytes)] for image in rules.symmetries]
        images = [tuple(image) for image in rules.symmetries]
        self._inverses = [images.index(tuple(image.index(cell) for cell in range(rules.cells))) for image in images]

    def least(self, first: int, second: int) -> Marks:
        return min(zip(self._of(first), self._of(second), strict=True))

    def symmetries(self, first: int, second: int) -> tuple[Marks, list[int]]:
        """Like `least`, with the symmetries that lead there."""
        images = [*zip(self._of(first), self._of(second), strict=True)]
        least = min(images)
        return least, [symmetry for symmetry, image in enumerate(images) if image == least]

    def back(self, symmetries: list[int], cells: int) -> int:
        """The least cells that one of these symmetries takes to these."""
        origins = self._of(cells)
        return min(origins[self._inverses[symmetry]] for symmetry in symmetries)

    def _of(self, cells: int) -> list[int]:
        parts = cells.to_bytes(self._bytes, "little")
        return [sum(table[part] for table, part in zip(tables, parts, strict=True)) for tables in self._tables]


def _table(image: tuple[int, ...], first: int) -> list[int]:
    table = [0]
    for cell in range(first, first + 8):
        bit = 1 << image[cell] if cell < len(image) else 0
        table += [cells | bit for cells in table]
    return table


class _Writer:
    """One section."""

    def __init__(self, solver: Solver, position: FlatPosition, attacker: Side, told: Callable[[int], None]) -> None:
        self._solver = solver
        self._full = position.rules.full
        self._lines = [mask_of(line) for line in position.rules.lines]
        self._images = Images(position.rules)
        self._told = told
        self._attacking = attacker == position.to_move
        self._root = self._images.least(*marks_of(position, attacker))
        self._records: dict[Marks, tuple[int, ...]] = {}

    def win(self, plies: int) -> Section:
        """The attacker's moves: in each position, one that wins within the plies that are left."""
        for attacker, defender, attacking, ply in self._positions():
            if attacking:
                if self._completing(attacker, defender):
                    continue
                move = self._completing(defender, attacker) or self._winning(attacker, defender, plies - ply)
                self._after(attacker | move, defender)
            else:
                wins = self._completing(attacker, defender)
                if not wins & (wins - 1):
                    for reply in bits_of(wins or self._useful(attacker, defender)):
                        self._after(attacker, defender | reply)
        return self._records

    def hold(self) -> Section:
        """The defender's moves, or pairs."""
        for attacker, defender, attacking, _ in self._positions():
            empty = self._full & ~(attacker | defender)
            # What each line of use to the attacker still lacks.
            open_lines = self._open(attacker, defender, attacking)
            must = self._completing(defender, attacker)
            if weight(open_lines) < (0.5 if attacking else 1) or (must and not attacking) or must & (must - 1):
                continue
            if attacking:
                if pairs := pairs_of(open_lines):
                    self._keep(attacker, defender, pairs)
                else:
                    for move in bits_of(must or self._useful(attacker, defender)):
                        self._after(attacker | move, defender)
            else:
                move = self._completing(attacker, defender)
                if not move:
                    move = self._pairing(open_lines, empty) or self._holding(attacker, defender)
                    self._keep(attacker, defender, [move])
                self._after(attacker, defender | move)
        return self._records

    def _positions(self) -> Iterator[tuple[int, int, bool, int]]:
        """Each that is put into `_after`, once: the marks, is the attacker to move, and the plies since the root."""
        marks_before = sum(cells.bit_count() for cells in self._root)
        self._seen = {self._root}
        self._waiting = [self._root]
        while self._waiting:
            attacker, defender = self._waiting.pop()
            ply = attacker.bit_count() + defender.bit_count() - marks_before
            yield attacker, defender, self._attacking ^ bool(ply & 1), ply

    def _after(self, attacker: int, defender: int) -> None:
        position = self._images.least(attacker, defender)
        if position not in self._seen:
            self._seen.add(position)
            self._waiting.append(position)

    def _keep(self, attacker: int, defender: int, words: list[int]) -> None:
        self._records[attacker, defender] = tuple(cell for word in words for cell in _cells(word))
        if len(self._records) % _TELL_EVERY == 0:
            self._told(len(self._records))

    def _winning(self, attacker: int, defender: int, plies: int) -> int:
        found, move = self._solver.answer(attacker, defender, True, plies)
        assert found
        assert move is not None
        self._keep(attacker, defender, [1 << move])
        return 1 << move

    def _holding(self, attacker: int, defender: int) -> int:
        found, move = self._solver.answer(attacker, defender, False, ALWAYS)
        assert not found
        assert move is not None
        return 1 << move

    def _pairing(self, open_lines: list[int], empty: int) -> int:
        """A move of the defender's after which pairs or weights hold, so that the proof ends there; 0: none is seen."""
        through = {cell: [line for line in open_lines if line & cell] for cell in bits_of(empty)}
        for cell in sorted(through, key=lambda cell: -weight(through[cell])):
            if not through[cell]:
                break
            left = [line for line in open_lines if not line & cell]
            if weight(left) < 0.5 or pairs_of(left):
                return cell
        return 0

    def _completing(self, own: int, others: int) -> int:
        """The cells that complete a line."""
        cells = 0
        for line in self._lines:
            if not line & others:
                lacking = line & ~own
                if not lacking & (lacking - 1):
                    cells |= lacking
        return cells

    def _open(self, attacker: int, defender: int, attacking: bool) -> list[int]:
        """Empty cells of each line that the attacker has the moves left to complete."""
        left = (self._full & ~(attacker | defender)).bit_count()
        turns = (left + attacking) // 2
        lacking = [line & ~attacker for line in self._lines if not line & defender]
        return [cells for cells in lacking if cells.bit_count() <= turns]

    def _useful(self, attacker: int, defender: int) -> int:
        """The empty cells on lines that are not dead: a mark elsewhere changes nothing."""
        cells = 0
        for line in self._lines:
            if not line & attacker or not line & defender:
                cells |= line
        return cells & ~(attacker | defender)


def weight(open_lines: list[int]) -> float:
    """Weight by Erdos and Selfridge: below 1 the defender holds if it is to move, below 1/2 if the attacker is."""
    return sum(2.0 ** -cells.bit_count() for cells in open_lines)


def pairs_of(open_lines: list[int]) -> list[int]:
    """Pairs of cells, no cell in two of them, such that each line holds one; nothing where none are found."""
    return _paired(open_lines, -1, [_PAIRING_STEPS]) or []


def _paired(open_lines: list[int], free: int, steps: list[int]) -> list[int] | None:
    if not open_lines:
        return []
    steps[0] -= 1
    if steps[0] < 0:
        return None
    # The line with the least choice first; its pair should serve other lines as well, and spoil few.
    cells = min((line & free for line in open_lines), key=int.bit_count)
    pairs = [a | b for a in bits_of(cells) for b in bits_of(cells & ~(a | a - 1))]

    def worth(pair: int) -> int:
        return sum(16 if line & pair == pair else -1 for line in open_lines if line & pair)

    for pair in sorted(pairs, key=worth, reverse=True):
        rest = _paired([line for line in open_lines if line & pair != pair], free & ~pair, steps)
        if rest is not None:
            return [pair, *rest]
    return None


def bits_of(word: int) -> Iterator[int]:
    while word:
        yield word & -word
        word &= word - 1


def _cells(word: int) -> Iterator[int]:
    for bit in bits_of(word):
        yield bit.bit_length() - 1
