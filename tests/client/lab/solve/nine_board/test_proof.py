"""The file of a nine-board proof: what is there is kept, what is no part of it goes."""

from __future__ import annotations

import os
from collections.abc import Generator
from contextlib import closing, suppress
from io import BytesIO
from pathlib import Path

import pytest

from client.lab.solve.nine_board.proof import ProofFile
from client.lab.verify import nine_board_checker as checker
from engine.rules.nested import NestedPosition
from engine.search.solve import nine_board_solver, nine_board_strategy
from engine.search.solve.nine_board_solver import Place, Solver
from engine.search.solve.nine_board_strategy import Claim, Part, claims, first_places
from engine.search.solve.solver import Value
from tests.support.engine.nine_board_positions import played
from tests.support.lab.nine_board_proofs import parts

WON = "6/4 4/1 1/8 8/1 1/3 3/4 4/3 3/5 5/9 9/6 6/7 7/7 7/6 6/3 3/7 7/1 1/6 6/8 8/5 5/2 2/5 5/3 3/2 2/4 4/9 9/8"
OTHER = "7/5 5/7 7/3 3/1 1/1 1/9 9/8 8/6 6/4 4/3 3/4 4/8 8/8 8/1 1/3 3/6 6/7 7/4 4/1 1/8 8/4 4/4 4/7 7/7 7/9 9/5"


class Cut(Exception):
    pass


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts of some moves."""
    monkeypatch.setattr(nine_board_strategy, "MOST_POSITIONS", 20)
    monkeypatch.setattr(nine_board_solver, "_MOST_MOVES", 5)


def written(path: Path, position: NestedPosition, value: Value, most: int = 1 << 30) -> int:
    """How many parts were found; Cut after so many."""
    solver, number = Solver(entries=1 << 12), 0

    def found(claim: Claim, missing: list[Place]) -> Generator[Part]:
        nonlocal number
        for part in parts(solver, claim, missing):
            if number == most:
                raise Cut
            number += 1
            yield part

    with closing(ProofFile(path, position, claims(value))) as file:
        file.prove(lambda claim: first_places(solver, position, claim), found)
    return number


def proof(path: Path, position: NestedPosition, value: Value) -> bytes:
    """Of what is there already."""

    def none(claim: Claim, missing: list[Place]) -> Generator[Part]:
        raise AssertionError(missing)
        yield

    data = BytesIO()
    with closing(ProofFile(path, position, claims(value))) as file:
        file.prove(lambda claim: first_places(Solver(entries=1 << 10), position, claim), none)
        assert file.copy_to(data) == len(data.getvalue())
    return data.getvalue()


def test_a_proof_that_was_cut_off_goes_on_after_its_last_part(tmp_path: Path) -> None:
    path, position = tmp_path / "folder" / "proof", played(WON)
    whole = written(tmp_path / "other", position, "x")
    assert whole > 5
    for cut, number in ((tmp_path / "two", 2), (path, 3)):
        with pytest.raises(Cut):
            written(cut, position, "x", number)
    path.write_bytes(path.read_bytes()[:-1])
    assert written(path, position, "x") == whole - 2
    for proven in (path, tmp_path / "other"):
        data = proof(proven, position, "x")
        assert data.startswith((tmp_path / "two").read_bytes())
        assert checker.check(data)[0] == "on nine-board after 26 plies X wins"
    assert written(path, position, "x") == 0


@pytest.mark.parametrize("size", range(0, 800, 40))
def test_wherever_it_was_cut_off(size: int, tmp_path: Path) -> None:
    path, position = tmp_path / "proof", played(WON)
    written(path, position, "x")
    path.write_bytes(path.read_bytes()[:size])
    written(path, position, "x")
    assert checker.check(proof(path, position, "x"))[0].endswith("X wins")


def test_what_is_of_another_proof_is_replaced(tmp_path: Path) -> None:
    path, longer = tmp_path / "proof", tmp_path / "longer"
    written(longer, played(OTHER), "o")
    assert written(longer, played(WON), "x") == written(path, played(WON), "x")
    assert longer.read_bytes() == path.read_bytes()
    assert checker.check(proof(path, played(WON), "x"))[0].endswith("X wins")


def test_damage_ends_what_is_kept(tmp_path: Path) -> None:
    path, position = tmp_path / "proof", played(WON)
    whole = written(path, position, "x")
    data = path.read_bytes()
    at = checker.HEAD.size + checker.CLAIM.size + checker.PART.size
    path.write_bytes(data[:at] + bytes(len(data) - at))
    assert written(path, position, "x") == whole
    assert path.read_bytes() == data


@pytest.mark.parametrize("back", [1, 3, 5, 20])
def test_a_part_whose_moves_are_damaged_is_proven_again(back: int, tmp_path: Path) -> None:
    """Also in its own checksum, its last four bytes, before the four that end the claim."""
    path, position = tmp_path / "proof", played(WON)
    written(path, position, "x")
    data = path.read_bytes()
    damaged = bytearray(data)
    damaged[-len(checker.END) - back] ^= 1
    path.write_bytes(damaged)
    assert written(path, position, "x") == 1
    assert path.read_bytes() == data


def test_a_part_is_on_the_disk_before_the_next_begins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, synced = tmp_path / "proof", list[int]()
    monkeypatch.setattr(os, "fsync", lambda handle: synced.append(os.fstat(handle).st_size))
    with pytest.raises(Cut):
        written(path, played(WON), "x", 3)
    assert len(synced) == 5  # the head, the claim and the parts
    assert synced == sorted(set(synced))
    assert synced[-1] == path.stat().st_size


def test_what_an_earlier_run_has_proven_is_not_there_twice(tmp_path: Path) -> None:
    """A part leaves positions that parts of an earlier run begin with, of which the threads know nothing."""
    path, position, solver = tmp_path / "proof", played(WON), Solver(entries=1 << 12)
    earlier = list[Part]()

    def cut_off(claim: Claim, missing: list[Place]) -> Generator[Part]:
        for part in parts(solver, claim, missing):
            earlier.append(part)
            yield part
            if len(earlier) == 3:
                raise Cut

    def again(claim: Claim, missing: list[Place]) -> Generator[Part]:
        yield earlier[1]
        yield from parts(solver, claim, missing)

    for found in (cut_off, again):
        with closing(ProofFile(path, position, claims("x"))) as file, suppress(Cut):
            file.prove(lambda claim: first_places(solver, position, claim), found)
    assert len(earlier) == 3
    assert checker.check(proof(path, position, "x"))[0].endswith("X wins")


def test_a_part_that_leaves_what_it_begins_with_ends_what_is_kept(tmp_path: Path) -> None:
    path, position = tmp_path / "proof", played(WON)

    def hollow(claim: Claim, missing: list[Place]) -> Generator[Part]:
        yield Part(tuple(missing), b"", tuple(missing), 0)

    with closing(ProofFile(path, position, claims("x"))) as file:
        file.prove(lambda claim: first_places(Solver(entries=1 << 12), position, claim), hollow)
    assert written(path, position, "x") > 5
    assert checker.check(proof(path, position, "x"))[0].endswith("X wins")


def test_another_file_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "proof"
    path.write_bytes(b"of somebody else")
    with pytest.raises(FileExistsError, match="Another file is there"):
        ProofFile(path, played(WON), claims("x"))
    assert path.read_bytes() == b"of somebody else"


def test_it_can_be_removed_whether_it_is_there_or_not(tmp_path: Path) -> None:
    path = tmp_path / "proof"
    written(path, played(WON), "x")
    ProofFile.remove(path)
    ProofFile.remove(path)
    assert not path.exists()


def test_another_file_is_not_removed(tmp_path: Path) -> None:
    path = tmp_path / "proof"
    path.write_bytes(b"of somebody else")
    ProofFile.remove(path)
    assert path.read_bytes() == b"of somebody else"
