"""The kernel of the nine boards against the rules, and against the evaluation of whole positions."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.kernels import nested
from engine.kernels.jit import jit
from engine.kernels.nested import NestedBoard
from engine.rules.nested import NestedPosition
from engine.rules.position import Outcome, Position, Side
from engine.rules.registry import rules
from engine.search import evaluation
from engine.search.boards import nested_board
from tests.support.engine import board_operations as operations
from tests.support.engine import naive_evaluation
from tests.support.engine.games import played, replay
from tests.support.examples import examples

NESTED = ["nine-board", "ultimate", "ultimate:count", "super"]
COUNTS: dict[str, list[int]] = json.loads((Path(__file__).parents[2] / "data" / "perft.json").read_text())
PLIES = 81
nested_games = st.sampled_from(NESTED)


def lopsided(own: int, theirs: int) -> int:
    """No symmetry between sides or squares, and lines do not matter: whatever an author may have meant."""
    return 3 * own - 2 * theirs + (own & theirs << 1)


def board_of(position: Position, symmetries: int = 0) -> NestedBoard:
    assert isinstance(position, NestedPosition)
    return nested_board(position, evaluation.small_value, evaluation.big_values, PLIES, symmetries)


def listed(board: NestedBoard, ply: int) -> list[int]:
    row = np.zeros(81, np.uint16)
    moves: list[int] = row[: operations.legal(board, ply, row)].tolist()
    return moves


def key_of(position: Position, symmetries: int = 1) -> int:
    return int(operations.key(board_of(position, symmetries), 0)[0])


def status_of(outcome: Outcome | None, mover: Side) -> int:
    if outcome is None:
        return 0
    if outcome.winner is None:
        return 2
    return 1 if outcome.winner == mover else 3


def valued(position: Position, side: Side) -> int:
    value = naive_evaluation.value(position)
    return value if position.to_move == side else -value


def changing(board: NestedBoard, ply: int) -> list[bytes]:
    """What unmake must restore; rows beyond the present ply are scratch."""
    rows = (board.states, board.closed, board.forced, board.static, board.hashes)
    return [board.codes.tobytes(), *(array[: ply + 1].tobytes() for array in rows)]


@jit
def sequences(board: NestedBoard, ply: int, depth: int, rows: Any) -> int:
    found = nested.legal(board, ply, rows[ply])
    if depth == 1:
        return found
    total = 0
    for i in range(found):
        move = int(rows[ply, i])
        if nested.look(board, ply, move)[0] == 0:
            nested.make(board, ply, move)
            total += sequences(board, ply + 1, depth - 1, rows)
            nested.unmake(board, ply, move)
    return total


@pytest.mark.parametrize("game_id", [game_id for game_id in NESTED if game_id in COUNTS])
def test_move_sequences_are_as_many_as_the_rules_count(game_id: str) -> None:
    board = board_of(rules(game_id).initial, 8)
    rows = np.zeros((PLIES, 81), np.uint16)
    assert [sequences(board, 0, depth, rows) for depth in range(1, len(COUNTS[game_id]) + 1)] == COUNTS[game_id]


@given(played(nested_games), st.randoms(use_true_random=False))
@examples(120)
def test_games_go_as_the_rules_say_and_are_taken_back(game: tuple[str, list[int]], random: Random) -> None:
    position = replay(*game)
    if position.outcome is not None:
        return
    board = board_of(position, 8)
    side = position.to_move
    states = [changing(board, 0)]
    made: list[int] = []
    while True:
        ply = len(made)
        moves = listed(board, ply)
        assert moves == list(position.legal_moves())
        assert board.static[ply] == valued(position, side)
        children = [position.play(move) for move in moves]
        for move, child in zip(moves, children, strict=True):
            assert operations.look(board, ply, move) == (
                status_of(child.outcome, position.to_move),
                valued(child, side),
            )
        assert_others_agree(board, ply, moves)
        going_on = [move for move, child in zip(moves, children, strict=True) if child.outcome is None]
        if not going_on:
            break
        made.append(random.choice(going_on))
        operations.make(board, ply, made[-1])
        position = position.play(made[-1])
        states.append(changing(board, ply + 1))
        if ply & 1:
            # The side of the root is to move again, so the same position can be set up anew.
            assert_same_position(board, ply + 1, board_of(position, 8))
    for ply in reversed(range(len(made))):
        operations.unmake(board, ply, made[ply])
        assert changing(board, ply) == states[ply]


def assert_others_agree(board: NestedBoard, ply: int, moves: list[int]) -> None:
    """Every other way to ask for moves and for wins answers what `legal` and `look` do."""
    assert operations.count(board, ply) == len(moves)
    assert [operations.following(board, ply, previous) for previous in (-1, *moves)] == [*moves, -1]
    looks = {move: operations.look(board, ply, move) for move in moves}
    wins = [move for move in moves if looks[move][0] == 1]
    kind, move, _ = operations.threats(board, ply, np.zeros(81, np.uint16))
    assert (kind == 1 and move in wins) if wins else kind == 0
    sign = 1 if ply & 1 == 0 else -1
    worth = {1: 10_000, 2: 0, 3: -10_000}
    values = [worth.get(status, sign * after) for status, after in looks.values()]
    ends = sum(status != 0 for status, _ in looks.values())
    best = max(values)
    found = operations.frontier(board, ply, -1 << 60, 1 << 60, 10_000, 0, 0)
    assert found == (best, moves[values.index(best)], len(moves), ends)
    first = next(place for place, value in enumerate(values) if value > values[0] - 1)
    assert operations.frontier(board, ply, -1 << 60, values[0] - 1, 10_000, 0, 0)[1:3] == (moves[first], first + 1)


def assert_same_position(board: NestedBoard, ply: int, anew: NestedBoard) -> None:
    assert board.codes.tolist() == anew.codes.tolist()
    for array, fresh in (
        (board.states, anew.states),
        (board.closed, anew.closed),
        (board.forced, anew.forced),
        (board.static, anew.static),
    ):
        assert array[ply] == fresh[0]
    assert board.hashes[ply].tolist() == anew.hashes[0].tolist()
    assert operations.key(board, ply) == operations.key(anew, 0)


@given(played(nested_games))
@examples(60)
def test_a_drawn_board_is_never_won(game: tuple[str, list[int]]) -> None:
    """Where `drawn` says so, no line of boards is without a board that the other side has or that is dead."""
    position = replay(*game)
    assert isinstance(position, NestedPosition)
    if position.outcome is not None:
        return
    dead = position.closed & ~(position.won_x | position.won_o)
    lines_left = [
        mask
        for mask in (0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124)
        if not mask & (dead | position.won_o) or not mask & (dead | position.won_x)
    ]
    asked = game[0] in ("ultimate", "super")
    assert operations.drawn(board_of(position), 0) == (asked and not lines_left)


def test_ultimate_without_a_line_of_boards_left_is_drawn_before_its_end() -> None:
    for seed in range(200):
        random = Random(seed)
        position = rules("ultimate").initial
        while position.outcome is None:
            if operations.drawn(board_of(position), 0):
                assert not operations.drawn(board_of(rules("ultimate").initial), 0)
                assert draws_however_it_goes_on(position, random)
                return
            position = position.play(random.choice(position.legal_moves()))
    pytest.fail("No drawn position was met.")


def draws_however_it_goes_on(position: Position, random: Random) -> bool:
    for _ in range(20):
        end = position
        while end.outcome is None:
            end = end.play(random.choice(end.legal_moves()))
        if end.outcome.winner is not None:
            return False
    return True


@given(played(nested_games))
@examples(60)
def test_the_value_of_a_small_board_may_be_any_function_of_its_marks(game: tuple[str, list[int]]) -> None:
    position = replay(*game)
    assert isinstance(position, NestedPosition)
    if position.outcome is not None:
        return
    own, theirs = (position.o, position.x) if position.ply & 1 else (position.x, position.o)
    decided = position.won_x | position.won_o | position.closed
    board = nested_board(position, lopsided, evaluation.no_big_values, 1)
    assert board.static[0] == sum(
        lopsided(own >> 9 * number & 511, theirs >> 9 * number & 511)
        for number in range(9)
        if not decided >> number & 1
    )


@given(played(nested_games), st.data())
@examples(80)
def test_symmetric_positions_have_one_key(game: tuple[str, list[int]], data: st.DataObject) -> None:
    position = replay(*game)
    if position.outcome is not None:
        return
    turn = data.draw(st.sampled_from(list(position.rules.symmetries)))
    image = replay(game[0], [turn[move] for move in game[1]])
    assert key_of(position, 8) == key_of(image, 8)
    board, turned = board_of(position, 8), board_of(image, 8)
    symmetry, other = operations.key(board, 0)[1], operations.key(turned, 0)[1]
    cells = np.arange(81)
    assert (board.origins[symmetry][board.images[symmetry][cells]] == cells).all()
    # A move kept in canonical form is legal in either.
    canonical = sorted(board.images[symmetry][listed(board, 0)].tolist())
    assert canonical == sorted(turned.images[other][listed(turned, 0)].tolist())


def test_keys_tell_positions_apart_and_forget_the_order_of_moves() -> None:
    seen: dict[int, Position] = {}
    level = [rules("super").initial]
    for _ in range(3):
        level = [position.play(move) for position in level for move in position.legal_moves()]
        for position in level:
            assert seen.setdefault(key_of(position), position) == position
    assert len(seen) == len(set(seen.values()))
    one, two = replay("super", [1, 9, 2, 18]), replay("super", [2, 18, 1, 9])
    assert one == two
    assert key_of(one) == key_of(two)


def test_the_forced_board_and_the_side_to_move_are_part_of_the_key() -> None:
    position = rules("ultimate").initial
    board = board_of(position, 1)
    free, _ = operations.key(board, 0)
    keys = {int(free)}
    for forced in range(9):
        nested.set_up(board, 0, 0, 0, 0, forced)
        keys.add(int(operations.key(board, 0)[0]))
    assert len(keys) == 10
    board.hashes[1], board.forced[1] = board.hashes[0], board.forced[0]
    assert operations.key(board, 1)[0] != operations.key(board, 0)[0]


def test_in_super_the_owner_of_a_board_with_two_lines_is_part_of_the_key() -> None:
    board = board_of(rules("super").initial, 1)
    keys = set()
    for own_boards, other_boards in ((1, 0), (0, 1)):
        nested.set_up(board, 0b000000111, 0b000111000, own_boards, other_boards, 3)
        keys.add(int(operations.key(board, 0)[0]))
    assert len(keys) == 2


def test_marks_in_closed_boards_are_no_part_of_the_key() -> None:
    ultimate, super_ = board_of(rules("ultimate").initial, 8), board_of(rules("super").initial, 8)
    keys: dict[bool, set[int]] = {False: set(), True: set()}
    for others in (0b000011000, 0b011000000):
        for board in (ultimate, super_):
            nested.set_up(board, 0b000000111, others, 1, 0, 3)
            keys[board is super_].add(int(operations.key(board, 0)[0]))
    assert (len(keys[False]), len(keys[True])) == (1, 2)


_PLAIN = """
import json, sys
from random import Random
import numpy as np
from engine.kernels import jit, nested
from engine.rules.registry import rules
from engine.search import evaluation
from engine.search.boards import nested_board

assert jit.DISABLED
random = Random(1)
for game_id in ("nine-board", "ultimate", "ultimate:count", "super"):
    position = rules(game_id).initial
    board = nested_board(position, evaluation.small_value, evaluation.big_values, 81, 8)
    row = np.zeros(81, np.uint16)
    ply = 0
    while True:
        moves = row[: nested.legal(board, ply, row)].tolist()
        assert moves == list(position.legal_moves())
        nested.key(board, ply)
        nested.threats(board, ply, row.copy())
        move = random.choice(moves)
        status, _ = nested.look(board, ply, move)
        position = position.play(move)
        assert (status == 0) == (position.outcome is None)
        if status:
            break
        nested.make(board, ply, move)
        ply += 1
print("played")
"""


def test_the_kernel_runs_as_plain_python() -> None:
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", _PLAIN],
        cwd=Path(__file__).parents[3],
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.returncode, done.stdout) == (0, "played\n"), done.stderr
