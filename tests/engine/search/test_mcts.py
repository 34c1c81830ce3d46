"""Monte Carlo tree search as a bot: legal, repeatable, right where it says that something is proven."""

from __future__ import annotations

import os
import subprocess
import sys
from random import Random

import pytest

from engine.bots.player import Limit, decide
from engine.bots.roster import bot
from engine.rules.nested import NestedPosition
from engine.rules.position import Position, play_all
from engine.rules.registry import rules
from engine.search import mcts, negamax
from engine.search.decision import LEAST_WIN, Decision
from engine.search.mcts import PLANS
from engine.search.negamax import FULL
from engine.search.skill import LEARNED
from engine.search.watch import NO_WATCH, Watch
from tests.support.engine.watches import Clock, Stop, Ticking

GAMES = list(LEARNED)
ROOM = 1 << 16


def found(position: Position, limit: Limit, watch: Watch = NO_WATCH, plan: str = "weights", seed: int = 0) -> Decision:
    return mcts.choose(position, limit, Random(seed), watch, PLANS[plan], ROOM)


def late(game: str, seed: int, free: int) -> Position | None:
    """The first position of a game of random moves with so few free cells; None if it ends before."""
    random, position = Random(seed), rules(game).initial
    while position.outcome is None:
        assert isinstance(position, NestedPosition)
        open_cells = [cell for cell in range(81) if not position.closed >> cell // 9 & 1 and not position.mark(cell)]
        if len(open_cells) <= free:
            return position
        position = position.play(random.choice(position.legal_moves()))
    return None


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("plan", list(PLANS))
def test_whole_games_are_legal_and_keep_to_their_nodes(game: str, plan: str) -> None:
    random, position = Random(3), rules(game).initial
    while position.outcome is None:
        nodes = random.choice([1, 5, 100, 2_000])
        decision = found(position, Limit(nodes=nodes), plan=plan, seed=position.ply)
        assert decision.nodes <= nodes
        assert decision.pv[0] == decision.move
        assert decision.depth <= len(decision.pv)
        assert decision.leaves + decision.interior == decision.nodes
        play_all(position, decision.pv)
        position = position.play(decision.move)


@pytest.mark.parametrize("game", ["ultimate", "ultimate:count"])
def test_what_is_proven_near_the_end_is_what_alpha_beta_finds(game: str) -> None:
    ends = [position for seed in range(40) if (position := late(game, seed, 14)) is not None]
    proven = 0
    for position in ends:
        decision = found(position, Limit(nodes=30_000))
        exact = negamax.choose(position, 99, Limit(nodes=3_000_000), Random(0), NO_WATCH, FULL)
        assert exact.proven
        if not decision.proven:
            continue
        proven += 1
        assert (decision.win_in or 0) * (exact.win_in or 0) > 0 or decision.win_in is exact.win_in is None
        if decision.win_in is not None and not exact.bound:
            assert exact.win_in is not None
            assert abs(decision.win_in) >= abs(exact.win_in)
        reply = position.play(decision.move)
        if reply.outcome is None:
            after = negamax.choose(reply, 99, Limit(nodes=3_000_000), Random(0), NO_WATCH, FULL)
            assert (after.win_in or 0) * (exact.win_in or 0) < 0 or after.win_in is exact.win_in is None
    assert proven > 0.9 * len(ends) > 20


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("plan", list(PLANS))
def test_a_limit_of_nodes_gives_the_same_whatever_was_searched_before(game: str, plan: str) -> None:
    position = rules(game).initial.play(40)
    alone = found(position, Limit(nodes=20_000), plan=plan)
    found(position, Limit(move_ms=10_000), Ticking(1_000), plan)
    found(rules(game).initial, Limit(nodes=20_000), plan=plan)
    assert found(position, Limit(nodes=20_000), plan=plan) == alone


def test_random_moves_come_from_the_seed() -> None:
    position = rules("ultimate").initial.play(40)
    values = {found(position, Limit(nodes=20_000), plan="random", seed=seed).value for seed in range(5)}
    assert len(values) > 1


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("plan", list(PLANS))
def test_no_answer_comes_without_a_search(game: str, plan: str) -> None:
    decision = found(rules(game).initial.play(40), Limit(move_ms=1), Clock(10**6), plan)
    assert decision.nodes >= 2_000
    assert decision.value is not None


@pytest.mark.parametrize("game", GAMES)
def test_an_answer_at_once_is_legal(game: str) -> None:
    position = rules(game).initial.play(40)
    assert position.is_legal(found(position, Limit(move_ms=100), Stop()).move)


def test_a_limit_of_time_goes_on_with_the_tree() -> None:
    limit, position = Limit(move_ms=1), rules("ultimate").initial.play(40)
    line = found(position, limit, Clock(10**6)).pv
    later = position.play(line[0]).play(line[1])
    found(position, Limit(nodes=100_000))
    new = found(later, limit, Clock(10**6))
    found(position, limit, Clock(10**6))
    kept = found(later, limit, Clock(10**6))
    assert (kept.nodes, kept.value) != (new.nodes, new.value)
    found(position.play(line[1]) if position.is_legal(line[1]) else later, limit, Clock(10**6))
    assert found(later, limit, Clock(10**6)) == new, "nothing is known of it"


def test_a_win_at_once_is_taken_and_told_exactly() -> None:
    """X has the boards 1 and 2 of a line, and two squares of the third."""
    ultimate = rules("ultimate")
    seen = 0
    for seed in range(60):
        random, position = Random(seed), ultimate.initial
        while position.outcome is None:
            wins = [move for move in position.legal_moves() if position.play(move).outcome is not None
                    and position.play(move).outcome.winner == position.to_move]  # type: ignore[union-attr]  # fmt: skip
            if wins:
                decision = found(position, Limit(nodes=1_000))
                assert decision.move in wins
                assert (decision.win_in, decision.proven, decision.bound) == (1, True, False)
                assert decision.value is not None
                assert decision.value > LEAST_WIN
                seen += 1
            position = position.play(random.choice(position.legal_moves()))
    assert seen > 10


def test_it_takes_no_limit_of_depth() -> None:
    with pytest.raises(ValueError, match="it takes a limit of time or nodes"):
        decide(bot("mcts"), rules("ultimate").initial, Limit(depth=3))


def test_it_plays_the_games_with_weights_alone() -> None:
    assert [game for game in ("ultimate", "super", "qubic", "nine-board") if bot("mcts").plays(rules(game))] == [
        "ultimate", "nine-board",
    ]  # fmt: skip


WARMED = """
from engine.bots.match import warm_up
from engine.bots.roster import bot
from engine.kernels.mcts import begin_copy, run
from engine.rules.registry import rules
warm_up(bot("mcts"), rules("ultimate"))
print(len(run.signatures), len(begin_copy.signatures))
"""


def test_its_kernels_are_loaded_by_a_warm_up() -> None:
    done = subprocess.run([sys.executable, "-c", WARMED], capture_output=True, text=True, timeout=110, check=True)
    assert done.stdout == "1 1\n"


PLAYED = """
from engine.bots.player import Limit, decide
from engine.bots.roster import bot
from engine.rules.registry import rules
for name in ("mcts", "mcts:mixed"):
    for game in ("nine-board", "ultimate:count"):
        print(decide(bot(name), rules(game).initial.play(40), Limit(nodes=1000), seed=7))
"""


def test_interpreted_it_makes_the_same_moves() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PLAYED],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"}, capture_output=True, text=True, timeout=110, check=True,
    )  # fmt: skip
    here = [
        str(decide(bot(name), rules(game).initial.play(40), Limit(nodes=1000), seed=7))
        for name in ("mcts", "mcts:mixed")
        for game in ("nine-board", "ultimate:count")
    ]
    assert done.stdout.splitlines() == here
