"""The bench runs and says what it must; what it measures is left to real runs."""

from __future__ import annotations

from pathlib import Path

import uvloop

from client.bench import moves
from client.bench.figures import Part


def figures(part: Part) -> set[str]:
    return {one.name for one in part.figures}


def test_moves_are_measured_beside_the_control(tmp_path: Path) -> None:
    part = uvloop.run(moves.measure(tmp_path, moves.Load(tables=2, rate=0, pairs=1)))
    assert {"control", "noughts", "ratio of each pair"} <= figures(part)
    (ratio,) = (one for one in part.figures if one.name == "ratio of each pair")
    assert ratio.value.low > 0
    assert ratio.met is not None
