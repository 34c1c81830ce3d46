"""`python -m client.lab.solve.nine_board.check_known [FILE [PART OF]]`: decide again what a file of positions says.

A position that others of the file decide, by the moves that lead to them, is not searched. The rest is, each by one
thread whose table has met nothing but these searches. docs/solved/nine-board.known takes an hour and a half of a core;
`0 2` and `1 2` are its halves, for two processes. Whatever differs is printed, and makes the exit status 1; so is a row
that says nothing, or is of no position that a search looks at.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from client.lab.solve.nine_board import known as nine_board_known
from client.lab.solve.nine_board.known import Known
from client.lab.solve.nine_board.make_outlook import KNOWN
from engine.rules.nested import ALL_BOARDS, HAS_LINE
from engine.rules.position import Side, X
from engine.search.solve.nine_board_solver import FREE, Place, Solver, completes
from engine.search.solve.nine_board_tree import Row, safe_places, turned

_ENTRIES: Final = 1 << 26
"""Positions that the table holds: 1.3 GB."""
_NODES: Final = 1 << 40
_CELLS: Final = 81


def searched(known: Known) -> Iterator[tuple[Row, bool]]:
    """Positions that no others of the file decide, and whether the attacker is to move in them."""
    for side, rows in known.items():
        places = {turned(row.place): row for row in rows}
        for row in rows:
            attacks = _attacks(row, side)
            if can_be(row, attacks) and not _follows(row, attacks, places):
                yield row, attacks


def can_be(row: Row, attacks: bool) -> bool:
    """Whether a row is a result, and of a game that is not over and that nobody can win at once by the next move."""
    attacker, defender, forced = row.place
    taken = attacker | defender
    if attacker & defender or (row.proof == 0) == (row.disproof == 0):
        return False
    empty = ~taken & ((1 << _CELLS) - 1 if forced == FREE else ALL_BOARDS << 9 * forced)
    has_line = any(HAS_LINE[side >> 9 * board & ALL_BOARDS] for side in (attacker, defender) for board in range(9))
    return empty != 0 and not has_line and not completes(attacker if attacks else defender, taken, forced)


def holds(row: Row, attacks: bool, solver: Solver) -> bool:
    """Whether a search agrees with a row."""
    proof, _ = solver.look(row.place, attacks, _NODES)
    return (proof == 0) == (row.proof == 0)


def _follows(row: Row, attacks: bool, places: Mapping[Place, Row]) -> bool:
    after = [places.get(turned(place)) for place in safe_places(row.place, attacks)]
    wins = row.proof == 0
    alike = [one is not None and (one.proof == 0) == wins for one in after]
    return any(alike) if attacks == wins else all(alike)


def _attacks(row: Row, side: Side) -> bool:
    """Whether the attacker, this side, is to move."""
    return (_marks(row.place) % 2 == 0) == (side == X)


def _marks(place: Place) -> int:
    return (place[0] | place[1]).bit_count()


def main(path: Path, part: int, of: int, entries: int = _ENTRIES) -> int:
    """Answers the exit status."""
    # Neighbours in the file have much of their searches in common.
    known = nine_board_known.read(path)
    wrong = [row.place for side, rows in known.items() for row in rows if not can_be(row, _attacks(row, side))]
    for place in wrong:
        print(f"cannot be: {place}", flush=True)
    rows = list(searched(known))
    mine = rows[len(rows) * part // of : len(rows) * (part + 1) // of]
    solver = Solver(entries)
    different = 0
    for row, attacks in mine:
        if not holds(row, attacks, solver):
            different += 1
            print(f"differs: {row.place}", flush=True)
    print(f"{len(mine):,} positions searched in {solver.nodes:,}; {different} differ.")
    return int(different > 0 or len(wrong) > 0)


if __name__ == "__main__":
    path, part, of = (*sys.argv[1:], *(str(KNOWN), "0", "1")[len(sys.argv) - 1 :])
    sys.exit(main(Path(path), int(part), int(of)))
