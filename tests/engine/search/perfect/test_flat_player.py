"""`perfect` on small flat boards: no result is ever given away, and limits are kept."""

from __future__ import annotations

from random import Random

import pytest

from engine.bots.player import NO_LIMIT, Limit, decide
from engine.bots.roster import bot
from engine.rules.flat import FlatPosition, FlatRules
from engine.rules.position import O, Position, Side, X
from engine.rules.registry import rules
from engine.search.perfect.flat_holding import held
from engine.search.solve.breaker import Breaker
from engine.search.solve.solver import Solver
from engine.search.watch import NO_WATCH
from tests.support.engine.adversaries import PERFECT, within
from tests.support.engine.games import replay_texts
from tests.support.engine.plain_minimax import position_after
from tests.support.engine.watches import Stop

HELD = ("mnk:8,6,5", "mnk:9,5,5", "mnk:6,8,5", "mnk:7,7,6")
LARGER = ("mnk:5,5,4", "mnk:6,5,4", "mnk:7,4,4", "mnk:6,6,4", "mnk:6,6,5")


class Ticking(Stop):
    """A watch by which a millisecond goes by with each look at it."""

    def __init__(self) -> None:
        self._now_ms = 0

    def elapsed_ms(self) -> int:
        self._now_ms += 1
        return self._now_ms

    def stopped(self) -> bool:
        return False


@pytest.mark.parametrize("side", [0, 1])
def test_tictactoe_against_every_reply(side: int) -> None:
    seen: set[Position] = set()
    waiting = [rules("tictactoe").initial]
    while waiting:
        position = waiting.pop()
        if position.outcome is not None:
            assert position.outcome.winner != ("o" if side == 0 else "x")
            continue
        if position.ply % 2 == side:
            decision = decide(PERFECT, position, Limit(nodes=2_000))
            assert decision.proven
            following = [position.play(decision.move)]
        else:
            following = [position.play(move) for move in position.legal_moves()]
        waiting += [child for child in following if child not in seen]
        seen.update(following)


@pytest.mark.parametrize(
    "game", ["mnk:4,4,3", "mnk:5,4,4", "cube:3", *(pytest.param(game, marks=pytest.mark.slow) for game in LARGER)]
)
@pytest.mark.parametrize("seed", range(3))
def test_what_it_says_comes_true_against_random(game: str, seed: int) -> None:
    board = rules(game)
    assert isinstance(board, FlatRules)
    random = Random(seed)
    position: Position = board.initial
    said: int | None = None
    while position.outcome is None:
        if position.ply % 2 == seed % 2:
            decision = decide(PERFECT, position, seed=seed)
            assert decision.proven
            assert decision.pv[0] == decision.move
            if said is not None and said > 0:
                assert decision.win_in is not None
                assert 0 < decision.win_in <= said - 2
            said = decision.win_in
            if said is not None:
                assert len(decision.pv) == abs(said)
                assert decision.value is not None
                assert (decision.value > 0) == (said > 0)
            position = position.play(decision.move)
        else:
            position = position.play(random.choice(position.legal_moves()))
    if said is not None and said > 0:
        assert position.outcome.winner == ("x" if seed % 2 == 0 else "o")


def test_two_of_them_play_to_the_known_result() -> None:
    for game, winner, plies in (("mnk:6,5,4", "x", 11), ("cube:3", "x", 7), ("mnk:4,4,4", None, 16)):
        position = rules(game).initial
        while position.outcome is None:
            position = position.play(decide(PERFECT, position).move)
        assert (position.outcome.winner, position.ply) == (winner, plies)


def test_a_draw_is_drawn_by_a_move_that_is_worth_something() -> None:
    position = replay_texts("mnk:5,5,4", "a1 c3")
    assert isinstance(position, FlatPosition)
    decision = decide(PERFECT, position)
    assert (decision.value, decision.win_in, decision.proven, decision.depth) == (0.0, None, True, 4)
    assert decision.move in Solver(position.rules, entries=100_003).solve(position).best


@pytest.mark.parametrize("limit", [NO_LIMIT, Limit(move_ms=1), Limit(nodes=1), Limit(nodes=300), Limit(depth=1)])
@pytest.mark.parametrize("moves", ["", "a1", "a1 b2 c3"])
@pytest.mark.parametrize("game", ["mnk:5,5,4", pytest.param("mnk:7,7,5", marks=pytest.mark.slow)])
def test_limits_are_kept_and_the_answer_is_legal(game: str, limit: Limit, moves: str) -> None:
    position = replay_texts(game, moves)
    for watch in (Stop(), Ticking()):
        within(limit, position, watch)


def test_equal_questions_get_equal_answers() -> None:
    position = replay_texts("mnk:5,5,4", "a1 b2")
    for limit in (NO_LIMIT, Limit(nodes=500), Limit(nodes=100_000)):
        assert decide(PERFECT, position, limit, seed=5) == decide(PERFECT, position, limit, seed=5)


@pytest.mark.parametrize("game", ["mnk:7,7,5", *(pytest.param(game, marks=pytest.mark.slow) for game in HELD)])
@pytest.mark.parametrize("opponent", ["random", "strongest"])
@pytest.mark.parametrize(
    ("side", "seed"), [(O, 1), *(pytest.param(side, 2, marks=pytest.mark.slow) for side in (X, O))]
)
def test_larger_boards_are_never_lost(game: str, opponent: str, side: Side, seed: int) -> None:
    random = Random(seed)
    position = rules(game).initial
    while position.outcome is None:
        if position.to_move == side:
            decision = decide(PERFECT, position, Limit(nodes=40_000), seed=seed)
        else:
            # Some moves are any, so that a game is not always the same draw.
            name = opponent if random.random() < 0.8 else "random"
            decision = decide(bot(name), position, Limit(nodes=20_000), seed=random.getrandbits(32))
        position = position.play(decision.move)
    assert position.outcome.winner in (side, None)


def test_the_first_move_is_known_to_draw() -> None:
    decision = decide(PERFECT, rules("mnk:7,7,5").initial)
    assert (decision.value, decision.win_in, decision.proven) == (0.0, None, True)
    assert decision.nodes < 50_000


def test_a_win_is_taken_though_a_draw_is_held() -> None:
    position = replay_texts("mnk:7,7,5", "d4 a1 e4 a7 c4 g1")
    decision = decide(PERFECT, position)
    assert (decision.win_in, decision.proven, decision.bound) == (3, True, False)


def test_without_the_nodes_to_solve_it_plays_what_is_known_to_hold() -> None:
    position = position_after("mnk:7,7,5", 3, seed=1)
    assert isinstance(position, FlatPosition)
    holding = held(position, 10_000, None, NO_WATCH)
    assert (len(holding.moves), holding.is_drawn) == (2, False)
    decision = decide(PERFECT, position, Limit(nodes=40_000))
    assert decision.move in holding.moves
    assert not decision.proven
    assert decide(bot("strongest"), position, Limit(nodes=20_000)).move not in holding.moves
    assert decide(PERFECT, position, Limit(move_ms=1_600), watch=Ticking()).move in holding.moves


def test_it_plays_what_is_solved_and_no_more() -> None:
    played = (
        "tictactoe",
        "mnk:5,5,4",
        "mnk:6,5,4",
        "mnk:10,3,4",
        "mnk:6,6,4",
        "mnk:6,6,5",
        "cube:3",
        "super",
        "nine-board",
    )
    others = ("gomoku", "mnk:8,4,4", "mnk:8,7,5", "mnk:7,7,5,exact", "cube:5", "ultimate")
    assert all(PERFECT.plays(rules(game)) for game in (*played, *HELD))
    assert not any(PERFECT.plays(rules(game)) for game in others)


def test_either_side_holds_the_larger_boards_that_it_plays() -> None:
    """Others of at most 49 cells have fewer lines, and no shorter ones, than one of these."""
    for game in ("mnk:7,7,5", "mnk:8,6,5", "mnk:9,5,5", "mnk:12,4,5", "mnk:16,3,5"):
        board = rules(game)
        assert isinstance(board, FlatRules)
        breaker = Breaker(board)
        assert PERFECT.plays(board)
        assert breaker.holds(breaker.lines, True, 1 << 14)
