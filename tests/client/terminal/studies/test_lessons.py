"""The guided first games."""

from __future__ import annotations

import pytest

from client.terminal.full_screen.board import BoardView
from client.terminal.seating import BadChoice, NewRoom
from client.terminal.studies.lessons import all_lessons
from engine.rules import registry
from server.wire import Opponent
from tests.support.terminal.studies import study_screen, told


@pytest.mark.parametrize("game", [game.id for game in registry.games()])
async def test_following_along_wins(game: str) -> None:
    lesson = all_lessons()[game]
    said, _ = await told(f"lessons {game}", *(lesson.moves[step.ply] for step in lesson.steps))
    assert f"Step 1 of {len(lesson.steps)}" in said
    assert "X has won: that was your first game!" in said


async def test_other_moves_are_told() -> None:
    said, after = await told(
        "lessons", "p", "a1", "zz", "b2", "p", "b2", "start", "b2", "a1", "a3", "c1", "c3", "help", "play"
    )
    assert "This is the start." in said
    assert "a1 would be a move too, but follow along for now: play b2." in said
    assert "'zz' names no cell" in said
    assert "You are X. Play b2: most lines go through the middle." in said
    assert "O plays b1. Play a1" in said
    assert "The game is over; start begins it again." in said
    assert after == NewRoom("tictactoe", Opponent(kind="bot", bot="level:1"), seat="x")


async def test_a_trap_is_told() -> None:
    said, _ = await told("lessons nine-board", "5/1", "5/2", "4/1", "9/1")
    assert "That would send O to board 1, where O completes a line and wins." in said


async def test_on_to_puzzles_and_other_games() -> None:
    said, _ = await told("lessons", "puzzles", "back", "gomoku", "mnk:19,19,12")
    assert "Puzzles, Tic-tac-toe" in said
    assert "\nLearn Gomoku\n" in said
    assert "You are X. Play g8" in said
    assert "There is no lesson for this board." in said


@pytest.mark.parametrize("asked", ["lessons chess", "lessons mnk:19,19,12"])
async def test_no_lesson(asked: str) -> None:
    with pytest.raises(BadChoice):
        await told(asked)


async def test_enter_plays_the_move_that_is_pointed_at() -> None:
    async with study_screen("lessons") as seen:
        await seen.until("Step 1 of 4")
        assert seen.app.screen.query_one(BoardView).cursor == 4
        for step in (2, 3, 4):
            await seen.pilot.press("enter")
            await seen.until(f"Step {step} of 4")
        await seen.pilot.press("enter")
        await seen.until("All steps done")
        assert seen.app.screen.query_one(BoardView).cursor is None


async def test_a_study_that_needs_no_server_opens_without_one() -> None:
    async with study_screen("back") as seen:
        seen.server.refuse_to_open = True
        await seen.server.drop()
        await seen.type("lessons")
        await seen.until("Step 1 of 4")
