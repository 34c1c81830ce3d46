"""Recorded games: as a replay, in words, on the full screen and in lines."""

from __future__ import annotations

import asyncio

import pytest
from msgspec import structs

from client.sdk import ProtocolError, connect
from client.sdk.records import RecordedGame, RecordedMove, RecordedPlayer, Records
from client.terminal.drawing.boards import Look
from client.terminal.full_screen.board import BoardView
from client.terminal.full_screen.game_screen import GameScreen
from client.terminal.full_screen.help_screen import HelpScreen
from client.terminal.full_screen.menu_screen import MenuScreen
from client.terminal.full_screen.replay_screen import ReplayScreen
from client.terminal.plain import replay_lines
from client.terminal.records import words as record_words
from client.terminal.records.replay import Replay, replay_of
from client.terminal.seating import NewRoom
from client.terminal.typed.exits import Exit
from server.wire import CancelReview, Error, JudgedMove, Review, ReviewRequest
from tests.support.terminal.fake_server import ME, fake_server
from tests.support.terminal.records import WON, keeps, recorded
from tests.support.terminal.screen import NARROW, SMALL, WIDE, choose, screen
from tests.support.terminal.typed_lines import Typed


def test_a_replay_holds_every_position() -> None:
    replay = replay_of(WON, ME.id)
    assert replay.plies == 5
    assert [len(replay.view(ply).moves) for ply in range(6)] == list(range(6))
    assert replay.view(4).result is None
    assert replay.view(5).position.line
    assert [replay.within(ply) for ply in (-3, 2, 99)] == [0, 2, 5]


def test_clocks_are_those_after_the_move() -> None:
    replay = replay_of(WON)
    assert [replay.view(ply).remaining_ms("x", 0) for ply in (0, 1, 5)] == [60_000, 60_000, 58_000]
    assert replay_of(structs.replace(WON, clock=None)).view(3).remaining_ms("x", 0) is None


def test_each_move_in_words() -> None:
    replay = replay_of(WON, ME.id)
    assert record_words.heading(replay) == "Tic-tac-toe · game 7 · 1+0 · rated · 2023-11-14"
    assert record_words.ply_sentence(replay, 0) == "Start."
    assert record_words.ply_sentence(replay, 2) == "Move 2 of 5: Bob (O) b1, 0.50 s."
    assert record_words.ply_sentence(replay, 5) == "Move 5 of 5: You (X) a3, 2.0 s. You win with three in a row."
    unfinished = replay_of(recorded("b2", winner=None))
    assert record_words.ply_sentence(unfinished, 1).endswith("The game is still running.")
    opened = replay_of(recorded("c3", start=["a1"], winner=None))
    assert record_words.ply_sentence(opened, 0) == "Start, after a1."
    assert record_words.ply_sentence(opened, 1).startswith("Move 1 of 1: Bob (O) c3")


def test_what_a_bot_found() -> None:
    move = RecordedMove(0, "b2", "x", 10, nodes=1200, depth=3, value=0.5, pv=["b2", "a1"])
    replay = replay_of(structs.replace(WON, moves=[move]))
    assert record_words.found_words(replay, 1) == "depth 3 · 1,200 positions · value +0.5 · expects a1"
    assert record_words.found_words(replay, 0) == ""
    running = structs.replace(recorded("b2", winner=None), moves=[move])
    assert record_words.found_words(replay_of(running), 1) != ""
    assert record_words.found_words(replay_of(running, ME.id), 1) == "", "one's own rated game still runs"


def test_moves_with_their_times() -> None:
    rows = record_words.move_rows(replay_of(recorded("c3 b2", start=["a1"], winner=None)))
    assert ["".join(piece for piece, _ in row).rstrip() for row in rows] == [
        "  1. (a1)         c3     0.00",
        "  2. b2     0.50",
    ]
    assert [ply for row in rows for _, ply in row] == [None, None, 1, None, 2]


def test_times_as_bars() -> None:
    replay = replay_of(WON)
    assert record_words.time_bars(replay, 5, 80) == ("▁▂▄▆█", 4)
    assert record_words.time_bars(replay, 0, 80, True) == ("_.-+#", None)
    assert record_words.time_bars(replay, 5, 3) == ("▄▆█", 2)
    assert record_words.time_bars(replay, 3, 3) == ("▂▄▆", 1)
    assert record_words.time_bars(replay_of(recorded("", winner=None)), 0, 9) == ("", None)


@pytest.mark.parametrize(("ms", "words"), [(0, "0.00"), (350, "0.35"), (4_890, "4.8"), (65_000, "1:05")])
def test_times_of_moves(ms: int, words: str) -> None:
    assert record_words.spent(ms) == words


@pytest.mark.parametrize(
    "record",
    [recorded("a1 a1"), recorded("z9"), structs.replace(WON, game="newer:9"), recorded("b2", start=["?"])],
)
def test_a_record_of_other_rules_is_not_understood(record: RecordedGame) -> None:
    with pytest.raises(ProtocolError):
        replay_of(record)


def test_a_game_in_a_list() -> None:
    record = recorded("a1", winner=None, name="\x1b[2J名前")
    assert record_words.line_of(record) == "Tic-tac-toe: Ada - 名前, still running, 2023-11-14, game 7"
    odd = structs.replace(record, game="newer:9", termination="agreement", started_ms=10**18)
    assert record_words.line_of(odd) == "newer:9: Ada - 名前, drawn, at an unknown time, game 7"


BLUNDER = JudgedMove(ply=1, verdict="lost", exact=True, value=-1, best=["b2", "a3"], could="drawn", win_in=-3)


@pytest.mark.parametrize(
    ("judged", "made", "words"),
    [
        (BLUNDER, "b1", "Review: it leads to a loss in 3 plies; b2 would have drawn."),
        (
            JudgedMove(ply=4, verdict="won", exact=True, value=1, best=["a3"], could="won", win_in=1, could_in=1),
            "a3",
            "Review: it wins immediately.",
        ),
        (
            JudgedMove(ply=0, verdict="won", exact=True, value=1, best=["a1"], could="won", win_in=43, at_most=True),
            "a1",
            "Review: it leads to a win in at most 43 plies.",
        ),
        (
            JudgedMove(ply=0, verdict="even", exact=False, value=0.1, best=["c3"], could="better"),
            "a1",
            "Review: the position is probably even; c3 would have been better.",
        ),
        (
            JudgedMove(ply=0, verdict="drawn", exact=True, value=0, best=["c3"], could="won", could_in=5),
            "a1",
            "Review: it leads to a draw; c3 would have won in at most 5 plies.",
        ),
    ],
)
def test_a_review_in_words(judged: JudgedMove, made: str, words: str) -> None:
    assert record_words.review_words(judged, made) == words


# The full screen


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


LARGE_X = "[██▄   ▄██]"


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


# In lines


async def gone_through(replay: Replay, *lines: str) -> list[str]:
    told, _ = await left(replay, *lines)
    return told


async def left(replay: Replay, *lines: str) -> tuple[list[str], NewRoom | Exit]:
    """What was told, and what came after it."""
    told: list[str] = []
    async with fake_server() as server, connect(server.url) as connection:
        records = Records(server.url, None)
        after = await replay_lines.go_through(replay, Typed(*lines), told.append, Look(ascii=True), connection, records)
    return told, after


async def test_a_review_in_lines() -> None:
    told: list[str] = []
    async with fake_server() as server, connect(server.url) as connection:
        typed = asyncio.Queue[str | None]()

        class Waiting:
            async def next(self) -> str | None:
                return await typed.get()

        def tell(text: str) -> None:
            told.append(text)
            if text == "The review is complete.":
                typed.put_nowait("2")
                typed.put_nowait(None)

        typed.put_nowait("review")
        going = asyncio.create_task(
            replay_lines.go_through(
                replay_of(WON, ME.id), Waiting(), tell, Look(ascii=True), connection, Records(server.url, None)
            )
        )
        assert (await server.hears(ReviewRequest)).game == WON.id
        await server.send(Review(game=WON.id, done=5, of=5, moves=[BLUNDER]))
        await going
        assert told[-1] == "Review: it leads to a loss in 3 plies; b2 would have drawn."
        assert "Reviewing the moves, from last to first." in told


async def test_a_bot_has_its_name_for_people_in_lines() -> None:
    bot = RecordedPlayer(id="p2", name="level:2", kind="bot")
    told = await gone_through(replay_of(structs.replace(WON, o=bot), ME.id))
    assert told[1] == "X is Ada, O is Level 2."


async def test_going_through_a_game_in_lines() -> None:
    told = await gone_through(
        replay_of(WON, ME.id), "p", "", "n", "5", "n", "p", "first", "last", "moves", "board", "?"
    )
    assert told[:2] == ["Tic-tac-toe · game 7 · 1+0 · rated · 2023-11-14.", "X is Ada, O is Bob."]
    sentences = [line for line in told if line.startswith(("Move", "Start", "This"))]
    assert [sentence[:16] for sentence in sentences] == [
        "Start.",
        "This is the star",
        "Move 1 of 5: You",
        "Move 2 of 5: Bob",
        "Move 5 of 5: You",
        "This is the end.",
        "Move 4 of 5: Bob",
        "Start.",
        "Move 5 of 5: You",
        "Move 5 of 5: You",
    ]
    assert "  3. a3      2.0" in "\n".join(told)
    assert any("go to the position after that move" in line for line in told)


async def test_nonsense_and_leaving_a_replay_in_lines() -> None:
    told = await gone_through(replay_of(WON), "\x1b[2Jsing", "9" * 50, "quit", "last")
    assert "'sing' does nothing here; help lists what does." in told
    assert not any("wins" in line for line in told)


async def test_back_leaves_a_replay_and_quit_leaves_noughts() -> None:
    for word, way in (("back", Exit.BACK), ("/lobby", Exit.BACK), ("quit", Exit.QUIT)):
        told, after = await left(replay_of(WON), "3", word, "last")
        assert after is way
        assert told[-1].startswith("Move 3 of 5")
    assert (await left(replay_of(WON), "3"))[1] is Exit.QUIT  # the end of input


def test_a_whole_game_for_a_pipe() -> None:
    out: list[str] = []
    err: list[str] = []
    replay_lines.tell_whole(replay_of(WON), out.append, err.append, Look(ascii=True))
    assert out == ["a1", "b1", "a2", "b2", "a3"]
    assert err[-1].endswith("Ada (X) wins with three in a row.")
    assert "[X]" in err[-2]
