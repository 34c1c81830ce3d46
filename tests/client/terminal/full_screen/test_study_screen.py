"""The screen of a study: which keys are for the list and which for the board, and words typed where there is none."""

from __future__ import annotations

import pytest
from textual.widgets._footer import FooterKey

from client.terminal.full_screen.board import BoardView
from client.terminal.full_screen.menu_screen import MenuScreen
from client.terminal.full_screen.study_screen import StudyScreen
from server.wire import ListedPlayer, Lobby, RunningRoom
from tests.support.terminal.fake_server import FakeServer
from tests.support.terminal.ladder import PAGES
from tests.support.terminal.studies import FakeJudge, fake_judge, study_screen

__all__ = ["fake_judge"]


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


@pytest.mark.parametrize(
    ("study", "first", "words"),
    [
        ("analyse", "The first position", {"Move back", "Move on"}),
        ("lessons", "Step 1", {"Move back"}),
        ("puzzles", "X to play", set()),
        ("tv", "No game is running", set()),
    ],
)
async def test_only_keys_that_do_something_are_named(
    study: str, first: str, words: set[str], fake_judge: type[FakeJudge]
) -> None:
    async with study_screen(study) as seen:
        await seen.until(first)
        assert {str(key.description) for key in seen.app.screen.query(FooterKey)} == {"Keys", "Back"} | words
        shown = seen.shown("#turn")
        await seen.pilot.press("f3", "home", "end")
        await seen.pilot.pause()
        assert seen.shown("#turn") == shown
        assert "names no cell" not in seen.shown("#problem")


async def test_a_game_on_tv_is_only_looked_at() -> None:
    def playing(server: FakeServer) -> None:
        server.room.room.you = None
        seat = ListedPlayer(id="p8", name="Eve", kind="person")
        running = RunningRoom(room="r1", game="tictactoe", x=seat, o=seat, plies=3, spectators=0)
        server.lobby = Lobby(seeks=[], rooms=[running], players=2, challenges=[], people=[])

    async with study_screen("tv", before=playing) as seen:
        await seen.until("Tic-tac-toe · no clock")
        await seen.pilot.click(BoardView, offset=(8, 3))
        await seen.pilot.press("down", "down")
        assert seen.app.screen.query_one(BoardView).cursor is None
        assert not seen.shown("#problem")
        await seen.pilot.press("escape")
        await seen.settles(lambda: isinstance(seen.app.screen, MenuScreen))
