"""Decided positions of nine-board, which one solve leaves to others: a file that grows with each.

Its rows are those of a checkpoint (`rows.py`), without what is undecided. What they say is as certain as the
search that said it: a proof that leans on them does not name them, and is checked like any other.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from client.lab.solve import checkpoint
from client.lab.solve.nine_board.rows import packed, unpacked
from engine.rules.position import Side
from engine.search.solve.nine_board_solver import Place
from engine.search.solve.nine_board_tree import Row, turned

Known = dict[Side, list[Row]]
"""For each side, positions of which it is known whether that side can force a line."""

_KIND: Final = "solve nine-board --known"
_QUESTION: Final = "which positions are decided"


def read(path: Path) -> Known:
    """Nothing where there is no file. Raises checkpoint.Unusable."""
    found = checkpoint.read(path, _KIND, _QUESTION)
    known: Known = {"x": [], "o": []}
    if found is not None:
        head, body = found
        with checkpoint.odd_is_unusable():
            x = int(head["x"])
            rows = unpacked(body, 0, x + int(head["o"]))
        known = {"x": rows[:x], "o": rows[x:]}
    return known


def write(path: Path, known: Known) -> None:
    """Raises OSError, also if another file is there."""
    head = {"x": len(known["x"]), "o": len(known["o"])}
    checkpoint.write(path, _KIND, _QUESTION, head, (packed(known["x"]), packed(known["o"])))


def joined(known: Known, more: Known) -> Known:
    """What is decided in either, each position once: the first of its images."""
    found: Known = {side: [] for side in known}
    for side, kept in found.items():
        seen = set[Place]()
        for row in (*known[side], *more.get(side, [])):
            image = turned(row.place)
            if _is_decided(row) and image not in seen:
                seen.add(image)
                kept.append(row)
    return found


def _is_decided(row: Row) -> bool:
    return row.proof == 0 or row.disproof == 0
