"""The full screen, driven by textual's pilot against the fake server."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from fake_server import ME, OPPONENT, FakeRoom, FakeServer, fake_server
from msgspec import structs
from textual.pilot import Pilot
from textual.widgets import Input, OptionList, RichLog, Static

from client.connection import connect
from client.render import Look
from client.terminal.app import TerminalApp
from client.terminal.board import BoardView
from client.terminal.game_screen import CommandLine, GameScreen
from client.terminal.menu import MenuScreen
from server.protocol import (
    Act,
    Author,
    ClockView,
    Create,
    Error,
    Join,
    Leave,
    Move,
    RatingView,
    Resume,
    Said,
    Say,
    Seat,
)

WIDE = (100, 32)
NARROW = (46, 30)


class Screen:
    """What a person sees and does."""

    def __init__(self, app: TerminalApp, pilot: Pilot[int], server: FakeServer) -> None:
        self.app = app
        self.pilot = pilot
        self.server = server

    async def type(self, *lines: str) -> None:
        for line in lines:
            typing = self.app.screen.query_one(Input)
            typing.focus()
            typing.value = line
            await self.pilot.press("enter")
        await self.pilot.pause()

    async def until(self, text: str, where: str = "#turn") -> None:
        """Wait for text in a part of the screen; the test's time limit ends it."""
        while text not in self.shown(where):
            await self.pilot.pause()

    def shown(self, where: str) -> str:
        widget = self.app.screen.query_one(where)
        if isinstance(widget, RichLog):
            return "\n".join(strip.text for strip in widget.lines)
        assert isinstance(widget, BoardView | Static)
        return str(widget.render())


@asynccontextmanager
async def screen(
    room: FakeRoom | None = None, *, size: tuple[int, int] = WIDE, menu: bool = False, look: Look | None = None
) -> AsyncIterator[Screen]:
    async with fake_server(room) as server, connect(server.url, delays_s=(0.0,) * 9) as connection:
        first = None if menu else await connection.join(room="r1")
        app = TerminalApp(connection, server.url, look or Look(), first)
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            yield Screen(app, pilot, server)


async def test_a_typed_move_and_the_answer() -> None:
    async with screen() as seen:
        seen.server.replies = ["a1"]
        assert "Your turn (X)." in seen.shown("#turn")
        await seen.type("b2")
        await seen.until("a1", "#moves")
        await seen.until("Your turn (X).")
        assert "│ X │" in seen.shown("#board")
        assert "(O)" in seen.shown("#board")
        assert "1. b2     a1" in seen.shown("#moves")
        assert "plays" not in seen.shown("#log")


async def test_the_end_and_its_line() -> None:
    async with screen() as seen:
        seen.server.replies = ["a2", "b2"]
        for move in ("a1", "b1", "c1"):
            await seen.until("Your turn")
            await seen.type(move)
        await seen.until("You win with a line.")
        assert "│[X]│[X]│[X]│" in seen.shown("#board")


async def test_wrong_moves_are_complained_about_until_the_board_changes() -> None:
    async with screen() as seen:
        await seen.type("z9")
        await seen.until("'z9' names no cell")
        await seen.server.happens(Said(by=Author(id="p2", name="Bob"), text="oops"))
        await seen.until("oops", "#log")
        assert "'z9' names no cell" in seen.shown("#turn")
        await seen.type("b2")
        await seen.until("Bob (O) to move.")
        await seen.type("a1")
        await seen.until("opponent's turn")


async def test_lines_typed_ahead_stay_apart() -> None:
    async with screen() as seen:
        await seen.pilot.press(*"/say", "space", *"hi", "enter", *"/say", "space", *"ho", "enter")
        await seen.until("Ada: ho", "#log")
        assert [say.text for say in seen.server.requests(Say)] == ["hi", "ho"]


async def test_arrows_and_enter_play() -> None:
    async with screen() as seen:
        await seen.pilot.press("up", "up", "right", "enter")
        await seen.server.hears(Move)
        assert seen.server.requests(Move)[0].move == "c3"


async def test_escape_forgets_the_cursor_and_the_line() -> None:
    async with screen() as seen:
        await seen.pilot.press("up", "b", "escape")
        assert seen.app.screen.query_one(BoardView).cursor is None
        assert seen.app.screen.query_one(CommandLine).value == ""
        await seen.pilot.press("enter")
        assert not seen.server.requests(Move)


async def test_pages_change_the_level_of_a_cube() -> None:
    async with screen(FakeRoom("qubic")) as seen:
        board = seen.app.screen.query_one(BoardView)
        await seen.pilot.press("down")
        first = board.cursor
        assert first is not None
        await seen.pilot.press("pagedown")
        assert board.cursor == first + 16
        await seen.pilot.press("pageup", "right")
        assert board.cursor == first + 1


async def test_a_click_plays() -> None:
    async with screen() as seen:
        board = seen.app.screen.query_one(BoardView)
        line, first, _ = board._picture.cells[4]
        await seen.pilot.click(BoardView, offset=(first + 1, line))
        await seen.server.hears(Move)
        assert seen.server.requests(Move)[0].move == "b2"
        await seen.pilot.click(BoardView, offset=(0, 0))


async def test_clocks_and_seats() -> None:
    clock = ClockView(x_ms=9_500, o_ms=125_000, running="x", initial_ms=300_000, increment_ms=3_000)
    async with screen(FakeRoom(you="o", clock=clock)) as seen:
        assert "Bob" in seen.shown("#far")
        assert "Ada (you)  2:05" in seen.shown("#near")
        assert "5+3" in seen.shown("#heading")


async def test_seats_show_ratings() -> None:
    rated = structs.replace(OPPONENT, rating=RatingView(value=1490, deviation=200, provisional=True))
    async with screen(FakeRoom(opponent=rated)) as seen:
        assert "Bob 1490?" in seen.shown("#far")
        assert seen.shown("#near").strip().endswith("Ada (you)  ◀")


async def test_an_invitation_is_shown() -> None:
    async with screen(FakeRoom(opponent=None, code="CODE")) as seen:
        await seen.until("Give a friend this code:\nCODE\n")
        assert f"{seen.server.url}/join/CODE" in seen.shown("#turn")
        assert "Waiting for an opponent." in seen.shown("#turn")
        assert "nobody yet" in seen.shown("#far")


async def test_commands() -> None:
    async with screen() as seen:
        await seen.type("/help", "/rules", "/moves", "/board", "/sing")
        await seen.until("There is no command /sing")
        assert "/takeback:" in seen.shown("#log")
        assert "No move has been made." in seen.shown("#log")
        await seen.type("/resign")
        await seen.until("You lose: you resigned.")
        assert seen.server.requests(Act)[0].action == "resign"


async def test_refusals_are_shown() -> None:
    async with screen() as seen:
        seen.server.answers[Act] = lambda request: Error(code="not_now", message="Not [b]now[/b].")
        await seen.type("/draw")
        await seen.until("Not [b]now[/b].")


async def test_other_peoples_text_is_harmless() -> None:
    async with screen() as seen:
        await seen.server.happens(Said(by=Author(id="p2", name="[red]Bob"), text="\x1b[2J[b]bold[/b]"))
        await seen.until("[red]Bob: [b]bold[/b]", "#log")


async def test_a_lost_connection_is_shown_and_mended() -> None:
    async with screen() as seen:
        await seen.server.drop()
        await seen.server.hears(Resume)
        await seen.until("Connected again.", "#log")
        assert "● connected" in seen.shown("#heading")
        assert "The connection is lost" in seen.shown("#log").replace("\n", " ")
        seen.server.replies = ["a1"]
        await seen.type("b2")
        await seen.until("a1", "#moves")


async def test_a_connection_lost_for_good_is_shown() -> None:
    async with screen() as seen:
        seen.server.refuse_to_open = True
        await seen.server.drop()
        await seen.until("○", "#heading")
        await seen.until("closed the", "#log")
        await seen.type("b2")
        await seen.until("closed the connection")


async def test_quitting() -> None:
    async with screen() as seen:
        await seen.type("/quit")
    assert seen.app.return_value == 0


async def test_ctrl_c_quits() -> None:
    async with screen() as seen:
        await seen.pilot.press("ctrl+c")
    assert seen.app.return_value == 0


@pytest.mark.parametrize("game", ["tictactoe", "gomoku", "qubic", "ultimate"])
async def test_narrow_terminals(game: str) -> None:
    async with screen(FakeRoom(game), size=NARROW) as seen:
        board = seen.app.screen.query_one(BoardView)
        assert board._picture.width <= NARROW[0]
        assert "Your turn (X)" in seen.shown("#turn")
        assert not seen.app.screen.query_one("#movelist").display
        await seen.type(seen.server.room.view.legal[0])
        await seen.until("You (X) play", "#log")


async def test_small_terminals_show_the_board_of_gomoku_whole() -> None:
    async with screen(FakeRoom("gomoku"), size=(80, 24)) as seen:
        board, room = seen.app.screen.query_one(BoardView), seen.app.screen.query_one("#boardroom")
        assert board.region.height == 16
        assert room.region.height >= 16
        assert seen.app.screen.query_one(CommandLine).region.height == 1


async def test_ascii_and_marks() -> None:
    async with screen(look=Look(("@", "#"), ascii=True)) as seen:
        seen.server.replies = ["a1"]
        await seen.type("b2")
        await seen.until("a1", "#moves")
        assert "| @ |" in seen.shown("#board")
        assert seen.shown("#board").isascii()


async def test_watching_needs_no_seat() -> None:
    room = FakeRoom()
    room.room.seats.x = Seat(id="p3", name="Eve", kind="person", present=True)
    async with screen(room) as seen:
        await seen.type("b2")
        await seen.until("You are watching")


async def test_the_menu_begins_a_game_against_a_bot() -> None:
    async with screen(menu=True) as seen:
        await choose(seen, "Tic-tac-toe")
        assert "against whom?" in seen.shown("#question")
        await choose(seen, "Clock: none")
        await choose(seen, "Your seat: X")
        await choose(seen, "Bots answer at once")
        await choose(seen, "Bot random")
        await seen.until("Your turn")
        create = seen.server.requests(Create)[0]
        assert create.opponent is not None
        assert (create.game, create.opponent.kind, create.opponent.bot) == ("tictactoe", "bot", "random")
        assert (create.seat, create.pace) == ("o", "human")
        assert create.clock is not None
        assert create.clock.initial_ms == 60_000


async def test_the_menu_takes_typed_games_and_bots() -> None:
    async with screen(menu=True) as seen:
        await seen.type("mnk:2,2,9")
        await seen.until("A board cannot have 2 columns", "#problem")
        await seen.type("mnk:5,5,4")
        assert "5 x 5" in seen.shown("#question")
        await seen.type("alphabeta:4")
        await seen.server.hears(Create)
        opponent = seen.server.requests(Create)[0].opponent
        assert opponent is not None
        assert opponent.bot == "alphabeta:4"


async def test_the_menu_joins_by_code_and_shows_refusals() -> None:
    async with screen(menu=True) as seen:
        seen.server.answers[Join] = lambda request: Error(code="not_found", message="No room has this code.")
        await seen.type("SECRET")
        await seen.until("No room has this code.", "#problem")
        del seen.server.answers[Join]
        await seen.type("http://h/join/OTHER")
        await seen.server.hears(Join, 2)
        assert [join.code for join in seen.server.requests(Join)] == ["SECRET", "OTHER"]


async def test_letters_go_to_the_line_and_arrows_to_the_list() -> None:
    async with screen(menu=True) as seen:
        await seen.pilot.press("q", "u")
        assert seen.app.screen.query_one(Input).value == "qu"
        await seen.pilot.press("down", "down", "enter")
        assert "against whom?" in seen.shown("#question")


async def test_the_menu_goes_back_and_leaves() -> None:
    async with screen(menu=True) as seen:
        await choose(seen, "Qubic")
        await seen.pilot.press("escape")
        assert seen.shown("#question") == "Which game?"
        await choose(seen, "Leave")
    assert seen.app.return_value == 0


async def test_another_game_from_the_menu() -> None:
    async with screen() as seen:
        await seen.type("/new")
        while not isinstance(seen.app.screen, MenuScreen):
            await seen.pilot.pause()
        await seen.server.hears(Leave)
        await choose(seen, "Tic-tac-toe")
        await choose(seen, "Two people")
        while not isinstance(seen.app.screen, GameScreen):
            await seen.pilot.pause()
        opponent = seen.server.requests(Create)[0].opponent
        assert opponent is not None
        assert opponent.kind == "self"
        assert ME.name in seen.shown("#near")


async def choose(seen: Screen, beginning: str) -> None:
    choices = seen.app.screen.query_one(OptionList)
    at = next(i for i, option in enumerate(choices.options) if str(option.prompt).startswith(beginning))
    choices.highlighted = at
    choices.focus()
    await seen.pilot.press("enter")
    await seen.pilot.pause()
