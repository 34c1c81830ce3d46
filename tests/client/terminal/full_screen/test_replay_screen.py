"""The screen of a recorded game."""

from __future__ import annotations

import pytest
from textual.widgets import OptionList

from client.terminal.full_screen.board import BoardView
from client.terminal.full_screen.choice_screen import ChoiceScreen
from client.terminal.full_screen.game_screen import GameScreen
from client.terminal.full_screen.help_screen import HelpScreen
from client.terminal.full_screen.menu_screen import MenuScreen
from client.terminal.full_screen.replay_screen import ReplayScreen
from client.terminal.records.replay import replay_of
from server.wire import CancelReview, Create, Error, Opponent, Review, ReviewRequest
from tests.support.terminal.fake_server import ME, FakeRoom
from tests.support.terminal.records import BLUNDER, ENGINES, WON, keeps
from tests.support.terminal.screen import NARROW, SMALL, WIDE, choose, screen

LARGE_X = "[██▄   ▄██]"
REPLAY = replay_of(WON, ME.id)


async def test_a_review_on_the_full_screen() -> None:
    async with screen(replay=replay_of(WON, ME.id)) as seen:
        await seen.pilot.press("right", "right", "f2")
        await seen.server.hears(ReviewRequest)
        await seen.server.send(Review(game=WON.id, done=1, of=5, moves=[BLUNDER]))
        await seen.until("b2 would have drawn.")
        await seen.pilot.press("escape")
        await seen.server.hears(CancelReview)


async def test_a_review_may_come_while_the_replay_is_left() -> None:
    async with screen(replay=replay_of(WON, ME.id)) as seen:
        replay = seen.app.screen
        await seen.pilot.press("escape")
        await seen.settles(lambda: seen.app.screen is not replay and not replay.children)
        assert isinstance(replay, ReplayScreen)
        replay._show_words()  # as its review does


async def test_a_review_that_cannot_be_made_is_a_sentence() -> None:
    async with screen(replay=replay_of(WON, ME.id)) as seen:
        seen.server.answers[ReviewRequest] = lambda request: Error(code="busy", message="Too many reviews.")
        await seen.type("review")
        await seen.settles(lambda: "Too many reviews." in [told.message for told in seen.app._notifications])


@pytest.mark.parametrize(
    ("size", "won"),
    [
        (SMALL, "[▀▄ ▄▀]"),
        *(pytest.param(size, LARGE_X, marks=pytest.mark.slow) for size in (WIDE, NARROW)),
    ],
)
async def test_going_through_a_game(size: tuple[int, int], won: str) -> None:
    async with screen(replay=replay_of(WON, ME.id), size=size) as seen:
        assert "Start." in seen.shown("#turn")
        assert "X 1:00  Ada" in seen.shown("#x")
        await seen.pilot.press("right", "right")
        await seen.until("Move 2 of 5: Bob (O) b1")
        await seen.pilot.press("end")
        await seen.until("You win with three in a row.")
        assert seen.shown("#board").count(won) == 3
        assert seen.shown("#times") == "▁▂▄▆█"
        await seen.pilot.press("left", "pageup")
        await seen.until("Start.")
        await seen.type("3")
        await seen.until("Move 3 of 5")
        assert "1. a1     0.00  b1     0.50" in seen.shown("#moves")
        await seen.type("nonsense")
        await seen.until("Type a move number, 0 to 5")
        await seen.pilot.press("?")
        await seen.settles(lambda: isinstance(seen.app.screen, HelpScreen))
        await seen.pilot.press("escape", "escape")
        await seen.settles(lambda: isinstance(seen.app.screen, MenuScreen))


async def test_a_replay_plays_by_itself() -> None:
    async with screen(replay=replay_of(WON)) as seen:
        assert isinstance(seen.app.screen, ReplayScreen)
        seen.app.screen.autoplay_s = 0.01
        await seen.pilot.press("space")
        await seen.until("Ada (X) wins with three in a row.")
        seen.app.screen.autoplay_s = 60
        await seen.pilot.press("space")
        await seen.until("Start.")
        assert seen.app.screen.playing
        await seen.pilot.press("space")
        assert not seen.app.screen.playing
        assert seen.app.screen.ply == 0


async def test_all_of_a_replay_follows_its_ply() -> None:
    async with screen(replay=replay_of(WON)) as seen:
        shown = seen.app.screen
        assert isinstance(shown, ReplayScreen)
        shown.ply = 99
        assert shown.ply == 5
        await seen.until("Ada (X) wins with three in a row.")
        assert shown.query_one(BoardView).view.last == "a3"
        shown.complain("No.")
        assert seen.shown("#turn") == "No."
        shown.ply = 1
        await seen.until("Move 1 of 5")


async def test_replays_from_the_lobby() -> None:
    async with screen(menu=True, before=keeps) as seen:
        await seen.type("replay 8")
        await seen.until("There is no such record.", "#problem")
        await choose(seen, "Your recorded games")
        await seen.until("Your recorded games", "#question")
        await choose(seen, "Tic-tac-toe: Ada - Bob, X won")
        await seen.settles(lambda: isinstance(seen.app.screen, ReplayScreen))
        assert set(seen.server.tokens) == {"Bearer secret"}


async def test_a_game_that_is_over_is_replayed_over_its_room() -> None:
    async with screen(before=keeps) as seen:
        await seen.type("/replay")
        await seen.until("You can replay a game once it is over.")
        await seen.pilot.press("f8", "f8")
        await seen.until("You lose: you resigned.")
        await seen.pilot.press("f7")
        await seen.settles(lambda: isinstance(seen.app.screen, ReplayScreen))
        await seen.pilot.press("escape")
        await seen.settles(lambda: isinstance(seen.app.screen, GameScreen))
        assert not seen.app.screen.query_one(BoardView).view.moves


async def test_the_engines_of_the_server_are_among_the_bots_of_the_screen() -> None:
    async with screen(FakeRoom(start=["a1", "b1"]), replay=REPLAY) as seen:
        seen.server.pages |= ENGINES
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
