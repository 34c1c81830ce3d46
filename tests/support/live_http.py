"""What a server under test answers over HTTP."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from tests.support.live import Server


async def http_get(server: Server, path: str, token: str | None = None) -> tuple[int, Any]:
    """Status and JSON of an endpoint."""
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    bearer = f"Authorization: Bearer {token}\r\n" if token else ""
    writer.write(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nConnection: close\r\n{bearer}\r\n".encode())
    head, _, body = (await reader.read()).partition(b"\r\n\r\n")
    writer.close()
    return int(head.split()[1]), json.loads(body)
