"""The review of a game while it is looked at."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from client.sdk import NoughtsError, RequestRefused
from client.terminal.records.replay import replay_of
from client.terminal.records.review import Reviewing
from server.wire import JudgedMove, Review
from tests.support.terminal.records import BLUNDER, WON

BEGUN, DONE = "Reviewing the moves, from last to first.", "The review is complete."
LAST = JudgedMove(ply=4, verdict="won", exact=True, value=1, best=["a3"], could="won", win_in=1, could_in=1)


class Server:
    """Reviews as the test sends them; None ends a review."""

    def __init__(self) -> None:
        self.asked: list[int] = []
        self.ended = 0
        self.news: asyncio.Queue[Review | NoughtsError | None] = asyncio.Queue()

    async def review(self, game: int) -> AsyncIterator[Review]:
        self.asked.append(game)
        try:
            while (news := await self.news.get()) is not None:
                if isinstance(news, NoughtsError):
                    raise news
                yield news
        finally:
            self.ended += 1


class Reviewed:
    def __init__(self) -> None:
        self.server = Server()
        self.told: asyncio.Queue[str] = asyncio.Queue()
        self.changed = asyncio.Queue[None]()
        connection: Any = self.server
        self.reviewing = Reviewing(
            connection, replay_of(WON), self.told.put_nowait, lambda: self.changed.put_nowait(None)
        )


@pytest.fixture
def reviewed() -> Reviewed:
    return Reviewed()


async def test_each_move_is_judged_once_its_news_has_come(reviewed: Reviewed) -> None:
    reviewed.reviewing.start()
    assert await reviewed.told.get() == BEGUN
    assert [reviewed.reviewing.words(ply) for ply in range(6)] == [""] * 6
    for judged in (LAST, BLUNDER):
        reviewed.server.news.put_nowait(Review(game=7, done=1, of=5, moves=[judged]))
        await reviewed.changed.get()
    assert reviewed.reviewing.words(5) == "Review: it wins immediately."
    assert reviewed.reviewing.words(2) == "Review: it leads to a loss in 3 plies; b2 would have drawn."
    assert [reviewed.reviewing.words(ply) for ply in (0, 1, 3, 4)] == [""] * 4
    reviewed.server.news.put_nowait(None)
    assert await reviewed.told.get() == DONE
    await reviewed.reviewing.stop()


async def test_it_is_asked_for_once_until_it_has_ended(reviewed: Reviewed) -> None:
    reviewed.reviewing.start()
    reviewed.reviewing.start()
    assert await reviewed.told.get() == BEGUN
    reviewed.reviewing.start()
    reviewed.server.news.put_nowait(RequestRefused("busy", "Too many reviews."))
    assert await reviewed.told.get() == "Too many reviews."
    assert reviewed.server.asked == [WON.id]
    await asyncio.sleep(0)
    reviewed.reviewing.start()
    assert await reviewed.told.get() == BEGUN
    await reviewed.reviewing.stop()
    assert reviewed.server.asked == [WON.id] * 2


async def test_a_server_is_not_kept_busy_once_nobody_looks(reviewed: Reviewed) -> None:
    reviewed.reviewing.start()
    await reviewed.told.get()
    await reviewed.reviewing.stop()
    assert reviewed.server.ended == 1
    assert reviewed.told.empty()
    await Reviewed().reviewing.stop()
