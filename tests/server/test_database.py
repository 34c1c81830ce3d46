from __future__ import annotations

import os
import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from click.testing import CliRunner, Result

from server import database
from server.database import APPLICATION_ID, DatabaseError, Migration, migrations, prepare

ROOT = Path(__file__).parents[2]
FIRST = migrations()
SECOND = Migration(2, "notes", "CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT) STRICT;\n-- the end\n")
THIRD = Migration(3, "more", "ALTER TABLE notes ADD COLUMN author TEXT;\nCREATE INDEX by_author ON notes (author);\n")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "records.db"
    prepare(path)
    return path


def execute(path: Path, sql: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        return connection.execute(sql).fetchall()


def content(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as connection:
        return list(connection.iterdump())


@contextmanager
def unchanged(path: Path) -> Iterator[None]:
    """Neither the file nor its folder is changed, but for what SQLite keeps beside a database in use."""

    def state() -> tuple[bytes, list[str]]:
        beside = sorted(file.name for file in path.parent.iterdir() if not file.name.endswith(("-wal", "-shm")))
        return path.read_bytes(), beside

    before = state()
    yield
    assert state() == before


def refused(path: Path, pattern: str, known: list[Migration] | None = None) -> None:
    """`prepare` and `check` both refuse, in one sentence."""
    for function in (prepare, database.check):
        with pytest.raises(DatabaseError, match=pattern) as caught:
            function(path, busy_timeout_s=0, known=known)
        assert re.fullmatch(r"[^\n]+\.", str(caught.value)), "one sentence"


def run(*arguments: str) -> Result:
    return CliRunner().invoke(database.db, arguments)


# Making and migrating


def test_a_new_database(tmp_path: Path) -> None:
    path = tmp_path / "new.db"
    assert prepare(path) == [f"Made the database {path}."]
    assert execute(path, "PRAGMA application_id") == [(APPLICATION_ID,)]
    [(version, name, checksum)] = execute(path, "SELECT version, name, checksum FROM schema_migrations")
    assert (version, name, checksum) == (1, "initial", FIRST[0].checksum)
    assert [file.name for file in tmp_path.iterdir()] == ["new.db"]


def test_an_empty_file_is_a_new_database(tmp_path: Path) -> None:
    path = tmp_path / "empty.db"
    path.touch()
    assert prepare(path) == [f"Made the database {path}."]


def test_a_ready_database_is_left_alone(path: Path) -> None:
    with unchanged(path):
        assert prepare(path) == []


def test_pending_migrations_are_applied_after_one_backup(path: Path, tmp_path: Path) -> None:
    execute(path, "INSERT INTO players VALUES (1, 'Ann', 'person', NULL, 5)")
    before = content(path)
    [sentence] = prepare(path, known=[*FIRST, SECOND, THIRD])
    backup = tmp_path / "records.db.1.backup"
    assert sentence == f"Brought {path} from schema version 1 to 3; as it was before it is in {backup}."
    assert content(backup) == before
    assert execute(path, "SELECT version FROM schema_migrations") == [(1,), (2,), (3,)]
    assert execute(path, "SELECT name FROM players") == [("Ann",)]
    assert sorted(file.name for file in tmp_path.iterdir()) == ["records.db", "records.db.1.backup"]
    assert database.check(path, known=[*FIRST, SECOND, THIRD])
    assert prepare(backup) == [], "a backup is a database"


def test_a_backup_is_never_overwritten(path: Path, tmp_path: Path) -> None:
    old = tmp_path / "records.db.1.backup"
    old.write_text("kept")
    [sentence] = prepare(path, known=[*FIRST, SECOND])
    assert "records.db.1.backup2" in sentence
    assert old.read_text() == "kept"


def test_a_failing_migration_changes_nothing(path: Path) -> None:
    broken = Migration(3, "broken", "CREATE TABLE half (id INTEGER) STRICT;\nCREATE TABLE games (id INTEGER) STRICT;\n")
    with pytest.raises(DatabaseError, match="games already exists"):
        prepare(path, known=[*FIRST, SECOND, broken])
    assert execute(path, "SELECT max(version) FROM schema_migrations") == [(2,)]
    assert execute(path, "SELECT name FROM sqlite_master WHERE name = 'half'") == []
    assert prepare(path, known=[*FIRST, SECOND]) == []


def test_a_migration_that_breaks_references_is_undone(path: Path) -> None:
    bad = Migration(2, "bad", "INSERT INTO bot_versions VALUES (99, 'nobody', '{}', 1);")
    with pytest.raises(DatabaseError, match="references to nothing"):
        prepare(path, known=[*FIRST, bad])
    assert execute(path, "SELECT count(*) FROM bot_versions") == [(0,)]


def test_without_a_backup_no_migration(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "_free_name", lambda path, version: path.parent / "gone" / "backup")
    with unchanged(path), pytest.raises(DatabaseError, match="does not exist"):
        prepare(path, known=[*FIRST, SECOND])


@pytest.mark.parametrize("exists", [False, True])
def test_many_may_start_at_once(tmp_path: Path, exists: bool) -> None:
    path = tmp_path / "shared.db"
    if exists:
        prepare(path)
    known = [*FIRST, SECOND, THIRD]
    with ThreadPoolExecutor(8) as pool:
        told = list(pool.map(lambda _: prepare(path, known=known), range(16)))
    assert execute(path, "SELECT version FROM schema_migrations") == [(1,), (2,), (3,)]
    assert any(told)
    assert database.check(path, known=known)


def test_processes_may_start_at_once(tmp_path: Path) -> None:
    path = tmp_path / "shared.db"
    script = (
        "import asyncio, sys\nfrom server.database import prepare\nfrom server.store import Store\n"
        "async def serve():\n    store = await Store.open(sys.argv[1])\n    print(await store.next_id('game'))\n"
        "    await store.close()\nprepare(sys.argv[1])\nasyncio.run(serve())"
    )
    starts = [
        subprocess.Popen([sys.executable, "-c", script, str(path)], cwd=ROOT, stdout=subprocess.PIPE, text=True)
        for _ in range(3)
    ]
    answers = [start.communicate(timeout=60)[0] for start in starts]
    assert [start.returncode for start in starts] == [0, 0, 0]
    assert len(set(answers)) == 3


def test_statements_of_a_script() -> None:
    script = (
        "-- a; b\nCREATE TABLE t (x); -- one\nCREATE TRIGGER g AFTER INSERT ON t BEGIN\n  SELECT 1;\nEND;\nSELECT 2"
    )
    found = [statement.strip() for statement in database.statements(script)]
    assert found == [
        "-- a; b\nCREATE TABLE t (x); -- one",
        "CREATE TRIGGER g AFTER INSERT ON t BEGIN\n  SELECT 1;\nEND;",
        "SELECT 2",
    ]


def test_migrations_are_numbered_from_1_and_leave_transactions_to_the_runner() -> None:
    assert [migration.version for migration in FIRST] == list(range(1, len(FIRST) + 1))
    for migration in FIRST:
        words = {statement.split("\n")[-1].split(" ")[0].upper() for statement in database.statements(migration.sql)}
        assert not words & {"BEGIN", "COMMIT", "ROLLBACK", "VACUUM", "ATTACH"}


# What is refused


def test_garbage_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("Dear diary, this is no database at all. " * 50)
    with unchanged(path):
        refused(path, "is not a SQLite database")


def test_another_programs_database_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "bookmarks.db"
    execute(path, "CREATE TABLE bookmarks (url TEXT)")
    with unchanged(path):
        refused(path, "of another program")


def test_an_empty_database_of_another_program_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    execute(path, "PRAGMA application_id = 77")
    refused(path, "of another program")


def test_a_newer_database_is_refused(path: Path) -> None:
    prepare(path, known=[*FIRST, SECOND, THIRD])
    with unchanged(path):
        refused(path, r"newer noughts \(schema version 3, more; this one knows 1\)", FIRST)


def test_an_altered_migration_is_refused(path: Path) -> None:
    altered = [FIRST[0]._replace(sql=FIRST[0].sql + "-- one more comment\n")]
    with unchanged(path):
        refused(path, r"altered migration 1 \(initial\)", altered)


@pytest.mark.parametrize(
    ("change", "names"),
    [
        ("CREATE TABLE notes (text TEXT)", "table notes"),
        ("CREATE INDEX quicker ON moves (cell)", "index quicker"),
        ("DROP INDEX games_by_run", "index games_by_run"),
        ("ALTER TABLE games ADD COLUMN mood TEXT", "table games"),
        ("CREATE VIEW all_games AS SELECT * FROM games", "view all_games"),
        ("DROP TABLE schema_migrations", "lost its table"),
        ("DELETE FROM schema_migrations", "altered by hand"),
    ],
)
def test_an_altered_schema_is_refused(path: Path, change: str, names: str) -> None:
    execute(path, change)
    with unchanged(path):
        refused(path, names)


def test_statistics_of_sqlite_are_no_alteration(path: Path) -> None:
    execute(path, "INSERT INTO players VALUES (1, 'Ann', 'person', NULL, 5)")
    execute(path, "ANALYZE")
    assert prepare(path) == []


def test_a_locked_database_is_refused(path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("BEGIN EXCLUSIVE")
        refused(path, "locked by another program for 0 s")


def test_a_folder_is_refused(tmp_path: Path) -> None:
    refused(tmp_path, "is a folder")


def test_a_missing_folder_is_refused(tmp_path: Path) -> None:
    refused(tmp_path / "nowhere" / "records.db", "does not exist")


@pytest.mark.parametrize("name", ["a\0b", "x" * 300])
def test_impossible_names_are_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(DatabaseError, match="cannot be"):
        prepare(tmp_path / name)


@pytest.mark.parametrize("read_only", ["file", "folder"])
def test_a_read_only_database_is_refused(read_only: str) -> None:
    """Tried as another user where the tests run as root, whom no permission stops."""
    script = (
        "import os, sys\nfrom server.database import DatabaseError, migrations, prepare\nknown = migrations()\n"
        "if os.getuid() == 0: os.setuid(65534)\n"
        "try: prepare(sys.argv[1], known=known)\nexcept DatabaseError as error: print(error)"
    )
    with TemporaryDirectory() as name:  # pytest's own folders are closed to other users
        folder, path = Path(name), Path(name) / "records.db"
        prepare(path)
        folder.chmod(0o777 if read_only == "file" else 0o555)
        path.chmod(0o444 if read_only == "file" else 0o666)
        command = [sys.executable, "-c", script, str(path)]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60)
        folder.chmod(0o755)
    assert done.stderr == ""
    assert re.search(r"cannot be (written|opened): give this user (read and )?write access", done.stdout)


def test_an_old_sqlite_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 34, 1))
    with pytest.raises(DatabaseError, match=r"needs 3\.37\.0 or newer"):
        prepare(tmp_path / "new.db")


# Checks


def test_check_finds_damage(path: Path) -> None:
    for player in range(2000):
        execute(path, f"INSERT INTO players VALUES ({player}, 'Ann', 'person', randomblob(32), 5)")
        if player > 100:
            break
    with path.open("r+b") as file:
        for page in range(2, path.stat().st_size // 4096):
            file.seek(page * 4096 + 2000)
            file.write(b"\xff" * 2000)
    with pytest.raises(DatabaseError, match="is damaged"):
        database.check(path)


def test_check_finds_references_to_nothing(path: Path) -> None:
    execute(path, "INSERT INTO bot_versions VALUES (99, 'nobody', '{}', 1)")
    with pytest.raises(DatabaseError, match="bot_versions that refers to no row of players"):
        database.check(path)


def test_check_names_what_waits(path: Path) -> None:
    with unchanged(path):
        [sentence] = database.check(path, known=[*FIRST, SECOND])
    assert "1 behind this release" in sentence


def test_check_makes_nothing(tmp_path: Path) -> None:
    with pytest.raises(DatabaseError, match="There is no database"):
        database.check(tmp_path / "missing.db")
    (tmp_path / "empty.db").touch()
    with pytest.raises(DatabaseError, match="empty database"):
        database.check(tmp_path / "empty.db")
    assert [file.name for file in tmp_path.iterdir()] == ["empty.db"]


# The commands


def test_commands(path: Path, tmp_path: Path) -> None:
    checked = run("check", "--db", str(path))
    assert (checked.exit_code, checked.stdout) == (0, f"{path} is sound: schema version 1, up to date.\n")
    assert run("migrate", "--db", str(path)).stdout == f"{path} is up to date.\n"
    made = run("migrate", "--db", str(tmp_path / "new.db"))
    assert made.stdout == f"Made the database {tmp_path / 'new.db'}.\n"
    info = run("info", "--db", str(path))
    assert info.exit_code == 0
    assert "schema version: 1\n" in info.stdout
    assert "rows in ids: 3\n" in info.stdout


def test_backup_command_sees_what_is_not_in_the_file_yet(path: Path, tmp_path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as user:
        user.execute("PRAGMA journal_mode = WAL")
        user.execute("INSERT INTO players VALUES (1, 'Ann', 'person', NULL, 5)")
        assert run("backup", "--db", str(path)).stdout == f"Backed up to {path}.1.backup.\n"
        target = tmp_path / "copy.db"
        assert run("backup", "--db", str(path), "--out", str(target)).exit_code == 0
        again = run("backup", "--db", str(path), "--out", str(target))
    assert (again.exit_code, "exists already" in again.stderr) == (2, True)
    for copy in (target, Path(f"{path}.1.backup")):
        shutil.copy(copy, tmp_path / "alone.db")
        assert execute(tmp_path / "alone.db", "SELECT name FROM players") == [("Ann",)]
        assert execute(tmp_path / "alone.db", "PRAGMA journal_mode") == [("delete",)], "one file, with no others beside"
    assert not list(tmp_path.glob("*.partial"))


@pytest.mark.parametrize("command", ["check", "backup", "info"])
def test_commands_fail_in_one_sentence_with_status_2(tmp_path: Path, command: str) -> None:
    result = run(command, "--db", str(tmp_path / "missing.db"))
    assert result.exit_code == 2
    assert result.stdout == ""
    assert re.fullmatch(r"Error: There is no database [^\n]+\.\n", result.stderr)


def test_the_environment_may_name_the_database(path: Path) -> None:
    result = CliRunner().invoke(database.db, ["check"], env={"NOUGHTS_DB": os.fspath(path)})
    assert result.exit_code == 0


# The documentation


def documented_tables() -> dict[str, list[tuple[str, str]]]:
    """Tables of docs/schema.md: columns and types by the heading above."""
    tables: dict[str, list[tuple[str, str]]] = {}
    for line in (ROOT / "docs" / "schema.md").read_text().splitlines():
        if heading := re.fullmatch(r"## `(\w+)`.*", line):
            tables[heading[1]] = []
        elif row := re.match(r"\| `(\w+)` \| (\w+) \|", line):
            tables[list(tables)[-1]].append((row[1], row[2]))
    return tables


def test_the_schema_page_lists_every_column(path: Path) -> None:
    names = [name for (name,) in execute(path, "SELECT name FROM sqlite_master WHERE type = 'table'")]
    real = {
        str(name): [(column, kind) for _, column, kind, *_ in execute(path, f"PRAGMA table_info({name})")]
        for name in names
        if not str(name).startswith("sqlite_")
    }
    assert documented_tables() == real


def test_the_schema_page_names_every_index(path: Path) -> None:
    page = (ROOT / "docs" / "schema.md").read_text()
    for (name,) in execute(path, "SELECT name FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL"):
        assert f"`{name}`" in page
