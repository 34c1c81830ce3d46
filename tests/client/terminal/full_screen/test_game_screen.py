"""The screen of a room, driven by textual's pilot against the fake server."""

from __future__ import annotations

import asyncio
import re

import pytest
from msgspec import structs
from textual.widgets._footer import FooterKey

from client.sdk import ConnectionState
from client.sdk.records import WarmUp
from client.terminal.drawing.boards import Look
from client.terminal.full_screen.app import TerminalApp
from client.terminal.full_screen.board import BoardView
from client.terminal.full_screen.command_line import CommandLine
from client.terminal.full_screen.game_screen import GameScreen
from client.terminal.full_screen.help_screen import HelpScreen
from server.wire import (
    Act,
    Author,
    ClockView,
    Declined,
    Ended,
    Error,
    Move,
    Moved,
    Offered,
    Present,
    Rematch,
    Resume,
    Said,
    Search,
    Seat,
    Seated,
    Started,
    TakenBack,
    Thinking,
    encode,
)
from tests.support.terminal.fake_server import OPPONENT, FakeRoom
from tests.support.terminal.screen import NARROW, SMALL, WIDE, Screen, screen, unwrapped

LOW = (100, 17)
"""Too low for marks that are drawn."""


async def test_a_typed_move_and_the_answer() -> None:
    async with screen(size=LOW) as seen:
        seen.server.replies = ["a1"]
        assert "Your turn (X)." in seen.shown("#turn")
        await seen.type("b2")
        await seen.until("a1", "#moves")
        await seen.until("Your turn (X).")
        assert "│ X │" in seen.shown("#board")
        assert "(O)" in seen.shown("#board")
        assert "1. b2     a1" in seen.shown("#moves")
        assert "plays" not in seen.shown("#log")


async def test_the_end_and_its_line() -> None:
    async with screen(size=LOW) as seen:
        seen.server.replies = ["a2", "b2"]
        for move, answer in (("a1", "a2"), ("b1", "b2")):
            await seen.type(move)
            await seen.until(answer, "#moves")
        await seen.type("c1")
        await seen.until("You win with three in a row.")
        assert "│[X]│[X]│[X]│" in seen.shown("#board")


async def test_wrong_moves_are_complained_about_until_the_board_changes() -> None:
    async with screen() as seen:
        await seen.type("z9")
        await seen.until("'z9' names no cell")
        await seen.server.happens(Said(by=Author(id="p2", name="Bob"), text="oops"))
        await seen.until("oops", "#log")
        assert "'z9' names no cell" in seen.shown("#turn")
        await seen.type("b2")
        await seen.until("Bob (O) to move.")
        await seen.type("/premove", "a1")
        await seen.until("opponent's turn")


async def test_clocks_and_seats() -> None:
    clock = ClockView(x_ms=9_500, o_ms=125_000, running="x", initial_ms=300_000, increment_ms=3_000)
    async with screen(FakeRoom(you="o", clock=clock)) as seen:
        assert "Bob" in seen.shown("#far")
        assert "O 2:05  Ada (you)" in seen.shown("#near")
        assert re.search(r"▶ X \d\.\d  Bob", seen.shown("#far"))  # though this clock is years from the server's
        assert "5+3" in seen.shown("#heading")


async def test_an_invitation_is_shown() -> None:
    async with screen(FakeRoom(opponent=None, code="CODE")) as seen:
        await seen.until("Give a friend this code:\nCODE\n", "#invitation")
        assert f"{seen.server.url}/room/r1#CODE" in seen.shown("#invitation")
        assert "Waiting for an opponent." in seen.shown("#turn")
        assert "nobody yet" in seen.shown("#far")
        await seen.type("b2")
        await seen.until("the other seat is still free")
        assert "CODE" in seen.shown("#invitation")


async def test_commands() -> None:
    async with screen() as seen:
        await seen.type("/rules", "/moves", "/chat", "/board", "/sing")
        await seen.until("There is no command /sing")
        assert "No moves yet." in seen.shown("#moves")
        assert "No messages yet." in seen.shown("#log")


async def test_resigning_asks_first() -> None:
    async with screen() as seen:
        await seen.type("/resign")
        await seen.until("Resign this game?")
        await seen.type("/board", "/resign")
        await seen.until("Resign this game?")
        assert not seen.server.requests(Act)
        await seen.pilot.press("f8")
        await seen.until("You lose: you resigned.")
        assert [act.action for act in seen.server.requests(Act)] == ["resign"]


async def test_keys_are_offered_when_they_mean_something() -> None:
    async with screen() as seen:
        await seen.settles(lambda: keys(seen) == {"Keys", "Draw", "Mute", "Resign", "Lobby", "Settings"})
        await seen.server.happens(Offered(by="o", what="draw"))
        await seen.until("Bob (O) offers a draw.", "#log")
        await seen.settles(lambda: "Decline" in keys(seen))
        await seen.pilot.press("f4")
        assert (await seen.server.hears(Act)).action == "decline_draw"
        await seen.pilot.press("f2")
        assert (await seen.server.hears(Act, 2)).action == "accept_draw"
        await seen.pilot.press("f8", "f8")
        await seen.until("You lose: you resigned.")
        await seen.settles(lambda: {"Rematch", "Replay"} <= keys(seen) and "Resign" not in keys(seen))
        await seen.pilot.press("f5")
        await seen.server.hears(Rematch)


def keys(seen: Screen) -> set[str]:
    """What the line of keys below offers."""
    return {str(key.description) for key in seen.app.screen.query(FooterKey)}


@pytest.mark.parametrize("size", [SMALL, *(pytest.param(size, marks=pytest.mark.slow) for size in (WIDE, NARROW))])
async def test_a_question_mark_lists_keys_and_commands(size: tuple[int, int]) -> None:
    async with screen(size=size) as seen:
        await seen.pilot.press("?")
        await seen.settles(lambda: isinstance(seen.app.screen, HelpScreen))
        await seen.pilot.press("pagedown", "down", "up", "pageup", "escape")
        await seen.settles(lambda: isinstance(seen.app.screen, GameScreen))
        await seen.pilot.press("a", "?")
        await seen.settles(lambda: seen.app.screen.query_one(CommandLine).value == "a?")
        await seen.type("/help")
        await seen.settles(lambda: isinstance(seen.app.screen, HelpScreen))


async def test_what_others_say_can_be_muted() -> None:
    async with screen() as seen:
        await seen.pilot.press("f6")
        await seen.until("chat muted", "#heading")
        await seen.server.happens(Said(by=Author(id="p2", name="Bob"), text="boo"))
        await seen.type("/say hello")
        await seen.until("Ada: hello", "#log")
        assert "boo" not in seen.shown("#log")
        await seen.type("/mute", "/chat")
        await seen.until("Bob: boo", "#log")
        assert "chat muted" not in seen.shown("#heading")


async def test_what_was_said_before_is_shown() -> None:
    room = FakeRoom()
    room.happens(Said(by=Author(id="p2", name="Bob"), text="hello"))
    async with screen(room) as seen:
        await seen.until("Bob: hello", "#log")


async def test_the_terminal_calls_when_it_is_your_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    bells: list[str] = []
    monkeypatch.setattr(TerminalApp, "bell", lambda app: bells.append(app.title))
    async with screen(FakeRoom(you="o")) as seen:
        assert seen.app.title == "Tic-tac-toe - noughts"
        await seen.server.opponent_moves("b2")
        await seen.until("Your turn (O).")
        assert seen.app.title == "Your turn: Tic-tac-toe - noughts"
        await seen.type("a1")
        await seen.until("Bob (X) to move.")
        await seen.server.opponent_moves("c3")
        await seen.until("Your turn (O).")
        assert bells == ["Your turn: Tic-tac-toe - noughts"] * 2


async def test_a_bot_that_lets_wait_is_explained() -> None:
    bot = Seat(id="p2", name="level:3", kind="bot", present=True, bot="level:3")
    async with screen(FakeRoom(opponent=bot)) as seen:
        assert isinstance(seen.app.screen, GameScreen)
        await seen.type("b2")
        await seen.until("Level 3 (O) to move.")
        seen.app.screen.show_warm_up(WarmUp(False, 1, 4))
        assert "Level 3 (O) to move.\nThe server's bots are starting: 1 of 4" in seen.shown("#turn")
        await seen.server.opponent_moves("a1")
        await seen.until("Your turn (X).")
        assert "starting" not in seen.shown("#turn")


@pytest.mark.parametrize("rated", [True, False])
async def test_what_a_bot_finds_is_shown_unless_the_game_is_rated(rated: bool) -> None:
    room = FakeRoom(you="o")
    room.room.rated = rated
    found = Search(nodes=12, depth=3, value=2.0, win_in=None, pv=["b2", "a1", "c3"])
    async with screen(room) as seen:
        await seen.server.send(Thinking(room="r1", nodes=5, depth=1, value=1.0, pv=["b2"]))
        await seen.server.happens(Said(by=Author(id="p2", name="Bob"), text="hm"))
        await seen.until("Bob: hm", "#log")
        assert ("depth 1" in seen.shown("#turn")) is not rated
        await seen.type("/pane thoughts")
        await seen.settles(lambda: ("depth 1" in seen.shown("#thinking")) is not rated)
        await seen.settles(lambda: "depth 1" not in seen.shown("#turn"))
        (moved,) = room.moves("b2")
        assert isinstance(moved, Moved)
        await seen.server.happens(structs.replace(moved, search=found), Said(by=Author(id="p2", name="Bob"), text="ok"))
        await seen.until("Bob: ok", "#log")
        assert ("expects a1 c3" in seen.shown("#found")) is not rated
        assert not seen.app.screen.query_one("#thinking").display, "an empty line above what was found"


async def test_the_delay_is_measured() -> None:
    async with screen() as seen:
        assert isinstance(seen.app.screen, GameScreen)
        await seen.app.screen.measure_delay()
        assert re.search(r"● connected \d+ ms", seen.shown("#heading"))


async def test_keys_are_taken_while_the_delay_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    async with screen() as seen:
        shown = seen.app.screen
        assert isinstance(shown, GameScreen)
        monkeypatch.setattr(shown.room, "ping", asyncio.Future)
        shown.call_later(shown.measure_delay_aside)
        await seen.type("/pane rules")
        await seen.settles(lambda: "side by side" in seen.shown("#rules"))


async def test_in_a_small_terminal_news_are_shown_over_the_board() -> None:
    async with screen(FakeRoom("gomoku"), size=SMALL) as seen:
        assert not seen.app.screen.query_one("#heading").display
        await seen.server.happens(Said(by=Author(id="p2", name="Bob"), text="hello [b]there[/b]"))
        await seen.settles(lambda: [toast.message for toast in seen.app._notifications] == ["Bob: hello [b]there[/b]"])
        await seen.type("/moves")
        await seen.settles(lambda: isinstance(seen.app.screen, HelpScreen))


async def test_refusals_are_shown() -> None:
    async with screen() as seen:
        seen.server.answers[Act] = lambda request: Error(code="not_now", message="Not [b]now[/b].")
        await seen.type("/draw")
        await seen.until("Not [b]now[/b].")


async def test_a_refusal_outlasts_the_room_that_follows_it() -> None:
    async with screen(FakeRoom(you="o")) as seen:
        seen.server.answers[Move] = lambda request: Error(code="stale", message="This ply has been played.")
        await seen.server.opponent_moves("b2")
        await seen.until("Your turn", "#turn")
        await seen.type("a1")
        await seen.until("This ply has been played.", "#turn")
        await seen.server.send(encode(seen.server.room.snapshot()))
        await seen.server.happens(Said(by=Author(id="p2", name="Bob"), text="Well?"))
        await seen.until("Well?", "#log")
        assert "This ply has been played." in seen.shown("#turn")
        await seen.server.opponent_moves("c3")
        await seen.until("Bob (X) to move.", "#turn")


async def test_a_premove_that_is_refused_is_shown() -> None:
    async with screen(FakeRoom(you="o")) as seen:
        seen.server.answers[Move] = lambda request: Error(code="game_over", message="The game is over.")
        await seen.type("a1")
        await seen.until("Premove: a1")
        await seen.server.opponent_moves("b2")
        await seen.until("The game is over.")


async def test_a_name_that_has_no_room_is_cut() -> None:
    bob = structs.replace(OPPONENT, name="漢" * 20)
    async with screen(FakeRoom(opponent=bob), size=(24, 14)) as seen:
        shown = seen.app.screen.query_one("#far").render_line(0).text
        assert shown.startswith("  O 漢漢漢漢漢")
        assert "…" in shown


async def test_other_peoples_text_is_harmless() -> None:
    async with screen() as seen:
        await seen.server.happens(Said(by=Author(id="p2", name="[red]Bob"), text="\x1b[2J[b]bold[/b]"))
        await seen.until("[red]Bob: [b]bold[/b]", "#log")


async def test_a_lost_connection_is_shown_and_mended() -> None:
    async with screen() as seen:
        await seen.server.drop()
        await seen.server.hears(Resume)
        await seen.until("Connected again.", "#log")
        assert "● connected" in seen.shown("#heading")
        assert "Connection lost" in seen.shown("#log").replace("\n", " ")
        seen.server.replies = ["a1"]
        await seen.type("b2")
        await seen.until("a1", "#moves")


async def test_a_connection_lost_for_good_is_shown() -> None:
    async with screen() as seen:
        seen.server.refuse_to_open = True
        await seen.server.drop()
        await seen.until("○", "#heading")
        await seen.until("closed the", "#log")
        await seen.type("b2")
        await seen.until("closed the connection")


@pytest.mark.parametrize("game", ["tictactoe", "gomoku", "qubic", "ultimate"])
async def test_narrow_terminals(game: str) -> None:
    async with screen(FakeRoom(game), size=NARROW) as seen:
        board = seen.app.screen.query_one(BoardView)
        assert board._picture.width <= NARROW[0]
        assert "Your turn (X)" in seen.shown("#turn")
        assert not seen.app.screen.query_one("#pane-moves").display
        await seen.type(seen.server.room.view.legal[0])
        await seen.until("You (X) play", "#log")


async def test_ascii_and_marks() -> None:
    async with screen(look=Look(("@", "#"), ascii=True), size=LOW) as seen:
        seen.server.replies = ["a1"]
        await seen.type("b2")
        await seen.until("a1", "#moves")
        assert "| @ |" in seen.shown("#board")
        assert seen.shown("#board").isascii()


async def test_watching_needs_no_seat() -> None:
    room = FakeRoom()
    room.room.seats.x = Seat(id="p3", name="Eve", kind="person", present=True)
    async with screen(room) as seen:
        await seen.type("b2")
        await seen.until("You are watching")


async def test_an_offer_stays_until_it_is_answered() -> None:
    async with screen() as seen:
        await seen.server.happens(Offered(by="o", what="draw"))
        await seen.until("Your turn (X). Bob (O) offers a draw. /draw accepts, /decline declines.")
        await seen.server.happens(Said(by=Author(id="p2", name="Bob"), text="well?"))
        await seen.until("well?", "#log")
        assert "offers a draw" in seen.shown("#turn")
        await seen.server.happens(Declined(by="x", what="draw"))
        await seen.settles(lambda: seen.shown("#turn") == "Your turn (X).")


async def test_a_small_terminal_shows_offers_and_results_once() -> None:
    async with screen(size=SMALL) as seen:
        await seen.server.happens(Offered(by="o", what="draw"))
        await seen.until("offers a draw")
        await seen.server.happens(Ended(winner="o", termination="resignation", clock=None))
        await seen.until("You lose: you resigned.")
        assert [told.message for told in seen.app._notifications] == []


async def test_the_cell_under_the_cursor_is_named() -> None:
    async with screen(FakeRoom("mnk:19,19,5"), size=SMALL) as seen:
        await seen.pilot.press("up", "left")
        line = seen.app.screen.query_one(CommandLine)
        assert line.placeholder == "i10: Enter plays it"
        await seen.pilot.press("enter")
        await seen.settles(lambda: line.placeholder == "i10 is taken")
        await seen.pilot.press("escape")
        assert "arrows" in line.placeholder


async def test_what_is_typed_without_a_connection_is_answered() -> None:
    async with screen() as seen:
        assert isinstance(seen.app.screen, GameScreen)
        seen.app.screen.show_state(ConnectionState(False, "Connection lost; reconnecting."))
        await seen.type("b2")
        await seen.settles(lambda: "You are offline; this will be sent" in unwrapped(seen))


async def test_a_lost_connection_warns_of_what_absence_costs() -> None:
    timed = FakeRoom()
    timed.room.absent_ms = 60_000
    async with screen(timed) as seen:
        assert isinstance(seen.app.screen, GameScreen)
        seen.app.screen.show_state(ConnectionState(False, "Connection lost; reconnecting."))
        await seen.settles(lambda: "may claim the win once you have been offline for 60 s" in unwrapped(seen))


async def test_a_win_that_may_be_claimed_is_told() -> None:
    async with screen() as seen:
        await seen.server.send(Present(room="r1", side="o", present=False, claim_ms=0))
        await seen.settles(lambda: "Bob (O) is still away: you can /claim the win." in unwrapped(seen))


@pytest.mark.parametrize("size", [SMALL, (30, 12)])
async def test_a_lost_connection_is_seen_in_a_small_terminal(size: tuple[int, int]) -> None:
    async with screen(size=size) as seen:
        assert isinstance(seen.app.screen, GameScreen)
        seen.app.screen.show_state(ConnectionState(False, "Connection lost; reconnecting."))
        await seen.settles(lambda: seen.app.screen.query_one("#heading").region.height == 1)
        assert seen.shown("#heading").startswith("○ Connection lost")


async def test_an_invitation_has_the_whole_width() -> None:
    async with screen(FakeRoom(code="c" * 22, opponent=None), size=(80, 24)) as seen:
        link = f"{seen.server.url}/room/r1#{'c' * 22}"
        await seen.until(link, "#invitation")
        assert seen.app.screen.query_one("#invitation").region.width >= len(link)
        await seen.server.happens(Seated(side="o", seat=OPPONENT), Started(game=FakeRoom().room.game, clock=None))
        await seen.settles(lambda: seen.app.screen.query_one("#side").display)


async def test_a_planned_move_is_shown_cancelled_and_played() -> None:
    async with screen(FakeRoom(you="o"), size=(100, 17)) as seen:
        await seen.type("b2")
        await seen.until("Premove: b2; Escape cancels it.")
        assert "{O}" in seen.shown("#board")
        await seen.pilot.press("escape")
        await seen.until("Premove cancelled", "#log")
        assert "{O}" not in seen.shown("#board")
        await seen.pilot.press("up", "up", "right", "enter")
        await seen.settles(lambda: "Premove: " in seen.shown("#turn"))
        await seen.type("c3")
        await seen.until("Premove: c3")
        await seen.server.opponent_moves("a1")
        assert (await seen.server.hears(Move)).move == "c3"
        await seen.until("c3", "#moves")
        assert "Premove" not in seen.shown("#turn")


async def test_a_plan_that_the_opponent_spoils() -> None:
    async with screen(FakeRoom(you="o")) as seen:
        await seen.type("b2")
        await seen.server.opponent_moves("b2")
        await seen.until("Premove b2 cancelled: it is no longer legal.")
        await seen.type("c1", "c3")
        await seen.server.happens(TakenBack(ply=0, moves=[], clock=None, to_move="x"))
        await seen.until("Premove cancelled:", "#log")
        assert [move.move for move in seen.server.requests(Move)] == ["c1"]


async def test_confirmed_moves_by_mouse_keys_and_typing() -> None:
    async with screen(size=(100, 17)) as seen:
        seen.server.replies = ["a1", "a2"]
        await seen.type("/confirm", "b2")
        await seen.until("b2? Enter or a second click plays it, Escape cancels.")
        assert "{X}" in seen.shown("#board")
        await seen.pilot.press("escape", "enter")
        await seen.until("Your turn")
        board = seen.app.screen.query_one(BoardView)
        line, column, _ = board._picture.cells[8]
        await seen.pilot.click("#board", offset=(column, line))
        await seen.until("c3?")
        assert not seen.server.requests(Move)
        await seen.pilot.click("#board", offset=(column, line))
        await seen.until("c3     a1", "#moves")
        await seen.type("b2")
        await seen.until("b2?")
        await seen.pilot.press("enter")
        await seen.until("b2     a2", "#moves")


async def test_settings_are_switched_on_their_screen() -> None:
    async with screen(FakeRoom(you="o")) as seen:
        await seen.pilot.press("f10", "enter", "down", "enter", "escape")
        await seen.type("b2")
        await seen.until("opponent's turn")
        assert "Confirm moves: on. " not in seen.shown("#log")
        await seen.server.opponent_moves("a1")
        await seen.until("Your turn")
        await seen.type("b2")
        await seen.until("b2?")
