"""The games on nine boards against twins written the naive way: lists, text and no bits."""

from __future__ import annotations

from random import Random

import pytest

from engine.rules.nested import BOARD_LINES, NestedPosition, NestedRules
from engine.rules.position import IllegalMove
from engine.rules.registry import rules
from tests.support.engine.games import flat_rules, replay, replay_texts

TRIPLES = ["012", "345", "678", "036", "147", "258", "048", "246"]


class Twin:
    """One game of nine boards, told as its rules are told to a person."""

    def __init__(self, game_id: str) -> None:
        self.game_id = game_id
        self.boards = [["."] * 9 for _ in range(9)]
        self.owners = ["."] * 9
        self.turn = "x"
        self.sent_to: int | None = None
        self.result: tuple[str | None, str] | None = None

    def is_closed(self, board: int) -> bool:
        full = "." not in self.boards[board]
        if self.game_id in ("ultimate", "ultimate:count"):
            return full or self.owners[board] != "."
        return full

    def moves(self) -> list[int]:
        if self.result is not None:
            return []
        if self.sent_to is None or self.is_closed(self.sent_to):
            boards = [board for board in range(9) if not self.is_closed(board)]
        else:
            boards = [self.sent_to]
        return [9 * board + square for board in boards for square in range(9) if self.boards[board][square] == "."]

    def play(self, cell: int) -> None:
        assert cell in self.moves()
        board, square = divmod(cell, 9)
        self.boards[board][square] = self.turn
        if self.owners[board] == "." and holds_line(self.boards[board], self.turn):
            self.owners[board] = self.turn
        self.sent_to = square
        self.result = self.end()
        self.turn = "o" if self.turn == "x" else "x"

    def end(self) -> tuple[str | None, str] | None:
        if self.game_id == "nine-board":
            if self.turn in self.owners:
                return self.turn, "line"
        elif holds_line(self.owners, self.turn):
            return self.turn, "line"
        if not all(self.is_closed(board) for board in range(9)):
            return None
        lead = self.owners.count("x") - self.owners.count("o")
        if self.game_id == "ultimate:count" and lead:
            return ("x" if lead > 0 else "o"), "count"
        return None, "board_full"


def holds_line(marks: list[str], side: str) -> bool:
    return any(all(marks[int(place)] == side for place in triple) for triple in TRIPLES)


def avoid_wins(twin: Twin, random: Random) -> int:
    """A move that ends nothing if there is one: random games seldom get to the late rules otherwise."""
    moves = twin.moves()
    random.shuffle(moves)
    for move in moves:
        board, square = divmod(move, 9)
        marks = list(twin.boards[board])
        marks[square] = twin.turn
        if not holds_line(marks, twin.turn):
            return move
    return moves[0]


@pytest.mark.parametrize("shy", [False, True])
@pytest.mark.parametrize("game_id", ["nine-board", "ultimate", "ultimate:count", "super"])
def test_random_games_with_the_naive_twin(game_id: str, shy: bool) -> None:
    ends = set()
    for seed in range(60):
        random = Random(seed)
        twin, position = Twin(game_id), rules(game_id).initial
        while True:
            assert list(position.legal_moves()) == twin.moves()
            assert [position.mark(cell) for cell in range(81)] == [
                None if mark == "." else mark for board in twin.boards for mark in board
            ]
            assert (position.outcome and (position.outcome.winner, position.outcome.termination)) == twin.result
            sent = twin.sent_to
            free = sent is None or twin.is_closed(sent) or twin.result is not None
            assert position.forced == (None if free else sent)
            if position.outcome is not None:
                break
            move = avoid_wins(twin, random) if shy and random.random() < 0.95 else random.choice(twin.moves())
            twin.play(move)
            position = position.play(move)
        ends.add(twin.result)
        assert position.line == naive_line(twin, move)
    assert len(ends) >= 2


def naive_line(twin: Twin, last: int) -> tuple[int, ...]:
    assert twin.result is not None
    side, termination = twin.result
    if termination != "line":
        return ()
    marks = twin.boards[last // 9] if twin.game_id == "nine-board" else twin.owners
    members = {int(place) for triple in TRIPLES for place in triple if all(marks[int(p)] == side for p in triple)}
    if twin.game_id == "nine-board":
        return tuple(sorted(9 * (last // 9) + square for square in members))
    return tuple(sorted(9 * board + square for board in members for square in range(9)))


def test_the_square_names_the_next_board() -> None:
    position = replay("ultimate", [38])
    assert position.forced == 2
    assert position.legal_moves() == tuple(range(18, 27))
    with pytest.raises(IllegalMove, match="5/1 is not in board 3"):
        position.play(36)


@pytest.mark.parametrize("move", [-1, 81, 10**30])
def test_a_number_off_the_board_is_illegal(move: int) -> None:
    assert not rules("super").initial.is_legal(move)
    with pytest.raises(IllegalMove, match="their cells are 0 to 80"):
        rules("super").initial.play(move)


def test_a_taken_square_is_illegal() -> None:
    with pytest.raises(IllegalMove, match="5/5 is taken by X"):
        replay_texts("ultimate", "5/5 5/5")


def test_a_small_board_has_the_lines_of_tictactoe() -> None:
    assert flat_rules("tictactoe").lines == BOARD_LINES


def test_a_game_must_say_what_won_boards_mean() -> None:
    with pytest.raises(TypeError, match="judge"):
        NestedRules("unfinished", "", ("", "", ""))  # type: ignore[abstract]


def owners(game_id: str, texts: str) -> list[str | None]:
    """Of each board, after these moves."""
    position = replay_texts(game_id, texts)
    assert isinstance(position, NestedPosition)
    return [position.board_owner(board) for board in range(9)]


def test_a_board_belongs_to_who_won_it() -> None:
    for game_id in ("ultimate", "super"):
        assert owners(game_id, "1/1 1/5 5/1 1/4 4/1 1/6") == ["o", *[None] * 8]
        assert owners(game_id, "5/1 1/5 5/2 2/5 5/3") == [*[None] * 4, "x", *[None] * 4]
