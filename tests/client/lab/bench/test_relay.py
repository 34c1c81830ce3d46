"""The control: whoever is at a table gets every move made there, as it was sent, and nobody else does."""

from __future__ import annotations

import asyncio

import pytest
from websockets.asyncio.client import connect
from websockets.asyncio.server import Server, serve
from websockets.exceptions import ConnectionClosed

from client.lab.bench.relay import Relay

MOVE = '{"t":"move","room":"r","game":1,"ply":0,"move":"b2"}'


def url_of(server: Server) -> str:
    return f"ws://127.0.0.1:{next(iter(server.sockets)).getsockname()[1]}"


async def test_a_move_goes_to_both_at_its_table_alone() -> None:
    async with serve(Relay().serve, "127.0.0.1", 0) as server:
        url = url_of(server)
        async with connect(f"{url}/1") as one, connect(f"{url}/1") as two, connect(f"{url}/2") as other:
            await other.send(MOVE.replace("b2", "a1"))
            await one.send(MOVE)
            assert [await one.recv(), await two.recv()] == [MOVE, MOVE]
            assert await other.recv() == MOVE.replace("b2", "a1")
            await one.close()
            await two.send(MOVE)  # alone at the table
            assert await two.recv() == MOVE


@pytest.mark.parametrize("wrong", ["{}", MOVE.replace('"ply":0', '"ply":-1'), MOVE.replace('"room"', '"rooms"')])
async def test_what_is_no_move_ends_the_connection(wrong: str) -> None:
    async with serve(Relay().serve, "127.0.0.1", 0) as server, connect(f"{url_of(server)}/1") as one:
        await one.send(wrong)
        with pytest.raises(ConnectionClosed):
            await asyncio.wait_for(one.recv(), 30)
