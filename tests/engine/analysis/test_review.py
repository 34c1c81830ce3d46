"""Reviews: exact verdicts against plain minimax, and verdicts of one game against each other."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import cache
from itertools import pairwise
from random import Random

import pytest

from engine.analysis.review import judge
from engine.analysis.verdict import MoveVerdict, words
from engine.bots.player import NO_LIMIT, Limit, decide
from engine.bots.roster import bot
from engine.rules.flat import FlatPosition, FlatRules
from engine.rules.position import IllegalMove, Move, Position, Side, other
from engine.rules.registry import rules
from engine.search import assess
from engine.search.assess import flat, qubic, searched
from engine.search.finding import Finding, Stopped
from engine.search.solve.solver import Solver
from engine.search.watch import Watch
from tests.support.engine.games import replay_texts
from tests.support.engine.plain_minimax import position_after
from tests.support.engine.watches import StopsAfter

RANKS = {"won": 1, "drawn": 0, "lost": -1}


@pytest.fixture(autouse=True)
def _nothing_remembered() -> Iterator[None]:
    assess.forget()
    yield
    assess.forget()


@pytest.fixture
def few_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Searches that prove less, and sooner."""
    monkeypatch.setattr(searched, "NODES", 20_000)
    monkeypatch.setattr(flat, "NODES", 5_000)
    monkeypatch.setattr(qubic, "LEAVES", 100)


@cache
def truth(position: Position) -> tuple[int, int]:
    """By plain minimax: 1, 0 or -1 for the side to move, and the plies to the end of a won game, else 0."""
    if position.outcome is not None:
        return RANKS[result_for(position.to_move, position.outcome.winner)], 0
    return max((reached(truth(position.play(move))) for move in position.legal_moves()), key=liked)


def result_for(side: Side, winner: Side | None) -> str:
    return "drawn" if winner is None else "won" if winner == side else "lost"


def reached(after: tuple[int, int]) -> tuple[int, int]:
    value, plies = after
    return -value, plies + 1 if value else 0


def liked(result: tuple[int, int]) -> tuple[int, int]:
    """Wins the sooner the better, losses the later."""
    value, plies = result
    return value, -value * plies


def random_game(game_id: str, seed: int) -> list[tuple[Position, Move]]:
    """Each position of a game of uniformly drawn moves, with the move that was made."""
    random = Random(seed)
    position = rules(game_id).initial
    found = []
    while position.outcome is None:
        found.append((position, random.choice(position.legal_moves())))
        position = position.play(found[-1][1])
    return found


def bots_game(game_id: str, names: tuple[str, str], seed: int, limit: Limit = NO_LIMIT) -> list[tuple[Position, Move]]:
    position = rules(game_id).initial
    found = []
    while position.outcome is None:
        move = decide(bot(names[position.ply % 2]), position, limit, seed).move
        found.append((position, move))
        position = position.play(move)
    return found


def review(game: list[tuple[Position, Move]]) -> list[MoveVerdict]:
    """From the last move to the first."""
    return [judge(position, move) for position, move in reversed(game)][::-1]


def said(judged: MoveVerdict) -> tuple[int, int]:
    return int(judged.value), abs(judged.win_in or 0)


def check_one(position: Position, move: Move, judged: MoveVerdict) -> None:
    """What holds of any verdict."""
    assert judged.exact == (judged.verdict in RANKS)
    if judged.exact:
        assert judged.value == RANKS[judged.verdict]
    else:
        assert -1 < judged.value < 1
        assert judged.verdict == ("better" if judged.value >= 0.2 else "worse" if judged.value <= -0.2 else "even")
    for verdict, plies in ((judged.verdict, judged.win_in), (judged.best_verdict, judged.best_win_in)):
        assert plies is None or (plies > 0 and verdict == "won") or (plies < 0 and verdict == "lost")
    if judged.best[0] == move:
        assert (judged.best_verdict, judged.best_win_in) == (judged.verdict, judged.win_in)
    else:
        assert judged.best_verdict in ("won", "better") or judged.verdict in ("lost", "worse", "even")
    check_line(position, judged)
    assert words(judged, move, position.rules.texts)


def check_line(position: Position, judged: MoveVerdict) -> None:
    """The best line is legal, no longer than the plies say, and ends as they say."""
    mover = position.to_move
    for move in judged.best:
        position = position.play(move)
    if judged.best_win_in is not None:
        assert len(judged.best) <= abs(judged.best_win_in)
    if position.outcome is not None and judged.best_verdict in RANKS:
        assert judged.best_verdict == result_for(mover, position.outcome.winner)


def check_game(game: list[tuple[Position, Move]], judged: list[MoveVerdict]) -> None:
    """Verdicts of neighbouring moves do not contradict each other."""
    for (position, move), one in zip(game, judged, strict=True):
        check_one(position, move, one)
    for before, after in pairwise(judged):
        # What the next move could lead to is the least that its position is worth.
        if before.exact and after.best_verdict in RANKS:
            assert RANKS[after.best_verdict] <= -before.value
        if before.exact and after.exact:
            assert after.value <= -before.value
        # A win in so many plies is still there a ply later. (A bound may have come from before, and be better.)
        if before.verdict == "lost" and before.win_in is not None and after.best_verdict == "won" and not before.bound:
            assert after.best_win_in == -before.win_in - 1
    last = judged[-1]
    assert last.exact
    position = game[-1][0].play(game[-1][1])
    assert position.outcome is not None
    assert last.verdict == result_for(game[-1][0].to_move, position.outcome.winner)


@pytest.mark.parametrize("game_id", ["tictactoe", "mnk:4,3,3"])
@pytest.mark.parametrize("seed", range(8))
def test_each_move_of_a_small_board_is_judged_as_minimax_does(game_id: str, seed: int) -> None:
    game = random_game(game_id, seed)
    judged = review(game)
    check_game(game, judged)
    for (position, move), one in zip(game, judged, strict=True):
        check_against_truth(position, move, one)


def check_against_truth(position: Position, move: Move, judged: MoveVerdict) -> None:
    result, possible = reached(truth(position.play(move))), truth(position)
    assert judged.exact
    assert judged.value == result[0]
    assert RANKS[judged.best_verdict] == possible[0]
    if judged.bound:
        assert result[1] <= abs(judged.win_in or 0)
    else:
        assert said(judged) == result
        assert abs(judged.best_win_in or 0) == possible[1]
        assert (judged.best[0] == move) == (result == possible)
    # The best move leads to what it is said to.
    assert reached(truth(position.play(judged.best[0])))[0] == possible[0]


@pytest.mark.parametrize(
    ("game_id", "plies"),
    [("qubic", 55), ("super", 70), ("ultimate", 62), ("ultimate:count", 62), ("mnk:8,8,5", 56), ("mnk:7,7,4", 40)],
)
@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 5))])
def test_near_the_end_every_move_is_judged_as_minimax_does(game_id: str, plies: int, seed: int) -> None:
    position = position_after(game_id, plies, seed)
    for move in position.legal_moves():
        judged = judge(position, move)
        check_one(position, move, judged)
        check_against_truth(position, move, judged)


@pytest.mark.usefixtures("few_nodes")
@pytest.mark.parametrize(
    "game_id",
    [
        pytest.param("qubic", marks=pytest.mark.slow),
        "cube:5",
        "gomoku",
        "nine-board",
        "ultimate",
        "super",
        "mnk:5,5,4",
        "mnk:6,5,4",
        "mnk:7,7,5",
        "mnk:7,4,4",
    ],
)
@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 5))])
def test_verdicts_of_random_games_do_not_contradict_each_other(game_id: str, seed: int) -> None:
    game = random_game(game_id, seed)
    check_game(game, review(game))


@pytest.mark.parametrize(
    ("game_id", "names"),
    [
        ("qubic", ("level:5", "level:4")),
        pytest.param("qubic", ("level:4", "level:6"), marks=pytest.mark.slow),
        ("nine-board", ("level:5", "level:4")),
        ("ultimate", ("level:4", "level:5")),
        ("mnk:6,5,4", ("level:4", "level:4")),
        ("mnk:7,4,4", ("level:6", "level:5")),
    ],
)
@pytest.mark.usefixtures("few_nodes")
def test_verdicts_of_played_games_do_not_contradict_each_other(game_id: str, names: tuple[str, str]) -> None:
    game = bots_game(game_id, names, 1)
    check_game(game, review(game))


@pytest.mark.usefixtures("few_nodes")
def test_the_order_of_judging_makes_no_difference() -> None:
    for game in (random_game("qubic", 5), random_game("mnk:6,5,4", 5)):
        backward = review(game)
        assess.forget()
        assert [judge(position, move) for position, move in game] == backward
        assess.forget()
        assert judge(*game[3]) == backward[3]


@pytest.mark.parametrize(("game_id", "most"), [("qubic", 31), ("super", 43)])
def test_a_game_won_by_a_proof_is_exact_from_its_first_move(game_id: str, most: int, few_nodes: None) -> None:
    game = bots_game(game_id, ("perfect", "level:3"), 2)
    judged = review(game)
    check_game(game, judged)
    assert [one.verdict for one in judged] == [("won", "lost")[ply % 2] for ply in range(len(judged))]
    assert (judged[0].win_in, judged[0].bound) == (most, True)
    assert all(ply + abs(one.win_in or 0) <= most for ply, one in enumerate(judged))
    assert all(one.best[0] == move for (_, move), one in zip(game[::2], judged[::2], strict=True))


def test_a_win_thrown_away_on_qubic_is_said_to_be_one() -> None:
    position = replay_texts("qubic", "a1.1 a1.3 d1.1 b1.3 a4.1 c1.3")
    # X completes nothing and leaves O's three as it is.
    judged = judge(position, position.rules.parse_move("d4.4"))
    assert (judged.verdict, judged.win_in, judged.bound) == ("lost", -2, False)
    assert judged.best_verdict == "won"
    blocks = judge(position, position.rules.parse_move("d1.3"))
    assert blocks.verdict == "won"


START = rules("mnk:4,4,3").initial
WON_BEFORE = Finding(True, 1.0, 7, False, (1, 2), (1, 5, 2), True)
DRAWN_BEFORE = Finding(True, 0.0, None, False, (1, 2), (1,), True)
LOST_BEFORE = Finding(True, -1.0, -8, False, (1,), (1, 5, 2), True)
GUESSED_BEFORE = Finding(False, 0.3, best=(1,), line=(1, 5))
GUESSED_AFTER = Finding(False, -0.5, line=(9,))
LOST_AFTER = Finding(True, 1.0, 3, line=(9,))


@pytest.mark.parametrize(
    ("move", "before", "after", "verdict", "win_in", "bound", "best_verdict", "best_win_in", "first"),
    [
        # One of the two is estimated, and what the other proves decides it where it can.
        (1, WON_BEFORE, GUESSED_AFTER, "won", 7, False, "won", 7, 1),
        (2, WON_BEFORE, GUESSED_AFTER, "won", 7, False, "won", 7, 2),
        (3, WON_BEFORE, GUESSED_AFTER, "better", None, False, "won", 7, 1),
        (3, DRAWN_BEFORE, GUESSED_AFTER, "lost", None, False, "drawn", None, 1),
        (3, Finding(True, 0.0, best=(1,), line=(1,)), GUESSED_AFTER, "even", None, False, "even", None, 3),
        (3, LOST_BEFORE, GUESSED_AFTER, "lost", -8, True, "lost", -8, 3),
        (1, LOST_BEFORE, GUESSED_AFTER, "lost", -8, False, "lost", -8, 1),
        (3, GUESSED_BEFORE, Finding(True, -1.0, -4, line=(9,)), "won", 5, False, "won", 5, 3),
        (1, GUESSED_BEFORE, Finding(True, 0.0, line=(9,)), "drawn", None, False, "drawn", None, 1),
        # Both are proven: the closer bound is taken, but not another move's.
        (1, WON_BEFORE, Finding(True, -1.0, -9, True, line=(9,)), "won", 7, False, "won", 7, 1),
        (3, WON_BEFORE, Finding(True, -1.0, -9, True, line=(9,)), "won", 10, True, "won", 7, 1),
        (3, WON_BEFORE, Finding(True, 1.0, 3, line=(9,)), "lost", -4, False, "won", 7, 1),
        (3, LOST_BEFORE, Finding(True, 1.0, 3, line=(9,)), "lost", -4, False, "lost", -8, 1),
        (3, LOST_BEFORE, Finding(True, 1.0, 11, True, line=(9,)), "lost", -8, True, "lost", -8, 3),
        # Both are estimated: what looked best is judged like what was made.
        (3, GUESSED_BEFORE, Finding(False, 0.4, line=(9,)), "worse", None, False, "better", None, 1),
        (3, GUESSED_BEFORE, Finding(False, -0.45, line=(9,)), "better", None, False, "better", None, 3),
    ],
)
def test_what_is_known_before_and_after_a_move_is_put_together(
    monkeypatch: pytest.MonkeyPatch, move: Move, before: Finding, after: Finding, verdict: str, win_in: int | None,
    bound: bool, best_verdict: str, best_win_in: int | None, first: Move,
) -> None:  # fmt: skip
    def found(position: Position, watch: Watch) -> Finding:
        if position == START:
            return before
        return after if position == START.play(move) else GUESSED_AFTER

    monkeypatch.setattr(assess, "assess", found)
    judged = judge(START, move)
    assert (judged.verdict, judged.win_in, judged.bound) == (verdict, win_in, bound)
    assert (judged.best_verdict, judged.best_win_in, judged.best[0]) == (best_verdict, best_win_in, first)


@pytest.mark.parametrize("move", [1, 3])
def test_where_what_was_looked_at_is_lost_the_others_are_asked_for(monkeypatch: pytest.MonkeyPatch, move: Move) -> None:
    """Whether the move is the one that the search liked or another: nobody knows yet that all moves lose."""
    monkeypatch.setattr(assess, "assess", lambda position, watch: GUESSED_BEFORE if position == START else LOST_AFTER)
    asked: list[set[Move]] = []

    def answer(found: Finding | None) -> None:
        def others(position: Position, tried: Collection[Move], watch: Watch) -> Finding | None:
            asked.append(set(tried))
            return found

        monkeypatch.setattr(assess, "others", others)

    answer(Finding(False, 0.0, best=(4,), line=(4,)))
    judged = judge(START, move)
    assert (judged.verdict, judged.best_verdict, judged.best) == ("lost", "even", (4,))
    assert asked == [{1, move}]
    answer(Finding(False, -0.99, best=(4,), line=(4,)))
    assert judge(START, move).best_verdict == "worse"
    for found in (None, Finding(True, -1.0, -2, best=(4,), line=(4,))):
        answer(found)
        judged = judge(START, move)
        assert (judged.best_verdict, judged.best_win_in, judged.best[0]) == ("lost", -4, move)
    answer(Finding(True, -1.0, -6, best=(4,), line=(4,)))
    assert (judge(START, move).best_win_in, judge(START, move).best) == (-6, (4,))


def test_that_all_moves_lose_is_said_only_where_they_do(monkeypatch: pytest.MonkeyPatch) -> None:
    """By a solver that is given all the nodes it needs."""
    board = rules("mnk:5,5,4")
    assert isinstance(board, FlatRules)
    solver = Solver(board)
    said = 0
    for seed in range(30):
        monkeypatch.setattr(flat, "NODES", 20 + 13 * seed)
        monkeypatch.setattr(searched, "NODES", 1_000 + 100 * seed)
        game = random_game("mnk:5,5,4", seed)
        for (position, _), judged in zip(game, review(game), strict=True):
            if judged.best_verdict == "lost":
                said += 1
                assert isinstance(position, FlatPosition)
                assert solver.solve(position).value == other(position.to_move)
    assert said > 20


def test_a_stopped_watch_is_heard() -> None:
    with pytest.raises(Stopped):
        judge(rules("qubic").initial, 0, StopsAfter())


def test_an_illegal_move_is_refused() -> None:
    position = rules("tictactoe").initial.play(4)
    with pytest.raises(IllegalMove):
        judge(position, 4)
