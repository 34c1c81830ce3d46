"""A room's game: what extending and taking back leave behind."""

from __future__ import annotations

import hypothesis.strategies as st
from hypothesis import given

from engine.rules.registry import rules
from server.play.game import Game


def played(moves: list[str], *, game: str = "tictactoe", start: list[str] | None = None) -> Game:
    made = Game(1, start or [], rules(game))
    made.started = True
    for number, text in enumerate(moves):
        made.extend(rules(game).parse_move(text), text, 10 + number, (100 - number, 100 - number))
    return made


def everything(game: Game) -> tuple[object, ...]:
    return game.cells, game.texts, game.seqs, game.lefts, game.position, game.to_move


@given(st.lists(st.sampled_from(["a1", "b1", "c1", "a2", "b2"]), unique=True), st.integers(0, 5))
def test_taking_back_leaves_the_shorter_game(moves: list[str], ply: int) -> None:
    ply = min(ply, len(moves))
    game = played(moves)
    game.take_back(ply, 99)
    assert everything(game) == everything(played(moves[:ply]))
    assert game.taken_back_seq == game.turn_seq == 99


def test_sides_count_from_the_start() -> None:
    game = played(["b2"], start=["a1"])
    assert (game.side_at(0), game.side_at(1), game.to_move) == ("o", "x", "x")
    assert game.texts == ["b2"]


def test_nobody_is_to_move_before_the_start_and_after_the_end() -> None:
    game = Game(1, [], rules("tictactoe"))
    assert game.to_move is None
    assert not game.running


def test_a_move_withdraws_what_it_answers() -> None:
    game = played([])
    game.offers = {("x", "draw"): None, ("o", "draw"): None, ("x", "takeback"): None, ("o", "takeback"): None}
    game.lapse_offers("x", "o")
    assert game.offers == {("x", "draw"): None}


def test_a_takeback_forgets_offers_and_the_draws_asked_later() -> None:
    game = played(["a1", "b1", "c2"])
    game.offers = {("x", "draw"): None}
    game.draws_asked = {("x", 1), ("o", 3)}
    game.take_back(1, 99)
    assert game.offers == {}
    assert game.draws_asked == {("x", 1)}


def test_a_new_game_has_nothing_behind_it() -> None:
    game = Game(3, ["a1"], rules("tictactoe"))
    assert (game.serial, game.id, game.seed, game.started, game.result) == (3, None, 0, False, None)
    assert (game.start, len(game.positions), game.lefts) == ((0,), 1, [(0, 0)])
    assert (game.cells, game.texts, game.seqs, game.taken_back_seq, game.turn_seq) == ([], [], [], 0, 0)
    assert not game.offers
    assert not game.draws_asked
    assert not game.verdicts
