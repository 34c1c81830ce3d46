"""Reviews through the SDK: message by message, across a lost connection, broken off, and refused."""

from __future__ import annotations

import asyncio

import pytest

from client.sdk import RequestRefused, ServerUnreachable, connect
from server.wire import CancelReview, Error, JudgedMove, Review, ReviewRequest
from tests.support.terminal.fake_server import AT_ONCE, FakeServer


def review(*plies: int, of: int = 2, done: int | None = None, game: int = 17) -> Review:
    moves = [JudgedMove(ply=ply, verdict="even", exact=False, value=0.0, best=["a1"], could="even") for ply in plies]
    return Review(game=game, done=len(plies) if done is None else done, of=of, moves=moves)


async def test_a_review_is_read_to_its_end(server: FakeServer) -> None:
    async with connect(server.url) as connection:
        reading = connection.review(17)
        first = asyncio.ensure_future(anext(reading))
        assert (await server.hears(ReviewRequest)).game == 17
        for message in (review(), review(1, game=18), review(1), review(0, done=2)):
            await server.send(message)
        assert (await first).done == 0
        assert [message.moves[0].ply async for message in reading] == [1, 0]
        await connection.ping()
        assert server.requests(CancelReview) == []
        again = connection.review(17)
        last = asyncio.ensure_future(anext(again))
        await server.hears(ReviewRequest, 2)
        await server.send(review(0, 1))
        assert (await last).done == 2


async def test_one_who_reads_no_further_cancels(server: FakeServer) -> None:
    async with connect(server.url) as connection:
        reading = connection.review(17)
        first = asyncio.ensure_future(anext(reading))
        await server.hears(ReviewRequest)
        await server.send(review())
        await first
        with pytest.raises(ValueError, match="being read already"):
            await anext(connection.review(17))
        await reading.aclose()
        assert (await server.hears(CancelReview)).game == 17
        await server.send(review(1))  # was on its way
        await connection.ping()


async def test_a_review_that_is_refused(server: FakeServer) -> None:
    server.answers[ReviewRequest] = lambda request: Error(code="not_now", message="This game still runs.")
    async with connect(server.url) as connection:
        with pytest.raises(RequestRefused, match="still runs"):
            await anext(connection.review(17))


async def test_a_review_that_cannot_be_finished(server: FakeServer) -> None:
    async with connect(server.url) as connection:
        reading = connection.review(17)
        first = asyncio.ensure_future(anext(reading))
        await server.hears(ReviewRequest)
        await server.send(review(1))
        await server.send(Error(code="unavailable", message="Workers \x1b[31mdied.", game=17))
        assert (await first).done == 1
        with pytest.raises(RequestRefused, match=r"^Workers died\.$"):
            await anext(reading)


async def test_a_review_goes_on_over_another_connection(server: FakeServer) -> None:
    async with connect(server.url, delays_s=AT_ONCE) as connection:
        reading = connection.review(17)
        first = asyncio.ensure_future(anext(reading))
        await server.hears(ReviewRequest)
        await server.send(review(1))
        await first
        await server.drop()
        await server.hears(ReviewRequest, 2)
        await server.send(review(0, 1))
        assert [message.done async for message in reading] == [2]


async def test_a_review_that_is_refused_after_a_restart(server: FakeServer) -> None:
    async with connect(server.url, delays_s=AT_ONCE) as connection:
        reading = connection.review(17)
        first = asyncio.ensure_future(anext(reading))
        await server.hears(ReviewRequest)
        await server.send(review(1))
        await first
        server.answers[ReviewRequest] = lambda request: Error(code="unavailable", message="The disk is full.")
        await server.drop()
        with pytest.raises(RequestRefused, match="disk is full"):
            await anext(reading)


async def test_a_connection_that_stays_lost_ends_a_review(server: FakeServer) -> None:
    async with connect(server.url, delays_s=()) as connection:
        reading = connection.review(17)
        first = asyncio.ensure_future(anext(reading))
        await server.hears(ReviewRequest)
        await server.send(review(1))
        await first
        await server.drop()
        with pytest.raises(ServerUnreachable):
            await anext(reading)
