"""Parts of a proof: images of positions, and pairs that hold every line. `client.lab.verify` checks whole proofs."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest

from engine.rules.flat import FlatPosition
from engine.rules.lines import cells_of, mask_of
from engine.rules.position import O, X
from engine.search.solve.flat_proof import Images, pairs_of, prove
from engine.search.solve.solver import Solver
from tests.support.engine.games import flat_rules, replay_texts

GAMES = ["tictactoe", "mnk:5,4,4", "mnk:6,6,5", "cube:3"]


@pytest.mark.parametrize("game", GAMES)
def test_the_least_of_the_images_and_the_way_there_and_back(game: str) -> None:
    rules, random = flat_rules(game), Random(game)
    images = Images(rules)

    def turned(turn: tuple[int, ...], cells: int) -> int:
        return mask_of(turn[cell] for cell in cells_of(cells))

    for number in range(40):
        cells = random.sample(range(rules.cells), random.randrange(1, 6))
        first, second = mask_of(cells[::2]), mask_of(cells[1::2]) if number else 0
        every = [(turned(turn, first), turned(turn, second)) for turn in rules.symmetries]
        assert images.least(first, second) == min(every)
        least, symmetries = images.symmetries(first, second)
        assert least == min(every)
        assert symmetries == [place for place, image in enumerate(every) if image == least]
        move = 1 << random.randrange(rules.cells)
        alike = {turned(rules.symmetries[place], move) for place in symmetries}
        for image in alike:
            # All cells that lead to the image are alike, and of those the least is told.
            sources = [1 << cell for cell in range(rules.cells)]
            there = [one for one in sources if any(turned(rules.symmetries[s], one) == image for s in symmetries)]
            assert images.back(symmetries, image) == min(there)


def pairs_exist(lines: list[int], taken: int = 0) -> bool:
    """By trying all of them."""
    if not lines:
        return True
    first, *rest = lines
    return any(
        pairs_exist([line for line in rest if line & pair != pair], taken | pair)
        for pair in (a | b for a, b in combinations([1 << cell for cell in cells_of(first & ~taken)], 2))
    )


def test_pairs_are_found_exactly_where_there_are_some() -> None:
    random, found = Random(5), {True: 0, False: 0}
    for _ in range(300):
        cells = random.randrange(5, 12)
        lines = [
            mask_of(random.sample(range(cells), random.randrange(1, 5)))
            for _ in range(random.randrange(1, cells // 2 + 2))
        ]
        pairs = pairs_of(lines)
        assert bool(pairs) == pairs_exist(lines)
        found[bool(pairs)] += 1
        assert all(pair.bit_count() == 2 for pair in pairs)
        assert sum(pairs).bit_count() == 2 * len(pairs), "no cell is in two"
        assert not pairs or all(any(line & pair == pair for pair in pairs) for line in lines)
    assert min(found.values()) > 50


@pytest.mark.parametrize(
    ("game", "moves", "proven", "sides"),
    [
        ("mnk:4,3,3", "", "x", "x"),
        ("mnk:4,3,3", "a1 b2 d3", "o", "o"),
        ("tictactoe", "a1 b2", "draw", "xo"),
        ("tictactoe", "", "draw", "x"),  # O never wins from an empty board
    ],
)
def test_a_win_is_proven_of_the_winner_and_a_draw_of_both(game: str, moves: str, proven: str, sides: str) -> None:
    position = replay_texts(game, moves)
    assert isinstance(position, FlatPosition)
    solver = Solver(position.rules, entries=10_007)
    proof = prove(solver, position, solver.solve(position))
    assert (proof.value, "".join(side for side in (X, O) if proof.sections[side])) == (proven, sides)
    assert proof.records == sum(map(len, proof.sections.values()))
