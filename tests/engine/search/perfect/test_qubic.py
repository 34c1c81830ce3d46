"""`perfect` on Qubic: as X it always wins and keeps its word; as O it takes what X leaves."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

from client.lab.bench.solve import mistakes
from engine.bots import uniform
from engine.bots.player import decide
from engine.bots.roster import bot
from engine.kernels import qubic_proof, qubic_threats
from engine.rules.flat import FlatPosition, FlatRules
from engine.rules.limit import NO_LIMIT, Limit
from engine.rules.position import O, Position, X, play_all
from engine.rules.registry import rules
from engine.search import negamax
from engine.search import qubic as search
from engine.search.decision import Decision
from engine.search.perfect import qubic, qubic_memory
from engine.search.perfect.qubic_book import shipped
from engine.search.perfect.qubic_solver import Solver, Unproven
from engine.search.watch import NO_WATCH, Watch
from tests.support.engine.watches import Stop

GAME = rules("qubic")
FEW = Limit(nodes=5_000)


def perfect(position: Position, random: Random, limit: Limit = FEW) -> Decision:
    return qubic.decide((), position, limit, random, NO_WATCH)


def positions_of(texts: str) -> Position:
    return play_all(GAME.initial, map(GAME.parse_move, texts.split()))


def opponent(kind: str, position: Position, random: Random) -> int:
    if kind == "random":
        return uniform.decide((), position, NO_LIMIT, random, NO_WATCH).move
    if kind == "search":
        return negamax.choose(position, 2, NO_LIMIT, random, NO_WATCH, negamax.FULL).move
    return perfect(position, random).move


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("kind", ["random", "search", "perfect"])
def test_x_wins_within_the_plies_it_says(kind: str, seed: int) -> None:
    random = Random(seed)
    position = GAME.initial
    left = shipped()[0, 0].plies
    while position.outcome is None:
        decision = perfect(position, random)
        assert decision.proven
        assert decision.win_in is not None
        assert 0 < decision.win_in <= left
        left = decision.win_in - 2
        position = position.play(decision.move)
        if position.outcome is None:
            position = position.play(opponent(kind, position, random))
    assert position.outcome.winner == X


def test_the_line_shown_is_a_game_that_x_wins() -> None:
    random = Random(5)
    position = GAME.initial
    for _ in range(6):
        decision = perfect(position, random)
        after = play_all(position, decision.pv)
        assert after.outcome is not None
        assert after.outcome.winner == X
        assert len(decision.pv) <= (decision.win_in or 0)
        position = position.play(decision.move)
        position = position.play(opponent("perfect", position, random))


def test_x_follows_the_book_where_threats_alone_win_later() -> None:
    for x, o in ((135177, 2305851805306978308), (163849, 35913732)):
        assert isinstance(GAME, FlatRules)
        position, entry = FlatPosition(GAME, x, o, (x | o).bit_count()), shipped()[x, o]
        assert x_wins_by_threats(x, o)
        decision = perfect(position, Random(1))
        assert (decision.move, decision.win_in) == (entry.move, entry.plies)


def test_x_wins_from_every_image_of_a_position() -> None:
    assert isinstance(GAME, FlatRules)
    said = set()
    for image in GAME.symmetries[::17]:
        position = GAME.initial.play(image[0]).play(image[37])
        said.add(perfect(position, Random(0)).win_in)
    assert len(said) == 1


def test_the_same_seed_makes_the_same_decision() -> None:
    position = positions_of("a1.1 b2.2 d4.4")
    assert perfect(position, Random(1)) == perfect(position, Random(1))


def test_o_makes_x_s_way_long_while_it_is_lost() -> None:
    decision = perfect(GAME.initial.play(0), Random(1))
    assert decision.win_in == 1 - shipped()[0, 0].plies
    assert decision.proven


def test_o_takes_a_win_by_threats() -> None:
    random = Random(6)
    taken = 0
    while taken < 5:
        position: Position = GAME.initial
        for _ in range(11):
            position = position.play(random.choice(position.legal_moves()))
            if position.outcome is not None:
                break
        else:
            decision = perfect(position, random)
            if (decision.win_in or 0) < 3:
                continue
            while position.outcome is None:
                decision = perfect(position, random)
                position = position.play(decision.move)
                if position.outcome is None:
                    position = position.play(negamax.choose(position, 2, NO_LIMIT, random, NO_WATCH, negamax.FULL).move)
            assert position.outcome.winner == O
            taken += 1


def test_o_stops_a_three() -> None:
    position = positions_of("a1.1 a2.2 b1.1 c3.3 c1.1")
    assert GAME.format_move(perfect(position, Random(1)).move) == "d1.1"


def x_wins_by_threats(x: int, o: int) -> bool:
    assert isinstance(GAME, FlatRules)
    threats = qubic_threats.threats(GAME.lines, 1 << 12)
    qubic_threats.set_row(threats, threats.rows[0], np.uint64(x), np.uint64(o))
    return qubic_threats.search(threats, 100_000) == qubic_threats.WON


def test_o_stops_a_win_by_threats_that_can_be_stopped() -> None:
    random = Random(7)
    stopped = 0
    while stopped < 8:
        position: Position = GAME.initial
        for _ in range(11):
            position = position.play(random.choice(position.legal_moves()))
        assert isinstance(position, FlatPosition)
        if position.outcome is not None or not x_wins_by_threats(position.x, position.o):
            continue
        decision = perfect(position, random)
        after = position.play(decision.move)
        if decision.win_in is None:
            assert not x_wins_by_threats(after.x, after.o)
            stopped += 1
        elif decision.win_in < 0:
            replies = [position.play(move) for move in position.legal_moves()]
            assert all(x_wins_by_threats(reply.x, reply.o) for reply in replies)


def solver_proves(x: int, o: int) -> bool:
    try:
        return Solver(x, o, nodes=1 << 16).grow(600)
    except Unproven:
        return False


@pytest.mark.parametrize(
    ("x", "o"),
    [(292057777408, 1152921505143734272), (2449958198363291712, 70407398883328)],
)
def test_o_leaves_out_what_loses_to_x_s_strategy(x: int, o: int) -> None:
    """Positions in which X does not win by threats, whatever O replies: the first look is not enough."""
    assert isinstance(GAME, FlatRules)
    position = FlatPosition(GAME, x, o, (x | o).bit_count())
    level = decide(bot("level:8"), position, FEW).move
    assert not x_wins_by_threats(x, o | 1 << level)
    assert solver_proves(x, o | 1 << level)
    decision = perfect(position, Random(1), Limit(nodes=150_000))
    assert decision.win_in is None
    assert not solver_proves(x, o | 1 << decision.move)


class WorkClock(Watch):
    """A millisecond for so many positions of the search for X's strategy, and none for anything else."""

    def __init__(self) -> None:
        self._most = 0

    def elapsed_ms(self) -> int:
        made = int(qubic_memory.memory().proof.counters[qubic_proof.THREAT_NODES])
        self._most = max(self._most, made // 200)
        return self._most


def test_beside_the_book_three_quarters_of_the_time_are_left_to_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    begun_ms = []

    def searched(*arguments: Any) -> Decision:
        begun_ms.append(arguments[2].elapsed_ms())
        return Decision(0)

    monkeypatch.setattr(search, "choose", searched)
    assert isinstance(GAME, FlatRules)
    x, o = 3382098039668736, 5764607797945696256
    position = FlatPosition(GAME, x, o, (x | o).bit_count())
    qubic.decide((), position, Limit(move_ms=100), Random(1), WorkClock())
    assert 0 < begun_ms[0] <= 30


@pytest.mark.parametrize("plies", [3, 4, 5, 6])
@pytest.mark.parametrize("nodes", [5_000, 20_000])
def test_beside_the_book_all_its_parts_together_keep_to_the_nodes(plies: int, nodes: int) -> None:
    random = Random(plies)
    position: Position = GAME.initial
    for _ in range(plies):
        position = position.play(random.choice(position.legal_moves()))
    assert 0 < perfect(position, random, Limit(nodes=nodes)).nodes <= nodes


def test_a_stopped_o_still_replies() -> None:
    position = GAME.initial.play(1)
    for limit in (NO_LIMIT, Limit(move_ms=1), Limit(nodes=1)):
        decision = qubic.decide((), position, limit, Random(1), Stop())
        assert position.is_legal(decision.move)


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_o_takes_what_one_mistake_leaves() -> None:
    """X plays any other move than its own once. Most such moves win as well; of the others O takes most."""
    played = [game for game in mistakes.games(40, Limit(nodes=50_000)) if game is not None]
    assert all(game.winner == O for game in played if game.judged == mistakes.O_WINS)
    x_wins = (mistakes.X_WINS, mistakes.X_PROVEN)
    assert all(game.winner == X for game in played if game.judged == mistakes.X_WINS)
    chances = [game for game in played if game.judged not in x_wins]
    assert sum(game.winner != X for game in chances) > len(chances) / 2
