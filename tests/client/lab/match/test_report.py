"""The figures of a match, and what they say of no games."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import pytest
from msgspec import to_builtins

from client.lab.match.report import lines, report
from client.lab.match.sprt import SprtResult
from engine.stats.sprt import Sprt
from tests.support.lab.matches import PAIRING, timed


def test_a_match_without_games_says_so() -> None:
    tested = SprtResult(Sprt(0, 10), 0.0, 0, None)
    assert "SPRT          undecided after 0 pairs" in lines(report(PAIRING, [], tested))[1]
    told = report(PAIRING, [])
    assert lines(told)[-1] == "faults        0"
    assert (told.games, told.sprt, told.a.times) == (0, None, None)
    assert {told.points, told.elo, told.draws, told.x_points, told.plies} == {None}
    json.dumps(to_builtins(told), allow_nan=False)


def test_figures_of_known_games() -> None:
    """Two games that A wins, by X and by O, with known times."""
    told = report(replace(PAIRING, pairs=1), [timed("a1 a2 b1 b2 c1"), timed("a1 b2 a3 b1 c2 b3", 1)])
    assert (told.won, told.games, told.pairs) == (2, 2, (0, 0, 0, 0, 1))
    assert (told.x_points, told.plies) == (0.5, 5.5)
    assert told.terminations == {"line": 2}
    a, b = told.a.times, told.b.times
    assert a is not None
    assert b is not None
    # A makes moves 0, 2, 4 of the first game and 1, 3, 5 of the second; move n takes n + 1 ms and 100 nodes of A's.
    assert a.moves == 6
    assert a.mean_ms == pytest.approx((1 + 3 + 5 + 2 + 4 + 6) / 6)
    assert (a.median_ms, a.p99_ms, a.max_ms) == (3.5, 6, 6)
    assert a.nodes_per_s == pytest.approx(600 / 0.021)
    assert (b.moves, b.nodes_per_s) == (5, None)
    assert told.elo is None
    assert told.elo_interval[0] is not None
    assert told.elo_interval[1] is None
    assert math.isfinite(told.superiority)
