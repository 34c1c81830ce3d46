"""TV: which game is watched, and what comes after it."""

from __future__ import annotations

import pytest

from client.terminal.full_screen.board import BoardView
from client.terminal.full_screen.game_screen import GameScreen
from client.terminal.full_screen.menu_screen import MenuScreen
from client.terminal.full_screen.study_screen import StudyScreen
from client.terminal.seating import WatchRoom
from client.terminal.studies import television
from client.terminal.studies.television import best_first
from server.wire import Ended, Error, ListedPlayer, Lobby, RatingView, RunningRoom, Watch
from tests.support.terminal.fake_server import ME, FakeServer
from tests.support.terminal.studies import study_screen, told


def room(name: str, rating: int | None = None, spectators: int = 0, *, x: str = "p8") -> RunningRoom:
    rated = RatingView(value=rating, deviation=60, provisional=False) if rating is not None else None
    return RunningRoom(
        room=name,
        game="tictactoe",
        x=ListedPlayer(id=x, name="Eve", kind="person", rating=rated),
        o=ListedPlayer(id="p9", name="level:2", kind="bot"),
        plies=3,
        spectators=spectators,
    )


def lobby(*rooms: RunningRoom) -> Lobby:
    return Lobby(seeks=[], rooms=list(rooms), players=2, challenges=[], people=[])


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(television, "PAUSE_S", 0)
    monkeypatch.setattr(television, "LOOK_S", 0)


def test_the_best_games_of_others() -> None:
    rooms = [room("a"), room("b", 1500), room("c", spectators=4), room("d", 1900), room("mine", 2500, x=ME.id)]
    assert [each.room for each in best_first(rooms, ME.id)] == ["d", "b", "c", "a"]


def playing(server: FakeServer) -> None:
    server.room.room.you = None
    server.lobby = lobby(room("r1", 1500), room("r2"))


async def test_a_game_is_watched_to_its_end_and_the_next_follows() -> None:
    async with study_screen("tv", before=playing) as seen:
        await seen.until("Tic-tac-toe · no clock")
        assert (await seen.server.hears(Watch)).room == "r1"
        assert "Bob (O)" in seen.shown("#turn")
        await seen.server.opponent_moves("b2")
        await seen.settles(lambda: seen.app.screen.query_one(BoardView).view.moves == ("b2",))
        seen.server.answers[Watch] = lambda request: Error(code="not_found", message="There is no such room.")
        await seen.server.happens(Ended(winner="x", termination="resignation", clock=None))
        assert (await seen.server.hears(Watch, 2)).room == "r2"
        await seen.until("No game is running that you can watch.")
        assert not seen.app.screen.query_one(BoardView).display
        del seen.server.answers[Watch]
        await seen.until("Tic-tac-toe · no clock")
        await seen.pilot.press("escape")
        await seen.settles(lambda: isinstance(seen.app.screen, MenuScreen))


async def test_staying_with_a_game() -> None:
    async with study_screen("tv", before=playing) as seen:
        await seen.until("Tic-tac-toe · no clock")
        await seen.type("watch")
        await seen.settles(lambda: isinstance(seen.app.screen, GameScreen))


async def test_nothing_runs() -> None:
    said, _ = await told("tv", "next", "watch", "sing")
    assert "TV\nNo game is running that you can watch." in said
    assert "No other game is running." in said
    assert "'watch' does nothing here" in said
    assert "'sing' does nothing here" in said


async def test_in_lines() -> None:
    said, after = await told("tv", "2", "room r2", "watch", before=playing)
    assert "  2  Another game" in said
    assert "  3  Eve - Level 2 · Tic-tac-toe · 3 moves" in said
    assert isinstance(after, WatchRoom)


async def test_news_that_comes_while_the_screen_is_left() -> None:
    async with study_screen("tv", before=playing) as seen:
        await seen.until("Tic-tac-toe · no clock")
        left = seen.app.screen
        assert isinstance(left, StudyScreen)
        await seen.pilot.press("escape")
        await seen.settles(lambda: isinstance(seen.app.screen, MenuScreen))
        left._show()
