"""Playing on from a position of a recorded game."""

from __future__ import annotations

import pytest
from textual.widgets import OptionList

from client.sdk import connect
from client.sdk.records import Records, ServerBot
from client.terminal.drawing.boards import Look
from client.terminal.full_screen.choice_screen import ChoiceScreen
from client.terminal.full_screen.game_screen import GameScreen
from client.terminal.full_screen.replay_screen import ReplayScreen
from client.terminal.plain import replay_lines
from client.terminal.records.playing_on import bots_to_play_on, room_to_play_on
from client.terminal.records.replay import replay_of
from client.terminal.seating import NewRoom
from client.terminal.typed.commands import NotNow
from client.terminal.typed.exits import Exit
from server.wire import Create, Error, Opponent
from tests.support.terminal.fake_server import ME, FakeRoom, fake_server
from tests.support.terminal.records import WON, recorded
from tests.support.terminal.screen import screen
from tests.support.terminal.typed_lines import Typed

REPLAY = replay_of(WON, ME.id)
BOTS = "/api/bots?game=tictactoe"
ENGINES = (
    b'[{"family":"Deep","title":"Deep","character":"Thinks.","engine":true},'
    b'{"family":"Old","title":"Old","character":"Remembers its game.","engine":true,"opening_plies":1}]'
)
AGAINST_DEEP = NewRoom("tictactoe", Opponent(kind="bot", bot="Deep"), seat="x", start=("a1", "b1"))
AFTER_TWO = NewRoom("tictactoe", Opponent(kind="bot", bot="level:3"), seat="x", start=("a1", "b1"))


def test_the_side_to_move_plays_on_after_the_moves_so_far() -> None:
    assert room_to_play_on(REPLAY, 2, "level") == AFTER_TWO
    started = replay_of(recorded("b1 a2", start=["a1"], winner=None), ME.id)
    room = room_to_play_on(started, 1, "random")
    assert (room.seat, room.start) == ("x", ("a1", "b1"))
    assert room_to_play_on(started, 0, "random").seat == "o"


def test_who_follows_games_from_their_start_is_offered_there_alone() -> None:
    listed = [ServerBot("Old", "Old", "Remembers.", engine=True, opening_plies=0)]
    assert ["Old" in bots_to_play_on(REPLAY, ply, listed) for ply in (0, 1, 2)] == [True, False, False]


@pytest.mark.parametrize(
    ("ply", "bot", "sentence"),
    [(5, "random", "The game is over here"), (2, "osipa", "no bot 'osipa' for this game"), (2, "x" * 99, "no bot")],
)
def test_what_cannot_be_played_on(ply: int, bot: str, sentence: str) -> None:
    with pytest.raises(NotNow, match=sentence):
        room_to_play_on(REPLAY, ply, bot)


async def test_the_engines_of_the_server_are_among_the_bots_of_the_screen() -> None:
    async with screen(FakeRoom(start=["a1", "b1"]), replay=REPLAY) as seen:
        seen.server.pages[BOTS] = (200, ENGINES)
        await seen.pilot.press("right", "right", "f3")
        await seen.settles(lambda: isinstance(seen.app.screen, ChoiceScreen))
        assert "Deep" in str(list(seen.app.screen.query_one(OptionList).options)[-1].prompt)
        await seen.pilot.press("end", "enter")
        await seen.settles(lambda: isinstance(seen.app.screen, GameScreen))
        assert seen.server.requests(Create)[-1].opponent == Opponent(kind="bot", bot="Deep")


async def test_playing_on_from_the_screen() -> None:
    async with screen(FakeRoom(start=["a1", "b1"]), replay=REPLAY) as seen:
        await seen.pilot.press("right", "right", "f3")
        await seen.settles(lambda: isinstance(seen.app.screen, ChoiceScreen))
        bots = seen.app.screen.query_one(OptionList)
        assert "Level 3, casual" in [str(option.prompt) for option in bots.options]
        await seen.pilot.press("escape")
        await seen.settles(lambda: isinstance(seen.app.screen, ReplayScreen))
        await seen.type("play nobody")
        await seen.until("There is no bot 'nobody' for this game.")
        await seen.pilot.press("end", "f3")
        await seen.until("The game is over here")
        seen.server.answers[Create] = lambda request: Error(code="busy", message="Too many rooms.")
        await seen.pilot.press("home", "right", "right", "f3")
        await seen.settles(lambda: isinstance(seen.app.screen, ChoiceScreen))
        await seen.pilot.press("enter")
        await seen.until("Too many rooms.")
        del seen.server.answers[Create]
        await seen.type("play level:3")
        await seen.settles(lambda: isinstance(seen.app.screen, GameScreen))
        asked = seen.server.requests(Create)[-1]
        assert (asked.game, asked.opponent, asked.seat, asked.start) == (
            "tictactoe", Opponent(kind="bot", bot="level:3"), "x", ["a1", "b1"],
        )  # fmt: skip


@pytest.mark.parametrize(
    ("lines", "room"),
    [
        (["2", "play level"], AFTER_TWO),
        (["2", "play", "3"], AFTER_TWO),
        (["2", "play", "nobody", "level:3"], AFTER_TWO),
        (["last", "play", "2", "play", "", "back"], Exit.BACK),
        (["2", "play deep"], AGAINST_DEEP),
        (["2", "play", "deep"], AGAINST_DEEP),
        (["play nobody", "play", "999"], Exit.QUIT),
        (["play", "00019"], Exit.QUIT),
    ],
)
async def test_playing_on_in_lines(lines: list[str], room: NewRoom | Exit) -> None:
    told: list[str] = []
    async with fake_server() as server, connect(server.url) as connection:
        server.pages[BOTS] = (200, ENGINES)
        records = Records(server.url, None)
        assert await replay_lines.go_through(REPLAY, Typed(*lines), told.append, Look(), connection, records) == room
    assert "\x1b" not in "".join(told)
