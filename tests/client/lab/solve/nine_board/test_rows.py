"""Rows of a tree as bytes."""

from __future__ import annotations

import pytest

from client.lab.solve.nine_board.rows import ROW, packed, unpacked
from client.lab.solve.nine_board.search import Here, TreeSearch
from engine.search.solve.nine_board_solver import Solver
from tests.support.engine.nine_board_positions import played

O_WINS = "7/5 5/7 7/3 3/1 1/1 1/9 9/8 8/6 6/4 4/3 3/4 4/8 8/8 8/1 1/3 3/6 6/7 7/4 4/1 1/8 8/4 4/4 4/7 7/7 7/9 9/5"


def test_rows_survive_being_packed() -> None:
    solver = Solver(entries=1 << 10)
    search = TreeSearch(solver, Here(solver), played(O_WINS), lambda _: None)
    search.solve()
    for tree in search.trees.values():
        rows = list(tree.rows())
        data = memoryview(b"x" + packed(rows).tobytes())
        assert unpacked(data, 1, len(rows)) == rows
        assert len(data) == 1 + ROW.itemsize * len(rows)
        with pytest.raises(ValueError, match="buffer"):
            unpacked(data, 1, len(rows) + 1)
    begun = solver.nodes
    again = TreeSearch(solver, Here(solver), played(O_WINS), lambda _: None)
    again.recall({side: list(tree.rows()) for side, tree in search.trees.items()})
    again.solve()
    assert solver.nodes - begun < begun / 10
