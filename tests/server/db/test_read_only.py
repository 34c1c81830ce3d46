from __future__ import annotations

import signal
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from server.db import read_only
from server.db.connect import DatabaseError, connect
from server.db.migrate import migrations, prepare
from server.db.read_only import WrongQuery, queries, split
from tests.support.database.database_files import new_database
from tests.support.ladder.records import add_list

ENDLESS = "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT {} FROM t"
NO_ROW = ENDLESS.format("max(n)")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = new_database(tmp_path)
    add_list(path, pairs=1)
    return path


def rows(path: Path, sql: str, timeout_s: float | None = None) -> list[tuple[object, ...]]:
    with queries(path, timeout_s) as asked:
        result = asked.run(sql)
        return [] if result is None else [*result.rows]


def test_what_reads_is_answered(path: Path) -> None:
    assert rows(path, "SELECT count(*) > 10 FROM v_games") == [(1,)]
    assert rows(path, "VALUES (NULL, 1.5, 'a', x'00')") == [(None, 1.5, "a", b"\0")]
    assert rows(path, "SELECT value FROM json_each('[3,4]')") == [(3,), (4,)]
    assert rows(path, "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t LIMIT 3) SELECT sum(n) FROM t")
    assert rows(path, "PRAGMA table_info(v_moves)") == rows(path, "SELECT * FROM pragma_table_info('v_moves')")
    assert rows(path, "EXPLAIN QUERY PLAN SELECT * FROM v_games")
    assert rows(path, "-- only a remark") == []


@pytest.mark.parametrize(
    "sql",
    [
        "DELETE FROM games", "UPDATE games SET rated = 1", "INSERT INTO ids VALUES ('x', 1)", "DROP VIEW v_games",
        "CREATE TABLE mine (a)", "CREATE TEMP TABLE mine (a)", "ATTACH 'other.db' AS other", "VACUUM",
        "VACUUM INTO 'copy.db'", "REINDEX", "ANALYZE", "BEGIN IMMEDIATE", "SAVEPOINT here", "PRAGMA query_only = OFF",
        "PRAGMA user_version = 3", "PRAGMA journal_mode = DELETE", "PRAGMA wal_checkpoint(TRUNCATE)",
        "PRAGMA writable_schema = ON", "UPDATE sqlite_master SET sql = ''", "EXPLAIN DELETE FROM games",
        "WITH old AS (SELECT 1) DELETE FROM games", "SELECT load_extension('x')",
    ],
)  # fmt: skip
def test_what_could_change_something_is_refused(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sql: str
) -> None:
    monkeypatch.chdir(tmp_path)
    with closing(sqlite3.connect(path)) as connection:
        before = [*connection.iterdump()]
    with pytest.raises(WrongQuery):
        rows(path, sql)
    with closing(sqlite3.connect(path)) as connection:
        assert [*connection.iterdump()] == before
    assert {file.name.partition("-")[0] for file in tmp_path.iterdir()} == {path.name}


def test_each_lock_would_do(path: Path) -> None:
    """Without the authorizer SQLite itself refuses, by the mode of the file or by the pragma."""
    with connect(path, "ro") as connection, pytest.raises(sqlite3.OperationalError, match="readonly"):
        connection.execute("DELETE FROM games")
    with queries(path) as asked:
        asked._connection.set_authorizer(None)
        with pytest.raises(sqlite3.OperationalError, match="readonly"):
            asked._connection.execute("CREATE TEMP TABLE mine (a)")


@pytest.mark.parametrize(
    ("sql", "sentence"),
    [
        ("SELEC 1", 'The query is wrong: near "SELEC": syntax error.'),
        ("SELECT * FROM movse", "The query is wrong: no such table: movse."),
        ("SELECT ?", "The query is wrong: Incorrect number of bindings supplied."),
        ("SELECT 1; SELECT 2", "The query is wrong: You can only execute one statement at a time."),
        ("SELECT '\0'", "The query is wrong: the query contains a null character."),
        ("SELECT replace(hex(zeroblob(16000000)), '0', 'aaaaaa')", "The query is wrong: string or blob too big."),
        ("SELECT CAST(x'ff' AS TEXT)", "The query is wrong: Could not decode to UTF-8"),
        ("SELECT abs(-9223372036854775808)", "The query is wrong: integer overflow."),
    ],
)
def test_a_wrong_query_is_told_in_a_sentence(path: Path, sql: str, sentence: str) -> None:
    with pytest.raises(WrongQuery) as caught:
        rows(path, sql)
    assert str(caught.value).startswith(sentence)
    assert str(caught.value).endswith(".")
    assert not str(caught.value).endswith("..")


@pytest.mark.parametrize("sql", [NO_ROW, ENDLESS.format("n")])
def test_a_query_that_never_ends_is_stopped(path: Path, sql: str) -> None:
    with pytest.raises(DatabaseError, match=r"^The query took more than 0\.02 s and was stopped\.$"):
        rows(path, sql + " WHERE n > 0", timeout_s=0.02)


def test_each_query_has_the_whole_time(path: Path) -> None:
    with queries(path, 0.05) as asked:
        for _ in range(2):
            with pytest.raises(DatabaseError):
                asked.run(NO_ROW)
        result = asked.run("SELECT 1")
        assert result is not None
        assert [*result.rows] == [(1,)]


def test_an_interrupt_stops_a_query_at_once(path: Path) -> None:
    """Before its first row, of which there is none."""
    before = signal.signal(signal.SIGALRM, signal.default_int_handler)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        with pytest.raises(KeyboardInterrupt):
            rows(path, NO_ROW)
    finally:
        signal.signal(signal.SIGALRM, before)


def test_an_interrupt_while_a_query_is_looked_at_is_none_of_its_faults(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a table, a view, a function or a table that is one; SQLite tells of each refusal in another way."""
    sql = "SELECT max(abs(json_each.value)), count(*) FROM json_each('[1]'), v_moves"
    is_allowed, looks, ends_at = read_only._is_allowed, 0, 0

    def interrupted(action: int, first: str | None) -> bool:
        nonlocal looks
        looks += 1
        if looks == ends_at:
            raise KeyboardInterrupt
        return is_allowed(action, first)

    monkeypatch.setattr(read_only, "_is_allowed", interrupted)
    rows(path, sql)
    assert looks > 10
    for look in range(1, looks + 1):
        looks, ends_at = 0, look
        with pytest.raises(KeyboardInterrupt):
            rows(path, sql)


def test_a_reader_may_go_away_before_the_end(path: Path, recwarn: pytest.WarningsRecorder) -> None:
    with queries(path) as asked:
        result = asked.run("SELECT * FROM v_moves")
        assert result is not None
        next(result.rows)
    del asked, result
    assert not recwarn.list


def test_a_database_of_an_older_version(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    prepare(path, known=migrations()[:2])
    with pytest.raises(DatabaseError, match=r"old\.db has schema version 2: `noughts db migrate` brings it up to date"):
        rows(path, "SELECT 1")


def test_another_fault_is_not_the_querys(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(read_only, "_FAULTS_OF_QUERIES", frozenset())
    with pytest.raises(DatabaseError, match="cannot be used: no such table"):
        rows(path, "SELECT * FROM movse")


@pytest.mark.parametrize(
    ("text", "statements"),
    [
        ("", []),
        (" ;; -- nothing; here\n /* nor; here */ ;", []),
        ("SELECT 1", ["SELECT 1"]),
        ("SELECT ';'; SELECT 2 -- ;\n;", ["SELECT ';';", "SELECT 2 -- ;\n;"]),
        ("-- first; so\nSELECT 1; /* last; */", ["-- first; so\nSELECT 1;"]),
        ("SELECT 'open; SELECT 2", ["SELECT 'open; SELECT 2"]),
    ],
)
def test_split(text: str, statements: list[str]) -> None:
    assert split(text) == statements
