"""Connections in memory: their order, their bounds, their ends."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from tests.simulation.loop import Process, SimulatedLoop, simulated_loop
from tests.simulation.network import HIGH_WATER, ROUTE_BYTES, Line, Network, Transport


class End(asyncio.Protocol):
    """Keeps what it hears."""

    def __init__(self) -> None:
        self.transport: Transport
        self.heard = bytearray()
        self.pieces = 0
        self.said: list[str] = []

    def connection_made(self, transport: Any) -> None:
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        self.heard += data
        self.pieces += 1

    def eof_received(self) -> bool:
        self.said.append("eof")
        return False

    def pause_writing(self) -> None:
        self.said.append("pause")

    def resume_writing(self) -> None:
        self.said.append("resume")

    def connection_lost(self, exc: Exception | None) -> None:
        self.said.append("lost" if exc is None else "reset")


class Place:
    """A server that takes any connection, and a client of it."""

    def __init__(self, loop: SimulatedLoop) -> None:
        self.network = Network(loop, "0")
        self.process = Process("server")
        self.served: list[End] = []
        self.listening = self.network.listen("", 80)
        self.process.context().run(self._listen)

    def _listen(self) -> None:
        self.listening.setblocking(False)
        self.network.loop.add_reader(self.listening, self._accept)

    def _accept(self) -> None:
        end, _ = self.listening.accept()
        self.served.append(End())
        end.begin(self.served[-1])

    async def connected(self, line: Line | None = None) -> tuple[End, End]:
        client = End()
        await self.network.connect(client, "10.0.0.9", line or Line())
        await asyncio.sleep(0)
        return client, self.served[-1]


def at_a_place(story: Callable[[Place], Coroutine[Any, Any, None]]) -> None:
    loop = simulated_loop("0")
    try:
        loop.run_until_complete(story(Place(loop)))
    finally:
        loop.close()
    assert loop.failures == []


def test_bytes_arrive_in_order_however_they_are_torn() -> None:
    async def story(place: Place) -> None:
        client, server = await place.connected(Line(piece_bytes=7, torn_bytes=20))
        sent = bytes(range(256)) * 4
        client.transport.write(sent[:500])
        client.transport.write(sent[500:])
        await asyncio.sleep(60)
        assert server.heard == sent
        assert server.pieces > 20 + 1004 / 7

    at_a_place(story)


def test_a_reader_that_does_not_read_holds_the_writer() -> None:
    async def story(place: Place) -> None:
        client, server = await place.connected()
        client.transport.pause_reading()
        server.transport.write(bytes(ROUTE_BYTES))
        assert server.said == []
        server.transport.write(bytes(HIGH_WATER + 1))
        await asyncio.sleep(5)
        assert server.said == ["pause"]
        assert server.transport.get_write_buffer_size() == HIGH_WATER + 1
        assert not client.heard
        client.transport.resume_reading()
        await asyncio.sleep(5)
        assert server.said == ["pause", "resume"]
        assert len(client.heard) == ROUTE_BYTES + HIGH_WATER + 1

    at_a_place(story)


def test_who_hangs_up_is_heard_to_the_end() -> None:
    async def story(place: Place) -> None:
        client, server = await place.connected()
        client.transport.write(b"bye")
        client.transport.close()
        await asyncio.sleep(1)
        assert (bytes(server.heard), server.said) == (b"bye", ["eof", "lost"])
        assert client.said == ["lost"]

    at_a_place(story)


def test_a_cut_is_noticed_on_both_ends() -> None:
    async def story(place: Place) -> None:
        client, server = await place.connected()
        client.transport.cut()
        await asyncio.sleep(1)
        assert (client.said, server.said) == (["reset"], ["reset"])

    at_a_place(story)


def test_who_vanishes_is_not_missed() -> None:
    async def story(place: Place) -> None:
        client, server = await place.connected()
        server.transport.vanish(noticed_s=30)
        client.transport.write(b"hello")
        server.transport.write(b"hello")
        await asyncio.sleep(20)
        assert (bytes(client.heard), bytes(server.heard), client.said, server.said) == (b"", b"", [], [])
        await asyncio.sleep(20)
        assert (client.said, server.said) == (["lost"], [])

    at_a_place(story)


def test_the_connections_of_a_process_that_is_killed_are_reset() -> None:
    async def story(place: Place) -> None:
        client, server = await place.connected()
        place.network.loop.kill(place.process)
        place.network.kill(place.process, silently=False)
        await asyncio.sleep(1)
        assert (client.said, server.said) == (["reset"], [])
        with pytest.raises(ConnectionRefusedError):
            await place.connected()

    at_a_place(story)
