"""The board on the screen: its cursor, clicks, and what is seen of it in a window of any size."""

from __future__ import annotations

import pytest
from textual.geometry import Region

from client.terminal.full_screen.board import BoardView
from client.terminal.full_screen.command_line import CommandLine
from engine.rules.registry import rules
from server.wire import Move
from tests.support.terminal.fake_server import FakeRoom
from tests.support.terminal.screen import Screen, screen


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


@pytest.mark.parametrize("game", ["gomoku", "mnk:19,19,5"])
async def test_a_board_too_large_for_the_terminal_follows_the_last_move_and_the_cursor(game: str) -> None:
    async with screen(FakeRoom(game, you="o"), size=(34, 14)) as seen:
        await seen.server.opponent_moves("o15")
        await seen.until("Your turn")
        room = seen.app.screen.query_one("#boardroom")
        await seen.settles(lambda: cell_is_seen(seen, 14 + rules(game).dimensions[0] * 14))
        top = room.scroll_offset.y
        await seen.pilot.press(*["down"] * 12)
        await seen.settles(lambda: room.scroll_offset.y > top)


def cell_is_seen(seen: Screen, cell: int) -> bool:
    board, room = seen.app.screen.query_one(BoardView), seen.app.screen.query_one("#boardroom")
    line, first, columns = board._picture.cells[cell]
    shown = Region(*room.scroll_offset, *room.size)
    return shown.contains_region(Region(first, line, columns, 1))


async def test_small_terminals_show_the_board_of_gomoku_whole() -> None:
    async with screen(FakeRoom("gomoku"), size=(80, 24)) as seen:
        board, room = seen.app.screen.query_one(BoardView), seen.app.screen.query_one("#boardroom")
        assert board.region.height == 16
        assert room.region.height >= 16
        assert seen.app.screen.query_one(CommandLine).region.height == 1


async def test_the_board_grows_with_the_window() -> None:
    async with screen(size=(80, 24)) as seen:
        board = seen.app.screen.query_one(BoardView)
        lines = []
        for size in ((80, 24), (120, 40), (200, 60), (20, 10), (1, 1), (120, 40)):
            await seen.pilot.resize_terminal(*size)
            await seen.pilot.pause()
            lines.append(board._picture.cell_lines)
        assert lines == [3, 9, 15, 1, 1, 9]
        room = seen.app.screen.query_one("#boardroom")
        assert room.max_scroll_y == room.max_scroll_x == 0


async def test_a_smaller_window_still_shows_the_last_move() -> None:
    room = FakeRoom("qubic", start=["a1.1", "b2.4"])
    async with screen(room, size=(120, 40)) as seen:
        board, around = seen.app.screen.query_one(BoardView), seen.app.screen.query_one("#boardroom")
        await seen.pilot.resize_terminal(20, 10)
        await seen.settles(lambda: around.scroll_y > 0)
        line, *_ = board._picture.cells[board.view.rules.parse_move("b2.4")]
        assert around.scroll_y <= line < around.scroll_y + around.size.height


async def test_a_click_anywhere_in_a_large_cell_plays() -> None:
    async with screen(size=(120, 40)) as seen:
        board = seen.app.screen.query_one(BoardView)
        line, first, columns = board._picture.cells[4]
        await seen.pilot.click(BoardView, offset=(first + columns - 1, line + board._picture.cell_lines - 1))
        assert (await seen.server.hears(Move)).move == "b2"


async def test_a_click_plays() -> None:
    async with screen() as seen:
        board = seen.app.screen.query_one(BoardView)
        line, first, _ = board._picture.cells[4]
        await seen.pilot.click(BoardView, offset=(first + 1, line))
        await seen.server.hears(Move)
        assert seen.server.requests(Move)[0].move == "b2"
        await seen.pilot.click(BoardView, offset=(0, 0))
