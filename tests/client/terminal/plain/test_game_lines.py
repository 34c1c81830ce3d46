"""Plain play: what goes where, moves written ahead, wrong moves, the end of input."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import msgspec
import pytest
from msgspec import structs

from client.sdk import ConnectionState, LiveRoom
from client.sdk.records import WarmUp
from client.terminal.plain import game_lines
from client.terminal.preferences import Preferences
from server.wire import (
    Act,
    Author,
    ClockView,
    Error,
    GameView,
    Move,
    Moved,
    Offer,
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
)
from tests.support.terminal.fake_server import ME, OPPONENT, FakeRoom, FakeServer
from tests.support.terminal.plain_table import Table, table

MINE = Seat(id=ME.id, name=ME.name, kind="person", present=True)


async def test_a_whole_game() -> None:
    async with table("a1", "b1", "c1", replies=["a2", "b2"]) as at:
        assert await at.game.run() == 0
        assert at.out == ["a2", "b2"]
        assert "You win with three in a row." in at.told
        assert " 1 |[X]|[X]|[X]|" in at.told


async def test_panes_and_themes_in_lines() -> None:
    typed = ("/pane rules", "/pane moves", "/pane chat", "/pane thoughts", "/theme nord", "/theme sky", None)
    async with table(*typed) as at:
        await at.game.run()
        for told in (
            "The board has 3 columns",
            "No moves yet.",
            "No messages yet.",
            "No bot has reported anything yet.",
            "Theme: nord.",
            "There is no such theme",
        ):
            assert told in at.told


async def test_ratings_are_told_first() -> None:
    rated = structs.replace(OPPONENT, rating=RatingView(value=1490, deviation=60))
    async with table(None, room=FakeRoom(opponent=rated)) as at:
        await at.game.run()
        assert "Ratings: Bob (O) 1490." in at.told


@pytest.mark.parametrize("rated", [True, False])
async def test_what_a_bot_finds_is_told_unless_the_game_is_rated(rated: bool) -> None:
    room = FakeRoom(you="o")
    room.room.rated = rated
    found = Search(nodes=12, depth=3, value=2.0, win_in=None, pv=["b2", "a1", "c3"])
    async with table(None, room=room) as at:
        playing = asyncio.create_task(at.game.run())
        (moved,) = room.moves("b2")
        assert isinstance(moved, Moved)
        await at.server.happens(structs.replace(moved, search=found))
        await playing
        assert at.out == ["b2"]
        assert ("expects a1 c3" in at.told) is not rated


async def test_moves_written_ahead_wait_for_their_turn() -> None:
    async with table("a2", "b2", None, room=FakeRoom(you="o")) as at:
        playing = asyncio.create_task(at.game.run())
        await at.server.opponent_moves("a1")
        await at.server.hears(Move)
        assert [move.move for move in at.server.requests(Move)] == ["a2"]
        await at.server.opponent_moves("b1")
        await at.server.hears(Move, 2)
        await at.server.opponent_moves("c1")
        assert await playing == 0
        assert at.out == ["a1", "b1", "c1"]


async def test_a_wrong_move_may_be_tried_again() -> None:
    async with table("z9", "b2", "b2", "a1", None, replies=["c3", "c1"]) as at:
        assert await at.game.run() == 1
        assert [move.move for move in at.server.requests(Move)] == ["b2", "a1"]
        assert "'z9' names no cell" in at.told
        assert "b2 is taken by X." in at.told


async def test_the_end_of_input_leaves_the_seat() -> None:
    async with table("b2", None, replies=["a1"]) as at:
        assert await at.game.run() == 1
        assert at.out == ["a1"]
        assert at.err[-1] == "LEFT"
        assert not at.server.requests(Act)


@pytest.mark.parametrize(("interactive", "told"), [(True, ["", "LEFT"]), (False, ["LEFT"])])
async def test_ctrl_c_tells_how_to_return(interactive: bool, told: list[str]) -> None:
    async with table(interactive=interactive) as at:
        playing = asyncio.create_task(at.game.run())
        await at.tells("Your turn")
        before = len(at.err)
        playing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await playing
        assert at.err[before:] == told


async def test_the_end_of_input_before_the_opponent_came() -> None:
    async with table(None, room=FakeRoom(opponent=None, code="CODE")) as at:
        assert await at.game.run() == 1
        assert "code: CODE" in at.err
        assert "link: LINK" in at.err
        assert "Waiting for an opponent." in at.err


async def test_a_refused_command_is_a_sentence() -> None:
    async with table("/sing", "/decline", "/quit") as at:
        assert await at.game.run() == 1
        assert "There is no command /sing" in at.told
        assert "There is no offer to decline." in at.told


async def test_resigning() -> None:
    async with table("/resign", "never read") as at:
        assert await at.game.run() == 0
        assert "You lose: you resigned." in at.told
        assert at.server.requests(Act)[0].action == "resign"
        assert at.out == []


async def test_information() -> None:
    clock = ClockView(x_ms=300_000, o_ms=250_500, running="x", initial_ms=300_000, increment_ms=0)
    async with table(
        "/help", "/rules", "/moves", "/clock", "/board", "/new", "/quit", room=FakeRoom(clock=clock)
    ) as at:
        await at.game.run()
        assert "/takeback  " in at.told
        assert "change the colours: terminal, textual-dark" in at.told
        assert "Ctrl-P" not in at.told
        assert "X and O take turns" in at.told
        assert "No moves yet." in at.told
        assert "O 4:10" in at.told
        assert "/new works only in a terminal; /quit leaves." in at.told


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("resign", "Commands start with a slash: write /resign."),
        ("Say hello", "Commands start with a slash: write /say."),
        ("q", "Commands start with a slash: write /quit."),
        ("surrender", "Commands start with a slash: write /resign."),
        ("/surrender", "There is no command /surrender; did you mean /resign?"),
        ("/sing", "There is no command /sing; /help lists them all."),
        ("sing", "'sing' names no cell of this board"),
    ],
)
async def test_a_command_without_its_slash_is_told_so(line: str, sentence: str) -> None:
    async with table(line, "/quit") as at:
        await at.game.run()
        assert sentence in at.told
        assert at.server.requests(Act) == []


async def test_an_offer_is_told_to_who_comes_back() -> None:
    room = FakeRoom()
    room.room.offers.append(Offer(by="o", what="draw"))
    async with table("/board", "/quit", room=room) as at:
        await at.game.run()
        assert at.err.count("Bob (O) offers a draw. /draw accepts, /decline declines.") == 2


async def test_other_peoples_text_is_harmless() -> None:
    async with table(interactive=True) as at:
        playing = asyncio.create_task(at.game.run())
        await at.server.happens(Said(by=Author(id="p2", name="B\x1b]0;bad\x07ob"), text="\x1b[2Jboo\nBob: no"))
        await at.tells("Bob: boo")
        assert "\x1b" not in at.told
        assert "Bob: booBob: no" in at.err
        at.typed.type("/quit")
        assert await playing == 1


async def test_watching_shows_every_move_and_needs_no_input() -> None:
    room = FakeRoom()
    room.room.seats.x = Seat(id="p3", name="Eve", kind="person", present=True)
    async with table(None, room=room) as at:
        playing = asyncio.create_task(at.game.run())
        for move in ("a1", "a2", "b1", "b2", "c1"):
            await at.server.opponent_moves(move)
        assert await playing == 0
        assert at.out == ["a1", "a2", "b1", "b2", "c1"]
        assert "Eve (X) wins with three in a row." in at.told


async def test_two_people_at_one_screen() -> None:
    async with table("a1", "a2", "b1", "b2", "c1", room=FakeRoom(opponent=MINE)) as at:
        assert await at.game.run() == 0
        assert at.out == []
        assert "X wins with three in a row." in at.told


async def test_moves_missed_while_disconnected_are_reported() -> None:
    async with table(room=FakeRoom(you="o")) as at:
        playing = asyncio.create_task(at.game.run())
        for event in at.server.room.moves("b2"):
            at.server.room.happens(event)
        await at.server.drop()
        await at.server.hears(Resume)
        await at.tells("Your turn (O).")
        assert at.out == ["b2"]
        playing.cancel()


async def test_a_plan_is_not_played_after_moves_that_were_missed() -> None:
    async with table("b2", None, interactive=True, room=FakeRoom(you="o")) as at:
        playing = asyncio.create_task(at.game.run())
        await at.tells("Premove: b2")
        for event in at.server.room.moves("a1"):
            at.server.room.happens(event)
        await at.server.drop()
        await at.tells("Premove cancelled: the position has changed.")
        assert at.server.requests(Move) == []
        playing.cancel()


async def test_a_connection_lost_for_good_is_told() -> None:
    async with table() as at:
        playing = asyncio.create_task(at.game.run())
        at.server.refuse_to_open = True
        await at.server.drop()
        assert await playing == 1
        assert "closed the connection" in at.err[-1]


async def test_a_win_that_may_be_claimed_is_told() -> None:
    async with table(interactive=True) as at:
        playing = asyncio.create_task(at.game.run())
        await at.server.send(Present(room="r1", side="o", present=False, claim_ms=0))
        await at.tells("Bob (O) is still away: you can /claim the win.")
        at.typed.type("/quit")
        assert await playing == 1


async def test_without_a_connection_lines_are_taken_and_the_absence_is_warned_of() -> None:
    timed = FakeRoom()
    timed.room.absent_ms = 60_000
    async with table(interactive=True, room=timed) as at:
        at.server.answers[Say] = lambda request: None
        playing = asyncio.create_task(at.game.run())
        await at.tells("Your turn (X).")
        lose_connection(at)
        assert at.err[-1].endswith("may claim the win once you have been offline for 60 s.")
        at.typed.type("/say hi", "/rules", "/quit")
        assert await playing == 1
        assert "You are offline; this will be sent when the connection is back." in at.err
        assert "X and O take turns" in at.told


def lose_connection(at: Table) -> None:
    """As far as the game is told."""
    told = at.game._connection.on_state
    assert told is not None
    told(ConnectionState(False, "Connection lost; reconnecting."))


async def test_without_an_answer_lines_are_taken_and_asked_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game_lines, "PATIENCE_S", 0)
    async with table("/say one", "/say two", "/moves", interactive=True) as at:
        at.server.answers[Say] = lambda request: None
        playing = asyncio.create_task(at.game.run())
        await at.server.hears(Say)
        await at.tells("No moves yet.")
        assert len(at.server.requests(Say)) == 1
        del at.server.answers[Say]
        await at.server.drop()
        await at.tells("Ada: two")
        assert "the request may or may not have gone through." in at.told
        at.typed.type("/quit")
        assert await playing == 1


async def test_a_lost_answer_is_a_sentence_and_the_game_goes_on() -> None:
    async with table("/draw", "b2", None) as at:
        at.server.answers[Act] = lambda request: None
        playing = asyncio.create_task(at.game.run())
        await at.server.hears(Act)
        await at.server.drop()
        await at.server.hears(Move)
        assert "the request may or may not have gone through." in at.told
        await at.server.opponent_moves("a1")
        assert await playing == 1


async def test_a_spectator_at_a_terminal_leaves_with_the_end_of_input() -> None:
    room = FakeRoom()
    room.room.seats.x = Seat(id="p3", name="Eve", kind="person", present=True)
    async with table(None, room=room, interactive=True) as at:
        assert await at.game.run() == 1
        assert at.err[-1] == "You stopped watching; the game goes on."


async def test_a_rematch_at_a_terminal() -> None:
    async with table("/resign", "/resign", "/rematch", interactive=True) as at:
        playing = asyncio.create_task(at.game.run())
        await at.server.hears(Rematch)
        opponent = at.server.room.room.seats.o
        assert opponent is not None
        game = GameView(
            serial=2, id=2, game="tictactoe", start=[], moves=[], to_move="x", legal=[], started=True, result=None
        )
        await at.server.happens(
            Seated(side="x", seat=opponent), Seated(side="o", seat=MINE), Started(game=game, clock=None)
        )
        await at.server.opponent_moves("b2")
        await at.tells("Your turn (O).")
        assert at.out == ["b2"]
        assert "Game 2 starts: Bob (X) against you." in at.told
        at.typed.type("/resign", "/resign", None)
        assert await playing == 0


async def test_at_a_terminal_resigning_asks_first() -> None:
    async with table("/resign", "/clock", "/resign", None, interactive=True) as at:
        assert await at.game.run() == 1
        assert at.told.count("Resign this game? Type /resign again") == 2
        assert not at.server.requests(Act)


async def test_a_game_that_is_over_is_replayed() -> None:
    async with table("/replay", "a1", "b1", "c1", "/replay", "p", "n", "back", "/new", interactive=True) as at:
        at.server.replies = ["a2", "b2"]
        keep_record(at.server)
        assert await at.game.run() == 0
        assert "You can replay a game once it is over." in at.told
        assert "This is the start." in at.told
        assert "Move 1 of 5: You (X) a1, 0.50 s." in at.told
        assert at.game.to_lobby


async def test_in_a_pipe_commands_mean_the_same() -> None:
    async with table("/new", "/mute", "/chat", "/accept", "/quit") as at:
        assert await at.game.run() == 1
        assert not at.game.to_lobby
        assert "There is no offer to accept." in at.told


async def test_a_record_that_is_gone_is_a_sentence() -> None:
    async with table("/resign", "/resign", "/replay", "/quit", interactive=True) as at:
        assert await at.game.run() == 0
        assert "There is no such record." in at.told


def keep_record(server: FakeServer) -> None:
    """The server remembers the game of five moves that X wins."""
    moves = [
        {"ply": ply, "move": move, "by": "xo"[ply % 2], "think_ms": 500}
        for ply, move in enumerate(["a1", "a2", "b1", "b2", "c1"])
    ]
    game = {"id": 1, "game": "tictactoe", "rated": False, "start": [], "clock": None, "started_ms": 0, "moves": moves}
    players = {
        "x": {"id": ME.id, "name": ME.name, "kind": "person"},
        "o": {"id": "p2", "name": "Bob", "kind": "person"},
    }
    body = msgspec.json.encode(game | players | {"winner": "x", "termination": "line"})
    server.pages["/api/games/1"] = (200, body)


async def test_the_warm_up_is_told_once_for_each_step(monkeypatch: pytest.MonkeyPatch) -> None:
    steps = iter([(1, 4), (1, 4), (2, 4)])

    async def explain(room: LiveRoom, ask: object, tell: Callable[[WarmUp], None]) -> None:
        for done, of in steps:
            tell(WarmUp(False, done, of))
        tell(WarmUp(True, 4, 4))

    monkeypatch.setattr(game_lines, "explain_waiting", explain)
    async with table("/clock", "/quit") as at:
        await at.game.run()
        assert [line for line in at.err if "bots are starting" in line] == [
            "The server's bots are starting: 1 of 4; clocks are not affected.",
            "The server's bots are starting: 2 of 4; clocks are not affected.",
        ]


async def test_what_others_say_can_be_muted() -> None:
    async with table("/mute", interactive=True) as at:
        playing = asyncio.create_task(at.game.run())
        await at.tells("Chat from others is hidden")
        await at.server.happens(Said(by=Author(id="p2", name="Bob"), text="boo"))
        at.typed.type("/say hello")
        await at.tells("Ada: hello")
        assert "boo" not in at.told
        at.typed.type("/mute", "/chat", "/quit")
        assert await playing == 1
        assert "Bob: boo\nAda: hello" in at.told


async def test_what_was_said_before_is_told() -> None:
    room = FakeRoom()
    room.happens(Said(by=Author(id="p2", name="Bob"), text="hello"))
    async with table("/quit", room=room) as at:
        await at.game.run()
        assert "Bob: hello" in at.err


async def test_a_move_refused_by_the_server_is_a_sentence() -> None:
    async with table("b2", None) as at:
        at.server.answers[Move] = lambda request: Error(code="not_your_turn", message="It is O's turn.")
        assert await at.game.run() == 1
        assert "It is O's turn." in at.err


async def test_plans_and_questions_in_lines() -> None:
    typed = ("b2", "/cancel", "/cancel", "/settings", "/confirm")
    async with table(*typed, room=FakeRoom(you="o"), interactive=True) as at:
        game = asyncio.create_task(at.game.run())
        await at.tells("Confirm moves: off")
        await at.tells("Confirm moves: on.")
        for told in ("Premove: b2; /cancel cancels it.", "Premove cancelled.", "There is no premove to cancel."):
            await at.tells(told)
        at.typed.type("c3")
        await at.tells("Premove: c3")
        await at.server.opponent_moves("a1")
        assert (await at.server.hears(Move)).move == "c3"
        await at.server.opponent_moves("a2")
        at.typed.type("b2")
        await at.tells("b2? Enter plays it; anything else replaces it.")
        at.typed.type("")
        assert (await at.server.hears(Move, 2)).move == "b2"
        at.typed.type("/quit")
        assert await game == 1


async def test_a_pipe_means_what_it_says() -> None:
    confirming = Preferences()
    confirming.switch("confirm")
    async with table("b2", None, replies=["a1"], preferences=confirming) as at:
        await at.game.run()
        assert [move.move for move in at.server.requests(Move)] == ["b2"]
