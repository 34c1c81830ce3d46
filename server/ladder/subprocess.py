"""A ladder that a server runs behind people's games: a process of its own, held while a bot thinks for a person.

The serving process loads none of it. It runs `server.ladder`, sends it `hold` and `go` on stdin, and logs
what it says. A ladder whose server is gone ends by itself, since its stdin does.
"""

from __future__ import annotations

import asyncio
import logging
import sys
from contextlib import suppress
from typing import Final

from server.workers.program import Program

log = logging.getLogger(__name__)

REST_S: Final = 1.0
"""The ladder resumes this long after the last search for a person."""
AGAIN_S: Final = 10.0
"""Retry delay in seconds after a failure such as a full disk; it doubles while it goes on."""
LONGEST_AGAIN_S: Final = 300.0
"""Longest delay; a ladder that has run for longer had recovered."""
FROZEN_S: Final = 10.0
"""The ladder is killed this long after the last successful write: if it froze in a commit, it locks the database."""
END_S: Final = 3.0
"""How long the ladder may take to end in good order: one that is killed loses no pair that it has recorded."""
NICE: Final = 19
OWN_SESSION: Final = True
"""A session of the lowest priority, as Linux shares the processor between sessions first."""

HISTORY_POINTS: Final = 24
HISTORY_NICE: Final = 5
"""Somebody waits for it, but bots that think for people come first."""
HISTORY_LIMIT_S: Final = 60.0
"""How long making a history may take."""
HISTORY_BYTES: Final = 1 << 23
"""Most bytes of a history; one of 100 bots has 150 kB."""

_COMMAND: Final = (sys.executable, "-m", "server.ladder")


class LadderFailed(Exception):
    """A configuration that cannot be played, in one sentence."""


class LadderSubprocess:
    """The ladder of one server. `check`, `start`, then `close`, which `stop` may begin."""

    def __init__(self, config: str, db: str) -> None:
        self._config = config
        self._db = db
        self._program: Program | None = None
        self._held = False
        self._rest: asyncio.TimerHandle | None = None
        self._frozen: asyncio.TimerHandle | None = None
        """while the database cannot be written"""
        self._task: asyncio.Task[None] | None = None

    async def check(self) -> None:
        """Raises LadderFailed for a configuration that is wrong."""
        checking = await Program.start((*_COMMAND, "check", self._config))
        try:
            status, said = await checking.finish()
        finally:
            await checking.end()
        if status:
            raise LadderFailed(said.removeprefix("noughts: ").removesuffix(" (noughts ladder check --help)"))

    def start(self) -> None:
        """Begins to play in the background."""
        self._task = asyncio.get_running_loop().create_task(self._keep_running())

    def hold(self, held: bool) -> None:
        """A bot thinks for a person, or none does any more."""
        if self._rest is not None:
            self._rest.cancel()
            self._rest = None
        if held:
            self._tell(True)
        else:
            # People's moves come in rows; and a start for a few milliseconds would be waste.
            self._rest = asyncio.get_running_loop().call_later(REST_S, self._tell, False)

    def on_store_available(self, available: bool) -> None:
        """The server can write to the database again, or cannot any more."""
        if self._frozen is not None:
            self._frozen.cancel()
            self._frozen = None
        if not available:
            self._frozen = asyncio.get_running_loop().call_later(FROZEN_S, self._kill)

    def stop(self) -> None:
        """Asks the ladder to end, which takes a while: it has the lowest priority."""
        for timer in (self._rest, self._frozen):
            if timer is not None:
                timer.cancel()
        if self._task is not None and not self._task.cancelling():  # a second time would cut its end short
            self._task.cancel()

    async def close(self) -> None:
        """Ends the ladder: games under way are played again another time."""
        self.stop()
        if self._task is not None:
            with suppress(asyncio.CancelledError):
                await self._task

    def _kill(self) -> None:
        if self._program is not None:
            log.warning(
                "the ladder is killed: it may keep the database from the server", extra={"pid": self._program.pid}
            )
            self._program.kill()

    def _tell(self, held: bool) -> None:
        if held != self._held:
            self._held = held
            self._send()

    def _send(self) -> None:
        if self._program is not None:
            self._program.tell("hold" if self._held else "go")

    async def _keep_running(self) -> None:
        clock, pause_s = asyncio.get_running_loop().time, 0.0
        while True:
            begun_s = clock()
            try:
                status = await self._run()
            except Exception:  # no process to be had, or a line without end: what it is, is in the log
                log.exception("the ladder cannot be run", extra={"ladder": self._config})
                status = -1
            if status == 0:  # it is complete, or its `until` has come: its last line says which
                log.info("the ladder has ended", extra={"ladder": self._config})
                return
            pause_s = next_pause_s(pause_s, clock() - begun_s)
            log.error("the ladder has failed", extra={"ladder": self._config, "status": status, "again_s": pause_s})
            await asyncio.sleep(pause_s)

    async def _run(self) -> int:
        """Runs it once, to its end or until cancelled; answers its exit status."""
        arguments = ("run", self._config, "--db", self._db, "--nice", str(NICE), "--held-from-stdin")
        program = await Program.start((*_COMMAND, *arguments), listens=True, own_session=OWN_SESSION)
        self._program = program
        self._send()
        try:
            async for line in program.lines():
                log.info("ladder", extra={"said": line})
        finally:
            self._program = None
            status = await program.end(END_S)
        return status


def next_pause_s(before_s: float, ran_s: float) -> float:
    """The pause after a failure of a ladder that ran for so long; `before_s` is the one before, 0 for none."""
    return AGAIN_S if not before_s or ran_s > LONGEST_AGAIN_S else min(2 * before_s, LONGEST_AGAIN_S)


class LadderHistories:
    """Standings over time, made by a process of their own one at a time: the serving process computes no ratings."""

    def __init__(self, db: str) -> None:
        self._db = db
        self._one = asyncio.Lock()

    async def history(self, run: str) -> str | None:
        """What `noughts ladder history --json` prints of a run; None if that failed, which the log explains."""
        command = ("history", run, "--db", self._db, "--points", str(HISTORY_POINTS), "--json")
        async with self._one:
            try:
                program = await Program.start((*_COMMAND, *command), stdout=True, nice=HISTORY_NICE)
            except OSError as error:
                log.warning("no process for the history of a list", extra={"run": run, "reason": str(error)})
                return None
            try:
                status, said = await program.finish(HISTORY_LIMIT_S, HISTORY_BYTES)
            except TimeoutError:
                status, said = -1, f"took more than {HISTORY_LIMIT_S:g} s"
            finally:
                await program.end()
        if status:
            log.warning("the history of a list cannot be made", extra={"run": run, "reason": said[-500:]})
            return None
        return said
