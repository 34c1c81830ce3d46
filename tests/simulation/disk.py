"""The simulated disk under a store: an `Opener` whose files are in memory, and everything that can happen to them."""

from __future__ import annotations

import asyncio
import sqlite3
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Final
from weakref import WeakSet

import apsw

from server.db.connect import set_up
from server.db.connections import DatabaseConnection, make_ready
from tests.simulation.apsw_connection import ApswConnection, ApswExecutor, raising_as_sqlite3
from tests.simulation.medium import Medium, Operation
from tests.simulation.vfs import ProcessVfs

DATABASE: Final = "/database"
"""What a store opens, whatever its path."""


class Disk:
    """A disk with a database, used by one process at a time.

    `database` are the bytes of one that is prepared. An answer takes up to `latency_s` of the loop's time.
    `checkpoint_pages` has the log copied to the database more often than the product would.
    """

    def __init__(
        self, random: Random, database: bytes, *, latency_s: float = 0.0, checkpoint_pages: int | None = None
    ) -> None:
        self._random = random
        self._latency_s = latency_s
        self._checkpoint_pages = checkpoint_pages
        self._medium = Medium(random)
        self._medium.add(DATABASE, database)
        self._process = ProcessVfs(self._medium)
        self._open: WeakSet[ApswExecutor] = WeakSet()
        self._locker: ApswExecutor | None = None

    @property
    def calls(self) -> Counter[Operation]:
        """How often each operation was asked for so far."""
        return self._medium.calls

    async def opener(self, path: Path, *, writes: bool, busy_timeout_s: float) -> DatabaseConnection:
        """A `server.db.connections.Opener`."""
        executor = self.connect(busy_timeout_s=busy_timeout_s)
        try:
            # In place: nobody lets go of a lock while this waits.
            make_ready(executor, writes=writes, busy_timeout_s=0.0)
        except BaseException:
            executor.close()
            raise
        connection = ApswConnection(executor, self._answer)
        await connection.rows("SELECT 1")  # opening takes its time too
        return connection

    def connect(self, name: str = DATABASE, *, create: bool = False, busy_timeout_s: float = 0.0) -> ApswExecutor:
        """A connection as commands have it, used in place; `name` may be another database. Raises sqlite3.Error."""
        flags = apsw.SQLITE_OPEN_READWRITE | (apsw.SQLITE_OPEN_CREATE if create else 0)
        with raising_as_sqlite3():
            executor = ApswExecutor(apsw.Connection(name, flags=flags, vfs=self._process.name))
        try:
            executor.connection.set_busy_timeout(int(busy_timeout_s * 1000))
            set_up(executor)
            self._checkpoint_after_commits(executor)
        except BaseException:
            executor.close()
            raise
        self._open.add(executor)
        return executor

    def files(self) -> dict[str, bytes]:
        """The database and, where there is one, its log, by how their names end."""
        return {
            name.removeprefix(DATABASE): bytes(file.content)
            for name, file in self._medium.files.items()
            if name.startswith(DATABASE)
        }

    def copy(self) -> Disk:
        """Another one with the same files, as programs see them now, of which nothing fails."""
        other = Disk(Random(0), b"")
        for name, file in self._medium.files.items():
            other._medium.add(name, bytes(file.content))
        return other

    # What happens to it

    def kill(self) -> None:
        """The process dies: its connections are gone, what it has written stays. What was to fail is forgotten."""
        self._process.die()
        for executor in [*self._open]:
            executor.close()
        self._open.clear()
        self._locker = None
        self._medium.mend()
        self._process = ProcessVfs(self._medium)

    def power_cut(self) -> None:
        """The process dies, and what was not synced is kept, torn or lost."""
        self.kill()
        self._medium.lose_power()

    def full(self, on: bool) -> None:
        """No file grows."""
        self._medium.is_full = on

    def locked(self, on: bool) -> None:
        """Another program holds the lock that writers need; one that meets a fault of the disk gives up."""
        if on and self._locker is None:
            with suppress(sqlite3.Error):
                locker = self.connect()
                locker.execute("BEGIN IMMEDIATE")
                self._locker = locker
        elif not on and self._locker is not None:
            self._locker.close()
            self._locker = None

    def fail(self, operation: Operation, nth: int = 1, *, lasting: bool = False) -> None:
        """The `nth` such operation from now on fails, and with `lasting` those after it, until `mend`."""
        self._medium.fail(operation, nth, lasting=lasting)

    def stop(self, operation: Operation, nth: int = 1) -> None:
        """The machine stops before the `nth` such operation from now on: all fails until `kill` or `power_cut`."""
        self._medium.stop(operation, nth)

    def mend(self) -> None:
        """Nothing fails any more. A full disk stays full, a lock is held on."""
        self._medium.mend()

    # The parts

    def _answer(self, tell: Callable[[], None]) -> None:
        loop = asyncio.get_running_loop()
        if self._latency_s:
            loop.call_later(self._random.uniform(0.0, self._latency_s), tell)
        else:
            loop.call_soon(tell)

    def _checkpoint_after_commits(self, executor: ApswExecutor) -> None:
        """As SQLite's own hook does, to which a checkpoint that fails is no fault of the commit before it.

        apsw would raise what the VFS raised meanwhile, although SQLite goes on.
        """
        [[pages]] = executor.execute("PRAGMA wal_autocheckpoint")
        bound = self._checkpoint_pages or pages

        def hook(connection: apsw.Connection, name: str, in_log: int) -> int:
            if in_log >= bound:
                with suppress(apsw.Error):
                    connection.wal_checkpoint(name, apsw.SQLITE_CHECKPOINT_PASSIVE)
            return int(apsw.SQLITE_OK)

        executor.connection.set_wal_hook(hook)
