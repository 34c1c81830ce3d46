"""Whole screens as text, compared with those in tests/data/screens.

Written anew on purpose only: NOUGHTS_WRITE_SCREENS=1 pytest tests/client/terminal/full_screen/test_screens.py, then
read the diff.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from client.terminal.drawing.boards import Look
from server.wire import Author, Said, Seat
from tests.support.terminal.fake_server import FakeRoom, FakeServer
from tests.support.terminal.lobby import FULL
from tests.support.terminal.screen import Screen, screen

FOLDER = Path(__file__).parents[3] / "data" / "screens"
SIZES = [(80, 24), pytest.param((120, 40), marks=pytest.mark.slow)]
GAMES = {
    "tictactoe": "b2 a1 c3",
    "gomoku": "h8 i9 h9",
    "qubic": "a1.1 d4.4 b2.2",
    "ultimate": "5/9 9/1 1/5",
}
BOT = Seat(id="p2", name="level:3", kind="bot", present=True, bot="level:3")


def drawn(seen: Screen) -> str:
    """What is on the screen, without colours."""
    strips = seen.app.screen._compositor.render_strips()
    return "\n".join(strip.text.rstrip() for strip in strips) + "\n"


async def settled(seen: Screen) -> str:
    """The screen once it does not change any more."""
    before = ""
    while (now := drawn(seen)) != before:
        before = now
        await seen.pilot.pause()
        await seen.pilot.pause()
    return now


def compare(name: str, shown: str) -> None:
    path = FOLDER / f"{name}.txt"
    if "NOUGHTS_WRITE_SCREENS" in os.environ:
        FOLDER.mkdir(exist_ok=True)
        path.write_text(shown, encoding="utf-8")
    assert shown == path.read_text(encoding="utf-8")


def playing(game: str) -> FakeRoom:
    room = FakeRoom(game, opponent=BOT)
    room.happens(Said(by=Author(id="p1", name="Ada"), text="Hello, machine!"))
    for move in GAMES[game].split():
        for event in room.moves(move):
            room.happens(event)
    return room


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("game", GAMES)
async def test_games(game: str, size: tuple[int, int]) -> None:
    async with screen(playing(game), size=size) as seen:
        await seen.until(GAMES[game].split()[-1], "#moves")
        compare(f"{game}-{size[0]}x{size[1]}", await settled(seen))


async def test_a_game_in_a_very_small_window() -> None:
    async with screen(playing("tictactoe"), size=(20, 10)) as seen:
        await seen.until("to move")
        compare("tictactoe-20x10", await settled(seen))


async def test_a_game_in_a_narrow_window_in_ascii() -> None:
    async with screen(playing("qubic"), size=(46, 30), look=Look(ascii=True)) as seen:
        await seen.until("to move")
        compare("qubic-46x30-ascii", await settled(seen))


@pytest.mark.parametrize("size", SIZES)
async def test_the_lobby(size: tuple[int, int]) -> None:
    def full(server: FakeServer) -> None:
        server.lobby = FULL

    async with screen(menu=True, size=size, before=full) as seen:
        await seen.until("3 players", "#hall")
        compare(f"lobby-{size[0]}x{size[1]}", await settled(seen))
