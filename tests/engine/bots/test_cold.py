"""What bots wait for on a machine without compiled kernels, and which of them need not wait."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from engine.bots.cold import may_be_interpreted, needs
from engine.bots.player import Limit, decide
from engine.bots.roster import bot
from engine.rules.limit import NO_LIMIT
from engine.rules.registry import rules
from engine.search.warm import BREAKER, FLAT, NESTED, NINE_BOARD, PATTERNS, QUBIC, SOLVER, TREES, WEIGHTED, stages


@pytest.mark.parametrize(
    ("name", "game", "stages"),
    [
        ("random", "qubic", set()),
        ("osipa-tree", "tictactoe", set()),
        ("level:4", "tictactoe", {FLAT}),
        ("strongest", "qubic", {QUBIC}),
        ("strongest", "gomoku", {PATTERNS}),
        ("strongest", "mnk:7,7,5", {FLAT}),
        ("altekar-minimax", "qubic", {FLAT}),
        ("alphabeta:2", "ultimate", {NESTED}),
        ("osipa", "nine-board", {NESTED}),
        ("perfect", "mnk:5,5,4", {FLAT, SOLVER}),
        ("perfect", "cube:3", {FLAT, SOLVER}),
        ("perfect", "mnk:7,7,5", {FLAT, SOLVER, BREAKER}),
        ("perfect", "qubic", {QUBIC}),
        ("perfect", "super", {NESTED}),
        ("perfect", "nine-board", {WEIGHTED, NINE_BOARD}),
        ("strongest", "nine-board", {WEIGHTED}),
        ("strongest", "ultimate", {WEIGHTED, TREES}),
        ("mcts", "ultimate", {WEIGHTED, TREES}),
        ("level:4", "ultimate", {NESTED}),
        ("level:8", "ultimate", {WEIGHTED}),
        ("level:8", "super", {NESTED}),
        ("level:5", "gomoku", {FLAT}),
        ("level:6", "gomoku", {PATTERNS}),
    ],
)
def test_a_bot_needs_the_kernels_of_its_board_and_of_its_proofs(name: str, game: str, stages: set[str]) -> None:
    assert needs(bot(name), rules(game)) == stages


@pytest.mark.parametrize(
    ("name", "game", "limit", "may"),
    [
        ("random", "gomoku", NO_LIMIT, True),
        ("level:5", "gomoku", NO_LIMIT, True),
        ("level:6", "gomoku", NO_LIMIT, False),
        ("level:6", "gomoku", Limit(nodes=1_000), True),
        ("level:6", "super", Limit(move_ms=100), True),
        ("level:7", "qubic", NO_LIMIT, False),
        ("level:7", "qubic", Limit(nodes=10_000), True),
        ("level:7", "qubic", Limit(nodes=10_001), False),
        ("level:1", "mnk:19,19,5", NO_LIMIT, False),
        ("alphabeta:3", "qubic", NO_LIMIT, True),
        ("alphabeta:4", "qubic", NO_LIMIT, False),
        ("alphabeta:9", "qubic", Limit(depth=3), True),
        ("strongest", "ultimate", NO_LIMIT, False),
        ("strongest", "ultimate", Limit(move_ms=50), False),
        ("strongest", "ultimate", Limit(nodes=5_000), True),
        ("strongest", "gomoku", Limit(nodes=1_000), True),
        ("strongest", "gomoku", Limit(nodes=5_000), False),
        ("perfect", "qubic", Limit(nodes=10), False),
        ("mcts", "ultimate", Limit(nodes=10), False),
        ("bragstad-minimax:1", "tictactoe", NO_LIMIT, False),
    ],
)
def test_few_positions_may_be_interpreted(name: str, game: str, limit: Limit, may: bool) -> None:
    assert may_be_interpreted(bot(name), rules(game), limit) is may


def test_naming_what_is_needed_loads_no_kernel() -> None:
    script = "import sys, engine.bots.cold; print('numba' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == "False\n"


PLAYED = """
from engine.bots.player import Limit, decide
from engine.bots.roster import bot
from engine.rules.registry import rules
for name, game, limit in CASES:
    position = rules(game).initial
    for _ in range(3):
        decision = decide(bot(name), position, limit, seed=7)
        print(game, name, decision)
        position = position.play(decision.move)
"""
BOTS = [("level:2", NO_LIMIT), ("level:5", Limit(nodes=400)), ("strongest", Limit(nodes=300)),
        ("alphabeta:9", Limit(depth=2))]  # fmt: skip
SLOW = ("gomoku", "cube:3", "qubic", "nine-board", "ultimate", "super")


@pytest.mark.parametrize("game", ["tictactoe", *(pytest.param(game, marks=pytest.mark.slow) for game in SLOW)])
def test_interpreted_bots_make_the_same_moves(game: str) -> None:
    """Bit for bit, nodes and values too."""
    cases = [(name, game, limit) for name, limit in BOTS]
    script = f"from engine.rules.limit import Limit, NO_LIMIT\nCASES = {cases}\n{PLAYED}"
    done = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"}, capture_output=True, text=True, timeout=110, check=True,
    )  # fmt: skip
    here = []
    for name, _, limit in cases:
        position = rules(game).initial
        for _ in range(3):
            decision = decide(bot(name), position, limit, seed=7)
            here.append(f"{game} {name} {decision}")
            position = position.play(decision.move)
    assert done.stdout.splitlines() == here


WARMED = """
from engine.bots.cold import needs
from engine.bots.player import decide
from engine.bots.roster import bot
from engine.rules.limit import Limit
from engine.rules.registry import rules
from engine.search.warm import compile_stage
from engine.kernels import (
    breaker, flat, fours, mcts, negamax, nested, nine_board_proof, patterns, pv_search, qubic_proof, qubic_threats,
    solving, weighted,
)

def variants():
    modules = (
        breaker, flat, fours, mcts, negamax, nested, nine_board_proof, patterns, pv_search, qubic_proof, qubic_threats,
        solving, weighted,
    )
    return {(m.__name__, n): len(k.signatures) for m in modules for n, k in vars(m).items() if hasattr(k, "signatures")}

done = set()
for name, game in (("random", "qubic"), ("level:3", "tictactoe"), ("strongest", "qubic"),
                   ("altekar-alphabeta", "qubic"), ("perfect", "mnk:4,4,4"), ("perfect", "qubic"),
                   ("level:3", "super"), ("osipa", "nine-board"), ("strongest", "nine-board"),
                   ("mcts", "ultimate"), ("strongest", "gomoku"), ("perfect", "mnk:7,7,5"), ("perfect", "nine-board")):
    for stage in needs(bot(name), rules(game)) - done:
        compile_stage(stage)
        done.add(stage)
    before, position = variants(), rules(game).initial
    for cell in (3, 0, 30) if game == "qubic" else ():
        position = position.play(cell)
    decide(bot(name), position, Limit(nodes=2000))
    new = {kernel for kernel, count in variants().items() if count != before[kernel]}
    print(name, game, sorted(new))
"""


@pytest.mark.slow
def test_once_its_stages_are_done_a_bot_compiles_nothing() -> None:
    done = subprocess.run([sys.executable, "-c", WARMED], capture_output=True, text=True, timeout=110)
    assert done.stderr == ""
    assert [line.split(" ", 2)[2] for line in done.stdout.splitlines()] == ["[]"] * 13
    assert len(stages()) == 9
