"""Screens whose parts are not on them: not yet, or no more."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager

import pytest

from client.sdk import ConnectionState
from client.sdk.records import RecordedGame, Records
from client.terminal.full_screen.game_screen import GameScreen
from client.terminal.full_screen.menu_screen import MenuScreen
from client.terminal.full_screen.replay_screen import ReplayScreen
from client.terminal.full_screen.screen import SpokenScreen
from client.terminal.full_screen.study_screen import StudyScreen
from client.terminal.studies.position import replay_of_moves
from engine.rules.registry import rules
from tests.support.terminal.screen import SMALL, Screen, screen
from tests.support.terminal.studies import study_screen

REPLAY = replay_of_moves(rules("tictactoe"), ("b2",))


@pytest.mark.parametrize(
    ("kind", "opened"),
    [
        (GameScreen, screen),
        (MenuScreen, lambda: screen(menu=True)),
        (ReplayScreen, lambda: screen(replay=REPLAY)),
        (StudyScreen, lambda: study_screen("lessons")),
    ],
)
async def test_a_screen_that_opens_while_the_program_ends_gets_no_parts(
    kind: type[SpokenScreen[object]],
    opened: Callable[[], AbstractAsyncContextManager[Screen]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(kind, "compose", lambda screen: ())
    async with opened() as seen:
        await seen.settles(lambda: isinstance(seen.app.screen, kind))
        await seen.pilot.resize_terminal(*SMALL)


async def test_a_connection_may_be_lost_before_a_game_has_its_parts_and_after() -> None:
    async with screen() as seen:
        below = seen.app.screen
        assert isinstance(below, GameScreen)
        game = seen.app._game_screen(below.room)
        seen.app.push_screen(game)
        seen.app._show_state(ConnectionState(False, "Connection lost; reconnecting."))
        assert not game.is_mounted
        await seen.until("Connection lost", "#log")
        game.dismiss(None)
        await seen.settles(lambda: not game.children)
        game.show_state(ConnectionState(True, "Connected again."))
        game.on_resize()  # and what follows a refresh, which may be that of the screen below
        game.watch_view(game.view, game.view)


async def test_a_server_that_takes_long_is_waited_for_aloud(monkeypatch: pytest.MonkeyPatch) -> None:
    asked, answered = asyncio.Event(), asyncio.Event()

    async def ask(records: Records, player: str) -> list[RecordedGame]:
        asked.set()
        await answered.wait()
        return []

    monkeypatch.setattr(Records, "games_of", ask)
    monkeypatch.setattr("client.terminal.plain.lines.PATIENCE_S", 0)
    async with screen(menu=True) as seen:
        await seen.type("games")
        await asked.wait()
        await seen.settles(lambda: [note.message for note in seen.app._notifications] == ["Waiting for the server."])
        answered.set()
        await seen.until("You have no recorded games yet.", "#problem")
