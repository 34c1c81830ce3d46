"""The lobby in lines."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from client.sdk import ServerUnreachable, connect
from client.sdk.records import RecordedGame, Records
from client.terminal.language import t
from client.terminal.menu_words import ReplayGame
from client.terminal.plain import lines as plain_lines
from client.terminal.plain.menu_lines import choose
from client.terminal.preferences import Preferences
from client.terminal.seating import JoinNamed, JoinRoom, NewRoom, Seating, WatchNamed, WatchRoom
from server.wire import Act, Error, Lobby, LobbyRequest, Opponent
from tests.support.terminal.fake_server import FakeServer, fake_server
from tests.support.terminal.lobby import BLITZ, FULL
from tests.support.terminal.typed_lines import Typed

EMPTY = Lobby(seeks=[], rooms=[], players=1, challenges=[], people=[])


@asynccontextmanager
async def asked(
    *lines: str, lobby: Lobby = EMPTY
) -> AsyncIterator[tuple[Seating | ReplayGame | None, str, FakeServer]]:
    """What the line menu comes to, and what it told."""
    async with fake_server() as server, connect(server.url) as connection:
        server.lobby = lobby
        server.pages["/api/games?player=p1&limit=30"] = (200, b'{"games":[],"next":null}')
        told: list[str] = []
        chosen = await choose(Typed(*lines), told.append, connection, Records(server.url, None), Preferences())
        yield chosen, "\n".join(told), server


async def test_a_stalled_server_is_waited_for_aloud(monkeypatch: pytest.MonkeyPatch) -> None:
    async def stall(records: Records, player: str) -> list[RecordedGame]:
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        raise ServerUnreachable("Nothing.")

    monkeypatch.setattr(Records, "games_of", stall)
    monkeypatch.setattr(plain_lines, "PATIENCE_S", 0)
    async with asked("games") as (_, told, _):
        assert "Waiting for the server.\nNothing.\n" in told


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
        (["CODE"], JoinNamed("CODE")),
        (["http://h/join/CODE"], JoinRoom(code="CODE")),
        (["http://h/room/r1"], JoinRoom(room="r1")),
        (["http://h"], None),
        (["1"], None),
        ([], None),
    ],
)
async def test_answers(lines: list[str], seating: Seating | None) -> None:
    async with asked(*lines) as (came_to, told, _):
        assert came_to == seating
        assert "  1  Tic-tac-toe" in told


async def test_wrong_answers_are_told() -> None:
    async with asked("mnk:2,2,2", "99", "0") as (came_to, told, _):
        assert came_to is None
        assert told.count("The numbers go from 1 to 11.") == 2
        assert "cannot have 2 columns" in told


async def test_a_list_is_not_told_again_until_it_is_asked_for() -> None:
    async with asked("help", "settings", "sing a song") as (_, told, _server):
        assert told.count("Which game?") == told.count("  1  Tic-tac-toe") == 1
    async with asked("settings", "") as (_, told, _server):
        assert told.count("Which game?") == told.count("  1  Tic-tac-toe") == 2
    async with asked("lobby", "lobby", "qubic", "clock 5+3", "back", lobby=FULL) as (_, told, _server):
        assert told.count("Choose an opponent") == 1
        assert told.count("Open games: Bob") == told.count("Which game?") == 2


@pytest.mark.parametrize(
    ("lines", "chosen"),
    [
        (["lobby", "1"], JoinRoom(room="r6")),
        (["lobby", "5"], WatchRoom(room="r5")),
        (["lobby", "quit"], None),
        (["lobby", "watch r7"], WatchNamed("r7")),
        (["lobby", "lobby", "two words", "qubic", "2"], NewRoom("qubic", Opponent(kind="open"))),
        (["replay 12"], ReplayGame(12)),
        (["quit"], None),
        (["qubic", "back", "gomoku", "2"], NewRoom("gomoku", Opponent(kind="open"))),
        (["qubic", "clock 5+3", "2"], NewRoom("qubic", Opponent(kind="open"), clock=BLITZ)),
        (["tictactoe", "5"], NewRoom("tictactoe", Opponent(kind="player", player="p3"))),
        (["tictactoe", "quit"], None),
        (["tictactoe", "Self"], NewRoom("tictactoe", Opponent(kind="self"))),
        (["tictactoe", "alphabeta:4"], NewRoom("tictactoe", Opponent(kind="bot", bot="alphabeta:4"))),
        (["tictactoe", "?", "settings", "watch r7"], WatchNamed("r7")),
    ],
)
async def test_choices_in_lines(lines: list[str], chosen: Seating | ReplayGame | None) -> None:
    async with asked(*lines, lobby=FULL) as (came_to, _, server):
        assert came_to == chosen
        assert all(on != off for on, off in zip(*[iter(r.on for r in server.requests(LobbyRequest))] * 2, strict=True))


async def test_what_the_menu_tells() -> None:
    typed = ("lobby", "help", "games", "name Grace", "clock 5+3", "theme nord", "sing a song")
    async with asked(*typed, lobby=FULL) as (_, told, _server):
        assert "Open games: Bob 1490? · Gomoku · 5+3 · rated · you are O" in told
        assert "watch ROOM" in told
        assert "change the colours: terminal, textual-dark" in told
        assert "You have no recorded games yet." in told
        assert "Your name is now Grace." in told
        assert "Clock: 5+3." in told
        assert "Theme: nord." in told
        assert "That is not a game, a code or a link" in told
        assert "\x1b" not in told


async def test_a_challenge_can_be_declined() -> None:
    async with asked("decline Эве 名 x", lobby=FULL) as (_, told, server):
        assert "You declined the challenge of Эве 名 x." in told
        assert [(act.room, act.action) for act in server.requests(Act)] == [("r3", "decline_challenge")]


async def test_without_a_challenge_none_is_declined() -> None:
    async with asked("decline") as (_, told, server):
        assert "Nobody challenges you just now." in told
        assert not server.requests(Act)


async def test_an_empty_lobby() -> None:
    async with asked("lobby") as (_, told, _server):
        assert t("lobby.nobody") in told


async def test_a_refusal_is_a_sentence() -> None:
    async with fake_server() as server, connect(server.url) as connection:
        server.answers[LobbyRequest] = lambda request: Error(code="too_fast", message="Ask again later.")
        told: list[str] = []
        assert (
            await choose(Typed("lobby", "tictactoe"), told.append, connection, Records(server.url, None), Preferences())
            is None
        )
        assert "Ask again later." in told
