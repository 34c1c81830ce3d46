"""The screen of a study: which keys are for the list and which for the board, and words typed where there is none."""

from __future__ import annotations

from client.terminal.full_screen.board import BoardView
from client.terminal.full_screen.menu_screen import MenuScreen
from client.terminal.full_screen.study_screen import StudyScreen
from tests.support.studies import study_screen
from tests.support.terminal_ladder import PAGES


async def test_tab_gives_the_arrows_to_the_list_and_back_to_the_board() -> None:
    async with study_screen("puzzles") as seen:
        await seen.until("X to play")
        board = seen.app.screen.query_one(BoardView)
        await seen.pilot.press("tab", "down", "up", "enter")
        await seen.until("it is one of")
        assert board.cursor is None
        await seen.pilot.press("escape", "up")
        await seen.settles(lambda: board.cursor is not None)
        await seen.pilot.press("tab", "end", "escape", "escape", "escape")
        await seen.settles(lambda: isinstance(seen.app.screen, MenuScreen))


async def test_figures_take_typed_words_at_once() -> None:
    async with study_screen("ladder", pages=PAGES) as seen:
        await seen.until("lists", "#turn")
        first = seen.app.screen
        await seen.pilot.press("1", "enter")
        await seen.settles(lambda: isinstance(seen.app.screen, StudyScreen) and seen.app.screen is not first)
        await seen.pilot.press("down", "enter")
        await seen.until("alphabeta:1", "#heading")
