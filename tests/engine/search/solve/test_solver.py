"""The solver against plain minimax, with each of its ideas switched off, and against what is known."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from random import Random

import pytest

from engine.kernels import solving as kernel
from engine.kernels.solving import ALL, ALWAYS
from engine.rules.flat import FlatPosition
from engine.rules.limit import Limit
from engine.rules.lines import cells_of, mask_of
from engine.rules.position import Move, Side
from engine.rules.registry import rules
from engine.search import negamax
from engine.search.solve.solver import IDEAS, Known, Solver, Stopped, solvable
from engine.search.watch import NO_WATCH
from tests.support.engine.games import flat_rules
from tests.support.engine.random_games import running_after

WITHOUT = [ALL, *(ALL & ~bit for bit in IDEAS.values()), 0]


@cache
def plain(position: FlatPosition) -> tuple[Side | None, int]:
    """The winner with best play, None for a draw, and the plies of the whole game: no cut, no order, no symmetry."""
    if position.outcome is not None:
        return position.outcome.winner, position.ply
    return max((plain(position.play(move)) for move in position.legal_moves()), key=lambda end: worth(position, end))


def worth(position: FlatPosition, end: tuple[Side | None, int]) -> int:
    """To the side to move: a fast win, a slow win, a draw, a slow loss, a fast loss."""
    winner, ply = end
    if winner is None:
        return 0
    return 1000 - ply if winner == position.to_move else ply - 1000


def plain_best(position: FlatPosition) -> tuple[Move, ...]:
    ends = {move: plain(position.play(move)) for move in position.legal_moves()}
    most = max(worth(position, end) for end in ends.values())
    return tuple(move for move, end in ends.items() if worth(position, end) == most)


def agrees(solver: Solver, position: FlatPosition) -> None:
    found = solver.solve(position)
    winner, ply = plain(position)
    assert found.value == (winner or "draw")
    assert found.plies == (None if winner is None else ply - position.ply)
    assert found.best == plain_best(position)
    if winner is not None:
        assert found.line[0] == found.best[0]
        for move in found.line:
            assert position.outcome is None
            assert plain(position) == (winner, ply)
            position = position.play(move)
        assert position.outcome is not None
        assert (position.outcome.winner, position.ply) == (winner, ply)


@pytest.mark.parametrize("options", WITHOUT)
def test_tictactoe_from_every_third_position(options: int) -> None:
    seen = {flat_rules("tictactoe").initial}
    waiting = list(seen)
    while waiting:
        position = waiting.pop()
        for move in position.legal_moves():
            child = position.play(move)
            if child.outcome is None and child not in seen:
                seen.add(child)
                waiting.append(child)
    assert len(seen) == 4_520
    solver = Solver(flat_rules("tictactoe"), options, entries=10_007)
    for position in sorted(seen, key=lambda position: (position.x, position.o))[::3]:
        agrees(solver, position)


@pytest.mark.parametrize("options", WITHOUT)
@pytest.mark.parametrize(
    "game", ["mnk:4,3,3", "mnk:3,4,3", "mnk:4,3,4", "mnk:4,4,3", "mnk:4,4,4", "cube:3", "mnk:5,4,4"]
)
def test_random_positions_near_the_end(game: str, options: int) -> None:
    random = Random(game)
    board = flat_rules(game)
    # A small table forgets, which may cost time and nothing else.
    solver = Solver(board, options, entries=101)
    for _ in range(12):
        agrees(solver, running_after(board.initial, board.cells - random.randrange(1, 8), random))


@pytest.mark.parametrize("game", ["mnk:4,4,3", "cube:3"])
def test_what_is_known_of_many_plies_says_nothing_of_fewer(game: str) -> None:
    """The kernel itself, asked in every order with one table."""
    random = Random(game)
    board = flat_rules(game)
    puzzle = kernel.puzzle(board.cells, [mask_of(line) for line in board.lines], board.symmetries, 10_007)
    puzzle.counters[kernel.UNTIL] = 1 << 40
    for _ in range(25):
        position = running_after(board.initial, board.cells - random.randrange(4, 8), random)
        winner, ply = plain(position)
        attacker = random.choice(("x", "o"))
        marks = cells_of(position.x), cells_of(position.o)
        kernel.set_up(puzzle, *(marks if attacker == "x" else marks[::-1]))
        for plies in random.sample([1, 2, 3, 4, 5, 6, 7, ALWAYS], 8):
            found = kernel.can_win(puzzle, 0, attacker == position.to_move, plies)
            assert found == (winner == attacker and ply - position.ply <= plies)


def test_the_search_visits_what_it_did() -> None:
    """No result depends on the order of moves, so a slip there shows here only. Write the numbers anew if meant."""
    games = ("mnk:4,4,3", "mnk:5,4,4", "mnk:6,5,4", "cube:3")
    nodes = [Solver(flat_rules(game), entries=10_007).solve(flat_rules(game).initial).nodes for game in games]
    assert nodes == [45, 9_313, 20_212, 252]


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("options", WITHOUT[:-1])
@pytest.mark.parametrize("game", ["mnk:4,3,3", "mnk:4,3,4", "mnk:3,4,3", "mnk:3,4,4"])
def test_twelve_cells_from_the_empty_board(game: str, options: int) -> None:
    """One idea left out at a time: without any, a board of twelve cells that draws takes too long."""
    board = flat_rules(game)
    solver = Solver(board, options, entries=100_003)
    agrees(solver, board.initial)
    random = Random(1)
    for plies in range(1, 12):
        for _ in range(20):
            agrees(solver, running_after(board.initial, plies, random))


# docs/games.md; the shortest wins are what this solver finds, and below 13 cells plain minimax too.
KNOWN = {
    **{f"mnk:{m},{n},3": ("x", None) for m in (3, 4, 5) for n in (3, 4, 5) if max(m, n) > 3},
    **{f"mnk:{m},{n},{k}": ("draw", None) for m in (3, 4, 5) for n in (3, 4, 5) for k in (4, 5) if k <= max(m, n)},
    "tictactoe": ("draw", None),
    "mnk:6,4,4": ("draw", None),
    "mnk:6,5,4": ("x", 11),
    "mnk:6,6,4": ("x", 11),
    "mnk:6,6,6": ("draw", None),
    "mnk:6,6,5": ("draw", None),
    "cube:3": ("x", 7),
}


@pytest.mark.parametrize("game", KNOWN)
def test_known_values(game: str) -> None:
    board = flat_rules(game)
    found = Solver(board, entries=(1 << 19) - 1).solve(board.initial)
    value, plies = KNOWN[game]
    assert found.value == value
    if value == "draw":
        assert (found.plies, len(found.best), found.line) == (None, board.cells, ())
    else:
        assert found.plies == (plies or found.plies)
        assert found.plies is not None
        assert len(found.line) == found.plies


@pytest.mark.parametrize("game", ["mnk:6,5,4", "mnk:6,6,4"])
def test_the_search_of_the_bots_finds_the_same_win(game: str) -> None:
    """It shares nothing with the solver but the rules."""
    found = negamax.choose(rules(game).initial, 11, Limit(nodes=2_000_000), Random(0), NO_WATCH, negamax.FULL)
    assert (found.win_in, found.proven) == (11, True)


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_seven_by_four_is_a_draw() -> None:
    board = flat_rules("mnk:7,4,4")
    assert Solver(board).solve(board.initial).value == "draw"


@pytest.mark.parametrize("game", ["mnk:4,4,4", "mnk:5,4,4"])
def test_all_moves_draw_on_an_empty_board_that_draws(game: str) -> None:
    """That is not searched: a mark more never hurts. Here it is."""
    board = flat_rules(game)
    solver = Solver(board, entries=100_003)
    for move in board.initial.legal_moves():
        assert solver.solve(board.initial.play(move)).value == "draw"


@pytest.mark.parametrize("game", ["mnk:5,4,4", "mnk:6,5,4"])
def test_slices_change_nothing(game: str) -> None:
    board = flat_rules(game)
    whole = Solver(board, entries=100_003).solve(board.initial)
    sliced = Solver(board, entries=100_003, largest_slice=200).solve(board.initial)
    assert (sliced.value, sliced.plies, sliced.best) == (whole.value, whole.plies, whole.best)


def test_it_stops_when_told_and_says_what_is_certain() -> None:
    board = flat_rules("mnk:6,5,4")
    told: list[Known] = []

    def between(known: Known) -> None:
        told.append(known)
        if known.nodes > 10_000:
            raise Stopped

    solver = Solver(board, between=between, entries=100_003)
    with pytest.raises(Stopped):
        solver.solve(board.initial)
    assert 10_000 < solver.nodes < 20_000
    assert 5 <= solver.known.held["x"] < 11
    assert told[-1] is solver.known
    assert Solver(board, entries=100_003).solve(board.initial).plies == 11


def test_it_makes_no_more_nodes_than_it_may() -> None:
    board = flat_rules("mnk:5,5,4")
    solver = Solver(board, entries=1_009, most_nodes=5_000)
    with pytest.raises(Stopped):
        solver.solve(board.initial)
    assert solver.nodes == 5_000
    enough = Solver(flat_rules("tictactoe"), most_nodes=5_000)
    assert enough.solve(flat_rules("tictactoe").initial).value == "draw"


def test_an_unfinished_board_that_draws_is_held_for_good() -> None:
    solver = Solver(flat_rules("mnk:5,5,5"), entries=101)
    solver.solve(flat_rules("mnk:5,5,5").initial)
    assert solver.known.held == {"x": ALWAYS}


def test_large_and_exact_boards_are_refused() -> None:
    assert not solvable(rules("gomoku"))
    assert not solvable(rules("qubic"))
    assert not solvable(rules("super"))
    assert solvable(rules("mnk:7,7,5"))
    assert not solvable(rules("mnk:5,5,4,exact"))
    for game in ("qubic", "mnk:5,5,4,exact"):
        with pytest.raises(ValueError, match=f"at most 62 cells, where longer lines win too: not {game}."):
            Solver(flat_rules(game))


@pytest.mark.parametrize("size", ["6,4,4", "6,5,4", "6,6,4", "6,6,5"])
def test_the_positions_that_it_visits_are_those_of_the_documents(size: str) -> None:
    text = (Path(__file__).parents[4] / "docs" / "solving" / "flat.md").read_text()
    [told] = re.findall(rf"^\| {size} \| .* \| ([0-9,]+) \|$", text, re.MULTILINE)
    solver = Solver(flat_rules(f"mnk:{size}"))
    solver.solve(flat_rules(f"mnk:{size}").initial)
    assert told == f"{solver.nodes:,}"


def test_plain_python_finds_the_same() -> None:
    script = """
import sys
from engine.rules.registry import rules
from engine.search import negamax
from engine.rules.limit import Limit
from engine.search.watch import NO_WATCH
from engine.search.solve.solver import Solver
for game in sys.argv[1:]:
    print(Solver(rules(game), entries=1009).solve(rules(game).initial))
"""
    games = ("tictactoe", "mnk:4,3,3", "cube:3")
    done = subprocess.run(
        [sys.executable, "-W", "always", "-c", script, *games],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"}, capture_output=True, text=True, timeout=110,
    )  # fmt: skip
    assert done.stderr == ""
    here = [Solver(flat_rules(game), entries=1009).solve(flat_rules(game).initial) for game in games]
    assert done.stdout.splitlines() == [repr(solution) for solution in here]


def test_the_other_side_is_asked_for_too() -> None:
    board = flat_rules("mnk:4,3,3")
    position = board.initial.play(board.parse_move("a1")).play(board.parse_move("b2"))
    position = position.play(board.parse_move("d3"))
    found = Solver(board, entries=1009).solve(position)
    winner, ply = plain(position)
    assert found.value == winner
    assert found.plies == ply - position.ply


@pytest.mark.parametrize("game", ["mnk:5,5,4", "mnk:6,5,4"])
def test_what_was_remembered_is_recalled_by_another_table(game: str) -> None:
    board = flat_rules(game)
    first = Solver(board, entries=400_009)
    found = first.solve(board.initial)
    for entries, most in ((400_009, 1 << 30), (100_003, 1 << 30), (1_009, 5_000)):
        again = Solver(board, entries=entries)
        known, facts = first.remembered(most)
        assert 0 < len(known) == len(facts) <= most
        again.recall(known, facts)
        same = again.solve(board.initial)
        assert (same.value, same.plies, same.best, same.line) == (found.value, found.plies, found.best, found.line)
        assert same.nodes < found.nodes // (20 if entries > 100_000 else 1)
    assert not len(first.remembered(0)[0])


def test_those_with_the_most_empty_cells_are_remembered() -> None:
    board = flat_rules("mnk:5,4,4")
    solver = Solver(board, entries=10_007)
    solver.solve(board.initial)
    _, every = solver.remembered(1 << 30)
    _, some = solver.remembered(100)
    assert 0 < len(some) <= 100
    assert len(some) == sum(every[:, 3] >= some[:, 3].min())


@pytest.mark.parametrize("game", ["tictactoe", "mnk:4,3,3", "mnk:3,4,3"])
def test_an_answer_comes_with_a_move_that_shows_it(game: str) -> None:
    """The kernel's own question: plain minimax tells whether the attacker wins within so many plies."""
    random = Random(game)
    board = flat_rules(game)
    solver = Solver(board, entries=10_007)
    shown = 0
    for _ in range(60):
        position = running_after(board.initial, board.cells - random.randrange(4, 9), random)
        winner, ply = plain(position)
        for attacker in ("x", "o"):
            attacking = attacker == position.to_move
            marks = (position.x, position.o) if attacker == "x" else (position.o, position.x)
            for plies in (1, 3, 5, ALWAYS):
                found, move = solver.answer(*marks, attacking, plies)
                assert found == (winner == attacker and ply - position.ply <= plies)
                if move is not None:
                    assert found == attacking
                    shown += 1
                    won_by, won_at = plain(position.play(move))
                    assert (won_by == attacker and won_at - position.ply <= plies) == found
    assert shown > 5
