"""Attacks through other people's browsers, and with headers that only a proxy may send."""

from __future__ import annotations

import secrets

from tests.attack.entry import Attack, Field


async def _opened(field: Field, source: str | None, *headers: str) -> bool:
    """Whether a websocket is opened for these headers."""
    field.tried += 1
    reader, writer = await field.open(source)
    try:
        lines = (
            "GET /ws HTTP/1.1", *headers, "Upgrade: websocket", "Connection: Upgrade",
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version: 13",
        )  # fmt: skip
        writer.write("".join(f"{line}\r\n" for line in (*lines, "")).encode())
        status = (await reader.readline()).split(b" ", 2)[1].decode()
    except IndexError:
        raise ConnectionResetError from None
    finally:
        writer.transport.abort()
    if status != "101":
        field.refused[status] += 1
    return status == "101"


async def _foreign_origin(field: Field, source: str | None) -> None:
    if await _opened(field, source, f"Host: localhost:{field.port}", "Origin: http://evil.example"):
        field.achieved("a page of another site opened a websocket")


async def _rebound(field: Field, source: str | None) -> None:
    """As from a page whose name leads to this machine since its browser has loaded it."""
    host = f"evil.example:{field.port}"
    if await _opened(field, source, f"Host: {host}", f"Origin: http://{host}"):
        field.achieved("a page under another name for this machine opened a websocket")
    status, _ = await field.get(source, "/api/games", "Origin: http://evil.example", host=host)
    if status == 200:
        field.achieved("a page under another name for this machine read games")


async def _forwarded(field: Field, source: str | None) -> None:
    """Requests that claim to come from ever other addresses."""
    claimed = f"203.0.{secrets.randbelow(256)}.{secrets.randbelow(256)}"
    await field.get(source, "/api/picture.svg?game=qubic&moves=", f"X-Forwarded-For: {claimed}", "X-Forwarded-Proto: x")


ATTACKS = (
    Attack(
        "foreign-origins",
        "opens websockets as a page of another site",
        "act in a browser's name",
        _foreign_origin,
        "tests/server/http/connections/test_gate.py::test_origins_that_may_connect",
    ),
    Attack(
        "rebinding",
        "comes under a foreign name that leads to this machine",
        "read or play",
        _rebound,
        "tests/server/http/connections/test_gate.py::test_a_name_that_may_be_somebody_elses",
    ),
    Attack(
        "forged-forwarding",
        "names ever other addresses in X-Forwarded-For",
        "count for somebody else",
        _forwarded,
        "tests/server/http/connections/test_gate.py::test_nobody_but_our_proxy_names_an_address",
    ),
)
