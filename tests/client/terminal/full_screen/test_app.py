"""The full screen, driven by textual's pilot against the fake server."""

from __future__ import annotations

import asyncio
import re
from random import Random

import pytest
from msgspec import structs
from rich.color import ColorType
from rich.segment import Segment
from textual.color import Color
from textual.events import Key, Paste
from textual.geometry import Region
from textual.widgets import Input
from textual.widgets._footer import FooterKey
from textual.widgets._toast import Toast

from client.sdk import ConnectionState
from client.sdk.records import WarmUp
from client.terminal.drawing.boards import Look
from client.terminal.full_screen.app import TerminalApp
from client.terminal.full_screen.board import BoardView
from client.terminal.full_screen.command_line import CommandLine
from client.terminal.full_screen.game_screen import GameScreen
from client.terminal.full_screen.help_screen import HelpScreen
from client.terminal.full_screen.menu_screen import MenuScreen
from client.terminal.full_screen.news import News
from engine.rules.registry import rules
from server.wire import (
    Act,
    Announcement,
    Author,
    ClockView,
    Create,
    Declined,
    Ended,
    Error,
    Join,
    Leave,
    Move,
    Moved,
    Offered,
    Present,
    RatingView,
    Rematch,
    Resume,
    Said,
    Say,
    Search,
    Seat,
    Seated,
    Started,
    Thinking,
    encode,
)
from tests.support.terminal.fake_server import ME, OPPONENT, FakeRoom
from tests.support.terminal.screen import NARROW, SMALL, WIDE, Screen, choose, screen

CYAN = 6
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


async def test_what_the_operator_announces_is_shown() -> None:
    async with screen() as seen:
        await seen.server.send(Announcement(text="Restart at [noon]", ts=1))
        await seen.settles(lambda: bool(seen.app._notifications))
        assert [note.message for note in seen.app._notifications] == ["From the operator: Restart at [noon]"]


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


async def test_a_message_that_is_too_long_can_be_shortened() -> None:
    async with screen() as seen:
        message = "/say " + "x" * 301
        await seen.type(message)
        await seen.until("this one has 301.")
        assert seen.app.screen.query_one(Input).value == message
        await seen.pilot.press("backspace", "enter")
        assert (await seen.server.hears(Say)).text == "x" * 300
        assert seen.app.screen.query_one(Input).value == ""


async def test_lines_typed_ahead_stay_apart() -> None:
    async with screen() as seen:
        await seen.pilot.press(*"/say", "space", *"hi", "enter", *"/say", "space", *"ho", "enter")
        await seen.until("Ada: ho", "#log")
        assert [say.text for say in seen.server.requests(Say)] == ["hi", "ho"]


async def test_arrows_and_enter_play() -> None:
    async with screen() as seen:
        await seen.pilot.press("up", "up", "right", "enter")
        await seen.server.hears(Move)
        assert seen.server.requests(Move)[0].move == "c3"


async def test_escape_forgets_the_cursor_and_the_line() -> None:
    async with screen() as seen:
        await seen.pilot.press("up", "b", "escape")
        assert seen.app.screen.query_one(BoardView).cursor is None
        assert seen.app.screen.query_one(CommandLine).value == ""
        await seen.pilot.press("enter")
        assert not seen.server.requests(Move)


async def test_pages_change_the_level_of_a_cube() -> None:
    async with screen(FakeRoom("qubic")) as seen:
        board = seen.app.screen.query_one(BoardView)
        await seen.pilot.press("down")
        first = board.cursor
        assert first is not None
        await seen.pilot.press("pagedown")
        assert board.cursor == first + 16
        await seen.pilot.press("pageup", "right")
        assert board.cursor == first + 1


async def test_a_click_plays() -> None:
    async with screen() as seen:
        board = seen.app.screen.query_one(BoardView)
        line, first, _ = board._picture.cells[4]
        await seen.pilot.click(BoardView, offset=(first + 1, line))
        await seen.server.hears(Move)
        assert seen.server.requests(Move)[0].move == "b2"
        await seen.pilot.click(BoardView, offset=(0, 0))


async def test_clocks_and_seats() -> None:
    clock = ClockView(x_ms=9_500, o_ms=125_000, running="x", initial_ms=300_000, increment_ms=3_000)
    async with screen(FakeRoom(you="o", clock=clock)) as seen:
        assert "Bob" in seen.shown("#far")
        assert "O 2:05  Ada (you)" in seen.shown("#near")
        assert re.search(r"▶ X \d\.\d  Bob", seen.shown("#far"))  # though this clock is years from the server's
        assert "5+3" in seen.shown("#heading")


async def test_seats_show_ratings() -> None:
    rated = structs.replace(OPPONENT, rating=RatingView(value=1490, deviation=200, provisional=True))
    async with screen(FakeRoom(opponent=rated)) as seen:
        assert "Bob 1490?" in seen.shown("#far")
        assert seen.shown("#near") == "▶ X Ada (you)"


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


@pytest.mark.parametrize("game", ["gomoku", "mnk:19,19,5"])
async def test_a_board_too_large_for_the_terminal_follows_the_last_move_and_the_cursor(game: str) -> None:
    async with screen(FakeRoom(game, you="o"), size=(34, 14)) as seen:
        await seen.server.opponent_moves("o15")
        await seen.until("Your turn")
        room = seen.app.screen.query_one("#boardroom")
        await seen.settles(lambda: cell_is_seen(seen, 14 + rules(game).dimensions[0] * 14))
        top = room.scroll_offset.y
        await seen.pilot.press(*["down"] * 12)
        await seen.settles(lambda: room.scroll_offset.y > top)


def cell_is_seen(seen: Screen, cell: int) -> bool:
    board, room = seen.app.screen.query_one(BoardView), seen.app.screen.query_one("#boardroom")
    line, first, columns = board._picture.cells[cell]
    shown = Region(*room.scroll_offset, *room.size)
    return shown.contains_region(Region(first, line, columns, 1))


async def test_in_a_small_terminal_news_are_shown_over_the_board() -> None:
    async with screen(FakeRoom("gomoku"), size=SMALL) as seen:
        assert not seen.app.screen.query_one("#heading").display
        await seen.server.happens(Said(by=Author(id="p2", name="Bob"), text="hello [b]there[/b]"))
        await seen.settles(lambda: [toast.message for toast in seen.app._notifications] == ["Bob: hello [b]there[/b]"])
        await seen.type("/moves")
        await seen.settles(lambda: isinstance(seen.app.screen, HelpScreen))


@pytest.mark.parametrize(
    ("size", "menu"), [(SMALL, False), (NARROW, False), (WIDE, False), (SMALL, True), (WIDE, True)]
)
async def test_news_leave_the_line_that_is_typed_free(size: tuple[int, int], menu: bool) -> None:
    async with screen(FakeRoom("gomoku"), size=size, menu=menu, notifications=True) as seen:
        await seen.settles(lambda: bool(seen.app.screen.query(Input)))
        seen.app.notify("Bob: hello")
        await seen.settles(lambda: any(toast.region for toast in seen.app.screen.query(Toast)))
        toast, typed = seen.app.screen.query_one(Toast).region, seen.app.screen.query_one(Input).region
        assert toast.bottom <= typed.y
        assert typed.y - toast.bottom <= 1


@pytest.mark.parametrize("size", [(80, 24), WIDE])
async def test_news_leave_what_was_wrong_free(size: tuple[int, int]) -> None:
    async with screen(size=size, menu=True, notifications=True) as seen:
        await seen.type("no game")
        await seen.until("That is not a game, a code or a link", "#problem")
        seen.app.notify("Your name is now Zoë.")
        await seen.settles(lambda: any(toast.region for toast in seen.app.screen.query(Toast)))
        toast, problem = seen.app.screen.query_one(Toast).region, seen.app.screen.query_one("#problem").region
        assert toast.bottom <= problem.y


async def test_colours_are_the_terminals_own() -> None:
    async with screen() as seen:
        await seen.type("b2")
        await seen.until("Bob (O) to move.")
        assert ColorType.STANDARD in colours(seen)
        assert colours(seen) <= {ColorType.DEFAULT, ColorType.STANDARD}


async def test_without_colours_what_is_chosen_can_be_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with screen(menu=True) as seen:
        await seen.settles(lambda: {line.strip() for line in underlined(seen)} == {"Tic-tac-toe"})
        assert colours(seen) <= {ColorType.DEFAULT}


async def test_what_is_chosen_is_coloured() -> None:
    def chosen(seen: Screen) -> set[str]:
        return {
            segment.text.strip()
            for segment in segments(seen)
            if segment.style is not None and segment.style.bgcolor is not None and segment.style.bgcolor.number == CYAN
        }

    async with screen(menu=True) as seen:
        await seen.settles(lambda: "Tic-tac-toe" in chosen(seen))


def segments(seen: Screen) -> list[Segment]:
    """What is on the screen, as the terminal gets it."""
    filters = seen.app.get_line_filters()
    strips = seen.app.screen._compositor.render_strips()
    for each in filters:
        strips = [strip.apply_filter(each, Color(0, 0, 0)) for strip in strips]
    return [segment for strip in strips for segment in strip]


def colours(seen: Screen) -> set[ColorType]:
    return {
        colour.type
        for segment in segments(seen)
        if segment.style is not None
        for colour in (segment.style.color, segment.style.bgcolor)
        if colour is not None
    }


def underlined(seen: Screen) -> list[str]:
    return [
        segment.text for segment in segments(seen) if segment.style and segment.style.underline and segment.text.strip()
    ]


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


async def test_quitting() -> None:
    async with screen() as seen:
        await seen.type("/quit")
    assert seen.app.return_value == 1


async def test_quitting_once_the_game_has_ended() -> None:
    async with screen() as seen:
        await seen.server.happens(Ended(winner="o", termination="resignation", clock=None))
        await seen.until("You lose: you resigned.")
        await seen.pilot.press("ctrl+q")
    assert seen.app.return_value == 0


async def test_ctrl_c_quits() -> None:
    async with screen() as seen:
        await seen.pilot.press("ctrl+c")
    assert seen.app.return_value == 130
    assert seen.app.room is not None, "it may be returned to"


async def test_ctrl_z_suspends(monkeypatch: pytest.MonkeyPatch) -> None:
    suspended: list[object] = []
    monkeypatch.setattr(TerminalApp, "action_suspend_process", lambda app: suspended.append(app.screen.name))
    for menu in (False, True):
        async with screen(menu=menu) as seen:
            await seen.settles(lambda: bool(seen.app.screen.query(Input)))
            await seen.pilot.press("b", "ctrl+z")
            assert seen.app.screen.query_one(Input).value == "b"
    assert len(suspended) == 2


@pytest.mark.parametrize("game", ["tictactoe", "gomoku", "qubic", "ultimate"])
async def test_narrow_terminals(game: str) -> None:
    async with screen(FakeRoom(game), size=NARROW) as seen:
        board = seen.app.screen.query_one(BoardView)
        assert board._picture.width <= NARROW[0]
        assert "Your turn (X)" in seen.shown("#turn")
        assert not seen.app.screen.query_one("#pane-moves").display
        await seen.type(seen.server.room.view.legal[0])
        await seen.until("You (X) play", "#log")


async def test_small_terminals_show_the_board_of_gomoku_whole() -> None:
    async with screen(FakeRoom("gomoku"), size=(80, 24)) as seen:
        board, room = seen.app.screen.query_one(BoardView), seen.app.screen.query_one("#boardroom")
        assert board.region.height == 16
        assert room.region.height >= 16
        assert seen.app.screen.query_one(CommandLine).region.height == 1


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


async def test_another_game_from_the_menu() -> None:
    async with screen() as seen:
        await seen.type("/new")
        while not isinstance(seen.app.screen, MenuScreen):
            await seen.pilot.pause()
        await seen.server.hears(Leave)
        await choose(seen, "Tic-tac-toe")
        await choose(seen, "Two players")
        while not isinstance(seen.app.screen, GameScreen):
            await seen.pilot.pause()
        opponent = seen.server.requests(Create)[0].opponent
        assert opponent is not None
        assert opponent.kind == "self"
        assert ME.name in seen.shown("#near")


def unwrapped(seen: Screen) -> str:
    """What happened, in one line."""
    return " ".join(seen.shown("#log").split())


async def test_keys_that_come_together_keep_their_order() -> None:
    async with screen() as seen:
        await seen.pilot.press("up")  # the cursor appears in the middle
        line = seen.app.screen.query_one(CommandLine)
        for key in ("left", "up", "enter"):  # at once, as a slow line delivers them
            line.post_message(Key(key, None))
        assert (await seen.server.hears(Move)).move == "a3"


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


async def test_news_is_wrapped_anew() -> None:
    async with screen(size=(60, 40)) as seen:
        sentence = "a long sentence of many words that needs more than one line of thirty columns"
        await seen.server.happens(Said(by=Author(id="p2", name="Bob"), text=sentence))
        await seen.settles(lambda: sentence in unwrapped(seen))
        for width in (100, 60):
            await seen.pilot.resize_terminal(width, 40)
            await seen.settles(lambda: sentence in unwrapped(seen))
            log = seen.app.screen.query_one(News)
            assert all(line.cell_length <= log.scrollable_content_region.width for line in log.lines)


async def test_an_invitation_has_the_whole_width() -> None:
    async with screen(FakeRoom(code="c" * 22, opponent=None), size=(80, 24)) as seen:
        link = f"{seen.server.url}/room/r1#{'c' * 22}"
        await seen.until(link, "#invitation")
        assert seen.app.screen.query_one("#invitation").region.width >= len(link)
        await seen.server.happens(Seated(side="o", seat=OPPONENT), Started(game=FakeRoom().room.game, clock=None))
        await seen.settles(lambda: seen.app.screen.query_one("#side").display)


async def test_what_is_pasted_in_the_lobby_goes_to_the_line() -> None:
    async with screen(menu=True) as seen:
        seen.app.post_message(Paste("VBsScXDX7pvryT0BwLJbSA\n"))
        await seen.settles(lambda: seen.app.screen.query_one(Input).value == "VBsScXDX7pvryT0BwLJbSA")
        await seen.pilot.press("enter")
        assert (await seen.server.hears(Join)).code == "VBsScXDX7pvryT0BwLJbSA"


async def test_the_board_grows_with_the_window() -> None:
    async with screen(size=(80, 24)) as seen:
        board = seen.app.screen.query_one(BoardView)
        lines = []
        for size in ((80, 24), (120, 40), (200, 60), (20, 10), (1, 1), (120, 40)):
            await seen.pilot.resize_terminal(*size)
            await seen.pilot.pause()
            lines.append(board._picture.cell_lines)
        assert lines == [3, 9, 15, 1, 1, 9]
        room = seen.app.screen.query_one("#boardroom")
        assert room.max_scroll_y == room.max_scroll_x == 0


async def test_a_click_anywhere_in_a_large_cell_plays() -> None:
    async with screen(size=(120, 40)) as seen:
        board = seen.app.screen.query_one(BoardView)
        line, first, columns = board._picture.cells[4]
        await seen.pilot.click(BoardView, offset=(first + columns - 1, line + board._picture.cell_lines - 1))
        assert (await seen.server.hears(Move)).move == "b2"


@pytest.mark.parametrize("game", ["gomoku", pytest.param("qubic", marks=pytest.mark.slow), None])
async def test_a_window_may_take_any_size_at_any_moment(game: str | None) -> None:
    random = Random(1)
    async with screen(FakeRoom(game) if game else None, menu=game is None) as seen:
        for size in [
            (1, 1),
            (20, 10),
            (300, 3),
            (3, 100),
            *((random.randrange(1, 220), random.randrange(1, 70)) for _ in range(3)),
        ]:
            await seen.pilot.resize_terminal(*size)
            await seen.pilot.press("up")
            if game is not None:
                board = seen.app.screen.query_one(BoardView)
                await seen.settles(lambda board=board: board._picture.lines != [])
        await seen.pilot.resize_terminal(120, 40)
        if game is not None:
            room = seen.app.screen.query_one("#boardroom")
            await seen.settles(lambda: room.max_scroll_y == room.max_scroll_x == 0)


async def test_a_smaller_window_still_shows_the_last_move() -> None:
    room = FakeRoom("qubic", start=["a1.1", "b2.4"])
    async with screen(room, size=(120, 40)) as seen:
        board, around = seen.app.screen.query_one(BoardView), seen.app.screen.query_one("#boardroom")
        await seen.pilot.resize_terminal(20, 10)
        await seen.settles(lambda: around.scroll_y > 0)
        line, *_ = board._picture.cells[board.view.rules.parse_move("b2.4")]
        assert around.scroll_y <= line < around.scroll_y + around.size.height
