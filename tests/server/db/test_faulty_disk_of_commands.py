"""The power is cut while a command writes: an upgrade, an archive.

The disk is simulated (docs/server-simulation-disk.md).
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest

from server.db import migrate, retention
from server.db.connect import DatabaseError, explain
from server.db.retention import Choice
from tests.simulation.apsw_connection import ApswExecutor
from tests.simulation.disk import DATABASE, Disk
from tests.simulation.medium import Operation
from tests.simulation.store_workload import Server, rounds, seq_of
from tests.support.database.earlier_files import database as earlier_database

CHANGES: Final[tuple[Operation, ...]] = ("write", "sync", "truncate", "delete")
PATH: Final = Path(DATABASE)
ARCHIVE: Final = Path("/archive")
EVERYTHING: Final = Choice(before_ms=1 << 60)


class Commands:
    """Gives commands a simulated disk in place of the machine's."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.disk: Disk
        for module in (migrate, retention):
            patch.setattr(module, "connect", self._connect)
        # Backups are copied between two files of Python's own SQLite.
        patch.setattr(migrate, "_copy", lambda path, target, busy_timeout_s: target)

    @contextmanager
    def _connect(self, path: Path, mode: str, busy_timeout_s: float = 0.0) -> Iterator[ApswExecutor]:
        try:
            with closing(self.disk.connect(str(path), create=mode == "rwc")) as executor:
                yield executor
        except sqlite3.Error as error:
            explain(path, error, busy_timeout_s)

    def cut(self, disk: Disk, command: Callable[[], object], operation: Operation, nth: int) -> None:
        """Runs a command until the power is cut before the `nth` such operation."""
        self.disk = disk
        disk.stop(operation, nth)
        with suppress(DatabaseError):
            command()
        disk.power_cut()


@pytest.fixture
def commands(monkeypatch: pytest.MonkeyPatch) -> Commands:
    return Commands(monkeypatch)


def moments(calls: Counter[Operation]) -> Iterator[tuple[Operation, int, int]]:
    """About ten of each kind of change; every deletion with three seeds, by each of which it is there or not."""
    for operation in CHANGES:
        count = calls[operation]
        if operation == "delete":
            yield from ((operation, nth, 3 * nth + seed) for nth in range(1, count + 1) for seed in range(3))
        else:
            yield from ((operation, nth, nth) for nth in range(count, 0, -max(1, count // 10)))


@pytest.fixture(scope="module")
def earlier(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A database of an earlier release."""
    return earlier_database(tmp_path_factory.mktemp("earlier")).read_bytes()


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The same, brought up to date, used by a server, with rooms that are closed."""
    path = earlier_database(tmp_path_factory.mktemp("served"))
    migrate.prepare(path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        with connection:
            connection.execute("UPDATE rooms SET closed_ms = 8")
    return path.read_bytes()


def rows(disk: Disk, sql: str, name: str = DATABASE) -> list[Any]:
    """Of a database that is sound."""
    with closing(disk.connect(name)) as connection:
        assert connection.execute("PRAGMA integrity_check") == [("ok",)]
        return connection.execute(sql)


def games(disk: Disk, name: str = DATABASE) -> set[Any]:
    return set(rows(disk, "SELECT id, started_ms, plies FROM games", name))


def archive() -> object:
    return retention.archive(PATH, ARCHIVE, EVERYTHING, lambda selection: lambda games: None)


def test_an_upgrade_is_whole_or_not_at_all(commands: Commands, earlier: bytes) -> None:
    newest = migrate.migrations()[-1].version
    version = "SELECT max(version) FROM schema_migrations"
    commands.disk = Disk(Random(0), earlier)
    [(before,)], all_games = rows(commands.disk, version), games(commands.disk)
    migrate.prepare(PATH)
    found = set()
    for operation, nth, seed in moments(commands.disk.calls):
        disk = Disk(Random(seed), earlier)
        commands.cut(disk, lambda: migrate.prepare(PATH), operation, nth)
        migrate.check(PATH)
        found.update(rows(disk, version))
        migrate.prepare(PATH)
        assert rows(disk, version) == [(newest,)]
        assert games(disk) == all_games, f"{operation} {nth}, seed {seed}"
    assert {(before,), (newest,)} < found, "and some between"


async def test_a_new_database_keeps_what_was_acknowledged_first(commands: Commands) -> None:
    """It is made with a journal, which a power cut may bring back beside the log that took its place."""

    async def live(disk: Disk, server: Server) -> None:
        commands.disk = disk
        with suppress(DatabaseError):
            migrate.prepare(PATH)
            await server.live(disk)

    undisturbed, server = Disk(Random(0), b""), Server()
    await live(undisturbed, server)
    assert server.acknowledged == {one for sets in rounds() for one in sets}
    for operation, nth, seed in moments(undisturbed.calls):
        disk, server = Disk(Random(seed), b""), Server()
        disk.stop(operation, nth)
        await live(disk, server)
        disk.power_cut()
        there = set(rows(disk, "SELECT seq FROM events")) if server.acknowledged else set()
        assert there >= {(seq_of(one),) for one in server.acknowledged}, f"{operation} {nth}, seed {seed}"


@pytest.mark.parametrize("each", [pytest.param(1, marks=pytest.mark.slow), 7])
def test_an_archive_loses_no_game(
    commands: Commands, served: bytes, monkeypatch: pytest.MonkeyPatch, each: int
) -> None:
    monkeypatch.setattr(retention, "BATCH_GAMES", 2)
    commands.disk = Disk(Random(0), served)
    all_games = games(commands.disk)
    archive()
    kept, moved = games(commands.disk), games(commands.disk, str(ARCHIVE))
    assert kept
    assert moved == all_games - kept
    for operation, nth, seed in list(moments(commands.disk.calls))[::each]:
        disk = Disk(Random(seed), served)
        commands.cut(disk, archive, operation, nth)
        with suppress(sqlite3.OperationalError):  # not made yet
            assert games(disk) | games(disk, str(ARCHIVE)) == all_games, f"{operation} {nth}, seed {seed}"
        archive()
        assert (games(disk), games(disk, str(ARCHIVE))) == (kept, moved), f"{operation} {nth}, seed {seed}"
