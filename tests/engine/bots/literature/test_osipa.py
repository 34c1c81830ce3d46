"""Osipa's tree, perfect and lazy, and his nine-board player: schedule, shuffles, scale."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest

from engine.bots.literature import osipa
from engine.bots.player import Decision, Limit, decide
from engine.bots.roster import bot
from engine.rules.nested import HAS_LINE
from engine.rules.position import Position, X, play_all
from engine.rules.registry import rules
from engine.search.fixed import Cut
from tests.support.engine.bot_games import play_game
from tests.support.engine.games import replay, replay_texts
from tests.support.engine.plain_minimax import evaluation, position_after
from tests.support.engine.watches import StopsAfter

START = rules("tictactoe").initial
NINE = rules("nine-board").initial


# The tree.


@cache
def best_result(position: Position) -> int:
    """1, 0 or -1 for the side to move, from all moves."""
    if position.outcome is not None:
        return 0 if position.outcome.winner is None else -1
    return max(-best_result(position.play(move)) for move in position.legal_moves())


def every_position() -> list[Position]:
    seen, waiting = {START}, [START]
    while waiting:
        position = waiting.pop()
        new = {position.play(move) for move in position.legal_moves()} - seen
        seen |= new
        waiting += new
    return list(seen)


def test_it_is_perfect_everywhere() -> None:
    positions = every_position()
    assert len(positions) == 5_478
    for position in positions:
        if position.outcome is None:
            found = decide(bot("osipa-tree"), position)
            assert found.value == best_result(position) == -best_result(position.play(found.move))
            assert found.proven
            after = play_all(position, found.pv)
            assert after.outcome is not None
            assert found.value == (
                0 if after.outcome.winner is None else 1 if after.outcome.winner == position.to_move else -1
            )


def test_it_draws_against_itself() -> None:
    record = play_game(bot("osipa-tree"), bot("osipa-tree"), START.rules)
    assert (record.winner, len(record.moves)) == (None, 9)


def test_nothing_is_explored_twice() -> None:
    tree, asked = osipa.Tree(), Counter[str]()

    def look() -> None:
        asked["new"] += 1

    tree.explored(START, look)
    first = len(tree)
    assert first == asked["new"] < 5_478
    tree.explored(START, look)
    assert asked["new"] == first
    # A reply lies in the tree already, or adds only what a cut had left out.
    reply = START.play(8)
    tree.explored(reply, look)
    assert len(tree) == asked["new"] == first
    # Where it stopped at a win, the other replies are new.
    for move in START.play(0).legal_moves():
        tree.explored(START.play(0).play(move), look)
    assert len(tree) == asked["new"]


def test_it_stops_at_a_move_of_the_best_possible_value() -> None:
    position = replay("tictactoe", [0, 3, 1, 4])  # X wins at 2, the lowest free cell
    found = osipa.Tree().explored(position)
    assert (found.value, found.moves, found.skipped, found.best) == (1, (2,), 4, (2,))
    assert decide(bot("osipa-tree"), position) == Decision(
        2, nodes=1, leaves=1, depth=5, value=1.0, win_in=1, proven=True, pruned=4, pv=(2,)
    )
    # No move of the first is a win, so all are tried; all draw, and the first is played.
    assert osipa.Tree().explored(START).moves == tuple(range(9))
    assert decide(bot("osipa-tree"), START).move == 0


def test_figures_do_not_depend_on_what_was_asked_before(monkeypatch: pytest.MonkeyPatch) -> None:
    later = START.play(4).play(0)
    monkeypatch.setattr(osipa, "_TREE", osipa.Tree())
    fresh = decide(bot("osipa-tree"), later)
    monkeypatch.setattr(osipa, "_TREE", osipa.Tree())
    decide(bot("osipa-tree"), START)
    assert decide(bot("osipa-tree"), later) == fresh
    assert fresh.nodes > fresh.leaves > 0
    assert fresh.interior == fresh.nodes - fresh.leaves


def test_a_stopped_tree_keeps_what_it_knows(monkeypatch: pytest.MonkeyPatch) -> None:
    tree = osipa.Tree()
    monkeypatch.setattr(osipa, "_TREE", tree)
    assert decide(bot("osipa-tree"), START, watch=StopsAfter(100)) == Decision(0)
    kept = len(tree)
    assert 0 < kept <= 100
    whole = decide(bot("osipa-tree"), START)
    assert (whole.value, len(tree) > kept) == (0.0, True)
    # All is known now: no look, no stop.
    assert decide(bot("osipa-tree"), START, watch=StopsAfter(0)) == whole


# The nine boards.


def test_only_the_games_first_move_is_random() -> None:
    openings = [decide(bot("osipa"), NINE, seed=seed) for seed in range(400)]
    assert len({found.move for found in openings}) > 70
    assert openings[0] == Decision(openings[0].move, pv=(openings[0].move,))
    assert decide(bot("osipa"), NINE.play(4), seed=1).nodes > 0


def test_three_plies_up_to_step_thirty_and_four_from_then_on() -> None:
    """His steps count from 0, which is the first move, so that step n has n moves before it."""
    assert [osipa.plies_at(made) for made in (1, 29, 30, 31, 80)] == [3, 3, 3, 4, 4]
    for made, depth in ((30, 3), (31, 4)):
        position = position_after("nine-board", made, 2)
        assert decide(bot("osipa"), position).depth == depth
        assert decide(bot("osipa"), position, Limit(depth=2)).depth == 2


def test_moves_are_shuffled_and_the_first_of_equals_is_played() -> None:
    position = NINE.play(40)  # all replies are equal to `zero` three plies on
    moves = {decide(bot("osipa:zero"), position, seed=seed).move for seed in range(100)}
    assert moves == set(position.legal_moves())


def squares(text: str) -> int:
    """`xx.......`: the squares of x as a set."""
    return sum(1 << square for square, mark in enumerate(text) if mark == "x")


@pytest.mark.parametrize(
    ("own", "others", "winning"),
    [
        ("xx.......", ".........", 1),
        ("xx.......", "..x......", 0),
        ("x.x...x..", ".........", 3),
        ("x...x....", ".........", 1),
        (".........", "xx.......", 0),
    ],
)
def test_ways_to_win_a_board(own: str, others: str, winning: int) -> None:
    assert osipa.ways(squares(own), squares(others)) == winning


def test_a_board_is_controlled_or_not_and_a_way_counts_each() -> None:
    three_ways = squares("x.x...x..")
    control, ways = osipa.SCORINGS["control"].boards, osipa.SCORINGS["ways"].boards
    assert control is not None
    assert ways is not None
    assert (control(three_ways, 0), ways(three_ways, 0)) == (6, 3)  # sixtieths: 0.1 and 3/60
    assert (control(0, three_ways), ways(0, three_ways)) == (-6, -3)
    two_ways, one_way = squares("xx.x....."), squares(".....x..x")
    assert (control(two_ways, one_way), ways(two_ways, one_way)) == (0, 2 - 1)


def test_no_evaluation_reaches_a_win() -> None:
    """Nine boards with as many winning moves as a board can have stay below 1, so a value of 1 is a proven win."""
    most = max(osipa.ways(own, 0) for own in range(512) if not HAS_LINE[own])
    assert most == 5
    assert 9 * most < osipa.UNIT
    assert 9 * (osipa.UNIT // 10) < osipa.UNIT


def test_values_are_in_his_scale() -> None:
    # X can win in board 5 at square 3 and, sent there, does.
    position = replay_texts("nine-board", "5/1 1/5 5/2 2/5")
    for name in ("zero", "control", "ways"):
        found = decide(bot(f"osipa:{name}"), position)
        assert found.value == 1.0
        assert found.proven
    before = replay_texts("nine-board", "5/1 1/5 5/2")
    assert evaluation(before, osipa.SCORINGS["control"], X) == 6
    quiet = decide(bot("osipa:control"), replay_texts("nine-board", "5/1 1/5"), seed=2)
    assert quiet.value is not None
    assert quiet.value * 10 == round(quiet.value * 10)


def test_a_faster_win_is_not_preferred() -> None:
    """With a win at once and others two plies later, the shuffle decides."""
    position = replay_texts("nine-board", "5/1 1/5 5/2 2/5")
    found = [decide(bot("osipa:zero"), position, seed=seed) for seed in range(40)]
    assert {decision.value for decision in found} == {1.0}
    exact = osipa.searched(position, 3, "zero", Cut.NONE, 0)
    winning = {move for move, value in zip(exact.moves, exact.values, strict=True) if value == osipa.UNIT}
    assert {decision.move for decision in found} == winning
    assert {decision.win_in for decision in found} == ({1} if len(winning) == 1 else {1, 3})


def test_shuffled_alpha_beta_searches_less() -> None:
    position = position_after("nine-board", 12, 0)
    plain = osipa.searched(position, 3, "control", Cut.NONE, 5)
    pruned = osipa.searched(position, 3, "control", Cut.LOOSE, 5)
    assert pruned.nodes < plain.nodes
    assert max(pruned.values) == max(plain.values)


def test_the_bot_cuts_strictly() -> None:
    """So the first moves, where all is equal, are hardly pruned: his slowest."""
    position = NINE.play(40)
    strict, loose, plain = (osipa.searched(position, 3, "control", cut, 7).nodes for cut in CUTS)
    assert strict > 0.9 * plain > 5 * loose
    found = decide(bot("osipa"), position, seed=1)
    assert found.nodes > 5 * loose


@pytest.mark.parametrize("made", [1, 12, 30, 31, 44])
def test_every_cut_chooses_the_same_move(made: int) -> None:
    position = position_after("nine-board", made, made)
    found = [osipa.searched(position, osipa.plies_at(made), "control", cut, 3) for cut in CUTS]
    assert len({one.moves[one.values.index(max(one.values))] for one in found}) == 1


CUTS = (Cut.STRICT, Cut.LOOSE, Cut.NONE)
