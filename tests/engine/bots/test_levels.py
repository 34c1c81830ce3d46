"""The levels: what they notice, that limits only lower them, and that the order of levels holds."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from engine.bots import levels, skills
from engine.bots.match import Pairing, play, tasks
from engine.bots.player import NO_LIMIT, Limit, decide
from engine.bots.roster import bot
from engine.bots.skills import LEVELS
from engine.rules.openings import classes
from engine.rules.position import Position
from engine.rules.registry import games, rules
from engine.search import negamax, patterned, skill
from engine.search.decision import Decision
from engine.search.skill import Skill
from engine.search.watch import NO_WATCH
from tests.support.engine.games import replay_texts
from tests.support.engine.watches import Ticking

ALL_GAMES = [*(game.id for game in games()), "mnk:3,4,3", "mnk:8,6,5", "mnk:19,19,6", "cube:5"]


def share_noticed(position: Position, move: int, sees: float) -> float:
    return sum(move in levels.noticed(position, sees, Random(seed)) for seed in range(400)) / 400


def test_what_completes_a_line_is_noticed_more_easily_than_what_lies_apart() -> None:
    position = replay_texts("gomoku", "h8 a1 i8 c1 j8 o15")
    complete, beside, apart = (rules("gomoku").parse_move(text) for text in ("k8", "i9", "b13"))
    saliences = [levels.salience(position, move) for move in (complete, beside, apart)]
    assert saliences == [5.5, 1.5, 1]
    shares = [share_noticed(position, move, 0.1) for move in (complete, beside, apart)]
    for share, salience in zip(shares, saliences, strict=True):
        assert share == pytest.approx(1 - 0.9**salience, abs=0.06)


def test_a_closed_line_is_not_striking() -> None:
    position = replay_texts("tictactoe", "a1 b1")
    assert levels.salience(position, rules("tictactoe").parse_move("c1")) == 1
    assert levels.salience(position, rules("tictactoe").parse_move("a2")) == 2


def test_squares_strike_by_the_lines_of_their_board() -> None:
    position = replay_texts("ultimate", "1/1 1/5 5/1 1/2 2/1")
    assert levels.salience(position, rules("ultimate").parse_move("1/8")) == 5
    assert levels.salience(position, rules("ultimate").parse_move("1/7")) == 2
    assert position.forced == 0


def test_boards_that_are_won_strike_nobody() -> None:
    position = replay_texts("super", "1/1 1/5 5/1 1/2 2/1 1/8 8/1")
    assert position.forced == 0
    assert {levels.salience(position, move) for move in position.legal_moves()} == {1}


def test_whoever_sees_everything_notices_every_move() -> None:
    position = rules("qubic").initial
    assert levels.noticed(position, 1, Random(0)) == position.legal_moves()


@pytest.mark.parametrize("game", ALL_GAMES)
def test_at_least_three_moves_are_noticed(game: str) -> None:
    position = rules(game).initial
    for seed in range(20):
        seen = levels.noticed(position, 0.001, Random(seed))
        assert len(seen) == 3
        assert set(seen) <= set(position.legal_moves())
        assert list(seen) == sorted(seen)


def test_an_overlooked_threat_is_not_blocked() -> None:
    # O must play c1. A player who sees little misses it at times; one who sees all, never.
    position = replay_texts("tictactoe", "a1 b3 b1")
    blocks = {
        sees: sum(
            levels.think(Skill(sees, 2, 1000), position, NO_LIMIT, Random(seed), NO_WATCH).move == 2
            for seed in range(200)
        )
        for sees in (0.1, 0.4, 1)
    }
    assert 60 < blocks[0.1] < blocks[0.4] < blocks[1] == 200


def test_a_loss_is_not_called_certain_where_moves_were_overlooked() -> None:
    position = replay_texts("tictactoe", "a1 b3 b1")
    for seed in range(50):
        decision = levels.think(Skill(0.1, 9, 10_000), position, NO_LIMIT, Random(seed), NO_WATCH)
        if len(levels.noticed(position, 0.1, Random(seed))) < 6:
            assert decision.win_in is None
            assert not decision.proven


def test_a_loss_that_is_seen_at_once_is_not_told_as_deeper_than_the_limit() -> None:
    position = replay_texts("tictactoe", "a1 b1 b2 c3 a3")  # X threatens twice
    decisions = [
        levels.think(Skill(0.1, 2, 1000), position, Limit(depth=1), Random(seed), NO_WATCH) for seed in range(9)
    ]
    assert {decision.depth for decision in decisions if not decision.proven} == {1}


def test_a_win_is_certain_whatever_was_overlooked() -> None:
    position = replay_texts("tictactoe", "a1 a3 b1 b3")
    decisions = [levels.think(Skill(0.3, 3, 1000), position, NO_LIMIT, Random(seed), NO_WATCH) for seed in range(50)]
    assert any(decision.move == 2 for decision in decisions)
    assert all(decision.win_in == 1 and decision.proven for decision in decisions if decision.move == 2)


@pytest.mark.parametrize("game", ALL_GAMES)
def test_every_level_answers_in_every_game(game: str) -> None:
    for number in range(1, LEVELS + 1):
        position = rules(game).initial
        for _ in range(2):
            decision = decide(bot(f"level:{number}"), position, NO_LIMIT, seed=3)
            assert decision == decide(bot(f"level:{number}"), position, NO_LIMIT, seed=3)
            assert decision.nodes <= skills.level(rules(game), number).nodes
            assert decision.depth <= skills.level(rules(game), number).depth
            position = position.play(decision.move)


@pytest.mark.parametrize("name", ["level:8", "strongest"])
def test_limits_are_kept(name: str) -> None:
    position = rules("qubic").initial.play(0).play(21)
    assert decide(bot(name), position, Limit(nodes=500)).nodes <= 500
    assert decide(bot(name), position, Limit(depth=2)).depth == 2
    assert position.is_legal(decide(bot(name), position, Limit(nodes=1)).move)


def test_a_limit_never_raises_what_a_level_does() -> None:
    position = rules("qubic").initial.play(0).play(21)
    own = decide(bot("level:3"), position, NO_LIMIT, seed=5)
    for limit in (Limit(depth=30), Limit(nodes=10**9), Limit(move_ms=10**6)):
        assert decide(bot("level:3"), position, limit, seed=5) == own


@pytest.mark.parametrize("name", ["level:8", "strongest"])
def test_time_ends_a_search_that_has_nodes_left(name: str) -> None:
    position = rules("qubic").initial.play(0).play(21)
    watch = Ticking(1)
    decision = decide(bot(name), position, Limit(move_ms=20), watch=watch)
    assert watch.now_ms < 30
    assert 0 < decision.nodes < skills.level(rules("qubic"), 8).nodes
    assert position.is_legal(decision.move)


def test_strongest_ignores_its_own_nodes_when_others_are_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(skill, "_SECOND", 1_000)
    position = rules("ultimate").initial
    assert decide(bot("strongest"), position).nodes <= 1_000
    assert 1_000 < decide(bot("strongest"), position, Limit(nodes=5_000)).nodes <= 5_000


def test_the_top_level_of_tictactoe_never_gives_a_result_away() -> None:
    top = bot(f"level:{skills.top(rules('tictactoe'))}")
    values: dict[Position, int] = {}

    def value(position: Position) -> int:
        """1 for a win of the side to move, 0 for a draw, -1 for a loss."""
        if position.outcome is not None:
            return 0 if position.outcome.winner is None else -1
        if position not in values:
            values[position] = max(-value(position.play(move)) for move in position.legal_moves())
        return values[position]

    value(rules("tictactoe").initial)
    assert len(values) == 4520  # of 5478 positions, 958 are the end of a game
    for position in values:
        assert -value(position.play(decide(top, position).move)) == value(position)


def test_the_top_level_of_the_cube_of_three_proves_the_result_of_every_opening() -> None:
    game = rules("cube:3")
    top = bot(f"level:{skills.top(game)}")
    first = decide(top, game.initial)
    assert (first.win_in, first.proven) == (7, True)
    centre = game.parse_move("b2.2")
    for opening in classes(game, 2) or ():
        decision = decide(top, game.initial.play(opening[0]).play(opening[1]))
        assert decision.proven
        assert decision.win_in == (-8 if opening[1] == centre else 5)


def points(game: str, a: str, b: str, pairs: int) -> float:
    played = [play(task) for task in tasks(Pairing(game, bot(a), bot(b), pairs, seed=1))]
    return sum(one.a_points or 0 for one in played) / len(played)


@pytest.mark.parametrize("game", ["tictactoe", "cube:3"])
def test_higher_levels_win_more(game: str) -> None:
    top = skills.top(rules(game))
    assert points(game, f"level:{top}", "level:1", 20) > 0.6
    assert points(game, "level:1", "random", 20) > 0.6


def test_weak_levels_differ_from_seed_to_seed() -> None:
    moves = Counter(decide(bot("level:1"), rules("gomoku").initial, seed=seed).move for seed in range(20))
    assert len(moves) > 5


@pytest.mark.parametrize("game", ["qubic", "ultimate", "gomoku"])
def test_the_top_level_varies_its_openings_by_symmetry_alone(game: str) -> None:
    position = rules(game).initial.play(40)
    for first in (rules(game).initial, position):
        decisions = [decide(bot("level:8"), first, Limit(nodes=20_000), seed=seed) for seed in range(12)]
        found = searched(first)
        kept = [turn for turn in rules(game).symmetries if first.ply == 0 or turn[40] == 40]
        alike = {turn[found.move] for turn in kept}
        assert {decision.move for decision in decisions} <= alike
        assert len({decision.move for decision in decisions}) > 1 or len(alike) == 1
        assert all(decision.pv[0] == decision.move for decision in decisions)
        assert {decision.value for decision in decisions} == {found.value}


def searched(position: Position) -> Decision:
    """As the top level does, but not turned."""
    if skill.by_patterns(position.rules):
        return patterned.choose(position, Limit(nodes=20_000), NO_WATCH)
    top = skills.level(position.rules, 8)
    plan = replace(negamax.FULL, width=top.width, learned=top.learned, scout=top.learned)
    return negamax.choose(position, 99, Limit(nodes=20_000), Random(0), NO_WATCH, plan)


PINNED: dict[str, list[float]] = json.loads((Path(__file__).parents[2] / "data" / "levels_nested.json").read_text())


@pytest.mark.parametrize("case", PINNED)
def test_levels_of_nested_games_play_as_they_were_measured(case: str) -> None:
    """A change of the search or of the weights that changes a level calls for measuring it again."""
    game, name = case.split(" ")
    random, position = Random(f"{game}/{name.removeprefix('level:')}"), rules(game).initial
    for _ in range(12):
        position = position.play(random.choice(position.legal_moves()))
    found = decide(bot(name), position, Limit(nodes=20_000), 1)
    assert [found.move, found.nodes, found.value] == PINNED[case]
