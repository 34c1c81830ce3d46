"""Averages of moves from chances and from games, beside his; and his tables reckoned up."""

from __future__ import annotations

from fractions import Fraction

import pytest

from client.lab.experiments.bragstad.averages import own_moves, reckoned_section, section
from client.lab.experiments.bragstad.tables import ROWS
from client.lab.experiments.estimates import average
from client.lab.experiments.findings import Estimate, Section
from engine.bots.match import Played
from engine.rules.position import Side
from engine.stats.exact import Ends
from tests.support.lab.experiment import figures
from tests.support.lab.matches import timed

SAMPLED = ROWS[10].pair
"""5 x 5, of which he played 100 games: X won 79 of them, in 6.24051 moves."""
ENDS: Ends = {
    ("x", 5): Fraction(1, 4), ("x", 9): Fraction(1, 4), ("o", 8): Fraction(1, 4), (None, 9): Fraction(1, 4)
}  # fmt: skip


def averages(games: list[Played]) -> Section:
    """All boards but one end as `ENDS` says, and that one as these games."""
    pairs = [row.pair for row in ROWS]
    return section({pair: ENDS for pair in pairs if pair != SAMPLED}, dict.fromkeys(pairs, games))


@pytest.mark.parametrize("plies", range(5, 26))
def test_the_winner_has_made_every_other_ply_and_the_last(plies: int) -> None:
    side: Side = "x" if plies % 2 else "o"
    assert own_moves(plies, side) == len(range(plies - 1, -1, -2))


def test_averages_of_chances_are_exact_and_those_of_games_have_an_interval() -> None:
    games = [timed("a1 a2 b1 b2 c1"), timed("a1 a2 b1 b2 a3 c3 c1"), timed("a1 b2 a3 b1 c2 b3")]
    (table,) = averages(games).tables
    rows = {(row[0], row[1]): row[2:] for row in table.rows}
    x_exact, x, o_exact, o, end_exact, end = rows["3x3", "random - random"]
    assert (x_exact, o_exact, end_exact) == (4, 4, (5 + 9 + 8 + 9) / 4)
    assert (x, o, end) == (average([3.0, 4.0]), Estimate(3.0), average([5.0, 7.0, 6.0]))
    assert rows["5x5", "alphabeta:3 - random"] == [None, x, None, o, None, end]


def test_his_average_agrees_where_chance_gives_so_many_games_ours() -> None:
    """X wins in 3 or in 5 moves: of 56 games the average lies within 1.96 / sqrt(56) = 0.26 of 4."""
    found = figures([averages([])])
    first = found["3x3, random - random: X's moves to win"]
    assert (first.author, first.ours, first.exact, first.agrees) == (
        "4.17857 of 56 (3.92 to 4.44)", Estimate(4.0), True, True
    )  # fmt: skip
    assert found["3x3, random - random: moves to the end"].agrees  # 7.62 to 7.75
    o = found["3x3, random - random: O's moves to win"]
    assert (o.author, o.agrees) == ("3.67857 of 28", False)  # O always wins in 4 here
    assert o.note.startswith("Of so many comparisons")
    wrong, right = (found[f"3x3, random - minimax:5: X's moves to win{which}"] for which in ("", ", recounted"))
    assert (wrong.author[:2], right.author[:2]) == ("3 ", "4 ")
    assert (wrong.agrees, right.agrees) == (False, True)
    assert wrong.note == "His other figures of the same table contradict it."
    assert found["5x5, alphabeta:3 - random: moves to the end"].ours is None


def test_every_average_of_his_stands_beside_ours() -> None:
    """X's wins in eleven tables and O's in seven, the ends, and two that are recounted."""
    assert len(averages([]).figures) == 11 + 7 + 13 + 2


def test_his_tables_are_reckoned_up() -> None:
    (table,) = reckoned_section().tables
    rows = {row[1]: row[2:] for row in table.rows}
    assert len(table.rows) == 13
    assert rows["random - minimax:5"] == [100, 689, 667, 3.33, 3.22, 3.33, 4.0]
    assert rows["random - alphabeta:5"] == [100, 700, 678, 3.39, 3.28, 3.39, 4.18]
    assert rows["random - random (again)"][:3] == [100, 761, 761]
