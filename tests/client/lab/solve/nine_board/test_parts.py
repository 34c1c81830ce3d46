"""Parts of a proof by threads: nothing is missing, and they end when they are told to."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import closing

import pytest

from client.lab.solve.nine_board.parts import Parts, _Unproven
from client.lab.verify import nine_board_checker
from engine.search.solve import nine_board_solver, nine_board_strategy
from engine.search.solve.nine_board_solver import Place, Solver, Unsound
from engine.search.solve.nine_board_strategy import Claim, first_places
from tests.support.engine.nine_board_positions import played
from tests.support.lab.nine_board_proofs import proof

O_WINS = "7/5 5/7 7/3 3/1 1/1 1/9 9/8 8/6 6/4 4/3 3/4 4/8 8/8 8/1 1/3 3/6 6/7 7/4 4/1 1/8 8/4 4/4 4/7 7/7 7/9 9/5"
LINE = Claim("o", True)


@pytest.mark.parametrize("threads", [1, 3])
def test_a_proof_of_many_parts_holds(threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = proof(Solver(entries=1 << 14), played(O_WINS), "o")
    monkeypatch.setattr(nine_board_strategy, "MOST_POSITIONS", 300)
    monkeypatch.setattr(nine_board_solver, "_MOST_MOVES", 10)
    data = proof(Solver(entries=1 << 14), played(O_WINS), "o", threads)
    [(_, _, parts)] = nine_board_checker.claims(data[:-32], 1)
    assert len(parts) > 20
    words, moves = nine_board_checker.check(data)
    assert words == "on nine-board after 26 plies O wins"
    assert nine_board_checker.check(whole)[1] <= moves < 2 * nine_board_checker.check(whole)[1]


def test_a_thread_that_fails_ends_the_others() -> None:
    solver = Solver(entries=1 << 14)
    wrong = Claim("x", True)
    with pytest.raises(Unsound):
        list(Parts(solver, 3, wrong, first_places(solver, played(O_WINS), wrong)).found())
    assert not any(thread.name.startswith("nine-board") for thread in threading.enumerate())


def test_threads_end_when_nobody_wants_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nine_board_strategy, "MOST_POSITIONS", 300)
    monkeypatch.setattr(nine_board_solver, "_MOST_MOVES", 10)
    solver = Solver(entries=1 << 14)
    search = Parts(solver, 2, LINE, first_places(solver, played(O_WINS), LINE))
    with closing(search.found()) as found:
        assert next(part for part in found if part is not None).left
    assert not any(thread.name.startswith("nine-board") for thread in threading.enumerate())


def place(number: int) -> Place:
    return number, 0, 0


def begun_later(unproven: _Unproven, meanwhile: Callable[[], object]) -> Place | None:
    """What a thread gets that waits while something happens."""
    got = list[Place | None]()
    waits = threading.Thread(target=lambda: got.append(unproven.begin()))
    waits.start()
    meanwhile()
    waits.join()
    return got[0]


def test_a_position_is_proven_once_however_often_it_is_left() -> None:
    unproven = _Unproven([place(1), place(2)])
    assert unproven.begin() == place(2)
    assert unproven.take() == place(1)
    assert unproven.take() is None
    assert begun_later(unproven, lambda: unproven.end([place(1), place(3)])) == place(3)
    unproven.end([place(2), place(3)])
    assert unproven.begin() is None


def test_whoever_waits_for_a_position_goes_when_none_can_come() -> None:
    unproven = _Unproven([place(1)])
    unproven.begin()
    assert begun_later(unproven, lambda: unproven.end([])) is None
    unproven = _Unproven([place(1)])
    unproven.begin()
    assert begun_later(unproven, unproven.close) is None
    assert unproven.begin() is None
