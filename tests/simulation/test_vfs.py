from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from random import Random

import apsw
import pytest

from tests.simulation.medium import Medium, Operation
from tests.simulation.vfs import ProcessVfs

CREATE = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE


@pytest.fixture
def medium() -> Medium:
    return Medium(Random(0))


@pytest.fixture
def process(medium: Medium) -> Iterator[ProcessVfs]:
    process = ProcessVfs(medium)
    yield process
    process.die()


def opened(process: ProcessVfs, name: str = "/database") -> apsw.Connection:
    return apsw.Connection(name, flags=CREATE, vfs=process.name)


def rows(connection: apsw.Connection, sql: str) -> list[tuple[object, ...]]:
    return [*connection.execute(sql)]


def test_many_connections_share_one_log(medium: Medium, process: ProcessVfs) -> None:
    writer, reader = opened(process), opened(process)
    assert rows(writer, "PRAGMA journal_mode = WAL") == [("wal",)]
    rows(writer, "CREATE TABLE numbers (n)")
    rows(writer, "INSERT INTO numbers VALUES (1)")
    assert rows(reader, "SELECT n FROM numbers") == [(1,)]
    assert set(medium.files) == {"/database", "/database-wal"}
    reader.execute("BEGIN; SELECT * FROM numbers").fetchall()
    rows(writer, "INSERT INTO numbers VALUES (2)")
    assert rows(reader, "SELECT n FROM numbers") == [(1,)], "a reader sees what was there when it began"
    for connection in (writer, reader):
        connection.close()
    assert set(medium.files) == {"/database"}


def test_a_lock_is_waited_for_without_time(process: ProcessVfs) -> None:
    holder, waiter = opened(process), opened(process)
    rows(holder, "PRAGMA journal_mode = WAL")
    rows(holder, "BEGIN IMMEDIATE")
    waiter.set_busy_timeout(10**6)
    with pytest.raises(apsw.BusyError):
        rows(waiter, "BEGIN IMMEDIATE")
    rows(holder, "COMMIT")
    rows(waiter, "BEGIN IMMEDIATE")


def test_two_databases_are_locked_apart(process: ProcessVfs) -> None:
    one, other = opened(process, "/one"), opened(process, "/other")
    rows(one, "BEGIN EXCLUSIVE")
    rows(other, "BEGIN EXCLUSIVE")
    one.close()
    other.close()


def test_a_process_that_died_neither_writes_nor_holds_a_lock(medium: Medium, process: ProcessVfs) -> None:
    connection = opened(process)
    rows(connection, "CREATE TABLE numbers (n)")
    rows(connection, "BEGIN EXCLUSIVE")
    process.die()
    before = {name: bytes(file.content) for name, file in medium.files.items()}
    with pytest.raises(apsw.Error):
        rows(connection, "INSERT INTO numbers VALUES (1)")
    connection.close(True)
    assert {name: bytes(file.content) for name, file in medium.files.items()} == before
    successor = opened(ProcessVfs(medium))
    rows(successor, "INSERT INTO numbers VALUES (2)")
    assert rows(successor, "SELECT n FROM numbers") == [(2,)]
    successor.close()


@pytest.mark.parametrize(
    ("operation", "code"),
    [
        ("read", apsw.SQLITE_IOERR_READ),
        ("write", apsw.SQLITE_IOERR_WRITE),
        ("sync", apsw.SQLITE_IOERR_FSYNC),
        ("lock", apsw.SQLITE_IOERR_LOCK),
        ("open", apsw.SQLITE_CANTOPEN),
    ],
)
def test_what_fails_has_sqlites_code(medium: Medium, process: ProcessVfs, operation: Operation, code: int) -> None:
    connection = opened(process)
    rows(connection, "CREATE TABLE numbers (n)")
    connection.close()
    connection = opened(process)
    medium.fail(operation, 1, lasting=False)
    with pytest.raises(apsw.Error) as failed:
        rows(connection, "INSERT INTO numbers VALUES (1)")
    assert hasattr(failed.value, "extendedresult")
    assert failed.value.extendedresult == code


def test_a_process_leaves_no_file_behind(medium: Medium) -> None:
    process = ProcessVfs(medium)
    folder = Path(process._folder)
    opened(process).close()
    assert os.listdir(folder)
    process.die()
    assert not folder.exists()
