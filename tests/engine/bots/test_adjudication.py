"""Games that are ended early: who has won, what is drawn, and what must be played on."""

from __future__ import annotations

import pytest

from engine.bots import match
from engine.bots.adjudication import Adjudication, Verdict
from engine.bots.match import Task
from engine.bots.player import NO_LIMIT
from engine.bots.roster import bot
from engine.record.model import RecordedMove
from engine.rules.position import Side, play_all
from engine.rules.registry import rules

GAME = rules("mnk:5,5,4")


def verdict(rule: Adjudication, *moves: RecordedMove) -> Verdict | None:
    """X made the first of the moves."""
    position = play_all(GAME.initial, (move.cell for move in moves))
    return rule.verdict(moves, position)


def claimed(cell: int, win_in: int | None, value: float | None = None) -> RecordedMove:
    return RecordedMove(cell, win_in=win_in, value=value)


@pytest.mark.parametrize(
    ("wins", "winner"),
    [
        ((7, -6, 5), "x"),
        ((-7, 6, -5), "o"),
        ((None, None, 5, -4, 3), "x"),
        ((None, -4, 3, -2), "x"),
        ((7, None, 5), None),
        ((7, 6, 5), None),
        ((-6, 5), None),
        ((0, 0, 0), None),
    ],
)
def test_a_win_that_both_have_found(wins: tuple[int | None, ...], winner: Side | None) -> None:
    found = verdict(Adjudication(win=3), *(claimed(cell, win_in) for cell, win_in in enumerate(wins)))
    assert found == (None if winner is None else Verdict(winner))


def test_a_draw_by_values_of_0() -> None:
    even = [claimed(cell, None, 0.0) for cell in range(4)]
    assert verdict(Adjudication(draw=4), *even) == Verdict(None)
    assert verdict(Adjudication(draw=5), *even) is None
    assert verdict(Adjudication(draw=4), *even[:3], claimed(3, None, 0.5)) is None
    assert verdict(Adjudication(draw=4), *even[:3], claimed(3, None)) is None, "a bot that does not judge"


def test_a_draw_by_length() -> None:
    moves = [claimed(cell, None) for cell in range(6)]
    assert verdict(Adjudication(plies=6), *moves) == Verdict(None)
    assert verdict(Adjudication(plies=7), *moves) is None


def task(x: str, o: str, game: str = "mnk:5,5,4") -> Task:
    return Task(0, 0, "x", game, bot(x), bot(o), NO_LIMIT, NO_LIMIT, (0,), 7)


def test_a_game_ends_by_adjudication() -> None:
    found = match.play(task("random", "random"), adjudication=Adjudication(plies=4)).record
    assert (found.winner, found.termination, len(found.moves)) == (None, "adjudication", 3), "the opening counts"
    whole = match.play(task("alphabeta:4", "alphabeta:2", "tictactoe")).record
    ruled = match.play(task("alphabeta:4", "alphabeta:2", "tictactoe"), adjudication=Adjudication(draw=2)).record
    assert ruled.termination == "adjudication"
    assert whole.moves[: len(ruled.moves)] == ruled.moves


def test_a_game_that_ends_by_itself_is_not_ruled() -> None:
    whole = match.play(task("random", "random", "tictactoe")).record
    ruled = match.play(
        task("random", "random", "tictactoe"), adjudication=Adjudication(plies=len(whole.moves) + 1)
    ).record
    assert ruled == whole
