"""The contract of positions and rules, kept by every game of the registry."""

from __future__ import annotations

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.rules.position import IllegalMove, MalformedMove, Outcome, Position, Side, other
from engine.rules.registry import rules
from tests.support.engine.games import GAME_IDS, game_ids, played, replay
from tests.support.examples import examples


def check_invariants(position: Position, ply: int) -> None:
    cells = range(position.rules.cells)
    marks = [position.mark(cell) for cell in cells]
    legal = position.legal_moves()
    assert position.ply == ply
    assert position.to_move == ("x", "o")[ply % 2]
    assert (marks.count("x"), marks.count("o")) == ((ply + 1) // 2, ply // 2)
    assert list(legal) == sorted(set(legal))
    assert list(legal) == [cell for cell in cells if position.is_legal(cell)]
    assert all(marks[cell] is None for cell in legal)
    assert (position.outcome is None) == bool(legal)
    if position.outcome is None:
        assert position.line == ()
    else:
        check_end(position, position.outcome)
    if position.forced is not None:
        assert position.rules.nested
        assert {cell // 9 for cell in legal} == {position.forced}


def check_end(position: Position, outcome: Outcome) -> None:
    assert position.forced is None
    assert (outcome.termination == "board_full") == (outcome.winner is None)
    assert (outcome.termination == "line") == bool(position.line)
    assert list(position.line) == sorted(set(position.line))
    if outcome.termination == "line":
        assert outcome.winner == other(position.to_move)


@given(played(finished=True))
@examples(60)
def test_random_play_keeps_the_invariants(game: tuple[str, list[int]]) -> None:
    game_id, moves = game
    position = rules(game_id).initial
    check_invariants(position, 0)
    for ply, move in enumerate(moves, 1):
        before = hash(position), position.legal_moves(), position.ply, position.forced
        following = position.play(move)
        assert before == (hash(position), position.legal_moves(), position.ply, position.forced)
        assert following != position
        assert following.mark(move) == position.to_move
        check_invariants(following, ply)
        position = following
    assert position.outcome is not None


@given(played())
def test_a_replay_is_equal(game: tuple[str, list[int]]) -> None:
    one, two = replay(*game), replay(*game)
    assert one == two
    assert hash(one) == hash(two)
    assert one.line == two.line


@given(played(), st.data())
@examples(60)
def test_symmetries_keep_everything(game: tuple[str, list[int]], data: st.DataObject) -> None:
    game_id, moves = game
    symmetry = data.draw(st.sampled_from(rules(game_id).symmetries))
    position = replay(game_id, moves)
    image = replay(game_id, [symmetry[move] for move in moves])
    assert image.outcome == position.outcome
    assert image.legal_moves() == tuple(sorted(symmetry[move] for move in position.legal_moves()))
    assert image.line == tuple(sorted(symmetry[cell] for cell in position.line))


@pytest.mark.parametrize("game_id", GAME_IDS)
def test_symmetries_are_permutations_with_the_identity_first(game_id: str) -> None:
    game = rules(game_id)
    assert game.symmetries[0] == tuple(range(game.cells))
    assert len(set(game.symmetries)) == len(game.symmetries)
    assert all(sorted(symmetry) == list(range(game.cells)) for symmetry in game.symmetries)


@pytest.mark.parametrize("game_id", GAME_IDS)
def test_text_round_trip(game_id: str) -> None:
    game = rules(game_id)
    texts = [game.format_move(cell) for cell in range(game.cells)]
    assert len(set(texts)) == game.cells
    assert [game.parse_move(text) for text in texts] == list(range(game.cells))
    with pytest.raises(MalformedMove):
        game.format_move(game.cells)


@given(game_ids, st.text(max_size=8) | st.text(alphabet="abdis0123456789./-A ", max_size=6))
@examples(300)
def test_parse_move_lets_only_malformed_moves_escape(game_id: str, text: str) -> None:
    game = rules(game_id)
    try:
        move = game.parse_move(text)
    except MalformedMove:
        return
    assert game.format_move(move) == text


@given(played(), st.integers())
def test_play_accepts_exactly_the_legal_moves(game: tuple[str, list[int]], move: int) -> None:
    position = replay(*game)
    if move in position.legal_moves():
        assert position.play(move).ply == position.ply + 1
    else:
        assert not position.is_legal(move)
        with pytest.raises(IllegalMove):
            position.play(move)


@given(played())
@examples(60)
def test_an_illegal_move_is_named_and_told_why(game: tuple[str, list[int]]) -> None:
    position = replay(*game)
    for cell in sorted(set(range(position.rules.cells)) - set(position.legal_moves())):
        with pytest.raises(IllegalMove) as caught:
            position.play(cell)
        owner, text = position.mark(cell), position.rules.format_move(cell)
        if position.outcome is not None:
            assert str(caught.value) == f"{text} cannot be played: the game is over."
        elif owner is not None:
            assert str(caught.value) == f"{text} is taken by {owner.upper()}."
        else:
            assert str(caught.value).startswith(f"{text} is ")
    for cell in (-1, position.rules.cells):
        with pytest.raises(
            IllegalMove, match=f"^{cell} is no cell of .*: .* cells are 0 to {position.rules.cells - 1}"
        ):
            position.play(cell)


@pytest.mark.parametrize("game_id", GAME_IDS)
def test_cells_fill_the_dimensions(game_id: str) -> None:
    game = rules(game_id)
    product = 1
    for extent in game.dimensions:
        product *= extent
    assert product == game.cells == len(game.initial.legal_moves())
    assert len(game.sentences) == 3
    assert all(sentence.endswith(".") for sentence in game.sentences)


def test_equal_marks_sent_to_different_boards_are_different_positions() -> None:
    corner = [9 * board + square for board in range(3) for square in range(3)]
    by_marks: dict[tuple[object, ...], set[Position]] = {}

    def walk(position: Position, plies: int) -> None:
        marks = tuple(position.mark(cell) for cell in corner)
        by_marks.setdefault(marks, set()).add(position)
        for move in corner if plies else []:
            if position.is_legal(move):
                walk(position.play(move), plies - 1)

    walk(rules("ultimate").initial, 5)
    assert all(len({position.forced for position in same}) == len(same) for same in by_marks.values())
    assert any(len(same) > 1 for same in by_marks.values())


@pytest.mark.parametrize("game_id", ["tictactoe", "ultimate"])
def test_a_position_leaves_it_to_others_whether_they_equal_it(game_id: str) -> None:
    position = rules(game_id).initial
    text: object = "a position"
    assert position.__eq__(text) is NotImplemented
    assert position != text


def test_the_sides_are_x_and_o() -> None:
    assert get_args(Side) == ("x", "o")
