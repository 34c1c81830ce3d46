"""The board on the screen: its cursor, clicks, and what is seen of it in a window of any size."""

from __future__ import annotations

import pytest
from textual.geometry import Region
from textual.strip import Strip

from client.sdk import RoomView, Side
from client.terminal.drawing.boards import Look, Picture, draw_view
from client.terminal.full_screen.board import BoardView, Direction, painted
from client.terminal.full_screen.command_line import CommandLine
from engine.rules.registry import rules
from server.wire import Move
from tests.support.terminal.fake_server import FakeRoom
from tests.support.terminal.screen import Screen, screen


def steered(board: BoardView, *directions: Direction) -> int:
    """Where the cursor is after that."""
    for direction in directions:
        board.steer(direction)
    assert board.cursor is not None
    return board.cursor


def gone_through(board: BoardView, start: int, direction: Direction) -> list[int]:
    """From a cell to the edge."""
    board.cursor = start
    cells = [start]
    while (cell := steered(board, direction)) != cells[-1]:
        cells.append(cell)
    return cells


def test_the_cursor_appears_on_the_last_move_or_in_the_middle() -> None:
    assert steered(BoardView(FakeRoom().view, Look()), "left") == 4
    assert steered(BoardView(FakeRoom(start=["c3"]).view, Look()), "up") == 8


def test_the_arrows_reach_every_cell() -> None:
    board = BoardView(FakeRoom("cube:3").view, Look())
    arrows: tuple[Direction, ...] = ("left", "right", "up", "down")
    reached = {0}
    waiting = [0]
    while waiting:
        start = waiting.pop()
        for arrow in arrows:
            board.cursor = start
            if steered(board, arrow) not in reached:
                reached.add(board.cursor)
                waiting.append(board.cursor)
    assert len(reached) == 27


@pytest.mark.parametrize("game", ["mnk:7,7,4", "nine-board"])
def test_a_row_and_a_column_are_gone_through_to_their_end_and_back(game: str) -> None:
    board = BoardView(FakeRoom(game).view, Look())
    side = round(board.view.rules.cells**0.5)
    places = draw_view(board.view, Look()).cells
    corner = min(places, key=lambda cell: places[cell][:2])
    row, column = gone_through(board, corner, "right"), gone_through(board, corner, "down")
    assert [places[cell][0] for cell in row] == [places[corner][0]] * side
    assert [places[cell][1] for cell in column] == [places[corner][1]] * side
    assert gone_through(board, row[-1], "left") == row[::-1]
    assert gone_through(board, column[-1], "up") == column[::-1]


@pytest.mark.parametrize(("game", "layer"), [("qubic", 16), ("cube:3", 9), ("nine-board", 9), ("mnk:5,4,3", 20)])
def test_pages_go_through_the_levels_or_boards_in_a_circle(game: str, layer: int) -> None:
    board = BoardView(FakeRoom(game).view, Look())
    board.cursor = 7
    cells = board.view.rules.cells
    there: list[Direction] = ["next"] * (cells // layer)
    assert [steered(board, page) for page in there] == [(7 + layer * (at + 1)) % cells for at in range(len(there))]
    assert steered(board, "previous") == (7 - layer) % cells


def test_a_picture_is_painted_as_it_was_drawn() -> None:
    picture = draw_view(FakeRoom("qubic", start=["a1.1", "b2.2"]).view, Look(), cursor=5)
    painting = painted(picture)
    assert [line.rstrip() for line in painting.plain.split("\n")] == str(picture).split("\n")
    styles = {str(span.style) for span in painting.spans}
    assert {"bold cyan", "bold reverse", "bold yellow"} <= styles


async def test_steering_draws_the_board_once_and_paints_the_lines_of_two_cells(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[int | None] = []
    lines: list[int] = []

    def draw_once(view: RoomView, look: Look, cursor: int | None, intended: tuple[int, Side] | None) -> Picture:
        drawn.append(cursor)
        return draw_view(view, look, cursor, intended)

    def paint(board: BoardView, y: int) -> Strip:
        lines.append(y)
        return painted_line(board, y)

    painted_line = BoardView.render_line
    async with screen(FakeRoom("cube:5"), size=(200, 50)) as seen:
        board = seen.app.screen.query_one(BoardView)
        board.steer("left")
        await seen.pilot.pause()
        monkeypatch.setattr("client.terminal.full_screen.board.draw_view", draw_once)
        monkeypatch.setattr(BoardView, "render_line", paint)
        cells = {board.cursor, steered(board, "next")}
        await seen.pilot.pause()
        places = board._picture.cells
    assert drawn == [board.cursor]
    assert sorted(lines) == sorted({places[cell][0] for cell in cells if cell is not None})


@pytest.mark.parametrize("game", ["gomoku", pytest.param("mnk:19,19,5", marks=pytest.mark.slow)])
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
