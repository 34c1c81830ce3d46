"""A connection of the load generator: what is asked while it is lost, or cancelled."""

from __future__ import annotations

import asyncio
import gc
from typing import Any
from unittest.mock import Mock

import pytest

from client.lab.bench.wire import BenchError, Wire


class Silent:
    """A transport to a server that says nothing."""

    def write(self, frame: bytes) -> None: ...


async def asked() -> tuple[Wire, asyncio.Task[dict[str, Any]]]:
    wire = Wire()
    wire.connection_made(Silent())  # type: ignore[arg-type]
    asking = asyncio.get_running_loop().create_task(wire.ask("ping", ts=0))
    await asyncio.sleep(0)
    return wire, asking


async def test_who_asked_hears_of_it() -> None:
    wire, asking = await asked()
    wire.connection_lost(None)
    for answer in (asking, wire.ask("ping", ts=0)):
        with pytest.raises(BenchError, match=r"^The server closed a connection\.$"):
            await answer


async def test_nobody_else_does() -> None:
    complaints: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: complaints.append(context))
    wire, asking = await asked()
    wire.connection_lost(None)
    asking.cancel()
    await asyncio.wait([asking])
    del wire, asking
    gc.collect()
    await asyncio.sleep(0)
    assert complaints == []


async def test_a_request_is_cancelled_even_as_its_answer_comes() -> None:
    wire = Wire()
    wire.connection_made(Mock())
    asked = asyncio.create_task(wire.ask("ping", ts=0))
    await asyncio.sleep(0)
    wire.hear(b'{"t":"pong","id":1}')
    asked.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asked
