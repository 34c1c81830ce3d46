"""The openings that `perfect` looks up: whole, consistent, and what the solver finds."""

from __future__ import annotations

from random import Random

import pytest

from engine.bots.player import Limit, decide
from engine.bots.roster import bot
from engine.rules.flat import FlatPosition
from engine.rules.lines import cells_of, mask_of
from engine.rules.position import X
from engine.search.perfect import flat_book
from engine.search.perfect.flat_book import GAMES, MOST_PLY, from_bytes, least_image, look_up, shipped, to_bytes
from engine.search.solve.solver import Solution, Solver
from tests.support.engine.games import flat_rules


def worth(solution: Solution, position: FlatPosition) -> int:
    """To the side that is to move."""
    if solution.plies is None:
        return 0
    return 100 - solution.plies if solution.value == position.to_move else solution.plies - 100


@pytest.mark.parametrize("game", GAMES)
def test_it_holds_each_opening_once_and_follows_from_itself(game: str) -> None:
    """The values of the last ply decide all before: which is the best of what its moves lead to, and by which."""
    found = shipped()[game]
    level = {least_image(flat_rules(game).initial)[0]}
    count = 0
    for ply in range(MOST_PLY + 1):
        count += len(level)
        after = set()
        for marks in level:
            position = FlatPosition(flat_rules(game), *marks, ply)
            children = {move: position.play(move) for move in position.legal_moves()}
            after |= {least_image(child)[0] for child in children.values()}
            if ply < MOST_PLY:
                values = {move: -worth(found[least_image(child)[0]], child) for move, child in children.items()}
                most = max(values.values())
                # A ply nearer to the end is worth one more.
                assert worth(found[marks], position) == most - (most > 0) + (most < 0)
                if most or ply:
                    assert found[marks].best == tuple(move for move, value in values.items() if value == most)
        level = after
    assert len(found) == count


@pytest.mark.parametrize("game", GAMES)
def test_its_lines_end_as_it_says(game: str) -> None:
    for marks, solution in shipped()[game].items():
        position = FlatPosition(flat_rules(game), *marks, sum(map(int.bit_count, marks)))
        assert len(solution.line) == (solution.plies or 0)
        assert solution.best
        assert not mask_of(solution.best) & (position.x | position.o)
        if solution.plies is not None:
            assert solution.line[0] in solution.best
            for move in solution.line:
                position = position.play(move)
            assert position.outcome is not None
            assert position.outcome.winner == solution.value


def test_known_openings() -> None:
    won = look_up(flat_rules("mnk:6,6,4").initial)
    assert won is not None
    assert (won.value, won.plies, [flat_rules("mnk:6,6,4").texts[move] for move in won.best]) == (
        X,
        11,
        ["c3", "d3", "c4", "d4"],
    )
    drawn = look_up(flat_rules("mnk:6,6,5").initial)
    assert drawn is not None
    assert (drawn.value, len(drawn.best)) == ("draw", 36)


@pytest.mark.parametrize("game", GAMES)
def test_positions_that_are_alike_have_moves_that_are_alike(game: str) -> None:
    random = Random(game)
    position = flat_rules(game).initial
    for _ in range(MOST_PLY):
        position = position.play(random.choice(position.legal_moves()))
    for image in flat_rules(game).symmetries:
        x, o = (mask_of([image[cell] for cell in cells_of(mask)]) for mask in (position.x, position.o))
        here, there = look_up(position), look_up(FlatPosition(flat_rules(game), x, o, position.ply))
        assert here is not None
        assert there is not None
        assert sorted(image[move] for move in here.best) == list(there.best)
        assert (here.value, here.plies) == (there.value, there.plies)


def test_the_solver_finds_the_same() -> None:
    random = Random(5)
    for game in GAMES:
        solver = Solver(flat_rules(game))
        position = flat_rules(game).initial
        for _ in range(MOST_PLY):
            position = position.play(random.choice(position.legal_moves()))
        found, known = solver.solve(position), look_up(position)
        assert known is not None
        assert (known.value, known.plies, known.best) == (found.value, found.plies, found.best)


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_it_is_made_again_byte_for_byte() -> None:
    assert to_bytes(flat_book.make()) == to_bytes(shipped())


def test_what_is_not_in_it() -> None:
    position = flat_rules("mnk:6,6,4").initial
    for _ in range(MOST_PLY + 1):
        position = position.play(position.legal_moves()[0])
    assert look_up(position) is None
    assert look_up(flat_rules("mnk:6,5,4").initial) is None


def test_files() -> None:
    data = to_bytes(shipped())
    assert from_bytes(data) == shipped()
    for bad in (b"", data[:-1], data[1:], data[:50] + b"\xff" + data[51:]):
        with pytest.raises(ValueError, match="no book of flat boards, or it is damaged"):
            from_bytes(bad)


@pytest.mark.parametrize("game", GAMES)
def test_perfect_plays_openings_at_once(game: str) -> None:
    for moves in ("", "a1", "c3", "a1 f6", "c3 d4"):
        position = flat_rules(game).initial
        for text in moves.split():
            position = position.play(flat_rules(game).parse_move(text))
        known = look_up(position)
        assert known is not None
        decision = decide(bot("perfect"), position, Limit(nodes=1_000))
        assert decision.proven
        assert decision.move in known.best
        assert decision.nodes <= 1_000
        assert abs(decision.win_in or 0) == (known.plies or 0)
