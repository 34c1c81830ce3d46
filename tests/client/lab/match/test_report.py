"""The figures of a match, and their text."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import pytest
from msgspec import to_builtins

from client.lab.match.report import lines, report
from client.lab.match.sprt import SprtResult
from engine.rules.limit import Limit
from engine.stats.sprt import Sprt
from tests.support.lab.matches import PAIRING, timed

WON = [timed("a1 a2 b1 b2 c1"), timed("a1 b2 a3 b1 c2 b3", 1)]
"""Games that A wins, by X and by O."""
LOST = [timed("a1 b2 a3 b1 c2 b3"), timed("a1 a2 b1 b2 c1", 1)]


def test_a_match_without_games_says_so() -> None:
    told = report(PAIRING, [])
    assert lines(told)[-1] == "faults        0"
    assert (told.games, told.sprt, told.a.times) == (0, None, None)
    assert {told.points, told.elo, told.draws, told.x_points, told.plies} == {None}
    json.dumps(to_builtins(told), allow_nan=False)


def test_figures_of_known_games() -> None:
    told = report(replace(PAIRING, pairs=1), WON)
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


def test_an_aborted_game_counts_as_an_end_alone() -> None:
    begun = timed("a1 a2", 2)
    aborted = replace(begun, record=replace(begun.record, termination="aborted"))
    told, without = report(PAIRING, [*WON, aborted]), report(PAIRING, WON)
    assert told.terminations == {"line": 2, "aborted": 1}
    assert (told.games, told.points, told.x_points, told.plies) == (2, 1, without.x_points, without.plies)


def test_who_makes_the_first_move_after_an_opening_is_told_by_its_plies() -> None:
    """After one ply it is O, here B, of moves that take 1, 3 and 5 ms."""
    told = report(PAIRING, [replace(WON[0], task=replace(WON[0].task, start=(4,)))])
    assert told.b.times is not None
    assert (told.b.times.moves, told.b.times.max_ms) == (3, 5)


def test_the_text_of_known_games() -> None:
    """In any order. A half-played pair is in none, and X won two of three."""
    faults = "Game 1, move 6: alphabeta:2 (X) stalled.", "Game 3, move 5: random (O) stalled."
    won = timed("a1 a2 b1 b2 c1", 2)
    games = [replace(LOST[0], fault=faults[0]), LOST[1], replace(won, fault=faults[1])]
    pairing = replace(PAIRING, plies=1, a_limit=Limit(nodes=5))
    assert lines(report(pairing, games[::-1])) == [
        "alphabeta:2 against random: tictactoe, 3 games; A nodes=5, B no limit, openings of 1 ply, seed 4",
        "score         1 won, 0 drawn, 2 lost",
        "points        33.3 % (0.1 to 99.8)",
        "Elo           -120 (-1286 to +1045)",
        "stronger      28.2 % likely",
        "pairs         1 of 0 points, 0 of 1/2, 0 of 1, 0 of 1 1/2, 0 of 2",
        "draws         0.0 % (0.0 to 56.1)",
        "X scores      66.7 % (1.0 to 99.8)",
        "game length   5.3 plies (3.9 to 6.8)",
        "ended by      line 3",
        "move times      moves      mean    median       p99    max ms     nodes/s",
        "alphabeta:2         8      3.00      3.00      5.00      5.00      33,333",
        "random              8      3.38      3.50      6.00      6.00           -",
        "faults        2",
        f"  {faults[0]}",
        f"  {faults[1]}",
    ]


def test_all_points_or_none_bound_the_difference_from_one_side() -> None:
    """Wilson of one pair, as the games of a pair are not independent: a fifth of the points, or 234 Elo."""
    won = lines(report(PAIRING, WON))
    assert won[0].endswith("; no limit, openings of 2 plies, seed 4")
    assert "Elo           > -234" in won
    assert "Elo           < +234" in lines(report(PAIRING, LOST))


@pytest.mark.parametrize(
    ("test", "told"),
    [
        (
            SprtResult(Sprt(-100, -50), 2.951, 61, "H1"),
            "H1 accepted after 61 pairs: LLR +2.95 (-2.94 to +2.94)|H0: Elo -100 or less; H1: Elo -50 or more",
        ),
        (
            SprtResult(Sprt(50, 150), -3.1, 1, "H0"),
            "H0 accepted after 1 pair: LLR -3.10 (-2.94 to +2.94)|H0: Elo +50 or less; H1: Elo +150 or more",
        ),
        (
            SprtResult(Sprt(0, 2.5), 0.0, 0, None),
            "undecided after 0 pairs: LLR +0.00 (-2.94 to +2.94)|H0: Elo 0 or less; H1: Elo +2.5 or more",
        ),
    ],
)
def test_what_a_sequential_test_says(test: SprtResult, told: str) -> None:
    found = [line[14:] for line in lines(report(PAIRING, [], test))[1:3]]
    assert found == told.split("|")
