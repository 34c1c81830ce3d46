"""Breaker against plain minimax over sets of cells, and against the solver of the game itself."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest

from engine.rules.flat import FlatRules
from engine.search.solve.breaker import Breaker, prove
from engine.search.solve.flat_proof import bits_of
from engine.search.solve.solver import Solver
from tests.support.engine.games import flat_rules

Sets = frozenset[int]


@cache
def plain(sets: Sets, attacking: bool) -> bool:
    """Whether Breaker holds: every move of both, no idea."""
    if 0 in sets or not sets:
        return not sets
    cells = 0
    for lacking in sets:
        cells |= lacking
    if attacking:
        return all(plain(frozenset(lacking & ~cell for lacking in sets), False) for cell in bits_of(cells))
    return any(plain(frozenset(lacking for lacking in sets if not lacking & cell), True) for cell in bits_of(cells))


def left_after(game: FlatRules, marks: int, random: Random) -> Sets:
    """What Maker lacks of its open lines after marks of both at random."""
    cells = random.sample(range(game.cells), marks)
    maker, breaker = (sum(1 << cell for cell in part) for part in (cells[::2], cells[1::2]))
    return frozenset(line & ~maker for line in Breaker(game, 11).lines if not line & breaker)


@pytest.mark.parametrize("game", ["tictactoe", "mnk:4,3,3", "mnk:4,4,3", "mnk:4,4,4", "mnk:5,4,4", "mnk:6,6,5"])
def test_it_agrees_with_plain_minimax(game: str) -> None:
    random = Random(game)
    flat = flat_rules(game)
    # A small table forgets, which may cost time and nothing else.
    breaker = Breaker(flat, entries=101)
    seen = set()
    for _ in range(60):
        sets = left_after(flat, random.randrange(flat.cells - 9, flat.cells - 3), random)
        if sets and 0 not in sets:
            for attacking in (True, False):
                held = plain(sets, attacking)
                assert breaker.holds([*sets], attacking, 1 << 20) == held
                seen.add(held)
                if held and not attacking:
                    reply = breaker.reply([*sets])
                    assert plain(frozenset(lacking for lacking in sets if not lacking & reply), True)
    assert seen == {True, False}


@pytest.mark.parametrize("game", ["mnk:4,4,4", "mnk:5,5,5", "mnk:6,6,5"])
def test_pairs_have_no_cell_in_common(game: str) -> None:
    random = Random(game)
    flat = flat_rules(game)
    breaker = Breaker(flat, entries=101)
    complete = 0
    for _ in range(50):
        sets = left_after(flat, random.randrange(flat.cells // 2), random)
        if any(lacking.bit_count() < 2 for lacking in sets):
            continue
        pairs = breaker.pairs([*sets])
        assert all(pair.bit_count() == 2 for pair in pairs)
        assert sum(pairs).bit_count() == 2 * len(pairs)
        complete += all(any(lacking & pair == pair for pair in pairs) for lacking in sets)
    assert complete > 10


# Maker wins on the others, although some of them are draws: O needs lines of its own there.
HELD = {"mnk:4,4,4": True, "mnk:5,4,4": True, "mnk:6,4,4": True, "mnk:6,6,5": True, "mnk:7,6,5": True}
HELD |= dict.fromkeys(("tictactoe", "mnk:4,3,3", "mnk:5,5,4", "mnk:6,5,4", "mnk:6,6,4", "cube:3"), False)


@pytest.mark.parametrize("game", HELD)
def test_known_boards(game: str) -> None:
    breaker = Breaker(flat_rules(game), entries=100_003)
    assert breaker.holds(breaker.lines, True, 1 << 20) == HELD[game]


SMALL = [f"mnk:{m},{n},{k}" for m in (3, 4, 5) for n in (3, 4, 5) for k in (3, 4, 5) if k <= max(m, n)]


@pytest.mark.parametrize("game", [*SMALL, "mnk:6,4,4", "mnk:6,5,4", "mnk:6,6,5"])
def test_what_it_holds_is_a_draw(game: str) -> None:
    breaker = Breaker(flat_rules(game), entries=100_003)
    if breaker.holds(breaker.lines, True, 1 << 20):
        assert Solver(flat_rules(game), entries=(1 << 19) - 1).solve(flat_rules(game).initial).value == "draw"


def test_seven_by_seven_is_held() -> None:
    breaker = Breaker(flat_rules("mnk:7,7,5"))
    assert breaker.holds(breaker.lines, True, 20_000)


def test_the_nodes_are_limited_and_told() -> None:
    breaker = Breaker(flat_rules("mnk:7,7,5"))
    told: list[int] = []
    assert breaker.holds(breaker.lines, True, 3_000, told.append) is None
    assert (told, breaker.nodes) == ([2_048, 3_000], 3_000)


def test_a_proof_tells_how_far_it_is() -> None:
    breaker = Breaker(flat_rules("mnk:6,4,4"), entries=100_003)
    told: list[int] = []
    data = prove(breaker, told.append)
    assert told == [1_000]
    assert data == prove(Breaker(flat_rules("mnk:6,4,4"), entries=100_003))
