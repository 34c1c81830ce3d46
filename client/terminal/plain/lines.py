"""Typed lines, and where text goes: what all of the line mode shares."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Awaitable, Callable
from typing import Protocol, TypeVar

from client.terminal.language import t

LINE_BYTES = 4096
"""A longer line is cut into several, so that an endless one does not fill the memory."""

WAITING_LINES = 64
"""At most this many lines wait for the game; then reading waits, so that a large file does not fill the memory."""

PATIENCE_S = 2.0
"""How long a server may take to answer before it is said that it is waited for."""

Print = Callable[[str], None]
Answer = TypeVar("Answer")


async def patiently(err: Print, work: Awaitable[Answer]) -> Answer:
    """What the work comes to. If it takes long, it is said that the server is waited for."""
    saying = asyncio.get_running_loop().call_later(PATIENCE_S, err, t("lines.waits"))
    try:
        return await work
    finally:
        saying.cancel()


class Lines(Protocol):
    """Where typed lines come from."""

    async def next(self) -> str | None:
        """The next line, None at the end."""


class StdinLines:
    """Standard input, line by line, read by a thread: only so can files, pipes and terminals all be awaited."""

    def __init__(self, descriptor: int = 0) -> None:
        self._descriptor = descriptor
        self._lines: asyncio.Queue[str | None] = asyncio.Queue()
        self._places = threading.Semaphore(WAITING_LINES)
        self._loop = asyncio.get_running_loop()
        # It reads the descriptor itself: a thread that holds `sys.stdin` makes the interpreter's exit fail.
        threading.Thread(target=self._read, name="stdin", daemon=True).start()

    async def next(self) -> str | None:
        line = await self._lines.get()
        self._places.release()
        return line

    def _read(self) -> None:
        rest = b""
        while chunk := self._chunk():
            *lines, rest = (rest + chunk).split(b"\n")
            if len(rest) > LINE_BYTES:
                lines, rest = [*lines, rest], b""
            if not all(self._put(line.decode(errors="replace")) for line in lines):
                return
        if rest:
            self._put(rest.decode(errors="replace"))
        self._put(None)

    def _chunk(self) -> bytes:
        try:
            return os.read(self._descriptor, LINE_BYTES)
        except OSError:
            return b""

    def _put(self, line: str | None) -> bool:
        """Hand a line over, waiting while many wait already. False once nobody reads any more."""
        self._places.acquire()
        try:
            self._loop.call_soon_threadsafe(self._lines.put_nowait, line)
        except RuntimeError:  # the loop is closed
            return False
        return True
