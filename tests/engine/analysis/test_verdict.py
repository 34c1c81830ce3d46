"""What a review says of a move, as data: its grade and its words."""

from __future__ import annotations

import pytest

from engine.analysis.verdict import MoveVerdict, Verdict, grade, words
from engine.rules.registry import rules


@pytest.mark.parametrize(
    ("verdict", "exact", "win_in", "best_win_in", "bounded", "said"),
    [
        ("lost", True, -6, 7, False, "exact: threw away the win in 7: lost in 6 plies"),
        ("lost", True, -6, 7, True, "exact: threw away the win in at most 7: lost in 6 plies"),
        ("drawn", True, None, 1, True, "exact: threw away the win in 1: a draw"),
        ("drawn", True, None, None, True, "exact: threw away the win: a draw"),
        ("won", True, 9, 7, False, "exact: wins in 9 plies, b1 in 7"),
        ("even", False, None, 9, False, "estimated: even (+0.10); b1 wins in at most 9"),
    ],
)
def test_a_bound_is_told_as_one(
    verdict: Verdict, exact: bool, win_in: int | None, best_win_in: int | None, bounded: bool, said: str
) -> None:
    value = {"won": 1.0, "drawn": 0.0, "lost": -1.0}[verdict] if exact else 0.1
    judged = MoveVerdict(verdict, exact, value, win_in, False, (1,), "won", best_win_in, 1)
    assert words(judged, 0, rules("mnk:4,4,3").texts, bounded) == said


@pytest.mark.parametrize(("verdict", "value", "grade_of_it"), [("better", 0.4, "good"), ("even", 0.1, "doubtful")])
def test_who_let_a_win_go_and_still_looks_better_may_have_another(
    verdict: Verdict, value: float, grade_of_it: str
) -> None:
    assert grade(MoveVerdict(verdict, False, value, None, False, (1,), "won", 9, 1), 0) == grade_of_it


@pytest.mark.parametrize(
    ("verdict", "win_in", "best_verdict", "best_win_in", "bound", "bounded", "grade_of_it"),
    [
        ("lost", -4, "lost", -8, False, False, "slow"),
        ("lost", -4, "lost", -8, False, True, "good"),
        ("won", 9, "won", 7, False, False, "slow"),
        ("won", 9, "won", 7, True, False, "good"),
    ],
)
def test_plies_are_lost_only_where_they_are_no_bounds(
    verdict: Verdict, win_in: int, best_verdict: Verdict, best_win_in: int, bound: bool, bounded: bool, grade_of_it: str
) -> None:
    value = 1.0 if verdict == "won" else -1.0
    judged = MoveVerdict(verdict, True, value, win_in, bound, (1,), best_verdict, best_win_in, 1)
    assert grade(judged, 0, bounded) == grade_of_it


@pytest.mark.parametrize(("verdict", "grade_of_it"), [("even", "good"), ("worse", "doubtful")])
def test_one_rank_worse_by_an_estimate_is_no_doubt(verdict: Verdict, grade_of_it: str) -> None:
    assert grade(MoveVerdict(verdict, False, 0.0, None, False, (1,), "better", None, 1), 0) == grade_of_it
