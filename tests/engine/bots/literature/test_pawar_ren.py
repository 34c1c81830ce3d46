"""Pawar and Ren's table, in their order, and what it makes of ends."""

from __future__ import annotations

from random import Random

import pytest

from engine.bots.literature import pawar_ren
from engine.bots.literature.pawar_ren import CUTS, SCORING, SCORINGS, TABLES, line_value
from engine.bots.player import decide
from engine.bots.roster import Choice, bot
from engine.rules.limit import NO_LIMIT
from engine.rules.position import Move, O, Outcome, Position, Side, X
from engine.search.fixed import Cut, Scoring, search
from engine.search.watch import NO_WATCH
from tests.support.engine.altekar_positions import DRAWN
from tests.support.engine.games import replay
from tests.support.engine.plain_minimax import evaluation, position_after, values


def test_the_table_in_its_order() -> None:
    """Marks of X, marks of O, value for X."""
    in_order = [
        (4, 0, 9999),
        (0, 4, -9999),
        (3, 0, 100),
        (3, 1, 100),  # the fourth cell taken
        (0, 3, -100),
        (1, 3, -100),
        (2, 0, 10),
        (2, 1, 10),  # also with one opposing mark
        (0, 2, -10),
        (1, 2, -10),
        (1, 0, 1),
        (0, 1, -1),
        (1, 1, 0),  # one mark counts alone
        (2, 2, 0),
        (0, 0, 0),
    ]
    assert SCORING.lines is not None
    for x, o, value in in_order:
        assert line_value(x, o) == value
        assert SCORING.lines[x][o] == value
    assert len(in_order) == sum(1 for x in range(5) for o in range(5) if x + o <= 4)


@pytest.mark.parametrize("plies", [5, 21, 40])
def test_both_sides_are_judged_alike(plies: int) -> None:
    position = position_after("qubic", plies, plies)
    assert evaluation(position, SCORING, X) == -evaluation(position, SCORING, O)


# X holds 0, 1, 2 and 16, 17, 18; O holds 3, 5, 10, 40 and 41.
TWO_THREES = replay("qubic", [0, 3, 1, 5, 2, 10, 16, 40, 17, 41, 18, 45])


def test_a_won_game_is_worth_its_lines() -> None:
    found = search(TWO_THREES, 1, SCORING)
    won = TWO_THREES.play(19)
    value = dict(zip(found.moves, found.values, strict=True))[19]
    assert value == evaluation(won, SCORING, X)
    assert value != 9999
    decision = decide(bot("pawar-ren:1"), TWO_THREES)
    assert (decision.move, decision.value, decision.win_in, decision.proven) == (19, value, 1, True)


def test_a_blocked_three_is_worth_a_hundred_all_the_same() -> None:
    assert evaluation(TWO_THREES, SCORING, X) > 150  # 0 1 2 is blocked at 3


def test_a_drawn_game_is_worth_its_lines() -> None:
    position = replay("qubic", list(DRAWN[:-1]))
    end = position.play(DRAWN[-1])
    assert end.outcome == Outcome(None, "board_full")
    worth = evaluation(end, SCORING, O)
    assert worth != 0
    found = decide(bot("pawar-ren:1"), position)
    assert (found.value, found.proven) == (worth, False)


def test_the_last_of_equals_is_played_or_a_coins() -> None:
    empty = replay("qubic", [])
    # The 8 corners and the 8 centre cells have 7 lines; 63 is the last corner, 0 the first.
    assert decide(bot("pawar-ren:1"), empty).move == 63
    assert decide(bot("altekar-minimax:1"), empty).move == 0
    seen = {decide(bot("pawar-ren:1,coin"), empty, seed=seed).move for seed in range(60)}
    assert len(seen) > 3
    assert 63 in seen
    assert seen <= {0, 3, 12, 15, 21, 22, 25, 26, 37, 38, 41, 42, 48, 51, 60, 63}


def test_pruning_saves_and_changes_nothing() -> None:
    position = position_after("qubic", 48, 2)
    with_pruning = pawar_ren.searched(position, 3, Cut.LOOSE)
    without = pawar_ren.searched(position, 3, Cut.NONE)
    best = max(without.values)
    assert [m for m, v in zip(with_pruning.moves, with_pruning.values, strict=True) if v == best] == [
        m for m, v in zip(without.moves, without.values, strict=True) if v == best
    ]
    assert with_pruning.nodes < without.nodes
    assert with_pruning.pruned > 0


# Other readings.

# Marks of player 1 and of player 2, and the values in the order of TABLES.
CASES = {
    (4, 0): (9999, 9999, 9999, 9999, 9999, 0, -9999, 0),
    (0, 4): (-9999, -9999, 9999, -9999, 0, -9999, 9999, 0),
    (3, 1): (100, 0, 100, 100, 100, 0, -100, 0),
    (0, 3): (-100, -100, 100, 100, 0, -100, 100, 0),
    (1, 2): (-10, 0, 10, 10, 0, -10, 10, 0),
    (2, 0): (10, 10, 10, 10, 10, 0, -10, 0),
    (2, 2): (0, 0, 0, 0, 0, 0, 0, 0),
    (0, 1): (-1, -1, 1, 1, 0, -1, 1, 0),
}


@pytest.mark.parametrize("marks", CASES)
def test_a_line_is_worth_what_the_reading_says(marks: tuple[int, int]) -> None:
    assert tuple(value(*marks) for value in TABLES.values()) == CASES[marks]


def test_the_words_of_the_bot_are_the_readings() -> None:
    table, cut = bot("pawar-ren-reading").entry.parameters[2:]
    assert isinstance(table, Choice)
    assert isinstance(cut, Choice)
    assert (table.words, cut.words) == (tuple(TABLES), CUTS)


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("ply", [1, 2])
def test_the_search_finds_what_a_plain_minimax_finds(table: str, ply: int) -> None:
    position = position_after("qubic", 50, ply)
    exact = values(position, ply, SCORINGS[table])
    best = max(exact.values())
    found = pawar_ren.searched(position, ply, Cut.LOOSE, table=table)
    assert max(found.values) == best
    chosen = [move for move, value in zip(found.moves, found.values, strict=True) if value == best]
    assert chosen == [move for move, value in exact.items() if value == best]
    assert decide(bot(f"pawar-ren-reading:{ply},last,{table}"), position).move == chosen[-1]


@pytest.mark.parametrize("seed", range(3))
def test_what_they_print_is_one_of_the_readings(seed: int) -> None:
    position = position_after("qubic", 46, seed)
    for tie in ("last", "coin"):
        printed = decide(bot(f"pawar-ren:2,{tie}"), position, seed=seed)
        assert decide(bot(f"pawar-ren-reading:2,{tie},printed,apart"), position, seed=seed) == printed


def plainly(position: Position, ply: int, scoring: Scoring, hard: bool) -> list[tuple[Move, int]]:
    """The values that a program of theirs sees at the root, whose window closes at the best value so far: alpha-beta as
    textbooks print it, with the value itself passed up or, `hard`, the bound."""
    side, seen, alpha = position.to_move, [], -INFINITY
    for move in position.legal_moves():
        value = _plainly(position.play(move), ply - 1, scoring, side, alpha, INFINITY, hard)
        seen.append((move, value))
        alpha = max(alpha, value)
    return seen


INFINITY = 1 << 40


def _plainly(position: Position, ply: int, scoring: Scoring, side: Side, alpha: int, beta: int, hard: bool) -> int:
    if ply == 0 or position.outcome is not None:
        value = evaluation(position, scoring, side)
        return min(max(value, alpha), beta) if hard else value
    rising = position.to_move == side
    best = (alpha if rising else beta) if hard else (-INFINITY if rising else INFINITY)
    for move in position.legal_moves():
        value = _plainly(position.play(move), ply - 1, scoring, side, alpha, beta, hard)
        best = max(best, value) if rising else min(best, value)
        alpha, beta = (max(alpha, best), beta) if rising else (alpha, min(beta, best))
        if alpha >= beta:
            break
    return best


def taken(seen: list[tuple[Move, int]], random: Random | None) -> Move:
    """Their loops over the moves, without a coin and with one. What coins decide among values that are surpassed later
    changes nothing, so none is tossed there."""
    choice, most = seen[0]
    greatest = max(value for _, value in seen)
    for move, value in seen[1:]:
        if value > most or (value == most and (random is None or (value == greatest and random.getrandbits(1)))):
            choice, most = move, value
    return choice


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(("plies", "ply"), [(44, 1), (46, 2), (52, 3)])
@pytest.mark.parametrize("cut", ["soft", "hard"])
def test_pruning_that_does_not_tell_equal_moves_apart(cut: str, plies: int, ply: int, seed: int) -> None:
    position = position_after("qubic", plies, seed)
    seen = plainly(position, ply, SCORING, cut == "hard")
    found = decide(bot(f"pawar-ren-reading:{ply},last,printed,{cut}"), position)
    assert found.move == taken(seen, None)
    drawn = pawar_ren.decide_by_reading((ply, "coin", "printed", cut), position, NO_LIMIT, Random(seed), NO_WATCH)
    assert drawn.move == taken(seen, Random(seed))


def test_a_move_that_only_looks_equal_is_given_no_value() -> None:
    """X wins at 19 at once; with the bound passed up, every later move looks as good."""
    found = decide(bot("pawar-ren-reading:2,last,printed,hard"), TWO_THREES)
    assert found.move == TWO_THREES.legal_moves()[-1] != 19
    assert (found.value, found.win_in, found.proven, found.pv) == (None, None, False, (found.move,))
    exact = decide(bot("pawar-ren-reading:2,last,printed,apart"), TWO_THREES)
    assert (exact.move, exact.win_in, exact.proven) == (19, 1, True)


def test_a_table_in_which_values_do_not_tell_wins_proves_nothing() -> None:
    found = decide(bot("pawar-ren-reading:1,last,unsigned"), TWO_THREES)
    assert (found.win_in, found.proven) == (None, False)
    assert found.value is not None
