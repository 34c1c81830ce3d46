"""The explorer: positions, the moves that were played from them, and what is proven."""

from __future__ import annotations

from typing import Any

import pytest
from textual.widgets import OptionList

from client.terminal.full_screen.board import BoardView
from client.terminal.full_screen.menu_screen import MenuScreen
from client.terminal.full_screen.study_screen import StudyScreen
from client.terminal.seating import BadChoice, NewRoom
from client.terminal.studies.judge import Found, JudgeGone
from client.terminal.typed.exits import Exit
from server.wire import Opponent
from tests.support.terminal.screen import SMALL, WIDE, choose
from tests.support.terminal.studies import FakeJudge, fake_judge, study_screen, told

__all__ = ["fake_judge"]

WINS = Found(exact=True, value=-1.0, even=0.2, win_in=-5, bound=False, line=[])


def page(moves: str, to_move: str | None, played: dict[str, tuple[int, int, int]], **more: Any) -> dict[str, object]:
    def counts(*results: int) -> dict[str, int]:
        return dict(zip(("games", "x_won", "drawn", "o_won"), (sum(results), *results), strict=True))

    following = [{"move": move, "alike": [], "last_game": 1, **counts(*each)} for move, each in played.items()]
    whole = counts(*(sum(each[i] for each in played.values()) for i in range(3)))
    return {"game": "tictactoe", "to_move": to_move, "next": following, **whole, **more}


PAGES: dict[str, object] = {
    "/api/explorer?game=tictactoe&moves=": page("", "x", {"b2": (3, 2, 1), "a1": (1, 0, 0)}),
    "/api/explorer?game=tictactoe&moves=b2": page("b2", "o", {"b1": (2, 0, 0), "a1": (1, 2, 1)}, pending=2),
    "/api/explorer?game=tictactoe&moves=b2%2Cc1": page("b2,c1", "x", {}),
    "/api/explorer?game=gomoku&moves=": page("", "x", {}, pending=3),
}


async def test_going_forward_and_back_in_lines(fake_judge: type[FakeJudge]) -> None:
    fake_judge.found["b2 b1"] = WINS
    said, after = await told("explore", "1", "c1", "p", "p", "p", "n", "9", "board", "", "back", pages=PAGES)
    assert after is Exit.BACK
    assert "Explorer, Tic-tac-toe\n" in said
    assert "The first position, X to move.\n7 games went on from here. X 4 · drawn 2 · O 1\nProven: a draw." in said
    assert "  1  b2  6 games   67 %  X 3 · drawn 2 · O 1  a draw\n  2  a1   1 game  100 %" in said
    assert "│(X)│" in said
    assert "2 finished games are being counted …" in said
    assert "O wins in 5 plies" in said.split("b1 ")[1].splitlines()[0]
    assert "After 2 moves, X to move.\nNo recorded game went on from this position." in said
    assert "This is the start." in said
    assert said.count("After 1 move, O to move.") == 4
    assert "The numbers go from 1 to 2." in said


async def test_moves_of_openings_are_marked(fake_judge: type[FakeJudge]) -> None:
    opened = page("", "x", {"b2": (12, 7, 6), "a1": (1, 0, 0)})["next"]
    for played, lines in (
        ({"b2": (0, 0, 1)}, ["  1  b2     1 game    0 %", "  2  b2*  25 games   62 %", "  3  a1*    1 game  100 %"]),
        ({}, ["  1  b2*  25 games   62 %", "  2  a1*    1 game  100 %"]),
    ):
        pages = {"/api/explorer?game=tictactoe&moves=": page("", "x", played, set_up=opened)}
        said, _ = await told("explore", pages=pages)
        assert "* Openings that games were begun from, as in a ladder: no player chose these moves." in said
        for line in lines:
            assert line in said


async def test_the_proof_of_a_position_is_asked_for_once(fake_judge: type[FakeJudge]) -> None:
    await told("explore tictactoe b2", "p", "n", pages=PAGES)
    assert len(fake_judge.asked) == len(set(fake_judge.asked))


async def test_a_game_that_nobody_played(fake_judge: type[FakeJudge]) -> None:
    said, after = await told("explore gomoku", pages=PAGES)
    assert "Nothing is counted here yet" in said
    assert after is Exit.QUIT
    said, _ = await told("explore", pages={"/api/explorer?game=tictactoe&moves=": page("", "x", {})})
    assert "No finished game of Tic-tac-toe is recorded here yet." in said


async def test_playing_on_against_a_bot(fake_judge: type[FakeJudge]) -> None:
    _, after = await told("explore", "b2", "play nobody", "play level:2", pages=PAGES)
    assert after == NewRoom("tictactoe", Opponent(kind="bot", bot="level:2"), seat="o", start=("b2",))


async def test_moves_that_cannot_be(fake_judge: type[FakeJudge]) -> None:
    for moves, sentence in (("b2 b2", "b2 is taken by X."), ("z9", "'z9' names no cell")):
        with pytest.raises(BadChoice, match=sentence):
            await told(f"explore tictactoe {moves}", pages=PAGES)


async def test_an_engine_that_dies_is_a_sentence(fake_judge: type[FakeJudge], monkeypatch: pytest.MonkeyPatch) -> None:
    async def gone(*_: object, **__: object) -> None:
        raise JudgeGone("The engine has stopped; try again.")

    monkeypatch.setattr(fake_judge, "ask", gone)
    said, _ = await told("explore", pages=PAGES)
    assert "7 games went on" in said
    assert "The engine has stopped; try again." in said


@pytest.mark.parametrize("size", [WIDE, *(pytest.param(size, marks=pytest.mark.slow) for size in (SMALL, (20, 10)))])
async def test_the_screen(fake_judge: type[FakeJudge], size: tuple[int, int]) -> None:
    async with study_screen("explore", pages=PAGES, size=size) as seen:
        await seen.until("7 games went on from here.")
        await choose(seen, "b2")
        await seen.until("After 1 move, O to move.")
        await seen.pilot.press("f2")
        await seen.until("The first position")
        await seen.pilot.press("f3")
        await seen.until("After 1 move")
        await seen.type("zz")
        await seen.until("'zz' names no cell", "#problem")
        await seen.pilot.press("tab", "home")
        await seen.until("The first position")
        await seen.pilot.press("escape")
        await seen.settles(lambda: isinstance(seen.app.screen, MenuScreen))


async def test_mouse_and_cursor(fake_judge: type[FakeJudge]) -> None:
    async with study_screen("explore", pages=PAGES) as seen:
        await seen.until("7 games went on from here.")
        board = seen.app.screen.query_one(BoardView)
        line, first, _ = board._picture.cells[4]
        await seen.pilot.click(BoardView, offset=(first + 1, line))
        await seen.until("After 1 move, O to move.")
        await seen.pilot.press("p", "enter")
        await seen.until("The first position")
        board.cursor = 4
        seen.app.screen.query_one("CommandLine").focus()
        await seen.pilot.press("enter")
        await seen.until("After 1 move, O to move.")
        await seen.pilot.click("#choices", offset=(2, 0))
        await seen.until("There is no such record.", "#problem")


async def test_from_the_list_of_the_lobby_and_without_a_server(fake_judge: type[FakeJudge]) -> None:
    async with study_screen("games", pages={**PAGES, "/api/games?player=p1&limit=30": {"games": []}}) as seen:
        await choose(seen, "Explorer")
        await seen.settles(lambda: isinstance(seen.app.screen, StudyScreen))
        await seen.until("7 games went on from here.")
        seen.server.pages.clear()
        await seen.type("b2")
        await seen.until("There is no such record.", "#problem")
        assert "The first position" in seen.shown("#turn")
        assert len(seen.app.screen.query_one("#choices", OptionList).options) == 2
