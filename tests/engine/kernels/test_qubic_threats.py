"""Threat searches on Qubic: beside a search written anew, and every win played out under the rules."""

from __future__ import annotations

from collections import Counter
from functools import cache, reduce
from random import Random

import numpy as np
import pytest

from client.lab.verify import qubic_checker
from engine.kernels import qubic_proof, qubic_threats
from engine.kernels.qubic_threats import CAPPED, FAILED, WON, Threats
from engine.rules.flat import FlatPosition, FlatRules
from engine.rules.lines import cells_of, mask_of
from engine.rules.position import X
from engine.rules.registry import rules

GAME = rules("qubic")
assert isinstance(GAME, FlatRules)
LINES = tuple(mask_of(line) for line in GAME.lines)


def fresh() -> Threats:
    assert isinstance(GAME, FlatRules)
    return qubic_threats.threats(GAME.lines, 1 << 14)


def search(threats: Threats, x: int, o: int, cap: int = 100_000) -> int:
    qubic_threats.set_row(threats, threats.rows[0], np.uint64(x), np.uint64(o))
    return qubic_threats.search(threats, cap)


def moves_of(threats: Threats) -> list[int]:
    found: list[int] = threats.moves[: int(threats.counters[1])].tolist()
    return found


def random_marks(random: Random, least: int, most: int) -> tuple[int, int]:
    """Equally many marks of both sides, neither with a line."""
    while True:
        number = random.randint(least, most)
        cells = random.sample(range(64), 2 * number)
        x, o = mask_of(cells[:number]), mask_of(cells[number:])
        if not any(line & x == line or line & o == line for line in LINES):
            return x, o


def completing(mine: int, theirs: int) -> set[int]:
    """Where a side completes a line."""
    left = [line & ~mine for line in LINES if not line & theirs and (line & mine).bit_count() == 3]
    return {cell.bit_length() - 1 for cell in left}


@cache
def wins_by_threats(x: int, o: int, most: int = 32, most_waiting: int = 32, waiting: int = 0) -> bool:
    """The same by definition: X completes a line, or makes a three, O answers it, and so on, in `most` moves of X.

    Of its marks those of `waiting` have not been part of a later three.
    """
    if completing(x, o):
        return most > 0
    must = completing(o, x)
    for move in cells_of(~(x | o) & GAME_MASK) if most > 1 else ():
        if must - {move}:
            continue
        threatened = completing(x | 1 << move, o)
        if len(threatened) > 1:
            return True
        if not threatened:
            continue
        reply = threatened.pop()
        (line,) = (line for line in LINES if line >> move & line >> reply & 1 and (line & x).bit_count() == 2)
        if not must and waiting.bit_count() == most_waiting and not line & waiting:
            continue
        left = waiting & ~line | (0 if must else 1 << move)
        if wins_by_threats(x | 1 << move, o | 1 << reply, most - 1, most_waiting, left):
            return True
    return False


GAME_MASK = (1 << 64) - 1


def test_a_search_agrees_with_the_definition() -> None:
    random, threats = Random(1), fresh()
    found = {WON: 0, FAILED: 0}
    for _ in range(60):
        x, o = random_marks(random, 4, 7)
        result = search(threats, x, o)
        assert (result == WON) == wins_by_threats(x, o), (x, o)
        found[result] += 1
    assert min(found.values()) > 5


@pytest.mark.parametrize("most_waiting", [1, 2])
def test_a_search_with_few_waiting_agrees_with_the_definition(most_waiting: int) -> None:
    random, threats = Random(1), fresh()
    found = {WON: 0, FAILED: 0}
    misses = 0
    for _ in range(80):
        x, o = random_marks(random, 4, 7)
        qubic_threats.set_row(threats, threats.rows[0], np.uint64(x), np.uint64(o))
        result = qubic_threats.search_within(threats, 100_000, qubic_threats.DEPTH, most_waiting)
        assert (result == WON) == wins_by_threats(x, o, 32, most_waiting), (x, o)
        found[result] += 1
        misses += result == FAILED and wins_by_threats(x, o)
    assert min(found.values()) > 5
    assert (misses > 0) == (most_waiting == 1)


def position_of(x: int, o: int) -> FlatPosition:
    assert isinstance(GAME, FlatRules)
    return FlatPosition(GAME, x, o, x.bit_count() + o.bit_count())


def play_out(position: FlatPosition, moves: list[int]) -> None:
    """X wins by these moves: to every reply but one the answer is a line, and after the last move to that one too."""
    for number, move in enumerate(moves, 1):
        position = position.play(move)
        if position.outcome:
            assert (position.outcome.winner, number) == (X, len(moves))
            return
        held = []
        for reply in position.legal_moves():
            after = position.play(reply)
            assert after.outcome is None
            if not any(after.play(answer).outcome for answer in after.legal_moves()):
                held.append(after)
        if number == len(moves):
            assert not held
            return
        assert len(held) == 1
        position = held[0]


def test_every_win_holds_under_the_rules() -> None:
    random, threats = Random(2), fresh()
    lengths = set[int]()
    while len(lengths) < 6:
        x, o = random_marks(random, 5, 9)
        if search(threats, x, o) == WON:
            play_out(position_of(x, o), moves_of(threats))
            lengths.add(len(moves_of(threats)))


def test_a_cap_ends_a_search_and_later_ones_are_not_misled() -> None:
    random, threats = Random(3), fresh()
    positions = [random_marks(random, 6, 8) for _ in range(300)]
    capped = [marks for marks in positions if search(threats, *marks, cap=1) == CAPPED]
    assert len(capped) > 10
    for x, o in capped:
        assert search(threats, x, o) == search(fresh(), x, o)


def test_a_win_replayed_elsewhere_is_a_win_there() -> None:
    random, threats = Random(4), fresh()
    held = broken = 0
    row = np.zeros(14, np.uint64)
    while held < 300 or broken < 30:
        x, o = random_marks(random, 5, 8)
        if search(threats, x, o) != WON or completing(x, o):
            continue
        moves = moves_of(threats)
        reply = random.choice(cells_of(~(x | o) & GAME_MASK))
        after = o | 1 << reply
        if any(line & after == line for line in LINES):
            continue
        qubic_threats.set_row(threats, row, np.uint64(x), np.uint64(after))
        count = qubic_threats.replay(threats, row, np.array(moves), len(moves))
        if count:
            assert wins_by_threats(x, after)
            held += 1
        else:
            broken += 1


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("marks", [qubic_proof.NO_BOUND, 13, 11])
def test_answers_to_replies_are_right(marks: int, seed: int) -> None:
    random = Random(seed)
    assert isinstance(GAME, FlatRules)
    threats, proof = fresh(), qubic_proof.proof(GAME.symmetries, 64, 64)
    x, o = random_marks(random, 5, 6)
    while completing(x, o) or completing(o, x):
        x, o = random_marks(random, 5, 6)
    o &= o - 1
    left = int(qubic_proof.answer(proof, threats, 100_000, marks, np.uint64(x), np.uint64(o)))
    most = marks - x.bit_count()
    for reply in cells_of(~(x | o) & GAME_MASK):
        lost = wins_by_threats(x, o | 1 << reply, most)
        assert lost == (not left >> reply & 1)
        assert (int(proof.answers[reply]) > 0) == lost
        assert int(proof.answers[reply]) <= most


def is_won_for_checker(x: int, o: int, most: int) -> bool:
    mine, theirs = (reduce(qubic_checker.marked, qubic_checker.bits(cells), (0, 0, 0)) for cells in (x, o))
    if qubic_checker.completing(mine, theirs, qubic_checker.ALL ^ x ^ o):
        return True
    return bool(qubic_checker.Attack(x, o, mine, theirs, most).moves)


def test_a_limit_of_moves_finds_the_shortest_win() -> None:
    """The checker's search, which shares no code with this one, counts the move that completes the line as well."""
    random = Random(21)
    threats = fresh()
    lengths: Counter[int] = Counter()
    for _ in range(300):
        x, o = random_marks(random, 8, 12)
        qubic_threats.set_row(threats, threats.rows[0], np.uint64(x), np.uint64(o))
        found = qubic_threats.search(threats, 100_000)
        longest = int(threats.counters[1]) if found == WON else 3
        for most in range(1, longest + 1):
            qubic_threats.set_row(threats, threats.rows[0], np.uint64(x), np.uint64(o))
            within = qubic_threats.search_within(threats, 100_000, most, qubic_threats.DEPTH)
            assert (within == WON) == is_won_for_checker(x, o, most + 1)
            if within == WON:
                assert int(threats.counters[1]) <= most
                lengths[most] += 1
                break
        else:
            assert found == FAILED
    assert {1, 2, 3} <= set(lengths)
