"""A recorded game in lines."""

from __future__ import annotations

import asyncio

import pytest
from msgspec import structs

from client.sdk import connect
from client.sdk.records import RecordedPlayer, Records
from client.terminal.drawing.boards import Look
from client.terminal.plain import replay_lines
from client.terminal.records.replay import Replay, replay_of
from client.terminal.seating import NewRoom
from client.terminal.typed.exits import Exit
from server.wire import Opponent, Review, ReviewRequest
from tests.support.terminal.fake_server import ME, fake_server
from tests.support.terminal.records import AFTER_TWO, BLUNDER, ENGINES, WON
from tests.support.terminal.typed_lines import Typed

REPLAY = replay_of(WON, ME.id)
AGAINST_DEEP = NewRoom("tictactoe", Opponent(kind="bot", bot="Deep"), seat="x", start=("a1", "b1"))


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
        server.pages |= ENGINES
        records = Records(server.url, None)
        assert await replay_lines.go_through(REPLAY, Typed(*lines), told.append, Look(), connection, records) == room
    assert "\x1b" not in "".join(told)
