"""Perfect play shown by playing: `perfect` gives nothing away, whoever it meets, and keeps what it says."""

from __future__ import annotations

from random import Random

import pytest

from engine.bots.player import decide
from engine.rules.flat import FlatPosition, FlatRules
from engine.rules.limit import NO_LIMIT, Limit
from engine.rules.position import O, Position, Side, X
from engine.rules.registry import rules
from engine.search.perfect import super_policy
from engine.search.perfect.qubic_book import shipped
from engine.search.solve.solver import Solver
from tests.support.engine.adversaries import PERFECT, Opponent, hardest, held_to, longest, named, play, roster

DRAWN = ("mnk:3,3,3", "mnk:4,4,4", "mnk:4,3,4")
WON = ("mnk:4,3,3", "cube:3", "mnk:6,5,4")


@pytest.mark.parametrize("name", roster("qubic"))
def test_x_wins_on_qubic_against_every_bot(name: str) -> None:
    played = play("qubic", X, named(name), seed=3)
    assert played.winner == X
    assert played.plies <= shipped()[0, 0].plies


@pytest.mark.parametrize("adversary", [longest, hardest], ids=["longest", "hardest"])
@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 8))])
def test_x_wins_on_qubic_against_who_resists(adversary: Opponent, seed: int) -> None:
    assert play("qubic", X, adversary, seed).plies <= shipped()[0, 0].plies


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("name", roster("qubic"))
def test_x_wins_many_games_on_qubic(name: str) -> None:
    assert all(play("qubic", X, named(name), seed).winner == X for seed in range(10, 18))


@pytest.mark.parametrize(
    ("step", "limit"),
    [
        (1_000, Limit(nodes=1)),
        *(pytest.param(100, limit, marks=pytest.mark.slow) for limit in (NO_LIMIT, Limit(nodes=1), Limit(move_ms=1))),
    ],
)
@pytest.mark.timeout(600)
def test_x_keeps_its_word_on_qubic_after_every_reply_to_a_part_of_the_book(step: int, limit: Limit) -> None:
    """One in so many of the positions that X plays by the book, each with every reply of O's."""
    game = rules("qubic")
    assert isinstance(game, FlatRules)
    replies = 0
    for x, o in sorted(shipped())[::step]:
        position = FlatPosition(game, x, o, (x | o).bit_count())
        decision = decide(PERFECT, position, limit)
        left = held_to(decision, shipped()[x, o].plies)
        after = position.play(decision.move)
        for reply in after.legal_moves():
            following = after.play(reply)
            assert following.outcome is None
            held_to(decide(PERFECT, following, limit), left)
            replies += 1
    assert replies > 400_000 / step


@pytest.mark.parametrize("name", roster("super"))
def test_x_wins_in_super_against_every_bot(name: str) -> None:
    played = play("super", X, named(name), seed=4)
    assert played.winner == X
    assert played.plies <= super_policy.MOST_PLIES


@pytest.mark.parametrize("seed", range(2))
def test_x_wins_in_super_against_who_resists(seed: int) -> None:
    assert play("super", X, named("perfect"), seed).plies == super_policy.MOST_PLIES


@pytest.mark.parametrize(
    ("game", "side"),
    [
        *((game, side) for game in [*DRAWN, *WON[:-1]] for side in (X, O)),
        (WON[-1], X),
        pytest.param(WON[-1], O, marks=pytest.mark.slow),
    ],
)
def test_no_board_is_given_away_to_any_bot(game: str, side: Side) -> None:
    for seed, name in enumerate(roster(game)):
        played = play(game, side, named(name), seed)
        if game in WON and side == X:
            assert played.winner == X
        elif game in DRAWN:
            assert played.winner in (side, None)


@pytest.mark.parametrize("side", [X, pytest.param(O, marks=pytest.mark.slow)])
@pytest.mark.parametrize("game", ["mnk:4,3,3", pytest.param("cube:3", marks=pytest.mark.slow)])
def test_a_won_board_is_won_in_time_against_every_reply(game: str, side: Side) -> None:
    """As O it cannot win; it then loses no faster than it must."""
    board = rules(game)
    assert isinstance(board, FlatRules)
    plies = Solver(board, entries=100_003).solve(board.initial).plies
    assert plies is not None
    seen: set[Position] = set()
    waiting = [board.initial]
    while waiting:
        position = waiting.pop()
        if position.outcome is not None:
            if side == X:
                assert position.outcome.winner == X
                assert position.ply <= plies
            else:
                assert position.outcome.winner != X or position.ply >= plies
            continue
        if position.to_move == side:
            following = [position.play(decide(PERFECT, position).move)]
        elif side == O and game == "cube:3":
            # As O the tree is too large: X keeps to a few of its moves.
            moves = position.legal_moves()
            following = [position.play(move) for move in Random(position.ply).sample(moves, min(3, len(moves)))]
        else:
            following = [position.play(move) for move in position.legal_moves()]
        waiting += [child for child in following if child not in seen]
        seen.update(following)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("side", [X, O])
def test_a_drawn_board_is_drawn_by_the_longest_resistance(side: Side, seed: int) -> None:
    played = play("mnk:4,4,4", side, named("perfect"), seed)
    assert (played.winner, played.plies) == (None, 16)
