"""Rows of a tree of nine-board as the bytes of a checkpoint: 49 bytes each, cells in two words of 64 bits a side."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from engine.search.solve.nine_board_solver import FREE
from engine.search.solve.nine_board_tree import Row

ROW: Final = np.dtype([("cells", "<u8", 4), ("forced", "u1"), ("numbers", "<u4", 2), ("nodes", "<i8")])
_LOW: Final = (1 << 64) - 1
_CELLS: Final = 81


def packed(rows: list[Row]) -> Any:
    """An array of ROW."""
    found = np.zeros(len(rows), ROW)
    for index, ((attacker, defender, forced), proof, disproof, nodes) in enumerate(rows):
        cells = attacker & _LOW, attacker >> 64, defender & _LOW, defender >> 64
        found[index] = cells, forced, (proof, disproof), nodes
    return found


def unpacked(body: memoryview, offset: int, count: int) -> list[Row]:
    """Raises ValueError if there are fewer, or if one is of no cells or boards that there are."""
    found = []
    for cells, forced, numbers, nodes in np.frombuffer(body, ROW, count, offset):
        a_low, a_high, d_low, d_high = cells.tolist()
        place = a_low | a_high << 64, d_low | d_high << 64, int(forced)
        if place[0] >> _CELLS or place[1] >> _CELLS or place[2] > FREE:
            raise ValueError("There is no such position.")
        proof, disproof = numbers.tolist()
        found.append(Row(place, proof, disproof, int(nodes)))
    return found
