"""The kernel of flat boards and cubes against the rules and against sums over whole positions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.kernels import flat
from engine.kernels.flat import FlatBoard
from engine.rules.flat import FlatPosition, FlatRules
from engine.rules.position import Position
from engine.rules.registry import rules
from engine.search.boards import flat_board
from tests.support.engine import board_operations as operations
from tests.support.engine.games import played, replay, replay_texts
from tests.support.examples import examples

FLAT = ["tictactoe", "mnk:4,3,3", "mnk:5,4,4", "mnk:9,9,5", "mnk:11,3,8", "cube:3", "qubic", "cube:5", "gomoku"]
EXACT = ["mnk:4,3,3,exact", "mnk:5,5,3,exact", "mnk:7,6,4,exact", "mnk:12,12,10,exact"]
PLIES = 6


def values(length: int) -> tuple[tuple[int, ...], ...]:
    """No symmetry between the sides and blocked lines that count: whatever an author may have meant."""
    return tuple(
        tuple(7 * own - 5 * others + own * others for others in range(length + 1)) for own in range(length + 1)
    )


def places(cells: int) -> tuple[int, ...]:
    return tuple(cell % 7 for cell in range(cells))


def board_of(position: Position, symmetries: int = 0) -> FlatBoard:
    assert isinstance(position, FlatPosition)
    table = values(position.rules.length)
    return flat_board(position, table, PLIES, symmetries, places(position.rules.cells))


def evaluated(position: FlatPosition, side: str) -> int:
    own, others = (position.x, position.o) if side == "x" else (position.o, position.x)
    table, worth = values(position.rules.length), places(position.rules.cells)
    total = sum(worth[cell] * ((own >> cell & 1) - (others >> cell & 1)) for cell in range(position.rules.cells))
    for line in position.rules.lines:
        total += table[sum(own >> cell & 1 for cell in line)][sum(others >> cell & 1 for cell in line)]
    return total


def listed(board: FlatBoard, ply: int) -> list[int]:
    row = np.zeros(board.cells, np.uint16)
    moves: list[int] = row[: operations.legal(board, ply, row)].tolist()
    return moves


def changing(board: FlatBoard) -> list[bytes]:
    """What unmake must restore; rows beyond the present ply are scratch."""
    return [
        array.tobytes()
        for array in (
            board.empty,
            board.line_state,
            board.pairs[0],
            board.static[:1],
            board.counts[:1],
            board.hashes[0],
        )
    ]


STATUS = {None: 2, "x": 1, "o": 1}


@given(played(st.sampled_from([*FLAT, *EXACT])), st.data())
@examples(120)
def test_moves_ends_and_evaluation_are_those_of_the_rules(game: tuple[str, list[int]], data: st.DataObject) -> None:
    position = replay(*game)
    if position.outcome is not None:
        return
    side = position.to_move
    board = board_of(position, 2)
    before = changing(board)
    made: list[int] = []
    for ply in range(PLIES):
        moves = listed(board, ply)
        assert moves == list(position.legal_moves())
        assert isinstance(position, FlatPosition)
        assert board.static[ply] == evaluated(position, side)
        wins, blocks = wins_of(position)
        kind, move, count = operations.threats(board, ply, row := np.zeros(board.cells, np.uint16))
        assert (kind, row[:count].tolist()) == ((1, []) if wins else (2, blocks) if blocks else (0, [])) or (
            kind == 1 and move in wins
        )
        for move in moves if len(moves) < 30 else moves[:: len(moves) // 20]:
            child = position.play(move)
            status, after = operations.look(board, ply, move)
            assert status == (0 if child.outcome is None else STATUS[child.outcome.winner])
            assert after == evaluated(child, side)
        going_on = [move for move in moves if position.play(move).outcome is None]
        if not going_on:
            break
        move = data.draw(st.sampled_from(going_on))
        operations.make(board, ply, move)
        position = position.play(move)
        made.append(move)
    for ply in reversed(range(len(made))):
        operations.unmake(board, ply, made[ply])
    assert changing(board) == before


@pytest.mark.parametrize(("length", "gap"), [(3, 1), (4, 1), (5, 2), (6, 1), (7, 2), (8, 2), (9, 4)])
def test_only_a_row_of_the_exact_length_wins(length: int, gap: int) -> None:
    game = rules("mnk:9,3,3,exact")
    assert isinstance(game, FlatRules)
    position = FlatPosition(game, (1 << length) - 1 ^ 1 << gap, 0, 0)
    child = position.play(gap)
    board = board_of(position)
    assert operations.look(board, 0, gap) == (int(length == 3), evaluated(child, "x"))
    operations.make(board, 0, gap)
    assert length == 3 or board.static[1] == evaluated(child, "x")


def wins_of(position: Position) -> tuple[list[int], list[int]]:
    """The cells where the side to move would win at once, and those where the other side would."""
    assert isinstance(position, FlatPosition)
    own, others = (position.x, position.o) if position.to_move == "x" else (position.o, position.x)

    def completing(marks: int) -> list[int]:
        return [
            move
            for move in position.legal_moves()
            if any(
                (marks | 1 << move) & mask == mask and not marks & position.rules.ends.get(mask, 0)
                for mask in position.rules.masks[move]
            )
        ]

    return completing(own), completing(others)


@given(played(st.sampled_from(["tictactoe", "mnk:4,3,3", "cube:3", "qubic"])), st.data())
@examples(60)
def test_symmetric_positions_have_one_key(game: tuple[str, list[int]], data: st.DataObject) -> None:
    position = replay(*game)
    if position.outcome is not None:
        return
    symmetry = data.draw(st.sampled_from(list(position.rules.symmetries)))
    count = len(position.rules.symmetries)
    image = replay(game[0], [symmetry[move] for move in game[1]])
    key, number = operations.key(board_of(position, count), 0)
    assert key == operations.key(board_of(image, count), 0)[0]
    board = board_of(position, count)
    cells = np.arange(position.rules.cells)
    assert (board.origins[number][board.images[number][cells]] == cells).all()


def test_keys_tell_positions_apart_and_forget_the_order_of_moves() -> None:
    game = rules("mnk:4,4,4")
    seen: dict[int, object] = {}
    for first in range(16):
        for second in range(16):
            for third in range(16):
                if len({first, second, third}) == 3:
                    position = replay("mnk:4,4,4", [first, second, third])
                    key = int(operations.key(board_of(position, 1), 0)[0])
                    assert seen.setdefault(key, position) == position
    assert len(seen) == game.cells * (game.cells - 1) * (game.cells - 2) // 2


def test_a_board_without_open_lines_is_drawn() -> None:
    full = replay("tictactoe", [0, 1, 2, 4, 3, 5, 7])  # X O X / X O O / . X .
    board = board_of(full)
    assert not operations.drawn(board, 0)
    dead = replay("tictactoe", [0, 1, 2, 4, 3, 5, 7, 6])
    assert operations.drawn(board_of(dead), 0)


def test_a_longer_line_is_not_open() -> None:
    # O holds all of the third rank, and every other line is blocked.
    position = replay_texts("mnk:4,3,3,exact", "d2 c3 b1 d3 b2 a3 a2 c1 c2 b3")
    assert position.outcome is None
    assert operations.drawn(board_of(position), 0)


def test_an_evaluation_as_large_as_a_win_is_refused() -> None:
    game = rules("tictactoe")
    assert isinstance(game, FlatRules)
    table = tuple(tuple(own << 23 for _ in range(4)) for own in range(4))
    with pytest.raises(ValueError, match="too large"):
        flat.tables(game.cells, game.lines, table, game.symmetries)
