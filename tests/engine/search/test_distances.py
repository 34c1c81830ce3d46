"""What searches say of forced ends, against trying everything: they come within the plies, and not sooner where the
plies are said to be no bound."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest

from engine.bots.player import decide
from engine.bots.roster import bot
from engine.rules.limit import NO_LIMIT, Limit
from engine.rules.position import Position
from engine.rules.registry import rules
from engine.search import negamax
from engine.search.assess import assess, searched
from engine.search.decision import SURE_PLIES, Decision
from engine.search.finding import Finding
from engine.search.negamax import Plan
from engine.search.watch import NO_WATCH
from tests.support.engine.forced_ends import forced

NODES = 3_000
MOST_PLIES = {"nine-board": 4, "ultimate": 3, "super": 2}
"""As far as everything can be tried; elsewhere until FEW cells are left."""
FEW = 8


def positions(game: str, seed: int) -> Iterator[Position]:
    """Of a game of random moves, but that a win at once is mostly left alone."""
    random = Random(seed)
    position = rules(game).initial
    while position.outcome is None:
        yield position
        moves = position.legal_moves()
        quiet = [move for move in moves if position.play(move).outcome is None]
        position = position.play(random.choice(quiet or moves))


def holds(position: Position, found: Decision | Finding) -> str | None:
    """Check what was found; which kind of claim it was, None where it said nothing that can be checked."""
    plies = found.win_in
    most = MOST_PLIES.get(position.rules.id, 99)
    few = position.rules.cells - position.ply <= FEW
    if plies is None or not (few or abs(plies) <= most < 99):
        return None
    known: dict[tuple[Position, int], int] = {}
    assert forced(position, abs(plies), known) == (1 if plies > 0 else -1)
    if not found.bound:
        assert forced(position, abs(plies) - 1, known) == 0
    return f"{'at most' if found.bound else 'exact'} {'win' if plies > 0 else 'loss'}"


def proven(name: str, game: str, seeds: int) -> Counter[str | None]:
    """How many claims of each kind held, in games and, where a win was found, after its first move."""
    met = Counter[str | None]()
    for seed in range(seeds):
        for position in positions(game, seed):
            found = decide(bot(name), position, Limit(nodes=NODES))
            met[holds(position, found)] += 1
            if (found.win_in or 0) > 1:
                lost = position.play(found.move)
                met[holds(lost, decide(bot(name), lost, Limit(nodes=NODES)))] += 1
    return met


GAMES = ["tictactoe", "mnk:4,4,3", "mnk:4,4,4", "cube:3", "nine-board", "ultimate"]


@pytest.mark.parametrize("game", GAMES)
def test_what_strongest_proves_holds(game: str) -> None:
    assert proven("strongest", game, 3)["exact win"]


@pytest.mark.parametrize("game", ["tictactoe", "mnk:4,4,3", "nine-board", "super"])
@pytest.mark.parametrize("name", ["alphabeta:4", "level:5"])
def test_what_others_prove_holds(name: str, game: str) -> None:
    assert proven(name, game, 2)["exact win"]


@pytest.mark.parametrize("game", ["tictactoe", "mnk:4,4,3"])
def test_what_perfect_proves_holds(game: str) -> None:
    assert proven("perfect", game, 1)["exact win"]


@pytest.mark.parametrize("game", ["mnk:4,4,3", "nine-board", "ultimate"])
def test_what_is_judged_holds(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searched, "NODES", NODES)
    met = Counter(holds(position, assess(position, NO_WATCH)) for position in positions(game, 2))
    assert met["exact win"]


WHOLE = Plan(tactics=True)


def long_ends(plan: Plan, left_out: int = 0) -> list[Decision]:
    """Ends that are claimed beyond SURE_PLIES, at depth 4 without the first legal moves."""
    found = [
        negamax.choose(position, 4, NO_LIMIT, Random(0), NO_WATCH, plan, position.legal_moves()[left_out:])
        for seed in range(6)
        for position in positions("mnk:5,5,4", seed)
        if 2 < position.ply < 14
    ]
    return [decision for decision in found if abs(decision.win_in or 0) > SURE_PLIES]


def test_a_whole_search_is_sure_of_an_end_up_to_a_ply_beyond_its_depth() -> None:
    beyond = Counter((abs(found.win_in or 0) - found.depth, found.bound) for found in long_ends(WHOLE))
    assert all(bound == (plies > 1) for plies, bound in beyond), beyond
    assert beyond[1, False]
    assert beyond[2, True]


@pytest.mark.parametrize(
    ("plan", "left_out"), [(replace(WHOLE, width=2), 0), (replace(WHOLE, scout=True), 0), (WHOLE, 1)]
)
def test_a_search_that_is_not_whole_is_sure_of_no_long_end(plan: Plan, left_out: int) -> None:
    found = long_ends(plan, left_out)
    assert any(abs(decision.win_in or 0) <= decision.depth + 1 for decision in found)
    assert all(decision.bound for decision in found)


def test_all_kinds_are_met() -> None:
    met = proven("alphabeta:4", "cube:3", 3) + proven("strongest", "nine-board", 3)
    assert all(met[kind] for kind in ("exact win", "exact loss", "at most win", "at most loss")), met
