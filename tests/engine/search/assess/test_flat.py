"""Judging flat boards by the solver: exactly while its nodes last, and within what it knows by then."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from engine.kernels.solving import ALWAYS
from engine.rules.flat import FlatPosition
from engine.rules.position import O, Position, Side, X
from engine.rules.registry import rules
from engine.search.assess import flat, searched
from engine.search.finding import Finding, Stopped
from engine.search.solve import solver
from engine.search.solve.solver import Known
from engine.search.watch import NO_WATCH
from tests.support.engine.plain_minimax import position_after
from tests.support.engine.watches import Stop

GUESS = Finding(False, 0.4, best=(5,), line=(5, 6), nodes=30)
BY_SEARCH = Finding(True, 1.0, 3, True, (5,), (5, 6), nodes=30)


@cache
def truth(position: Position) -> tuple[int, int]:
    """By plain minimax: 1, 0 or -1 for the side to move, and the plies to the end of a won game, else 0."""
    if position.outcome is not None:
        winner = position.outcome.winner
        return 0 if winner is None else 1 if winner == position.to_move else -1, 0
    return max(map(after, position.legal_moves(), [position] * len(position.legal_moves())), key=liked)


def after(move: int, position: Position) -> tuple[int, int]:
    value, plies = truth(position.play(move))
    return -value, plies + 1 if value else 0


def liked(result: tuple[int, int]) -> tuple[int, int]:
    """Wins the sooner the better, losses the later."""
    return result[0], -result[0] * result[1]


@pytest.mark.parametrize("game", ["tictactoe", "mnk:4,3,3"])
@pytest.mark.parametrize("plies", range(2, 9))
def test_what_it_solves_is_the_truth_with_every_best_move(game: str, plies: int) -> None:
    position = flat_position(game, plies)
    found = flat.assess(position, NO_WATCH)
    value, distance = truth(position)
    assert (found.exact, found.bound, found.value) == (True, False, value)
    assert found.win_in == (value * distance or None)
    assert found.is_all
    assert {*found.best} == {move for move in position.legal_moves() if after(move, position) == truth(position)}
    assert found.line[0] in found.best


def flat_position(game: str, plies: int) -> FlatPosition:
    position = position_after(game, plies, 1)
    assert isinstance(position, FlatPosition)
    return position


@pytest.mark.parametrize(
    ("guess", "wins", "never", "exact", "value", "best"),
    [
        (0.4, None, (), False, 0.4, (5,)),
        (0.4, X, (O,), True, 1.0, ()),  # the searched move need not be the one that wins
        (0.4, O, (X,), True, -1.0, (5,)),
        (0.4, None, (X, O), True, 0.0, ()),
        (0.4, None, (X,), False, 0.0, (5,)),
        (0.4, None, (O,), False, 0.4, (5,)),
        (-0.4, None, (O,), False, 0.0, (5,)),
        (-0.4, None, (X,), False, -0.4, (5,)),
    ],
)
def test_what_is_known_when_the_nodes_run_out_bounds_the_estimate(
    monkeypatch: pytest.MonkeyPatch, guess: float, wins: Side | None, never: tuple[Side, ...], exact: bool,
    value: float, best: tuple[int, ...],
) -> None:  # fmt: skip
    held = {side: ALWAYS if side in never else 3 for side in (X, O)}
    gives_up(monkeypatch, Known(held, wins, nodes=70), replace(GUESS, value=guess))
    found = flat.assess(start(), NO_WATCH)
    assert (found.exact, found.value, found.best, found.nodes) == (exact, value, best, 100)
    assert (found.win_in, found.is_all) == (None, False)


def test_what_the_search_proves_is_kept_when_the_nodes_run_out(monkeypatch: pytest.MonkeyPatch) -> None:
    gives_up(monkeypatch, Known({X: 3, O: ALWAYS}, X, nodes=70), BY_SEARCH)
    found = flat.assess(start(), NO_WATCH)
    assert (found.exact, found.value, found.win_in, found.best, found.nodes) == (True, 1.0, 3, (5,), 100)


def test_the_solver_gets_so_many_nodes_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flat, "NODES", 5_000)
    monkeypatch.setattr(searched, "assess", lambda position, watch: GUESS)
    found = flat.assess(flat_position("mnk:6,6,5", 0), NO_WATCH)
    assert not found.exact
    assert 5_000 <= found.nodes - GUESS.nodes <= 5_001


def test_it_stops_when_told_to() -> None:
    with pytest.raises(Stopped):
        flat.assess(flat_position("mnk:6,6,5", 0), Stop())


def start() -> FlatPosition:
    position = rules("mnk:5,5,4").initial
    assert isinstance(position, FlatPosition)
    return position


def gives_up(monkeypatch: pytest.MonkeyPatch, known: Known, guess: Finding) -> None:
    """Has the solver end at once with what is known, and the search say what it guesses."""

    class Idle:
        def __init__(self, *settings: object, **others: object) -> None:
            self.known = known

        def solve(self, position: Position) -> None:
            raise solver.Stopped

    monkeypatch.setattr(flat, "Solver", Idle)
    monkeypatch.setattr(searched, "assess", lambda position, watch: guess)
