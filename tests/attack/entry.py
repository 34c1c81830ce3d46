"""What an attack is, and the field on which it is fought."""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import msgspec

from client.lab.bench.wire import BenchError, Wire, connect, text_frame

_AT_ONCE = 8
"""Attackers of a single address; of a hundred addresses there is one each."""
UNSENT_BYTES = 64 * 1024
ANSWER_S = 20.0
_AGAIN_S = 0.02


@dataclass
class Field:
    """Where an attack takes place, until when, and what came of it."""

    host: str
    port: int
    sources: Sequence[str | None]
    """the addresses that the attackers come from; None for whatever the system picks"""
    seconds: float
    tried: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    """by code or status"""
    dropped: int = 0
    """connections that the server closed or never took"""
    harm: list[str] = field(default_factory=list)
    """what was achieved that must not be"""
    _ends: float = 0.0

    def begin(self) -> None:
        self._ends = asyncio.get_running_loop().time() + self.seconds

    @property
    def going(self) -> bool:
        return asyncio.get_running_loop().time() < self._ends

    @property
    def attackers(self) -> list[str | None]:
        """The address of each."""
        return [self.sources[number % len(self.sources)] for number in range(max(_AT_ONCE, len(self.sources)))]

    def achieved(self, what: str) -> None:
        if what not in self.harm:
            self.harm.append(what)

    # Connections

    async def open(self, source: str | None) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Plain bytes."""
        local = (source, 0) if source is not None else None
        return await asyncio.open_connection(self.host, self.port, local_addr=local)

    async def wire(self, source: str | None, **hello: Any) -> Wire:
        """A greeted websocket, whose later answers are counted."""
        wire = await connect(self.port, host=self.host, source=source)
        try:
            await wire.ask("hello", v=1, **hello)
        except BaseException:
            wire.close()
            raise
        wire.hear = self.heard
        return wire

    def heard(self, payload: bytes) -> None:
        if payload.startswith(b'{"t":"error"'):
            self.refused[msgspec.json.decode(payload)["code"]] += 1

    async def ask(self, wire: Wire, t: str, **fields: Any) -> dict[str, Any] | None:
        """The answer, None for a refusal, which is counted. Raises BenchError where the connection is gone."""
        self.tried += 1
        try:
            return await wire.ask(t, **fields)
        except BenchError as error:
            if wire.lost:
                raise
            self.refused[str(error).partition(": ")[2].partition(",")[0]] += 1
            return None
        finally:
            wire.hear = self.heard

    async def get(self, source: str | None, path: str, *headers: str, host: str = "localhost") -> tuple[int, bytes]:
        """Status and body of a GET on a connection of its own, counted."""
        self.tried += 1
        reader, writer = await self.open(source)
        try:
            head = "".join(f"{line}\r\n" for line in (f"GET {path} HTTP/1.1", f"Host: {host}", *headers))
            writer.write(f"{head}Connection: close\r\n\r\n".encode())
            async with asyncio.timeout(ANSWER_S):
                answer = await reader.read()
        finally:
            writer.transport.abort()
        if not answer:
            raise ConnectionResetError
        status = int(answer.split(b" ", 2)[1])
        if status >= 400:
            self.refused[str(status)] += 1
        return status, answer.partition(b"\r\n\r\n")[2]


Visit: TypeAlias = Callable[[Field, str | None], Awaitable[None]]
"""What one attacker does again and again, from this address."""


async def everybody(field: Field, visit: Visit) -> None:
    """Every attacker at once, again and again, until the time is over."""

    async def one(source: str | None) -> None:
        while field.going:
            try:
                await visit(field, source)
            except TimeoutError:
                field.dropped += 1
            except BenchError as error:
                if "answered 429" in str(error):
                    field.refused["429"] += 1
                elif "too_fast" in str(error):
                    field.refused["too_fast"] += 1
                else:
                    field.dropped += 1
            except (OSError, asyncio.IncompleteReadError):
                field.dropped += 1
            await asyncio.sleep(_AGAIN_S)

    tasks = [asyncio.create_task(one(source)) for source in field.attackers]
    _, late = await asyncio.wait(tasks, timeout=field.seconds)
    for task in late:
        task.cancel()
    for outcome in await asyncio.gather(*tasks, return_exceptions=True):
        if isinstance(outcome, Exception):
            raise outcome


def flood(*frames: bytes) -> Visit:
    """A greeted player sends these in turn, as many as the server reads."""

    async def visit(field: Field, source: str | None) -> None:
        wire = await field.wire(source)
        with contextlib.closing(wire):
            await pour(field, wire, frames)

    return visit


async def pour(field: Field, wire: Wire, frames: tuple[bytes, ...]) -> None:
    while field.going and not wire.lost:
        if wire.transport.get_write_buffer_size() < UNSENT_BYTES:
            wire.send(frames[field.tried % len(frames)])
            field.tried += 1
        await asyncio.sleep(0)
    field.dropped += wire.lost


def message(t: str, **fields: Any) -> bytes:
    """A frame."""
    return text_frame(msgspec.json.encode({"t": t, **fields}))


@dataclass(frozen=True)
class Attack:
    name: str
    does: str
    must_not: str
    visit: Visit | None = None
    shown_by: str = ""
    """`tests/...py::test_...`, where a test shows more, or all that there is to show"""

    async def run(self, field: Field) -> None:
        """Ends by itself when the field's time is over."""
        assert self.visit is not None
        field.begin()
        await everybody(field, self.visit)
