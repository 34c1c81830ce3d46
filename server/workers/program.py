"""A program as a child process: what a server runs beside its workers, by one set of rules.

The loop reads its output and sees its end, without a thread if the loop is uvloop's, as the server's is. What is kept
of what it says is bounded. A program of ours dies with the server, since it calls `die_with_server`.
"""

from __future__ import annotations

import asyncio
import os
from asyncio.subprocess import DEVNULL, PIPE, STDOUT, Process
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

from server.workers.children import cpu_ms
from server.workers.lifeline import PARENT

TAIL_BYTES: Final = 1 << 16
"""How much of the end of a program's output is kept, unless more is asked for."""


class Finished(NamedTuple):
    """An exit status, negative for a signal, and the last of what was said."""

    status: int
    said: str


class Program:
    """A program that was started; whoever started it sees to it that it ends."""

    def __init__(self, process: Process) -> None:
        self.pid = process.pid
        self._process = process
        said = process.stdout if process.stderr is None else process.stderr
        assert said is not None
        self._said = said
        self._kept = bytearray()

    @classmethod
    async def start(
        cls,
        command: Sequence[str],
        *,
        listens: bool = False,
        stdout: bool = False,
        nice: int = 0,
        own_session: bool = False,
    ) -> Program:
        """`listens`: on stdin. `stdout`: what it says there is heard too, and not only its stderr. Raises OSError.

        Linux shares the processor between sessions first: one of its own steps back behind all others.
        """
        process = await asyncio.create_subprocess_exec(
            *command,
            stdin=PIPE if listens else DEVNULL,
            stdout=PIPE if stdout else DEVNULL,
            stderr=STDOUT if stdout else PIPE,
            env={**os.environ, PARENT: str(os.getpid())},
            start_new_session=own_session,
        )
        _step_back(process.pid, nice, own_session)
        return cls(process)

    def tell(self, line: str) -> None:
        """Write a line to a program that listens. One that is over hears nothing."""
        if self._process.stdin is not None and not self._process.stdin.is_closing():
            self._process.stdin.write(f"{line}\n".encode())

    async def lines(self) -> AsyncIterator[str]:
        """Lines of its output, until its end. Raises ValueError for a line that is too long."""
        async for line in self._said:
            yield line.decode(errors="replace").strip()

    async def finish(self, limit_s: float | None = None, kept_bytes: int = TAIL_BYTES) -> Finished:
        """Wait for its end. Raises TimeoutError after `limit_s`; whatever is raised, it still runs then."""
        async with asyncio.timeout(limit_s):
            said = await self._tail(kept_bytes)
            return Finished(await self._process.wait(), said.decode(errors="replace").strip())

    async def finish_unless_hung(self, idle_s: float) -> Finished:
        """Wait for its end. Raises TimeoutError once it has used no processor time for `idle_s`; it still runs then.

        It is noticed after twice that at the latest. Where processor time is not to be known, nothing is.
        """
        used_ms: int | None = 0
        while True:
            try:
                return await self.finish(idle_s)
            except TimeoutError:
                before_ms, used_ms = used_ms, cpu_ms(self.pid)
                if used_ms is not None and used_ms == before_ms:
                    raise

    async def end(self, grace_s: float = 0.0) -> int:
        """The exit status of one that is over, or was asked to end, and killed when that took longer than `grace_s`.

        One that listens is asked by the end of its stdin, any other by SIGTERM.
        """
        if grace_s and self._process.returncode is None:
            self._ask_to_end()
            with suppress(TimeoutError):
                await self.finish(grace_s)
        self.kill()
        return (await self.finish()).status

    def kill(self) -> None:
        """Kill it at once. Whoever reads its output, or waits for it, sees its end."""
        if self._process.returncode is None:
            with suppress(ProcessLookupError):
                self._process.kill()

    def _ask_to_end(self) -> None:
        if self._process.stdin is not None:
            self._process.stdin.close()
        else:
            with suppress(ProcessLookupError):
                self._process.terminate()

    async def _tail(self, kept_bytes: int) -> bytes:
        while more := await self._said.read(TAIL_BYTES):
            self._kept += more
            del self._kept[:-kept_bytes]
        return bytes(self._kept)


def _step_back(pid: int, nice: int, own_session: bool) -> None:
    with suppress(OSError):  # it may be over already, and these may not exist here
        if nice:
            os.setpriority(os.PRIO_PROCESS, pid, nice)
        if own_session:
            Path(f"/proc/{pid}/autogroup").write_text("19")
