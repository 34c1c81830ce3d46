"""`perfect` on nine-board: what it solves it wins, and its limits are kept."""

from __future__ import annotations

from random import Random

import pytest

from engine.bots.player import NO_LIMIT, Limit, decide
from engine.bots.roster import bot
from engine.rules.nested import NestedPosition
from engine.rules.position import O, Position, Side, X
from engine.search.perfect import nine_board_player
from tests.support.engine.adversaries import PERFECT, within
from tests.support.engine.nine_board_positions import can_win, nearly_full, played
from tests.support.engine.watches import Stop, Ticking

WON = (
    ("9/5 5/8 8/5 5/3 3/2 2/3 3/5 5/5 5/7 7/2 2/4 4/5 5/2 2/8 8/1 1/1 1/6 6/5", X),
    ("8/2 2/1 1/4 4/7 7/1 1/2 2/6 6/5 5/5 5/7 7/8 8/3 3/8 8/9 9/2 2/7 7/7 7/9", O),
    ("9/4 4/1 1/1 1/9 9/7 7/5 5/1 1/2 2/2 2/5 5/3 3/7 7/6 6/3 3/3 3/1", X),
    ("9/3 3/6 6/4 4/3 3/3 3/5 5/7 7/1 1/2 2/5 5/9 9/2 2/1 1/6 6/6 6/3", X),
    ("4/9 9/8 8/1 1/4 4/2 2/7 7/1 1/3 3/9 9/6 6/3 3/8 8/4 4/6 6/9 9/4 4/7 7/2", X),
)
"""After 15 to 18 plies; `docs/solving/nine-board.md` says how they were solved."""
ENOUGH = Limit(nodes=4_000_000)


def play(position: Position, side: Side, opponent: str, seed: int) -> Position:
    """Against a bot, its moves left to chance now and then. It always knows that it wins, in fewer plies each time."""
    random = Random(seed)
    said = None
    while position.outcome is None:
        if position.to_move == side:
            decision = decide(PERFECT, position, ENOUGH, seed=seed)
            assert decision.proven
            assert decision.pv[0] == decision.move
            assert decision.win_in is not None
            assert decision.win_in % 2 == 1
            assert said is None or decision.win_in <= said - 2
            said = decision.win_in
        else:
            name = opponent if random.random() < 0.8 else "random"
            decision = decide(bot(name), position, Limit(nodes=20_000), seed=random.getrandbits(32))
        position = position.play(decision.move)
    return position


@pytest.mark.parametrize("opponent", ["random", "strongest"])
@pytest.mark.parametrize(
    ("moves", "side"), [*WON[:2], *(pytest.param(*won, marks=pytest.mark.slow) for won in WON[2:])]
)
@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 4))])
def test_what_is_solved_is_won(moves: str, side: Side, opponent: str, seed: int) -> None:
    end = play(played(moves), side, opponent, seed).outcome
    assert end is not None
    assert end.winner == side


def test_near_the_end_every_result_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nine_board_player, "_FINISHING_NODES", 1)  # the search of `strongest` would decide them as well
    random = Random(5)
    values = set()
    for _ in range(40):
        position = nearly_full(random, random.choice((3, 6, 8)))
        value = next((side for side in (X, O) if can_win(position, side, {})), "draw")
        values.add(value)
        decision = decide(PERFECT, position, Limit(nodes=2_000))
        assert decision.proven
        assert decision.value is not None
        assert (decision.win_in is None) == (value == "draw")
        assert (decision.value > 0) == (value == position.to_move)
        after = position.play(decision.move)
        assert isinstance(after, NestedPosition)
        kept = next((side for side in (X, O) if can_win(after, side, {})), "draw")
        assert kept == value
    assert values == {X, O, "draw"}


def test_a_lost_position_resists() -> None:
    position: Position = played(WON[0][0])
    decision = decide(PERFECT, position, ENOUGH)
    assert decision.win_in is not None
    after = position.play(decision.move)
    answer = decide(PERFECT, after, ENOUGH)
    assert answer.proven
    assert answer.win_in is not None
    assert -decision.win_in <= answer.win_in < -5


@pytest.mark.parametrize("limit", [NO_LIMIT, Limit(move_ms=1), Limit(nodes=1), Limit(nodes=300), Limit(depth=1)])
@pytest.mark.parametrize("moves", ["", "5/5 5/1", WON[0][0]])
def test_limits_are_kept_and_the_answer_is_legal(limit: Limit, moves: str) -> None:
    position = played(moves)
    for watch in (Stop(), *([] if limit is NO_LIMIT else [Ticking(1)])):
        assert not within(limit, position, watch).proven


def test_nodes_that_solving_used_up_are_not_taken_for_no_limit() -> None:
    random = Random(1)
    positions = [nearly_full(random, empty) for empty in (8, 12, 16, 20) for _ in range(50)]
    assert max(decide(PERFECT, position, Limit(nodes=2)).nodes for position in positions) <= 4


def test_half_of_the_time_is_for_solving() -> None:
    """The position takes some twenty looks at the clock."""
    position = played(WON[0][0])
    assert [decide(PERFECT, position, Limit(move_ms=ms), watch=Ticking(1)).proven for ms in (30, 60)] == [False, True]


def test_equal_questions_get_equal_answers() -> None:
    for moves, nodes in ((WON[0][0], 4_000_000), ("5/5 5/1 1/5", 5_000)):
        position = played(moves)
        assert decide(PERFECT, position, Limit(nodes=nodes), seed=5) == decide(
            PERFECT, position, Limit(nodes=nodes), seed=5
        )
