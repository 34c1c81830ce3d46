"""The menu on the full screen: the lobby, choosing a game, and what is typed there."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace
from textual.events import Key, Paste
from textual.widgets import Input, OptionList

from client.terminal.full_screen.game_screen import GameScreen
from client.terminal.full_screen.help_screen import HelpScreen
from client.terminal.full_screen.menu_screen import MenuScreen
from client.terminal.language import t
from client.terminal.preferences import LastGame, Preferences
from server.wire import Act, ClockSettings, Create, Error, Hello, Join, Lobby, LobbyRequest, Opponent, Watch
from tests.support.terminal.fake_server import FakeServer
from tests.support.terminal.lobby import FULL, OPEN, PLAYING, RUNNING
from tests.support.terminal.screen import SMALL, WIDE, Screen, choose, screen


def full(server: FakeServer) -> None:
    server.lobby = FULL


def listed(seen: Screen) -> list[str]:
    return [str(option.prompt) for option in seen.app.screen.query_one("#lobby", OptionList).options]


async def pick(seen: Screen, beginning: str) -> None:
    lobby = seen.app.screen.query_one("#lobby", OptionList)
    lobby.highlighted = next(i for i, line in enumerate(listed(seen)) if line.startswith(beginning))
    assert isinstance(seen.app.screen, MenuScreen)
    seen.app.screen.in_lobby = True
    await seen.pilot.press("enter")


async def test_a_game_that_was_left_is_listed_by_who_plays() -> None:
    async with screen() as seen:
        await seen.pilot.press("f9")
        await seen.settles(lambda: "you - Bob · Tic-tac-toe" in listed(seen))


async def test_the_first_of_the_own_games_is_highlighted() -> None:
    async with screen() as seen:
        seen.server.lobby = replace(FULL, rooms=[PLAYING, replace(PLAYING, room="r1")], seeks=[], challenges=[])
        await seen.pilot.press("f9")
        await seen.settles(lambda: bool(seen.app.screen.query("#lobby")))
        await seen.settles(lambda: len(listed(seen)) == 3)
        assert seen.app.screen.query_one("#lobby", OptionList).highlighted == 1  # below the title


@pytest.mark.parametrize("size", [SMALL, pytest.param(WIDE, marks=pytest.mark.slow)])
async def test_watching_and_joining_from_the_lobby(size: tuple[int, int]) -> None:
    async with screen(menu=True, size=size, before=full) as seen:
        await seen.settles(lambda: "Open games" in listed(seen))
        assert "Ada · 3 players here" in seen.shown("#hall")
        await seen.pilot.press("right")
        assert seen.app.screen.query_one("#lobby").has_class("-active")
        assert not seen.app.screen.query_one("#choices").has_class("-active")
        await pick(seen, "Bob 1490? - Эве")
        assert (await seen.server.hears(Watch)).room == "r5"
        await seen.settles(lambda: isinstance(seen.app.screen, GameScreen))
        assert [request.on for request in seen.server.requests(LobbyRequest)] == [True, False]
        await seen.pilot.press("f9")
        await seen.settles(lambda: isinstance(seen.app.screen, MenuScreen))
        await seen.settles(lambda: "Open games" in listed(seen))
        await pick(seen, "Bob 1490? · Gomoku")
        assert (await seen.server.hears(Join)).room == "r2"


async def test_the_lobby_changes_while_it_is_looked_at() -> None:
    async with screen(menu=True) as seen:
        await seen.settles(lambda: listed(seen) == [t("lobby.nobody")])
        assert "you are alone here" in seen.shown("#hall")
        await seen.server.send(FULL)
        await seen.settles(lambda: "Challenges to you" in listed(seen))
        lobby = seen.app.screen.query_one("#lobby", OptionList)
        lobby.highlighted = listed(seen).index("Bob 1490? · Gomoku · 5+3 · rated · you are O")
        await seen.server.send(Lobby(seeks=[OPEN], rooms=[RUNNING], players=2, challenges=[], people=[]))
        await seen.settles(lambda: len(listed(seen)) == 4)
        assert lobby.highlighted == 1


async def test_a_room_that_is_gone_is_a_sentence() -> None:
    async with screen(menu=True, before=full) as seen:
        await seen.settles(lambda: "Open games" in listed(seen))
        seen.server.answers[Join] = lambda request: Error(code="not_found", message="There is no such room.")
        await pick(seen, "Bob 1490? · Gomoku")
        await seen.until("This room is gone", "#problem")
        await seen.type("http://h/room/%%%")
        await seen.until("is not a game, a code or a link.", "#problem")
        assert len(seen.server.requests(Join)) == 1


async def test_a_challenge_is_declined() -> None:
    async with screen(menu=True, before=full) as seen:
        await seen.settles(lambda: "Challenges to you" in listed(seen))
        await seen.type("decline Bob")
        await seen.until("There is no challenge to you from 'Bob'.", "#problem")
        await seen.type("decline")
        act = await seen.server.hears(Act)
        assert (act.room, act.action) == ("r3", "decline_challenge")
        await seen.settles(lambda: seen.shown("#problem") == "")


async def test_a_challenge_with_a_clock_of_ones_own() -> None:
    async with screen(menu=True, before=full) as seen:
        await seen.settles(lambda: "Open games" in listed(seen))
        await choose(seen, "Qubic")
        await seen.type("clock 7+2")
        await choose(seen, "Challenge Bob")
        create = await seen.server.hears(Create)
        assert create.opponent == Opponent(kind="player", player="p2")
        assert create.clock == ClockSettings(initial_ms=420_000, increment_ms=2_000)


async def test_a_new_name() -> None:
    async with screen(menu=True) as seen:
        await seen.type("name Grace")
        await seen.until("noughts · Grace", "#hall")
        seen.server.answers[Hello] = lambda request: Error(code="bad_name", message="A name has 1 to 20 characters.")
        await seen.type("name " + "x" * 30)
        await seen.until("A name has 1 to 20 characters.", "#problem")


async def test_after_a_restart_the_lobby_is_asked_for_again() -> None:
    async with screen(menu=True) as seen:
        await seen.server.hears(LobbyRequest)
        seen.server.lobby = FULL
        await seen.server.drop()
        await seen.settles(lambda: "Open games" in listed(seen))
        assert seen.shown("#problem") == ""


async def test_a_question_mark_lists_what_can_be_typed() -> None:
    async with screen(menu=True) as seen:
        for keys in ("?", ("h", "e", "l", "p", "enter")):
            await seen.pilot.press(*keys)
            await seen.settles(lambda: isinstance(seen.app.screen, HelpScreen))
            await seen.pilot.press("escape")
            await seen.settles(lambda: isinstance(seen.app.screen, MenuScreen))
        await seen.pilot.press(*"qu?")
        await seen.settles(lambda: isinstance(seen.app.screen, MenuScreen))
        await seen.settles(lambda: seen.app.screen.query_one(Input).value == "qu?")


async def test_ratings_of_bots_are_told_where_they_are_chosen() -> None:
    def rated(server: FakeServer) -> None:
        rating = (
            b'{"level:1":{"value":1210,"deviation":50},"level:2":{"value":1333,"deviation":150,"provisional":true}}'
        )
        server.pages["/api/bots?game=qubic"] = (
            200,
            b'[{"family":"level","title":"Level","character":"Graded.","ratings":' + rating + b"},"
            b'{"family":"coin","title":"coin","character":"Tosses a coin.","engine":true}]',
        )

    async with screen(menu=True, before=rated) as seen:
        await choose(seen, "Qubic")
        choices = seen.app.screen.query_one("#choices", OptionList)
        await seen.settles(lambda: any("Level 2 (1333?), easy" in str(option.prompt) for option in choices.options))
        assert any("Level 1 (1210), a beginner" in str(option.prompt) for option in choices.options)
        assert any("Tosses a coin." in str(option.prompt) for option in choices.options), "the server's own engine"


async def test_the_last_new_game_once_more(tmp_path: Path) -> None:
    preferences = Preferences(tmp_path / "terminal.json")
    async with screen(menu=True, preferences=preferences) as seen:
        await choose(seen, "Qubic")
        await seen.type("clock 7+2")
        await choose(seen, "Your seat: X")
        await choose(seen, "Level 2")
        await seen.settles(lambda: preferences.last is not None)
    again = Preferences(tmp_path / "terminal.json")
    async with screen(menu=True, preferences=again) as seen:
        await seen.type("gomoku", "clock 10s")  # what is set for another game changes nothing
        await choose(seen, "Your seat: O")
        await choose(seen, "Bots: answer at once")
        await choose(seen, "Another game")
        await choose(seen, "Again: Qubic, against Level 2")
        create = await seen.server.hears(Create)
        assert (create.game, create.opponent, create.seat) == ("qubic", Opponent(kind="bot", bot="level:2"), "o")
        assert create.clock == ClockSettings(initial_ms=420_000, increment_ms=2_000)
        assert create.pace is None


async def test_a_way_to_play_may_be_typed_where_an_opponent_is_asked_for() -> None:
    async with screen(menu=True) as seen:
        await seen.type("qubic", "self")
        assert (await seen.server.hears(Create)).opponent == Opponent(kind="self")


async def test_why_the_last_game_cannot_be_played_again_is_told() -> None:
    preferences = Preferences()
    preferences.remember(LastGame("qubic", "bot", "level:2"))
    async with screen(menu=True, preferences=preferences) as seen:
        seen.server.answers[Create] = lambda request: Error(code="unknown_bot", message="There is no bot level:2.")
        await choose(seen, "Again: Qubic, against Level 2")
        await seen.until("There is no bot level:2.", "#problem")
        await seen.pilot.pause()
        assert "choose an opponent" in seen.shown("#question")
        assert "There is no bot level:2." in seen.shown("#problem")


async def test_a_refused_game_is_not_the_last_one() -> None:
    preferences = Preferences()
    async with screen(menu=True, preferences=preferences) as seen:
        seen.server.answers[Create] = lambda request: Error(code="unknown_bot", message="There is no bot '1'.")
        await seen.type("qubic", "1")
        await seen.until("There is no bot", "#problem")
        assert preferences.last is None


async def test_keys_that_come_together_are_all_obeyed() -> None:
    async with screen(menu=True) as seen:
        await seen.settles(lambda: bool(seen.app.screen.query("#choices")))
        for key in (*"qubic", "enter", "down", "down", "enter"):  # at once, as a paste or a slow line delivers them
            seen.app.post_message(Key(key, key if len(key) == 1 else None))
        create = await seen.server.hears(Create)
        assert (create.game, create.opponent) == ("qubic", Opponent(kind="self"))


async def test_what_is_typed_ahead_of_a_refusal_is_for_the_lobby() -> None:
    async with screen(menu=True) as seen:
        seen.server.answers[Join] = lambda request: Error(code="not_found", message="No room has this code.")
        await seen.settles(lambda: bool(seen.app.screen.query("#choices")))
        for key in (*"xy", "enter", *"yz", "enter", *"qubic", "enter"):
            seen.app.post_message(Key(key, key if len(key) == 1 else None))
        assert (await seen.server.hears(Join, 3)).code == "yz"  # xy was asked for as a room, too
        await seen.until("Qubic: choose an opponent", "#question")


async def test_a_letter_and_enter_at_once_do_not_take_what_is_highlighted() -> None:
    async with screen(menu=True) as seen:
        await seen.settles(lambda: bool(seen.app.screen.query("#choices")))
        for key in ("x", "y", "enter"):
            seen.app.post_message(Key(key, key if len(key) == 1 else None))
        assert (await seen.server.hears(Join)).code == "xy"


async def test_tab_and_arrows_change_the_list() -> None:
    async with screen(menu=True, before=full) as seen:
        await seen.settles(lambda: "Open games" in listed(seen))
        assert isinstance(seen.app.screen, MenuScreen)
        for key, in_lobby in (("right", True), ("left", False), ("tab", True), ("tab", False)):
            await seen.pilot.press(key)
            assert seen.app.screen.in_lobby is in_lobby
        choices = seen.app.screen.query_one("#choices", OptionList)
        await seen.pilot.press("end")
        assert choices.highlighted == choices.option_count - 1
        await seen.pilot.press("home", "pagedown", "pageup", "up")
        assert choices.highlighted == choices.option_count - 1
        await seen.pilot.press("home", "enter")
        await seen.until("choose an opponent", "#question")
        await seen.pilot.press("right")
        assert not seen.app.screen.in_lobby  # there is none beside


async def test_a_click_takes_a_line() -> None:
    async with screen(menu=True, before=full) as seen:
        await seen.settles(lambda: "Open games" in listed(seen))
        await seen.pilot.click("#choices", offset=(2, 0))
        await seen.until("choose an opponent", "#question")


async def test_the_terms_of_a_game_stay_where_they_are_while_they_change() -> None:
    async with screen(menu=True) as seen:
        await choose(seen, "Qubic")
        await seen.until("choose an opponent", "#question")
        choices = seen.app.screen.query_one("#choices", OptionList)

        def told() -> str:
            return str(choices.highlighted_option.prompt) if choices.highlighted_option is not None else ""

        await choose(seen, "Clock: ")
        await seen.settles(lambda: told() == "Clock: 1+0")
        await seen.pilot.press("enter")
        await seen.settles(lambda: told() == "Clock: 3+2")
        await seen.type("clock 15s")
        await seen.settles(lambda: told() == "Clock: 15s")


async def test_the_menu_begins_a_game_against_a_bot() -> None:
    async with screen(menu=True) as seen:
        await choose(seen, "Tic-tac-toe")
        await seen.until("choose an opponent", "#question")
        await choose(seen, "Clock: none")
        await choose(seen, "Your seat: X")
        await choose(seen, "Bots: answer at once")
        await choose(seen, "Random")
        await seen.until("Your turn")
        create = seen.server.requests(Create)[0]
        assert create.opponent is not None
        assert (create.game, create.opponent.kind, create.opponent.bot) == ("tictactoe", "bot", "random")
        assert (create.seat, create.pace) == ("o", "human")
        assert create.clock is not None
        assert create.clock.initial_ms == 60_000


async def test_the_menu_takes_typed_games_and_bots() -> None:
    async with screen(menu=True) as seen:
        await seen.type("mnk:2,2,9")
        await seen.until("A board cannot have 2 columns", "#problem")
        await seen.type("mnk:5,5,4")
        await seen.until("5 x 5", "#question")
        await seen.type("alphabeta:4")
        await seen.server.hears(Create)
        opponent = seen.server.requests(Create)[0].opponent
        assert opponent is not None
        assert opponent.bot == "alphabeta:4"


async def test_the_menu_joins_by_code_and_shows_refusals() -> None:
    async with screen(menu=True) as seen:
        seen.server.answers[Join] = lambda request: Error(code="not_found", message="No room has this code.")
        await seen.type("SECRET")
        await seen.until("no game, no room and no invitation", "#problem")
        del seen.server.answers[Join]
        await seen.type("http://h/join/OTHER")
        await seen.server.hears(Join, 3)
        assert [join.code for join in seen.server.requests(Join)] == ["SECRET", None, "OTHER"]


async def test_letters_go_to_the_line_and_arrows_to_the_list() -> None:
    async with screen(menu=True) as seen:
        await seen.pilot.press("q", "u")
        assert seen.app.screen.query_one(Input).value == "qu"
        await seen.pilot.press("down", "down", "enter")
        await seen.until("choose an opponent", "#question")


async def test_the_menu_goes_back_and_leaves() -> None:
    async with screen(menu=True) as seen:
        await choose(seen, "Qubic")
        await seen.pilot.press("escape")
        await seen.until("Choose a game", "#question")
        await choose(seen, "Leave")
    assert seen.app.return_value == 1


async def test_what_is_pasted_in_the_lobby_goes_to_the_line() -> None:
    async with screen(menu=True) as seen:
        seen.app.post_message(Paste("VBsScXDX7pvryT0BwLJbSA\n"))
        await seen.settles(lambda: seen.app.screen.query_one(Input).value == "VBsScXDX7pvryT0BwLJbSA")
        await seen.pilot.press("enter")
        assert (await seen.server.hears(Join)).code == "VBsScXDX7pvryT0BwLJbSA"
