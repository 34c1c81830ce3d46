"""The menu in lines."""

from __future__ import annotations

import asyncio

import pytest

from client.terminal.line_menu import choose
from client.terminal.seating import JoinRoom, NewRoom, Seating
from server.protocol import Opponent


class Typed:
    def __init__(self, *lines: str) -> None:
        self._lines = iter(lines)

    async def next(self) -> str | None:
        return next(self._lines, None)


@pytest.mark.parametrize(
    ("lines", "seating"),
    [
        (["1", "1"], NewRoom("tictactoe", Opponent(kind="invite"))),
        (["", "6", "", "2"], NewRoom("qubic", Opponent(kind="open"))),
        (["mnk:7,7,5", "3"], NewRoom("mnk:7,7,5", Opponent(kind="self"))),
        (["1", "4"], NewRoom("tictactoe", Opponent(kind="bot", bot="level:1"))),
        (["1", "12"], NewRoom("tictactoe", Opponent(kind="bot", bot="strongest"))),
        (["1", "alphabeta:6"], NewRoom("tictactoe", Opponent(kind="bot", bot="alphabeta:6"))),
        (["mnk:2,2,2", "1", "1"], NewRoom("tictactoe", Opponent(kind="invite"))),
        (["CODE"], JoinRoom(code="CODE")),
        (["http://h/join/CODE"], JoinRoom(code="CODE")),
        (["http://h/room/r1"], JoinRoom(room="r1")),
        (["http://h"], None),
        (["1"], None),
        ([], None),
    ],
)
def test_answers(lines: list[str], seating: Seating | None) -> None:
    told: list[str] = []
    assert asyncio.run(choose(Typed(*lines), told.append)) == seating
    assert "  1  Tic-tac-toe" in told


def test_wrong_answers_are_told_and_asked_again() -> None:
    told: list[str] = []
    assert asyncio.run(choose(Typed("mnk:2,2,2", "99", "0"), told.append)) is None
    assert told.count("The numbers go from 1 to 11.") == 2
    assert any("cannot have 2 columns" in line for line in told)
    assert sum(line.startswith("Which game?") for line in told) == 2
