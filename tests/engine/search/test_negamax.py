"""Alpha-beta against minimax without cuts, written here, and its limits against a watch that counts."""

from __future__ import annotations

import os
import subprocess
import sys
from random import Random

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from engine.rules.limit import NO_LIMIT, Limit
from engine.rules.position import Position
from engine.rules.registry import rules
from engine.search import negamax
from engine.search.decision import Decision
from engine.search.negamax import FULL, PLAIN, Plan
from engine.search.watch import NO_WATCH
from tests.support.engine.games import played, replay, replay_texts
from tests.support.engine.naive_evaluation import value as value_of
from tests.support.examples import examples


def choose(position: Position, depth: int, seed: int = 0, limit: Limit = NO_LIMIT) -> Decision:
    return negamax.choose(position, depth, limit, Random(seed), NO_WATCH)


def minimax(position: Position, depth: int, ply: int = 0) -> int:
    """The value for the side to move, evaluated anew at every leaf."""
    if position.outcome is not None:
        if position.outcome.winner is None:
            return 0
        return negamax.WIN - ply if position.outcome.winner == position.to_move else ply - negamax.WIN
    if depth == 0:
        return value_of(position)
    return max(-minimax(position.play(move), depth - 1, ply + 1) for move in position.legal_moves())


def best_moves(position: Position, depth: int) -> tuple[int, set[int]]:
    values = {move: -minimax(position.play(move), depth - 1, 1) for move in position.legal_moves()}
    best = max(values.values())
    return best, {move for move, value in values.items() if value == best}


def all_choices(position: Position, depth: int) -> set[int]:
    """Every move that some seed would choose."""
    search = negamax._Search(position, depth, NO_LIMIT, NO_WATCH, PLAIN, None)
    search.decide(Random(0))
    return set(search._best)


SMALL = [
    "tictactoe",
    "mnk:4,3,3",
    "mnk:4,3,4",
    "mnk:4,4,4",
    "mnk:4,3,3,exact",
    "mnk:5,3,3,exact",
    "cube:3",
    "nine-board",
    "ultimate",
    "ultimate:count",
    "super",
]


@given(played(st.sampled_from(SMALL)), st.integers(1, 3))
@example(("mnk:4,3,3,exact", [0, 4, 1, 7, 3, 9, 2]), 1)  # X has all of the first rank.
@examples(60)
def test_value_and_best_moves_are_those_of_minimax(game: tuple[str, list[int]], depth: int) -> None:
    position = replay(*game)
    if position.outcome is not None:
        return
    if len(position.legal_moves()) > 20:
        depth = min(depth, 2)
    depth = min(depth, position.rules.cells - position.ply)
    value, moves = best_moves(position, depth)
    decision = choose(position, depth)
    assert decision.value == value
    assert all_choices(position, depth) == moves
    assert decision.move in moves


@given(played(st.sampled_from(["tictactoe", "mnk:4,3,3", "mnk:3,5,3", "mnk:4,3,3,exact"])))
@examples(40)
def test_full_depth_is_exact(game: tuple[str, list[int]]) -> None:
    position = replay(*game)
    left = position.rules.cells - position.ply
    if position.outcome is not None or left > 7:
        return
    decision = choose(position, 20)
    value, _ = best_moves(position, left)
    assert decision.proven
    assert decision.value == value
    assert decision.win_in == negamax.win_in(value)


@given(played(st.sampled_from(SMALL)), st.integers(1, 4))
@examples(60)
def test_what_is_proven_stays_so_one_ply_deeper(game: tuple[str, list[int]], depth: int) -> None:
    position = replay(*game)
    if position.outcome is not None:
        return
    decision = choose(position, min(depth, 2) if len(position.legal_moves()) > 20 else depth)
    end = replay_from(position, decision.pv)
    if decision.win_in is not None:
        assert decision.proven
        assert len(decision.pv) == abs(decision.win_in)
        assert end.outcome is not None
        assert (end.outcome.winner == position.to_move) == (decision.win_in > 0)
    elif decision.proven:
        assert decision.value == 0
        assert end.outcome is not None
        assert end.outcome.winner is None
    else:
        assert len(decision.pv) == decision.depth or end.outcome is not None


def replay_from(position: Position, moves: tuple[int, ...]) -> Position:
    for move in moves:
        position = position.play(move)
    return position


@pytest.mark.parametrize(
    ("game_id", "moves", "best"),
    [
        ("tictactoe", "a1 a2 b1 b2", "c1"),
        ("qubic", "a1.1 a2.1 b1.1 b2.1 c1.1 c2.1", "d1.1"),
        ("cube:5", "a1.1 a2.1 b2.2 b2.1 c3.3 c2.1 d4.4 d2.1", "e5.5"),
        ("nine-board", "5/1 1/5 5/2 2/5", "5/3"),
        ("mnk:19,19,5", "j10 a1 k10 a3 l10 a5 m10 i10", "n10"),
    ],
)
@pytest.mark.parametrize("depth", [1, 2])
def test_a_win_in_one_is_taken(game_id: str, moves: str, best: str, depth: int) -> None:
    position = replay_texts(game_id, moves)
    decision = choose(position, depth)
    assert position.rules.format_move(decision.move) == best
    assert decision.win_in == 1
    assert decision.proven
    assert decision.depth == 1


@pytest.mark.parametrize(
    ("game_id", "moves", "block"),
    [
        ("tictactoe", "a1 b2 b1", "c1"),
        ("qubic", "a1.1 a2.1 b1.1 b3.3 c1.1", "d1.1"),
        ("mnk:15,15,5", "h8 g8 i8 a1 j8 a3 k8", "l8"),
    ],
)
def test_a_loss_in_two_is_blocked(game_id: str, moves: str, block: str) -> None:
    position = replay_texts(game_id, moves)
    for seed in range(4):
        assert position.rules.format_move(choose(position, 2, seed).move) == block


def test_a_lost_side_knows_for_how_long() -> None:
    # X threatens a2 and b3 at once.
    decision = choose(replay_texts("tictactoe", "a1 b2 c3 c1 a3"), 9)
    assert decision.win_in == -2
    assert decision.value == 2 - negamax.WIN
    assert decision.proven


def test_a_lost_side_holds_out_longest() -> None:
    position = replay_texts("mnk:5,5,3", "c3 c2")
    decision = choose(position, 5)
    assert decision.win_in is not None
    assert decision.win_in > 0
    lost = choose(position.play(decision.move), 5)
    assert lost.win_in == 1 - decision.win_in


def test_the_side_that_ends_the_game_by_count_may_lose_it() -> None:
    for seed in range(400):
        random = Random(seed)
        position = rules("ultimate:count").initial
        while position.outcome is None:
            before, move = position, random.choice(position.legal_moves())
            position = position.play(move)
        assert position.outcome is not None
        if position.outcome.termination == "count" and position.outcome.winner == position.to_move:
            assert choose(before, 1).value == minimax(before, 1)
            return
    pytest.fail("no such game among the random ones")


def test_tictactoe_is_a_draw_against_itself() -> None:
    for seed in range(10):
        position = rules("tictactoe").initial
        while position.outcome is None:
            decision = choose(position, 9, seed)
            assert (decision.value, decision.proven, decision.win_in) == (0, True, None)
            position = position.play(decision.move)
        assert position.outcome.winner is None


@pytest.mark.parametrize("side", ["x", "o"])
def test_full_depth_never_loses_tictactoe_to_random_moves(side: str) -> None:
    for seed in range(25):
        random = Random(seed)
        position = rules("tictactoe").initial
        while position.outcome is None:
            own = position.to_move == side
            position = position.play(choose(position, 9, seed).move if own else random.choice(position.legal_moves()))
        assert position.outcome.winner in (side, None)


def test_the_first_player_wins_the_small_cube_in_seven_plies() -> None:
    decision = choose(rules("cube:3").initial, 7)
    assert decision.move == 13
    assert decision.win_in == 7


@pytest.mark.parametrize(("game_id", "plies"), [("mnk:4,3,3", 7), ("mnk:5,3,3", 7), ("mnk:3,5,3", 7), ("mnk:4,4,3", 5)])
def test_the_first_player_wins_three_in_a_row_on_anything_larger(game_id: str, plies: int) -> None:
    assert choose(rules(game_id).initial, plies).win_in == plies
    assert not choose(rules(game_id).initial, plies - 1).proven


def test_different_seeds_make_different_games_and_equal_ones_the_same() -> None:
    position = rules("tictactoe").initial
    assert len({choose(position, 9, seed).move for seed in range(60)}) == 9
    assert choose(position, 9, 5) == choose(position, 9, 5)


@pytest.mark.parametrize("moves", ["j10", "j10 k11", "j10 j11 k10", "h8 i9 k8"])
def test_stones_lie_within_a_line_of_others_on_a_big_board(moves: str) -> None:
    position = replay_texts("mnk:19,19,5", moves)
    stones = [divmod(cell, 19) for cell in range(361) if position.mark(cell)]
    y, x = divmod(choose(position, 2).move, 19)
    assert min(max(abs(y - a), abs(x - b)) for a, b in stones) < 5


class CountingWatch:
    """A clock that advances by `step_ms` with each look, and a flag that falls after `looks` of them."""

    def __init__(self, step_ms: int = 0, looks: int | None = None) -> None:
        self.now_ms = 0
        self.step_ms = step_ms
        self.looks_left = looks
        self.reports: list[tuple[int, int, float, tuple[int, ...]]] = []
        self.report_times: list[int] = []

    def elapsed_ms(self) -> int:
        self.now_ms += self.step_ms
        return self.now_ms

    def stopped(self) -> bool:
        if self.looks_left is None:
            return False
        self.looks_left -= 1
        return self.looks_left < 0

    def report(self, nodes: int, depth: int, value: float, pv: tuple[int, ...]) -> None:
        self.reports.append((nodes, depth, value, pv))
        self.report_times.append(self.now_ms)


@pytest.mark.parametrize("game_id", ["tictactoe", "gomoku", "qubic", "ultimate"])
def test_stopped_at_once_it_still_answers_a_legal_move(game_id: str) -> None:
    position = rules(game_id).initial
    decision = negamax.choose(position, 5, NO_LIMIT, Random(0), CountingWatch(looks=0))
    assert position.is_legal(decision.move)
    assert (decision.nodes, decision.depth, decision.value, decision.proven) == (0, 0, None, False)


def test_stopped_at_once_it_still_takes_a_win() -> None:
    position = replay_texts("qubic", "a1.1 a2.1 b1.1 b2.1 c1.1 c2.1")
    decision = negamax.choose(position, 5, NO_LIMIT, Random(0), CountingWatch(looks=0))
    assert position.rules.format_move(decision.move) == "d1.1"


def test_the_flag_ends_the_search_after_a_slice() -> None:
    found = [
        negamax.choose(rules("qubic").initial, 9, NO_LIMIT, Random(0), CountingWatch(looks=looks))
        for looks in (1, 4, 9)
    ]
    assert [decision.value is None for decision in found] == [False, False, False]
    assert 0 < found[0].nodes < found[1].nodes < found[2].nodes < 500_000


@pytest.mark.parametrize("nodes", [1, 63, 64, 65, 1000])
def test_the_node_limit_is_kept(nodes: int) -> None:
    decision = choose(rules("qubic").initial, 9, limit=Limit(nodes=nodes))
    # What would not fit as a whole is not begun.
    assert nodes - 64 < decision.nodes <= nodes
    assert (decision.depth == 0) == (nodes < 64)


def test_the_depth_limit_is_kept_and_the_own_depth_too() -> None:
    position = rules("qubic").initial
    assert choose(position, 3, limit=Limit(depth=2)).depth == 2
    assert choose(position, 2, limit=Limit(depth=3)).depth == 2


def test_the_time_limit_is_kept() -> None:
    watch = CountingWatch(step_ms=10)
    decision = negamax.choose(rules("qubic").initial, 9, Limit(move_ms=100), Random(0), watch)
    assert 100 <= watch.now_ms <= 130
    assert decision.depth >= 1


def test_reports_come_a_few_times_a_second_and_tell_the_best_so_far() -> None:
    watch = CountingWatch(step_ms=10)
    negamax.choose(rules("qubic").initial, 9, Limit(move_ms=2000), Random(0), watch)
    assert 4 <= len(watch.reports) <= 8
    assert all(b - a >= 250 for a, b in zip(watch.report_times, watch.report_times[1:], strict=False))
    nodes, depth, _, pv = watch.reports[-1]
    assert nodes > 256
    assert 1 <= depth == len(pv)


def test_a_limit_leaves_the_last_finished_depth() -> None:
    position = rules("qubic").initial
    whole = choose(position, 2)
    cut = choose(position, 9, limit=Limit(nodes=whole.nodes + 64))
    assert (cut.depth, cut.value, cut.move) == (2, whole.value, whole.move)


def test_cuts_leave_branches_unsearched() -> None:
    decision = choose(rules("qubic").initial, 2)
    assert 64 + 64 < decision.nodes < 64 + 64 + 4032
    assert decision.leaves == decision.nodes - 64
    assert decision.pruned == 64 + 64 + 4032 - decision.nodes


def test_a_value_stands_for_a_number_of_plies() -> None:
    assert negamax.win_in(negamax.WIN - 3) == 3
    assert negamax.win_in(4 - negamax.WIN) == -4
    assert negamax.win_in(0) is None
    assert negamax.win_in(800_000_000) is None
    for no_number in (float("inf"), -float("inf"), float("nan"), 2.0 * negamax.WIN):
        assert negamax.win_in(no_number) is None


CHAIN = (
    "b1 e1 c1 n1 i1 d2 m1 h2 e2 d3 g3 f3 e4 c4 f4 h4 s4 e5 d5 g5 h5 g6 j6 i6 h7 f7 i7 k7 o7 h8 g8 j8 k8 n8 m9 j9 "
    "a10 l9 k10 i10 l10 n10 s10 k11 j11 m11 n11 m12 p12 o12 n13 d13 o13 l13 m14 q13 q14 n14 s15 p14 g16 p15 q16 "
    "r15 r16 o16 p17 q17 a19 s17 e19 s18"
)
"""After d4 blocks force each other along the whole board, a ply deeper with each."""


@pytest.mark.parametrize("depth", [1, 2, 3, 4, 5])
def test_a_long_chain_of_forced_blocks_stays_within_its_rows(depth: int) -> None:
    search = negamax._Search(replay_texts("mnk:19,19,4", CHAIN), depth, NO_LIMIT, NO_WATCH, FULL, None)
    rows = search._stack.frames.shape[0]
    # What lies behind the last row is told by a copy of the arrays, which end where a guard begins.
    guarded = np.concatenate([search._stack.frames, np.full((64, search._stack.frames.shape[1]), -7)])
    search._stack = search._stack._replace(frames=guarded[:rows])
    decision = search.decide(Random(0))
    assert (guarded[rows:] == -7).all()
    assert decision.value is not None


def test_forced_blocks_in_plain_python_stay_within_their_rows() -> None:
    """Where nothing is compiled, numpy checks every index."""
    script = (
        "import sys; from random import Random; from engine.rules.registry import rules;"
        "from engine.rules.limit import NO_LIMIT; from engine.search import negamax;"
        "from engine.search.watch import NO_WATCH;"
        "position = rules('mnk:19,19,4').initial\n"
        "for text in sys.argv[1].split(): position = position.play(position.rules.parse_move(text))\n"
        "negamax.choose(position, 2, NO_LIMIT, Random(0), NO_WATCH, negamax.FULL, [60])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, CHAIN],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"}, capture_output=True, text=True, timeout=100,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


@given(played(st.sampled_from(["nine-board", "ultimate", "mnk:5,5,4", "mnk:4,4,3"])), st.integers(1, 3000))
@examples(150)
def test_what_a_limit_leaves_is_claimed_only_if_proven(game: tuple[str, list[int]], nodes: int) -> None:
    position = replay(*game)
    if position.outcome is not None:
        return
    whole = negamax.choose(position, 99, Limit(nodes=100_000), Random(0), NO_WATCH, FULL)
    for plan in (FULL, PLAIN, Plan(table=True, tactics=True, width=3, exact_ties=False)):
        cut = negamax.choose(position, 99, Limit(nodes=nodes), Random(0), NO_WATCH, plan)
        assert cut.nodes <= nodes
        assert cut.win_in is None or cut.proven
        assert not cut.proven or cut.win_in is not None or cut.value == 0
        if cut.win_in is not None and whole.proven:
            assert whole.win_in is not None
            assert (cut.win_in > 0) == (whole.win_in > 0)


@pytest.mark.parametrize("seed", [43, 51, 171])
def test_a_node_with_just_as_many_moves_as_the_width_is_whole(seed: int) -> None:
    random = Random(seed)
    position = rules("mnk:5,5,4").initial
    while position.ply < 12:
        position = position.play(random.choice(position.legal_moves()))
    plan = Plan(table=True, tactics=True, width=12, exact_ties=False)
    decision = negamax.choose(position, 99, NO_LIMIT, random, NO_WATCH, plan)
    whole = negamax.choose(position, 99, NO_LIMIT, random, NO_WATCH, FULL)
    assert decision.proven
    assert (decision.win_in, decision.value) == (whole.win_in, whole.value)


def test_a_node_limit_beyond_64_bits_is_none() -> None:
    assert choose(rules("tictactoe").initial, 2, limit=Limit(nodes=2**70)) == choose(rules("tictactoe").initial, 2)
