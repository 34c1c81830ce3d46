"""The lobby: its lines, what is typed there, and the full screen and the line menu over it."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace
from textual.events import Key
from textual.widgets import Input, OptionList

from client.terminal import menu_words
from client.terminal.full_screen.game_screen import GameScreen
from client.terminal.full_screen.help_screen import HelpScreen
from client.terminal.full_screen.menu_screen import MenuScreen
from client.terminal.language import t
from client.terminal.menu_words import Asked, Decline, Rename, ReplayGame, SetClock
from client.terminal.preferences import LastGame, Preferences
from client.terminal.seating import BadChoice, JoinNamed, JoinRoom, NotThere, WatchNamed, WatchRoom
from client.terminal.typed.commands import NotNow, Wear
from client.terminal.words import lobby as lobby_words
from engine.rules.registry import rules
from server.wire import (
    Act,
    ClockSettings,
    Create,
    Error,
    Hello,
    Join,
    Lobby,
    LobbyRequest,
    Opponent,
    Seek,
    Watch,
)
from tests.support.terminal.fake_server import ME, FakeServer
from tests.support.terminal.lobby import BLITZ, BOB, CHALLENGE, FULL, OPEN, PLAYING, RUNNING
from tests.support.terminal.screen import SMALL, WIDE, Screen, choose, screen


def test_the_lobby_in_lines() -> None:
    told = [(section.title, [entry.line for entry in section.entries]) for section in sections()]
    assert told == [
        ("Your games", ["Bob 1490? - you · newer:9 · 4 moves", WAITING, "room r9"]),
        ("Challenges to you", ["Эве 名 x · Qubic · no clock · you are X"]),
        ("Open games", ["Bob 1490? · Gomoku · 5+3 · rated · you are O"]),
        ("Running games to watch", ["Bob 1490? - Эве 名 x · Tic-tac-toe · 1 move · 2 spectators"]),
    ]


WAITING = "You are waiting · Ultimate tic-tac-toe · no clock · you are O"


def sections() -> list[lobby_words.Section]:
    return lobby_words.sections(FULL, ME.id, ["r4", "r9"])


async def test_the_first_of_the_own_games_is_highlighted() -> None:
    async with screen() as seen:
        seen.server.lobby = replace(FULL, rooms=[PLAYING, replace(PLAYING, room="r1")], seeks=[], challenges=[])
        await seen.pilot.press("f9")
        await seen.settles(lambda: bool(seen.app.screen.query("#lobby")))
        await seen.settles(lambda: len(listed(seen)) == 3)
        assert seen.app.screen.query_one("#lobby", OptionList).highlighted == 1  # below the title


def test_what_a_line_of_the_lobby_does() -> None:
    seatings = [entry.seating for section in sections() for entry in section.entries]
    assert seatings == [*(JoinRoom(room=room) for room in ("r6", "r4", "r9", "r3", "r2")), WatchRoom(room="r5")]
    keys = [entry.key for section in sections() for entry in section.entries]
    assert len(set(keys)) == len(keys)


BOBS = replace(CHALLENGE, room="r8", by=BOB)
BOBS_SECOND = replace(BOBS, room="r9")
SEVERAL = "Several players challenge you, so say whose challenge you decline: decline Bob."


@pytest.mark.parametrize(
    ("challenges", "name", "room"),
    [
        ([CHALLENGE], "", "r3"),
        ([BOBS, BOBS_SECOND], "", "r8"),
        ([CHALLENGE, BOBS], "bob", "r8"),
        ([CHALLENGE, BOBS], "Эве 名 x", "r3"),
    ],
)
def test_which_challenge_is_meant(challenges: list[Seek], name: str, room: str) -> None:
    assert lobby_words.challenge_by(replace(FULL, challenges=challenges), name).room == room


@pytest.mark.parametrize(
    ("challenges", "name", "said"),
    [
        ([], "Bob", "Nobody challenges you just now."),
        ([CHALLENGE], "Bob", "There is no challenge to you from 'Bob'."),
        ([BOBS, CHALLENGE], "", SEVERAL),
        ([BOBS, replace(BOBS, by=replace(BOB, id="p9"))], "", SEVERAL),
    ],
)
def test_a_challenge_that_cannot_be_meant_is_told(challenges: list[Seek], name: str, said: str) -> None:
    with pytest.raises((BadChoice, NotThere), match=f"^{said}$"):
        lobby_words.challenge_by(replace(FULL, challenges=challenges), name)


def test_people_to_challenge() -> None:
    lines = [lobby_words.challenge_line(player) for player in lobby_words.people(FULL, ME.id)]
    assert lines == ["Challenge Bob", "Challenge Eve (a bot)"]


@pytest.mark.parametrize(
    ("typed", "asked"),
    [
        ("qubic", rules("qubic")),
        ("watch Ada Lovelace", WatchNamed("Ada Lovelace")),
        ("/watch http://h:1/room/r5", WatchRoom(room="r5")),
        ("join r2", JoinNamed("r2")),
        ("join http://h/join/CODE", JoinRoom(code="CODE")),
        ("join http://h/room/r5#CODE", JoinRoom(code="CODE", room="r5")),
        ("watch http://h/room/r5#CODE", WatchRoom(room="r5", code="CODE")),
        ("http://h/room/r5#CODE", JoinRoom(code="CODE", room="r5")),
        ("CODE", JoinNamed("CODE")),
        ("http://h/room/r1", JoinRoom(room="r1")),
        ("replay 12", ReplayGame(12)),
        ("replay http://h/game/12/", ReplayGame(12)),
        ("http://h/game/12", ReplayGame(12)),
        ("clock 5+3", SetClock(BLITZ, "5+3")),
        ("clock none", SetClock(None, "none")),
        ("name  Ada Lovelace", Rename("Ada Lovelace")),
        ("decline", Decline("")),
        ("/decline Ada Lovelace", Decline("Ada Lovelace")),
        ("theme Nord", Wear("nord")),
        ("GAMES", "games"),
        ("/lobby", "lobby"),
        ("?", "help"),
        ("/q", "quit"),
    ],
)
def test_what_is_typed(typed: str, asked: Asked) -> None:
    assert menu_words.asked(typed) == asked


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("theme sky", "There is no such theme; choose one of: terminal, textual-dark"),
        ("watch", "watch needs something after it, as in: watch ROOM."),
        ("replay soon", "'soon' is not a game number"),
        ("replay " + "9" * 99, "is not a game number"),
        ("clock late", "'late' is not a clock"),
        ("/sing", "There is no command /sing here"),
        ("mnk:2,2,2", "cannot have 2 columns"),
        ("two words", "not a game, a code or a link"),
        ("<script>alert(1)</script>", "not a game, a code or a link"),
        ("ünïcode", "not a game, a code or a link"),
        ("x" * 5000, "not a game, a code or a link"),
        ("http://", "not a link to a room"),
        ("http://[", "not a link to a room"),
        ("http://h/room/%00", "not a game, a code or a link"),
    ],
)
def test_pasted_nonsense_is_a_sentence(typed: str, sentence: str) -> None:
    with pytest.raises((BadChoice, NotNow)) as bad:
        menu_words.asked(typed)
    assert sentence in str(bad.value)
    assert len(str(bad.value)) < 200


# The full screen


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
