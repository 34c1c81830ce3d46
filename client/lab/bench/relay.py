"""The control: the least that a websocket server of this kind can do, with the same library and settings.

It parses each move and sends it, framed once, to both connections of the table named in the path: no rules, no rooms,
no records. Run as a process: it prints its port and relays until it is ended.
"""

from __future__ import annotations

import asyncio
from typing import Annotated

import msgspec
import uvloop
from msgspec import Meta, Struct
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.frames import Frame, Opcode

from server.workers.lifeline import die_with_server

Count = Annotated[int, Meta(ge=0, le=2**53)]


class Move(Struct, tag_field="t", tag="move", forbid_unknown_fields=True, kw_only=True):
    """The move of noughts' protocol, with the same checks."""

    id: Count | None = None
    room: str
    game: Count
    ply: Count
    move: str
    after: Count | None = None


_decoder = msgspec.json.Decoder(Move)


class Relay:
    def __init__(self) -> None:
        self._tables: dict[str, list[ServerConnection]] = {}

    async def serve(self, connection: ServerConnection) -> None:
        assert connection.request is not None
        table = self._tables.setdefault(connection.request.path, [])
        table.append(connection)
        try:
            async for data in connection:
                payload = data if isinstance(data, bytes) else data.encode()
                _decoder.decode(payload)
                frame = Frame(Opcode.TEXT, payload).serialize(mask=False)
                for member in table:
                    member.transport.write(frame)
        except ConnectionClosed:
            pass
        finally:
            table.remove(connection)


async def main() -> None:
    relay = Relay()
    async with serve(
        relay.serve,
        "127.0.0.1",
        0,
        compression=None,
        max_size=64 * 1024,
        ping_interval=20,
        ping_timeout=20,
        server_header=None,
        backlog=1024,
    ) as server:
        print(next(iter(server.sockets)).getsockname()[1], flush=True)
        await asyncio.get_running_loop().create_future()


if __name__ == "__main__":
    die_with_server()
    uvloop.run(main())
