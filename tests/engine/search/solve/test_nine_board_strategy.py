"""Strategies of nine-board in parts. That the moves reach their goal is for the checker of proofs to say."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import pytest

from engine.kernels import nine_board_walk as walks
from engine.kernels.nine_board_walk import Walk
from engine.rules.position import O, X
from engine.search.solve import nine_board_solver, nine_board_strategy
from engine.search.solve.nine_board_solver import FREE, Place, Solver, Stopped, Unsound
from engine.search.solve.nine_board_strategy import Claim, Part, claims, first_places, part
from tests.support.engine.nine_board_positions import completing, played

O_WINS = "7/5 5/7 7/3 3/1 1/1 1/9 9/8 8/6 6/4 4/3 3/4 4/8 8/8 8/1 1/3 3/6 6/7 7/4 4/1 1/8 8/4 4/4 4/7 7/7 7/9 9/5"
"""It takes a hundred thousand positions, and O does not move first."""
WON = "6/4 4/1 1/8 8/1 1/3 3/4 4/3 3/5 5/9 9/6 6/7 7/7 7/6 6/3 3/7 7/1 1/6 6/8 8/5 5/2 2/5 5/3 3/2 2/4 4/9 9/8"
"""X, which moves, wins in two hundred."""
LINE = Claim(O, True)


def whole(solver: Solver, claim: Claim, places: list[Place]) -> list[Part]:
    """Parts until nothing is left."""
    found = list[Part]()
    while places:
        found.append(part(solver, claim, (place for place in iter(places.pop, None))))
        places += found[-1].left
    return found


def test_a_win_is_one_claim_and_a_draw_two() -> None:
    assert claims("x") == (Claim(X, True),)
    assert claims("draw") == (Claim(X, False), Claim(O, False))


def test_a_strategy_begins_where_its_side_moves_and_does_not_win_at_once() -> None:
    solver, position = Solver(entries=1 << 10), played(WON)
    place = position.x, position.o, FREE if position.forced is None else position.forced
    assert first_places(solver, position, Claim(X, True)) == [place]
    assert first_places(solver, position, Claim(X, False)) == [place]
    replies = [position.play(move) for move in position.legal_moves()]
    wanted = [
        (after.o, after.x, FREE if after.forced is None else after.forced) for after in replies if not completing(after)
    ]
    assert 0 < len(wanted) < len(replies)
    assert first_places(solver, position, Claim(O, False)) == wanted


def test_parts_leave_to_others_what_they_have_no_room_for(monkeypatch: pytest.MonkeyPatch) -> None:
    solver = Solver(entries=1 << 14)
    places = first_places(solver, played(O_WINS), LINE)
    told = list[int]()
    [one] = [part(solver, LINE, places, told.append)]
    assert (one.begun, one.left) == (tuple(places), ())
    assert told[-1] == len(one.moves) > 1_000
    assert one.nodes > 0
    monkeypatch.setattr(nine_board_strategy, "MOST_POSITIONS", 200)
    monkeypatch.setattr(nine_board_solver, "_MOST_MOVES", 10)
    first = part(solver, LINE, places)
    assert first.begun == tuple(places[: len(first.begun)])
    assert 100 < len(first.moves) <= 200
    assert first.left
    assert not set(first.left) & set(first.begun)


@pytest.mark.parametrize("most", [1, 2, 7, 20])
def test_no_part_leaves_what_it_begins_with(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nine_board_strategy, "MOST_POSITIONS", most)
    monkeypatch.setattr(nine_board_solver, "_MOST_MOVES", 5)
    solver = Solver(entries=1 << 12)
    places = first_places(solver, played(WON), Claim(X, True))

    def asked() -> Iterator[Place]:
        while places:
            yield places.pop()

    while places:
        found = part(solver, Claim(X, True), asked())
        assert not set(found.left) & set(found.begun)
        places += found.left


def test_the_room_for_its_positions_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    places = first_places(Solver(entries=1 << 14), played(O_WINS), LINE)
    before = part(Solver(entries=1 << 14), LINE, places)
    larger, taken = walks.larger, list[int]()

    def counted(walk: Walk) -> Walk:
        taken.append(len(walk.seen))
        return larger(walk)

    monkeypatch.setattr(nine_board_strategy, "_FIRST_PLACES", 256)
    monkeypatch.setattr(walks, "larger", counted)
    assert part(Solver(entries=1 << 14), LINE, places) == before
    assert taken == [256 << step for step in range(len(taken))]
    assert len(before.moves) < 2 * taken[-1] <= 3 * len(before.moves)


def test_moves_are_found_in_slices_however_short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the table that a solve leaves behind, the first positions take many."""
    monkeypatch.setattr(nine_board_solver, "_FIRST_SLICE", 8)
    slices: list[int] = []
    solver = Solver(entries=1 << 14, between=lambda: slices.append(solver.nodes))
    position = played(O_WINS.rsplit(maxsplit=2)[0])
    assert part(solver, LINE, first_places(solver, position, LINE)).left == ()
    assert slices[:4] == [slices[0] + made for made in (0, 16, 48, 112)]
    assert max(after - before for before, after in pairwise(slices)) > 1 << 13


@pytest.mark.parametrize("error", [Stopped, KeyboardInterrupt])
def test_a_part_that_was_given_up_can_be_found_again(
    error: type[BaseException], monkeypatch: pytest.MonkeyPatch
) -> None:
    def give_up_later() -> None:
        if len(told) == 20:
            raise error

    monkeypatch.setattr(nine_board_solver, "_MOST_MOVES", 50)
    told = list[int]()
    solver = Solver(entries=1 << 14, between=give_up_later)
    places = first_places(solver, played(O_WINS), LINE)
    solution = solver.solve(played(O_WINS))
    with pytest.raises(error):
        part(solver, LINE, places, told.append)
    assert 900 < told[-1] <= 20 * 50
    assert all(0 < after - before <= 50 for before, after in pairwise(told))
    told.clear()
    assert solver.solve(played(O_WINS)) == solution
    assert part(solver, LINE, places).left == ()


@pytest.mark.parametrize(("moves", "claim"), [(WON, LINE), (O_WINS, Claim(X, True)), (WON, Claim(O, False))])
def test_there_are_no_moves_for_what_is_not_so(moves: str, claim: Claim) -> None:
    solver = Solver(entries=1 << 14)
    places = first_places(solver, played(moves), claim)
    with pytest.raises(Unsound):
        whole(solver, claim, places)


def test_a_part_ends_where_no_more_nodes_may_be_made() -> None:
    solver = Solver(entries=1 << 14, most_nodes=10_000)
    with pytest.raises(Stopped):
        part(solver, LINE, first_places(solver, played(O_WINS), LINE))
    assert solver.nodes <= 10_000 + 1
