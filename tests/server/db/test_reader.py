"""Queries of pages: bounded, one at a time, and in nobody's way."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from server.db.connections import _ThreadedConnection
from server.db.store import Store, StoreUnavailable
from tests.support.database.database_files import ANN, BOT, GAME, ROOM, add_event, opened, people_and_rooms

ENDLESS = "WITH RECURSIVE far (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM far) SELECT count(*) FROM far"


async def begun(store: Store, sql: str) -> asyncio.Task[list[int]]:
    """A page's query that the store has given to the database."""
    query = asyncio.create_task(store.read(int, sql))
    for _ in range(3):
        await asyncio.sleep(0)
    assert store.reader._pages._running is not None
    return query


async def test_nobody_waits_for_the_query_of_a_page(path: Path) -> None:
    async with opened(path, page_query_s=30) as store:
        await store.write(people_and_rooms())
        slow = await begun(store, ENDLESS)
        ann = await store.player_by_token(b"a" * 32)
        assert ann is not None
        assert await store.player(ANN) == ann
        assert await store.bot_version("alphabeta", '{"depth":2}', 1) == BOT
        assert await store.rating(ANN, "tictactoe") is None
        assert await store.game(GAME) is None
        assert len(await store.awake_rooms()) == 2
        assert await store.room_events(ROOM) == []
        await store.write([add_event(ROOM, 1)])
        assert not slow.done()
    with pytest.raises(StoreUnavailable, match="closed"):
        await slow


@pytest.mark.parametrize("bound_s", [0, 0.2])
async def test_a_query_of_a_page_that_takes_too_long_is_stopped(path: Path, bound_s: float) -> None:
    async with opened(path, page_query_s=bound_s) as store:
        slow = await begun(store, ENDLESS)
        store.reader._pages._query_s = 30
        behind = asyncio.create_task(store.read(int, "SELECT 7"))
        with pytest.raises(StoreUnavailable, match=r"^A query took more than .* s and was stopped\.$"):
            await slow
        assert await behind == [7]
        assert await store.games() == []


async def test_a_query_is_stopped_that_the_database_begins_when_its_time_is_over(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLite forgets an interrupt that comes before the query."""
    async with opened(path, page_query_s=0) as store:
        connection, free, interrupted = store.reader._pages._connection, threading.Event(), asyncio.Event()
        assert isinstance(connection, _ThreadedConnection)
        in_its_thread: Callable[[Callable[[], object]], Coroutine[Any, Any, object]] = connection._connection._execute
        interrupt = connection.interrupt

        async def told_interrupt() -> None:
            await interrupt()
            interrupted.set()

        monkeypatch.setattr(connection, "interrupt", told_interrupt)
        busy = asyncio.create_task(in_its_thread(free.wait))
        await asyncio.sleep(0)
        slow = await begun(store, ENDLESS)
        await interrupted.wait()
        free.set()
        await busy
        with pytest.raises(StoreUnavailable, match="was stopped"):
            await slow


async def test_pages_go_on_when_an_asker_has_gone(path: Path) -> None:
    async with opened(path, page_query_s=0.2) as store:
        slow = await begun(store, ENDLESS)
        store.reader._pages._query_s = 30
        waiting, behind = (asyncio.create_task(store.read(int, sql)) for sql in (ENDLESS, "SELECT 7"))
        await asyncio.sleep(0)
        for gone in (slow, waiting):
            gone.cancel()
            await asyncio.wait([gone])
        assert await behind == [7]


async def test_closing_stops_the_query_of_a_page_and_refuses_those_behind(path: Path) -> None:
    async with opened(path, page_query_s=60) as store:
        queries = [await begun(store, ENDLESS), *(asyncio.create_task(store.read(int, ENDLESS)) for _ in range(3))]
        await asyncio.sleep(0)
        await asyncio.wait_for(store.close(), 60)
        for query in queries:
            with pytest.raises(StoreUnavailable, match=r"^The store is closed\.$"):
                await query
        await store.close()


async def test_a_query_that_is_wrong_is_told(store: Store) -> None:
    with pytest.raises(StoreUnavailable, match="no such table: dreams"):
        await store.read(int, "SELECT 1 FROM dreams")
    assert await store.read(int, "SELECT 7") == [7]
