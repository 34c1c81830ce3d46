"""What a server under test answers over HTTP."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from tests.support.live.server import Server


async def http_get(
    server: Server, path: str, token: str | None = None, *, method: str = "GET", **headers: str
) -> tuple[int, Any]:
    """Status and JSON of an endpoint; a header's name has _ for -."""
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    sent = {"Host": f"127.0.0.1:{server.port}", "Connection": "close", **headers}
    if token:
        sent["Authorization"] = f"Bearer {token}"
    lines = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in sent.items())
    writer.write(f"{method} {path} HTTP/1.1\r\n{lines}\r\n".encode())
    head, _, body = (await reader.read()).partition(b"\r\n\r\n")
    writer.close()
    return int(head.split()[1]), json.loads(body)
