"""What boards are worth, fitted to solved positions of searches."""

from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np
import pytest

from client.lab.solve.nine_board import make_outlook as maker
from client.lab.solve.nine_board.make_outlook import Sample, first_worths, fitted, kinds, sampled, solved
from engine.kernels.nested import CODES
from engine.kernels.nine_board_proof import EVEN
from engine.rules import lines
from engine.rules.position import O, X
from engine.search import weights_file
from engine.search.solve import nine_board_outlook
from engine.search.solve.nine_board_solver import Solver
from tests.support.engine.nine_board_positions import played

POWERS = 3 ** np.arange(9)
DIGITS = np.arange(CODES)[:, None] // POWERS % 3
MOVES = "5/5 5/1 1/1 1/9 9/9 9/2 2/7 7/7 7/2 2/6 6/6 6/2 2/2 2/8 8/8"


def test_boards_that_are_turned_or_swapped_are_of_one_kind() -> None:
    kind, sign = kinds()
    for turn in lines.flat_symmetries(3, 3):
        turned = DIGITS @ POWERS[list(turn)]
        assert (kind[turned] == kind).all()
        assert (sign[turned] == sign).all()
    swapped = (3 - DIGITS) % 3 @ POWERS
    assert (kind[swapped] == kind).all()
    assert (sign[swapped] == -sign).all()
    assert len(np.unique(kind)) == 1337


def test_the_first_worths_agree_with_the_kinds() -> None:
    kind, sign = kinds()
    assert np.allclose(first_worths(), sign * first_worths()[kind])


def test_positions_of_a_search_are_taken_once_and_solved(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(maker, "_NODES", (20_000,))
    at = played(MOVES)
    assert at.forced is not None
    roots = [((at.x, at.o, at.forced), X), ((at.o, at.x, at.forced), O)]
    found = list(sampled(roots, Random(1)))
    assert len(found) == len(set(found)) > 20
    assert found == list(sampled(roots, Random(1)))
    for (attacker, defender, _), _attacking in found:
        assert (at.x & attacker, at.o & defender) == (at.x, at.o) or (at.o & attacker, at.x & defender) == (at.o, at.x)
    monkeypatch.setattr(maker, "_MOST_NODES", 1 << 30)
    solver = Solver()
    for (place, attacking), sample in zip(found[:5], solved(iter(found[:5])), strict=True):
        proof, _ = solver.look(place, attacking, 1 << 30)
        assert (sample.attacking, sample.wins) == (attacking, proof == 0)
    monkeypatch.setattr(maker, "_MOST_NODES", 1)
    assert len(list(solved(iter(found[:5])))) < 5


def test_worths_are_found_again() -> None:
    """Of positions that are won by odds which two kinds of board and the move make."""
    one, two = 3**4, 3**0 + 2 * 3**1
    truth = np.zeros(CODES)
    kind, sign = kinds()
    for code, worth in ((one, 1.5), (two, -0.8)):
        truth[kind == kind[code]] = worth * sign[kind == kind[code]] * sign[code]
    random = np.random.default_rng(1)
    swapped = (3 - DIGITS) % 3 @ POWERS
    boards = np.array([0, one, two, swapped[one], swapped[two]])
    samples = []
    for _ in range(4000):
        codes = random.choice(boards, 9)
        attacking = bool(random.integers(2))
        odds = truth[codes].sum() + (1 if attacking else -1)
        wins = bool(random.random() < 1 / (1 + np.exp(-odds)))
        samples.append(Sample(tuple(codes.tolist()), attacking, wins, 1000))
    found = fitted(samples)
    assert found[one] == pytest.approx(1.5, abs=0.2)
    assert found[two] == pytest.approx(-0.8, abs=0.2)
    assert found[swapped[one]] == -found[one]
    unseen = 3**0 + 3**1
    assert found[unseen] == first_worths()[unseen]


def test_the_file_has_what_was_fitted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(maker, "_WALKS", 2)
    monkeypatch.setattr(maker, "_NODES", (1_000, 2_000))
    monkeypatch.setattr(maker, "_MOST_NODES", 2_000)
    monkeypatch.setattr(maker, "ROOTS", 2)
    maker.main(tmp_path / "weights")
    values, made = weights_file.from_bytes((tmp_path / "weights").read_bytes(), CODES)
    assert (made["game"], made["roots"], made["seed"]) == ("nine-board", 2, maker.SEED)
    assert 9 * int(np.abs(values).max()) < EVEN
    assert (values[(3 - DIGITS) % 3 @ POWERS] == -values).all()
    assert nine_board_outlook.board_values().shape == values.shape
