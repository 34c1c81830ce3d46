"""A connection of a generator of load that is lost while somebody waits."""

from __future__ import annotations

import asyncio
import gc
from typing import Any

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
