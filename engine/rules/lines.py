"""Lines and symmetries of any board, as tuples of cell numbers.

A *line* is a set of cells that wins when one side marks all of it, ascending. A *symmetry* is a permutation of the
cells, `image = symmetry[cell]`, that maps lines to lines.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import permutations, product

Line = tuple[int, ...]
Symmetry = tuple[int, ...]

_FLAT_DIRECTIONS = ((1, 0), (0, 1), (1, 1), (-1, 1))


def flat_lines(columns: int, rows: int, length: int) -> tuple[Line, ...]:
    """Every window of `length` cells in a row, column or diagonal of a flat board."""
    found = []
    for (x, y), (dx, dy) in product(product(range(columns), range(rows)), _FLAT_DIRECTIONS):
        end_x, end_y = x + dx * (length - 1), y + dy * (length - 1)
        if 0 <= end_x < columns and 0 <= end_y < rows:
            first, step = x + columns * y, dx + columns * dy  # no direction leads down, so cells ascend
            found.append(tuple(range(first, first + step * length, step)))
    return tuple(sorted(found))


def flat_ends(columns: int, rows: int, line: Line) -> Line:
    """The cells, at most two, that would make a line of a flat board longer."""
    step = line[1] - line[0]
    found = []
    for last, beyond in ((line[0], line[0] - step), (line[-1], line[-1] + step)):
        # A step over an edge of the board leads to the other end of a row, or off the board.
        if 0 <= beyond < columns * rows and abs(beyond % columns - last % columns) <= 1:
            found.append(beyond)
    return tuple(found)


def cube_lines(size: int) -> tuple[Line, ...]:
    """The ((size + 2)**3 - size**3) / 2 lines of a cube: 49, 76 and 109 for sizes 3, 4 and 5.

    Along a line each coordinate stands still, rises or falls, and at least one of them moves. The same line is met
    again with rise and fall exchanged, which the set removes.
    """
    still = [(value,) * size for value in range(size)]
    rising, falling = tuple(range(size)), tuple(reversed(range(size)))
    courses = [*still, rising, falling]
    return tuple(
        sorted(
            {
                tuple(sorted(_cube_cell(xyz, size) for xyz in zip(xs, ys, zs, strict=True)))
                for xs, ys, zs in product(courses, repeat=3)
                if not (xs in still and ys in still and zs in still)
            }
        )
    )


def _cube_cell(xyz: Iterable[int], size: int) -> int:
    x, y, z = xyz
    return x + size * (y + size * z)


def flat_symmetries(columns: int, rows: int) -> tuple[Symmetry, ...]:
    """The turns and reflections of a flat board, the identity first: 8 for a square, else 4."""
    places = [(x, y) for y in range(rows) for x in range(columns)]
    mirrored = [
        tuple((columns - 1 - x if flip_x else x) + columns * (rows - 1 - y if flip_y else y) for x, y in places)
        for flip_y, flip_x in product((False, True), repeat=2)
    ]
    if columns != rows:
        return tuple(mirrored)
    transposed = tuple(y + columns * x for x, y in places)
    return (*mirrored, *(tuple(transposed[cell] for cell in symmetry) for symmetry in mirrored))


def cube_symmetries(size: int) -> tuple[Symmetry, ...]:
    """The symmetries of a cube's lines, the identity first: 48, 192 and 192 for sizes 3, 4 and 5.

    They are the 48 turns and reflections, times the inner permutations: the same reordering of the coordinate values
    on all three axes. A reordering that commutes with the reversal maps still courses to still ones and keeps rising
    and falling courses each other's mirror, so it maps lines to lines; the reversal itself is already a turn.
    """
    places = [(x, y, z) for z in range(size) for y in range(size) for x in range(size)]
    found: dict[Symmetry, None] = {}
    for inner in _reversal_keeping_orders(size):
        for axes in permutations(range(3)):
            for flips in product((False, True), repeat=3):
                symmetry = tuple(
                    _cube_cell((_turned(inner[place[axes[i]]], flips[i], size) for i in range(3)), size)
                    for place in places
                )
                found.setdefault(symmetry)
    return tuple(found)


def _turned(value: int, flip: bool, size: int) -> int:
    return size - 1 - value if flip else value


def _reversal_keeping_orders(size: int) -> Iterator[tuple[int, ...]]:
    """Orders of 0..size-1, the identity first, that commute with the reversal."""
    for order in permutations(range(size)):
        if all(order[size - 1 - value] == size - 1 - order[value] for value in range(size)):
            yield order


def masks_through(lines: Iterable[Line], cells: int) -> tuple[tuple[int, ...], ...]:
    """For each cell, the bit masks of the lines through it: bit `c` of a mask stands for cell `c`."""
    through: list[list[int]] = [[] for _ in range(cells)]
    for line in lines:
        mask = mask_of(line)
        for cell in line:
            through[cell].append(mask)
    return tuple(map(tuple, through))


def mask_of(cells: Iterable[int]) -> int:
    """The cells as one integer, bit `c` for cell `c`."""
    mask = 0
    for cell in cells:
        mask |= 1 << cell
    return mask


def cells_of(mask: int) -> tuple[int, ...]:
    """The cells of a bit mask, ascending."""
    cells: list[int] = []
    for place, byte in enumerate(mask.to_bytes((mask.bit_length() + 7) // 8, "little")):
        if byte:
            cells += _cells_at(place)[byte]
    return tuple(cells)


@cache
def _cells_at(place: int) -> tuple[tuple[int, ...], ...]:
    """The cells of every value of one byte of a mask: a table is ten times faster than taking bits off one by one."""
    table: list[tuple[int, ...]] = [()]
    for bit in range(8):
        table += [(*cells, 8 * place + bit) for cells in table]
    return tuple(table)
