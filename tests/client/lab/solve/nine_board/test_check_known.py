"""Known positions, decided again: what others decide is not searched, and what is false is found."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from client.lab.solve.nine_board.check_known import holds, main, searched
from client.lab.solve.nine_board.known import write
from engine.rules.position import O, X
from engine.search.solve.nine_board_solver import FREE, INFINITY, Place, Solver
from engine.search.solve.nine_board_tree import Row, safe_places

PLIES = 36


def late(seed: int) -> Place:
    """A position with X to move, which a search decides at once."""
    random = Random(seed)
    while True:
        place: Place = 0, 0, FREE
        for ply in range(PLIES):
            places = safe_places(place, ply % 2 == 0)
            if not places:
                break
            place = random.choice(places)
        else:
            if safe_places(place, True):
                return place


def decided(place: Place, attacks: bool, solver: Solver) -> Row:
    proof, disproof = solver.look(place, attacks, 1 << 30)
    return Row(place, proof, disproof, 0)


def swapped(row: Row) -> Row:
    return row._replace(proof=row.disproof, disproof=row.proof)


@pytest.mark.parametrize("seed", range(8))
def test_what_follows_from_others_is_not_searched(seed: int) -> None:
    solver, place = Solver(1 << 14), late(seed)
    root = decided(place, True, solver)
    below = [decided(after, False, solver) for after in safe_places(place, True)]
    assert root not in [row for row, _ in searched({"x": [root, *below], "o": []})]
    assert (swapped(root), True) in searched({"x": [swapped(root), *below], "o": []})
    assert [*searched({"x": [root], "o": []})] == [(root, True)]


@pytest.mark.parametrize("seed", range(8))
def test_a_search_agrees_with_what_is_true_alone(seed: int) -> None:
    root = decided(late(seed), True, Solver(1 << 14))
    assert holds(root, True, Solver(1 << 14))
    assert not holds(swapped(root), True, Solver(1 << 14))


def test_a_false_position_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [decided(late(seed), True, Solver(1 << 14)) for seed in range(2)]
    write(tmp_path / "known", {X: [rows[0], swapped(rows[1])], O: []})
    assert main(tmp_path / "known", 0, 2, 1 << 14) == 0
    assert main(tmp_path / "known", 1, 2, 1 << 14) == 1
    assert capsys.readouterr().out.splitlines()[1] == f"differs: {rows[1].place}"


def test_rows_of_no_open_position_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """No move of theirs is safe, so they would follow from none."""
    x, o, forced = late(0)
    full = [sum(squares << 9 * board for board in range(9)) for squares in (0b101100011, 0b010011100)]
    wrong = [
        Row((full[0], full[1], FREE), 0, INFINITY, 0),
        Row((x, x | o, forced), 0, INFINITY, 0),
        Row((0b111, 0b11000, FREE), 0, INFINITY, 0),
        Row((0b110, 0b110 << 9, 0), 0, INFINITY, 0),
        Row((0b111100011, 0b000011100, 0), 0, INFINITY, 0),
        Row((x, o, forced), 7, 9, 0),
    ]
    write(tmp_path / "known", {X: wrong, O: []})
    assert main(tmp_path / "known", 0, 1, 1 << 14) == 1
    *told, last = capsys.readouterr().out.splitlines()
    assert told == [f"cannot be: {row.place}" for row in wrong]
    assert last.startswith("0 positions searched")


def test_rows_of_o_have_o_for_the_attacker() -> None:
    x, o, forced = late(0)
    row = Row((o, x, forced), INFINITY, 0, 0)
    assert [attacks for _, attacks in searched({"x": [], "o": [row]})] == [False]
