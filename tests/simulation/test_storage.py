"""Connections that take their time: what they answer, in which order, and that the seed alone says when."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Coroutine
from pathlib import Path
from random import Random
from typing import Any

import pytest

from server.db.connections import Batch
from server.db.statements import SQL
from server.play.writes import Statement
from tests.simulation.loop import SimulatedLoop, simulated_loop
from tests.simulation.storage import InDoubt, SlowConnection, slow


class Inner:
    """Notes what it is asked, and when."""

    def __init__(self, loop: SimulatedLoop, failure: sqlite3.Error | None = None) -> None:
        self._loop = loop
        self.failure = failure
        self.asked: list[tuple[int, object]] = []
        self.closed = False

    async def rows(self, sql: str, parameters: Any = ()) -> list[Any]:
        self.asked.append((self._loop.now_us, sql))
        return [(sql, parameters)]

    async def transact(self, batch: Batch) -> None:
        self.asked.append((self._loop.now_us, batch))
        if self.failure is not None:
            raise self.failure

    async def interrupt(self) -> None: ...

    async def close(self) -> None:
        self.closed = True


def run(play: Callable[[Inner, SlowConnection], Coroutine[Any, Any, Any]], failure: sqlite3.Error | None = None) -> Any:
    """What it returns, and what the connection inside was asked."""
    loop = simulated_loop("0")
    inner = Inner(loop, failure)
    try:
        return loop.run_until_complete(
            play(inner, SlowConnection(inner, Random(5), InDoubt(), lambda batch: None))
        ), inner.asked
    finally:
        loop.close()


def test_what_is_asked_at_once_is_done_in_order_and_after_a_while() -> None:
    async def play(inner: Inner, connection: SlowConnection) -> list[Any]:
        first, written, second = await asyncio.gather(
            connection.rows("a", (1,)), connection.transact([("b", [(2,)])]), connection.rows("c")
        )
        return [first, written, second]

    answers, asked = run(play)
    assert answers == [[("a", (1,))], None, [("c", ())]]
    assert [what for _, what in asked] == ["a", [("b", [(2,)])], "c"]
    assert asked[-1][0] > 0, "of six delays some are longer than nothing"
    assert run(play) == (answers, asked)


def test_a_failure_is_told_and_the_next_is_answered() -> None:
    async def play(inner: Inner, connection: SlowConnection) -> Any:
        with pytest.raises(sqlite3.OperationalError, match="disk I/O error"):
            await connection.transact([])
        return await connection.rows("a")

    answer, _ = run(play, sqlite3.OperationalError("disk I/O error"))
    assert answer == [("a", ())]


def test_events_whose_commit_failed_are_in_doubt_until_the_next_commit() -> None:
    loop, in_doubt = simulated_loop("0"), InDoubt()
    noted: list[Batch] = []
    inner = Inner(loop, sqlite3.OperationalError("disk I/O error"))
    connection = SlowConnection(inner, Random(5), in_doubt, noted.append)
    batch: Batch = [("other", [(9, 9)]), (SQL[Statement.ADD_EVENT], [(1, 7, 0, "moved", b""), (2, 3, 0, "left", b"")])]

    async def play() -> None:
        with pytest.raises(sqlite3.OperationalError):
            await connection.transact(batch)
        assert in_doubt.events == {(1, 7), (2, 3)}
        assert noted == [batch]
        inner.failure = None
        await connection.transact([])
        assert in_doubt.events == set()

    try:
        loop.run_until_complete(play())
    finally:
        loop.close()


def test_an_opener_passes_on_how_to_open_and_closing_closes_what_is_inside() -> None:
    async def play(inner: Inner, _: SlowConnection) -> None:
        async def opener(path: Path, *, writes: bool, busy_timeout_s: float) -> Inner:
            assert (path, writes, busy_timeout_s) == (Path("there.db"), True, 3.0)
            return inner

        connection = await slow(opener, Random(0), InDoubt(), lambda batch: None)(
            Path("there.db"), writes=True, busy_timeout_s=3.0
        )
        await connection.close()
        assert inner.closed

    run(play)
