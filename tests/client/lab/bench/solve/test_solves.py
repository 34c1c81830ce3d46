"""What solves find and take, next to a search of fixed work."""

from __future__ import annotations

from itertools import count

import pytest

from client.lab.bench.solve import solves
from tests.support.lab.bench import figures, named


def test_a_solve_stands_beside_the_control() -> None:
    ticks = count()
    (taken,) = solves.run(named("cube:3"), lambda: float(next(ticks)))
    assert (taken.found, taken.positions) == ("X in 7", 252)
    assert (taken.cpu_s, taken.control_s, taken.ratio) == (1, 1, 1)
    assert taken.control_rate * 1e6 == taken.control_nodes > 1_000_000
    part = solves.part([taken])
    assert figures(part)["cube:3, to the control"] == 1
    assert part.tables[0].rows[0][:3] == ("cube:3", "X in 7", "252")


def test_a_small_board_comes_out_as_it_should() -> None:
    (case,) = named("mnk:6,4,4")
    assert case.run()[0] == "draw"


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_all_that_is_not_long_comes_out_as_it_should() -> None:
    found = {taken.case.name: taken.found for taken in solves.run([case for case in solves.CASES if not case.long])}
    assert found == {
        "super": "X in at most 43",
        "all M, N up to 5": "X wins 8 of 22",
        "mnk:6,4,4": "draw",
        "mnk:6,5,4": "X in 11",
        "mnk:7,7,5": "draw",
        "cube:3": "X in 7",
        "nine-board after 15 to 18 plies": "X wins 9 of 10, O 1",
        "qubic": "X in at most 31",
        "qubic's proof verified": "holds, 31 plies",
    }
