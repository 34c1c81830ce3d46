"""The full screen as a whole: news, colours, leaving, and windows of any size."""

from __future__ import annotations

from random import Random

import pytest
from rich.color import ColorType
from rich.segment import Segment
from textual.color import Color
from textual.widgets import Input
from textual.widgets._toast import Toast

from client.terminal.full_screen.app import TerminalApp
from client.terminal.full_screen.board import BoardView
from client.terminal.full_screen.game_screen import GameScreen
from client.terminal.full_screen.menu_screen import MenuScreen
from server.wire import Announcement, Create, Ended, Leave
from tests.support.terminal.fake_server import ME, FakeRoom
from tests.support.terminal.screen import NARROW, SMALL, WIDE, Screen, choose, screen

CYAN = 6


async def test_what_the_operator_announces_is_shown() -> None:
    async with screen() as seen:
        await seen.server.send(Announcement(text="Restart at [noon]", ts=1))
        await seen.settles(lambda: bool(seen.app._notifications))
        assert [note.message for note in seen.app._notifications] == ["From the operator: Restart at [noon]"]


@pytest.mark.parametrize(
    ("size", "menu"), [(SMALL, False), (NARROW, False), (WIDE, False), (SMALL, True), (WIDE, True)]
)
async def test_news_leave_the_line_that_is_typed_free(size: tuple[int, int], menu: bool) -> None:
    async with screen(FakeRoom("gomoku"), size=size, menu=menu, notifications=True) as seen:
        await seen.settles(lambda: bool(seen.app.screen.query(Input)))
        seen.app.notify("Bob: hello")
        await seen.settles(lambda: any(toast.region for toast in seen.app.screen.query(Toast)))
        toast, typed = seen.app.screen.query_one(Toast).region, seen.app.screen.query_one(Input).region
        assert toast.bottom <= typed.y
        assert typed.y - toast.bottom <= 1


@pytest.mark.parametrize("size", [(80, 24), WIDE])
async def test_news_leave_what_was_wrong_free(size: tuple[int, int]) -> None:
    async with screen(size=size, menu=True, notifications=True) as seen:
        await seen.type("no game")
        await seen.until("That is not a game, a code or a link", "#problem")
        seen.app.notify("Your name is now Zoë.")
        await seen.settles(lambda: any(toast.region for toast in seen.app.screen.query(Toast)))
        toast, problem = seen.app.screen.query_one(Toast).region, seen.app.screen.query_one("#problem").region
        assert toast.bottom <= problem.y


async def test_colours_are_the_terminals_own() -> None:
    async with screen() as seen:
        await seen.type("b2")
        await seen.until("Bob (O) to move.")
        assert ColorType.STANDARD in colours(seen)
        assert colours(seen) <= {ColorType.DEFAULT, ColorType.STANDARD}


async def test_without_colours_what_is_chosen_can_be_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with screen(menu=True) as seen:
        await seen.settles(lambda: {line.strip() for line in underlined(seen)} == {"Tic-tac-toe"})
        assert colours(seen) <= {ColorType.DEFAULT}


async def test_what_is_chosen_is_coloured() -> None:
    def chosen(seen: Screen) -> set[str]:
        return {
            segment.text.strip()
            for segment in segments(seen)
            if segment.style is not None and segment.style.bgcolor is not None and segment.style.bgcolor.number == CYAN
        }

    async with screen(menu=True) as seen:
        await seen.settles(lambda: "Tic-tac-toe" in chosen(seen))


def segments(seen: Screen) -> list[Segment]:
    """What is on the screen, as the terminal gets it."""
    filters = seen.app.get_line_filters()
    strips = seen.app.screen._compositor.render_strips()
    for each in filters:
        strips = [strip.apply_filter(each, Color(0, 0, 0)) for strip in strips]
    return [segment for strip in strips for segment in strip]


def colours(seen: Screen) -> set[ColorType]:
    return {
        colour.type
        for segment in segments(seen)
        if segment.style is not None
        for colour in (segment.style.color, segment.style.bgcolor)
        if colour is not None
    }


def underlined(seen: Screen) -> list[str]:
    return [
        segment.text for segment in segments(seen) if segment.style and segment.style.underline and segment.text.strip()
    ]


async def test_quitting() -> None:
    async with screen() as seen:
        await seen.type("/quit")
    assert seen.app.return_value == 1


async def test_quitting_once_the_game_has_ended() -> None:
    async with screen() as seen:
        await seen.server.happens(Ended(winner="o", termination="resignation", clock=None))
        await seen.until("You lose: you resigned.")
        await seen.pilot.press("ctrl+q")
    assert seen.app.return_value == 0


async def test_ctrl_c_quits() -> None:
    async with screen() as seen:
        await seen.pilot.press("ctrl+c")
    assert seen.app.return_value == 130
    assert seen.app.room is not None, "it may be returned to"


async def test_ctrl_z_suspends(monkeypatch: pytest.MonkeyPatch) -> None:
    suspended: list[object] = []
    monkeypatch.setattr(TerminalApp, "action_suspend_process", lambda app: suspended.append(app.screen.name))
    for menu in (False, True):
        async with screen(menu=menu) as seen:
            await seen.settles(lambda: bool(seen.app.screen.query(Input)))
            await seen.pilot.press("b", "ctrl+z")
            assert seen.app.screen.query_one(Input).value == "b"
    assert len(suspended) == 2


async def test_another_game_from_the_menu() -> None:
    async with screen() as seen:
        await seen.type("/new")
        while not isinstance(seen.app.screen, MenuScreen):
            await seen.pilot.pause()
        await seen.server.hears(Leave)
        await choose(seen, "Tic-tac-toe")
        await choose(seen, "Two players")
        while not isinstance(seen.app.screen, GameScreen):
            await seen.pilot.pause()
        opponent = seen.server.requests(Create)[0].opponent
        assert opponent is not None
        assert opponent.kind == "self"
        assert ME.name in seen.shown("#near")


async def _is_drawn(seen: Screen) -> None:
    board = seen.app.screen.query_one(BoardView)
    await seen.settles(lambda: board._picture.lines != [])


@pytest.mark.parametrize("game", ["gomoku", pytest.param("qubic", marks=pytest.mark.slow), None])
async def test_a_window_may_take_any_size_at_any_moment(game: str | None) -> None:
    random = Random(1)
    async with screen(FakeRoom(game) if game else None, menu=game is None) as seen:
        for size in [
            (1, 1),
            (20, 10),
            (300, 3),
            (3, 100),
            *((random.randrange(1, 220), random.randrange(1, 70)) for _ in range(3)),
        ]:
            await seen.pilot.resize_terminal(*size)
            await seen.pilot.press("up")
            if game is not None:
                await _is_drawn(seen)
        await seen.pilot.resize_terminal(120, 40)
        if game is not None:
            room = seen.app.screen.query_one("#boardroom")
            await seen.settles(lambda: room.max_scroll_y == room.max_scroll_x == 0)
