"""depth3's rule before the search, its styles, its won ends and its first move."""

from __future__ import annotations

from random import Random

import pytest

from engine.bots.literature import depth3
from engine.bots.player import NO_LIMIT, NO_WATCH, Decision, Limit, decide
from engine.bots.roster import bot
from engine.rules.position import O, X
from engine.rules.registry import rules
from engine.search.fixed import Cut, search
from tests.support.engine.games import replay
from tests.support.engine.plain_minimax import evaluation, position_after, values

START = rules("qubic").initial
BEST = {0, 3, 12, 15, 21, 22, 25, 26, 37, 38, 41, 42, 48, 51, 60, 63}


def test_the_first_move_is_drawn_from_the_cells_with_seven_lines() -> None:
    assert set(depth3.best_cells(START)) == BEST
    seen = [decide(bot("depth3"), START, seed=seed) for seed in range(200)]
    assert {found.move for found in seen} == BEST
    assert seen[0] == Decision(seen[0].move, pv=(seen[0].move,))
    # Only where it begins: its reply as O is searched, as is the third ply.
    reply = START.play(21)
    replies = [decide(bot("depth3"), reply, seed=seed) for seed in range(20)]
    assert len({found.move for found in replies}) == 1
    assert replies[0].nodes > 0
    assert replies[0].move == depth3.searched(reply, 3, "balanced", Cut.STRICT).pv[0]
    third = reply.play(63)
    assert len({decide(bot("depth3:balanced,1"), third, seed=seed).move for seed in range(20)}) == 1


@pytest.mark.parametrize("style", ["balanced", "defensive"])
def test_the_reply_as_o_is_that_of_a_plain_minimax(style: str) -> None:
    reply = START.play(22)
    worth = values(reply, 1, depth3.STYLES[style])
    best = max(worth.values())
    assert decide(bot(f"depth3:{style},1"), reply).move == next(move for move, value in worth.items() if value == best)


# X at 0, 1, 2 can win at 3; O at 16, 17, 18 at 19.
BOTH = replay("qubic", [0, 16, 1, 17, 2, 18])


def test_a_win_comes_before_a_block_and_both_before_any_search() -> None:
    won = decide(bot("depth3"), BOTH)
    assert won == Decision(3, depth=1, value=100_002.0, win_in=1, bound=False, proven=True, pv=(3,))
    only_o = replay("qubic", [0, 16, 1, 17, 40, 18])
    assert decide(bot("depth3"), only_o) == Decision(19, pv=(19,))
    assert decide(bot("depth3"), only_o, Limit(nodes=1)).move == 19


def test_of_two_blocks_the_first_is_made_and_the_loss_is_known() -> None:
    two = replay("qubic", [63, 16, 40, 17, 1, 18, 47, 32, 5, 33, 11, 34])
    assert depth3.winning_cells(two, O) == (19, 35)
    found = decide(bot("depth3"), two)
    assert (found.move, found.nodes, found.win_in, found.proven) == (19, 0, -2, True)
    assert found.value == -100_001.0


@pytest.mark.parametrize("seed", range(6))
def test_the_cells_that_win_are_those_of_the_rules(seed: int) -> None:
    position = position_after("qubic", 46, seed)
    to_move = position.to_move
    wins = tuple(move for move in position.legal_moves() if position.play(move).outcome is not None)
    assert depth3.winning_cells(position, to_move) == wins


# Nobody has three in a line.
QUIET = replay("qubic", [0, 63, 1, 25, 21, 62])


def test_only_open_lines_score() -> None:
    position = replay("qubic", [0, 1])
    balanced = depth3.STYLES["balanced"]
    # One of X's 7 lines and one of O's 4 are the same and blocked.
    assert evaluation(position, balanced, X) == 4 * 6 - 4 * 3
    assert evaluation(START, balanced, X) == 0
    assert evaluation(replay("qubic", [0, 5, 1]), balanced, X) == 4 * 9 + 16 - 4 * 4 + 0


@pytest.mark.parametrize(
    ("style", "own", "others"),
    [
        ("balanced", (0, 4, 16, 64, 256), (0, 4, 16, 64, 256)),
        ("defensive", (0, 4, 16, 64, 256), (0, 4, 32, 192, 1024)),
        ("aggressive", (0, 4, 32, 192, 1024), (0, 4, 16, 64, 256)),
    ],
)
def test_styles(style: str, own: tuple[int, ...], others: tuple[int, ...]) -> None:
    table = depth3.STYLES[style].lines
    assert table is not None
    assert tuple(table[marks][0] for marks in range(5)) == own
    assert tuple(-table[0][marks] for marks in range(5)) == others
    assert all(table[mine][theirs] == 0 for mine in range(1, 5) for theirs in range(1, 5))


def test_switching_defends_when_the_other_has_more() -> None:
    seen = set()
    for seed in range(20):
        position = position_after("qubic", 9, seed)
        lead = evaluation(position, depth3.STYLES["balanced"], position.to_move)
        assert depth3.style_of(position) == ("defensive" if lead < 0 else "aggressive")
        seen.add(depth3.style_of(position))
    assert seen == {"defensive", "aggressive"}
    assert depth3.style_of(START) == "aggressive"


def test_faster_wins_come_first() -> None:
    """A won leaf is worth 100000 plus the depth left, from either side's view."""
    found = search(BOTH, 3, depth3.STYLES["balanced"], moves=(3, 60))
    assert found.values == (100_002, -100_001)


def test_the_search_cuts_strictly() -> None:
    position = QUIET
    found = decide(bot("depth3:defensive,2"), position)
    strict, loose = (depth3.searched(position, 2, "defensive", cut) for cut in (Cut.STRICT, Cut.LOOSE))
    assert found.nodes == strict.nodes != loose.nodes
    assert max(strict.values) == max(loose.values) == found.value


def test_switching_searches_with_the_style_it_is() -> None:
    position = position_after("qubic", 20, 4)
    style = depth3.style_of(position)
    found = depth3.decide(("switching", 2), position, NO_LIMIT, Random(0), NO_WATCH)
    assert found == depth3.decide((style, 2), position, NO_LIMIT, Random(0), NO_WATCH)
