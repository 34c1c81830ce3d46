"""The fixed-depth search against minimax judged mark by mark, and what its cuts visit."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.rules.limit import Limit
from engine.rules.nested import ALL_BOARDS
from engine.rules.registry import rules
from engine.search.fixed import Cut, Scoring, search
from tests.support.engine import naive_search
from tests.support.engine.games import played, replay
from tests.support.engine.plain_minimax import position_after, values
from tests.support.engine.watches import Clock
from tests.support.examples import examples

LINES_4 = tuple(tuple(own * own - 2 * others for others in range(5)) for own in range(5))
"""Not alike for the two sides: judged from the wrong one, a leaf has another value."""


def _small(own: int, others: int) -> int:
    return 3 * own.bit_count() - others.bit_count() + (own & 1) if own | others != ALL_BOARDS else 0


CASES = [
    ("qubic", 50, 3, Scoring(lines=LINES_4, win=900)),
    ("qubic", 52, 3, Scoring(lines=LINES_4, win=900, faster=1)),
    ("qubic", 54, 4, Scoring(lines=LINES_4, win_adds_lines=True, draw_adds_lines=True)),
    ("mnk:4,4,4", 8, 4, Scoring(lines=LINES_4, win=900, draw_adds_lines=True)),
    ("mnk:4,4,4", 10, 6, Scoring()),
    ("nine-board", 30, 3, Scoring(boards=_small, win=900)),
    ("ultimate", 40, 3, Scoring(boards=_small, win=900)),
    ("ultimate:count", 55, 3, Scoring(boards=_small, win=900)),
    ("super", 60, 3, Scoring(boards=_small, win=900)),
]
SEEDS = [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 4))]


@pytest.mark.parametrize(("game_id", "plies", "depth", "scoring"), CASES)
@pytest.mark.parametrize("seed", SEEDS)
def test_values_are_those_of_minimax(game_id: str, plies: int, depth: int, scoring: Scoring, seed: int) -> None:
    position = position_after(game_id, plies, seed)
    depth = min(depth, position.rules.cells - position.ply)
    exact = values(position, depth, scoring)
    best = max(exact.values())
    first_best = next(move for move, value in exact.items() if value == best)

    plain = search(position, depth, scoring)
    assert dict(zip(plain.moves, plain.values, strict=True)) == exact
    assert tuple(exact) == plain.moves
    assert plain.pruned == 0

    for cut in (Cut.LOOSE, Cut.STRICT):
        cutting = search(position, depth, scoring, cut=cut)
        for move, value in zip(cutting.moves, cutting.values, strict=True):
            assert value == best if exact[move] == best else exact[move] <= value < best
        narrow = search(position, depth, scoring, cut=cut, first_only=True)
        assert narrow.moves[narrow.values.index(max(narrow.values))] == first_best
        assert max(narrow.values) == best
        assert max(narrow.nodes, cutting.nodes) <= plain.nodes
        assert narrow.pv[0] == cutting.pv[0] == plain.pv[0] == first_best

    shuffled = search(position, depth, scoring, cut=Cut.LOOSE, shuffle=seed)
    assert sorted(shuffled.moves) == sorted(exact)
    assert {m for m, v in zip(shuffled.moves, shuffled.values, strict=True) if v == best} == {
        move for move, value in exact.items() if value == best
    }


@pytest.mark.parametrize("seed", SEEDS)
def test_a_shuffle_is_its_seeds(seed: int) -> None:
    position = position_after("nine-board", 10, seed)
    one, same, another = (search(position, 2, Scoring(), shuffle=shuffle) for shuffle in (seed, seed, seed + 1))
    assert one == same
    assert one.moves != another.moves


def test_the_order_at_the_root_may_be_given() -> None:
    position = rules("mnk:4,4,4").initial
    assert search(position, 2, Scoring(), moves=(7, 3)).moves == (7, 3)


def test_every_node_is_counted_but_the_root() -> None:
    found = search(rules("qubic").initial, 2, Scoring())
    assert (found.nodes, found.leaves, found.interior, found.pruned) == (64 + 64 * 63, 64 * 63, 64, 0)


@pytest.mark.parametrize(
    ("cut", "first_only", "nodes"),
    [
        # Strict or not, and whether equal moves are told apart, decides how much alpha-beta saves.
        (Cut.LOOSE, True, 4_310),
        (Cut.LOOSE, False, 6_170),
        (Cut.STRICT, True, 207_446),
    ],
)
def test_what_alpha_beta_visits_at_three_plies(cut: Cut, first_only: bool, nodes: int) -> None:
    """4,311 and 207,447 with the root: windows closed at the root's best, and fail-hard where the cut is strict."""
    marks = tuple(tuple(own - others for others in range(5)) for own in range(5))
    found = search(rules("qubic").initial, 3, Scoring(lines=marks, win=1000), cut=cut, first_only=first_only)
    assert found.nodes == nodes
    assert max(found.values) == 7
    assert found.pv[0] == 0


def test_a_limit_leaves_the_finished_root_moves() -> None:
    whole = search(rules("qubic").initial, 2, Scoring(lines=LINES_4))
    found = search(rules("qubic").initial, 2, Scoring(lines=LINES_4), limit=Limit(nodes=64 * 3 + 5))
    assert not found.finished
    assert found.moves == (0, 1, 2)
    assert found.values == whole.values[:3]
    assert found.nodes <= 64 * 3 + 5


@pytest.mark.parametrize(
    ("limit", "clock"),
    [(Limit(move_ms=10), Clock(10)), (Limit(), Clock(stopped=True)), (Limit(nodes=1), Clock())],
)
def test_stopped_at_once_nothing_is_finished(limit: Limit, clock: Clock) -> None:
    found = search(rules("qubic").initial, 3, Scoring(lines=LINES_4), limit=limit, watch=clock)
    assert not found.finished
    assert found.moves == found.values == found.pv == ()
    assert clock.looks


def _visited(strict: bool, hard: bool) -> int:
    """Positions that alpha-beta visits at 3 plies from the empty cube, the root counted, written anew.

    `hard`: a node without a move above alpha answers alpha, else the best value that it has found.
    """
    degree = [len(masks) for masks in rules("qubic").initial.rules.masks]  # type: ignore[attr-defined]
    count = 0

    def visit(marked: tuple[int, ...], alpha: int, beta: int) -> int:
        nonlocal count
        count += 1
        if len(marked) == 3:  # X has moved, so O is to move
            return -(degree[marked[0]] - degree[marked[1]] + degree[marked[2]])
        best = -1_000_000
        for cell in range(64):
            if cell in marked:
                continue
            value = -visit((*marked, cell), -beta, -alpha)
            best = max(best, value)
            alpha = max(alpha, value)
            if alpha > beta or (alpha == beta and not strict):
                break
        return alpha if hard else best

    visit((), -1_000_000, 1_000_000)
    return count


def test_strict_and_loose_fail_hard_and_fail_soft() -> None:
    assert _visited(strict=False, hard=True) == _visited(strict=False, hard=False) == 4_311
    assert _visited(strict=True, hard=True) == 207_447
    assert _visited(strict=True, hard=False) == 19_959


@given(
    played(st.sampled_from(["tictactoe", "mnk:4,3,3", "mnk:4,4,4", "cube:3", "qubic", "nine-board", "super"])),
    st.integers(1, 3),
    st.sampled_from(Cut),
    st.booleans(),
    st.integers(0, 1),
    st.booleans(),
)
@examples(80)
def test_every_figure_is_that_of_the_recursive_twin(
    game: tuple[str, list[int]], depth: int, cut: Cut, first_only: bool, faster: int, adds: bool
) -> None:
    position = replay(*game)
    if position.outcome is not None:
        return
    length = getattr(position.rules, "length", 3)
    table = tuple(tuple(3 * own - 2 * others for others in range(length + 1)) for own in range(length + 1))
    scoring = Scoring(table, _small, win=50, faster=faster, win_adds_lines=adds, draw_adds_lines=adds)
    depth = min(depth, 2) if len(position.legal_moves()) > 25 else depth
    assert search(position, depth, scoring, cut=cut, first_only=first_only) == naive_search.search(
        position, depth, scoring, cut=cut, first_only=first_only
    )
