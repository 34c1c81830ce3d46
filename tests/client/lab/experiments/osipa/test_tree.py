"""Osipa's tree of 3 x 3: what it explores, and what symmetry would save."""

from __future__ import annotations

import pytest

from client.lab.experiments.findings import Estimate, Section
from client.lab.experiments.lab import Lab
from client.lab.experiments.osipa import tree
from client.lab.experiments.osipa.tree import Grown
from tests.support.lab.experiment import Silent, figures


@pytest.fixture(scope="module")
def grown() -> Grown:
    progress = Silent()
    found = tree.grow(Lab(2, 1, 1, progress, "osipa"))
    assert progress.steps == {"osipa: trees": (20, 20)}
    return found


@pytest.fixture(scope="module")
def sections(grown: Grown) -> list[Section]:
    return [tree.section(grown)]


def test_the_tree_draws_against_itself(sections: list[Section]) -> None:
    draws = figures(sections)["draws against itself"]
    assert (draws.exact, draws.agrees) == (True, True)


def test_the_positions_of_his_first_move_are_those_of_a_plain_tree(sections: list[Section]) -> None:
    """Counted here once more, on strings."""
    whole, corner, unlike = size("." * 9), size("X" + "." * 8), 1 + sum(size(opened(cell)) for cell in (0, 1, 4))
    found = figures(sections)
    (to_reply,) = (one for what, one in found.items() if what.startswith("positions for the first move to those for"))
    (symmetry,) = (one for what, one in found.items() if "no rotation" in what)
    assert to_reply.ours is not None
    assert symmetry.ours is not None
    assert (whole, to_reply.ours.value) == (94_978, whole / corner)
    assert symmetry.ours.value == whole / unlike


LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


def opened(cell: int) -> str:
    return "." * cell + "X" + "." * (8 - cell)


def size(board: str) -> int:
    return value_and_size(board)[1]


def value_and_size(board: str) -> tuple[int, int]:
    """For X 1, 0 or -1, and the positions that are looked at until one is as good as can be."""
    for a, b, c in LINES:
        if board[a] != "." and board[a] == board[b] == board[c]:
            return (1 if board[a] == "X" else -1), 1
    if "." not in board:
        return 0, 1
    mark, sign = ("X", 1) if board.count("X") == board.count("O") else ("O", -1)
    values, looked = [], 1
    for cell in range(9):
        if board[cell] == ".":
            value, below = value_and_size(board[:cell] + mark + board[cell + 1 :])
            values.append(sign * value)
            looked += below
            if values[-1] == 1:
                break
    return sign * max(values), looked


def test_the_tree_is_searched_once_against_itself(sections: list[Section]) -> None:
    once = figures(sections)["moves of its game against itself for which the tree is searched"]
    assert (once.ours, once.agrees) == (Estimate(1.0), True)


def test_every_tree_is_timed_and_counted(grown: Grown) -> None:
    """Of two games: two trees for X, and two for each reply."""
    assert (len(grown.first_ms), len(grown.reply_ms), len(grown.later_ms)) == (2, 18, 2 * 8)
    assert len(grown.reply_positions) == 9
    assert max(grown.reply_positions) < min(grown.first_positions) < 5_478  # that can be reached
