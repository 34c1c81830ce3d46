from __future__ import annotations

import json
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

from server.db import migrate
from server.db import play as rows
from server.db.command import db
from server.db.connect import OLDEST_SQLITE, DatabaseError
from server.db.migrate import APPLICATION_ID, Migration, migrations, prepare
from tests.support.database.database_files import execute
from tests.support.terminated import terminated

ROOT = Path(__file__).parents[3]
OURS = migrations()
NEWEST = OURS[-1].version
NEXT = Migration(NEWEST + 1, "notes", "CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT) STRICT;\n-- the end\n")
LATER = Migration(
    NEWEST + 2, "more", "ALTER TABLE notes ADD COLUMN author TEXT;\nCREATE INDEX by_author ON notes (author);\n"
)


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
    for function in (prepare, migrate.check):
        with pytest.raises(DatabaseError, match=pattern) as caught:
            function(path, busy_timeout_s=0, known=known)
        assert re.fullmatch(r"[^\n]+\.", str(caught.value)), "one sentence"


def run(*arguments: str) -> Result:
    return CliRunner().invoke(db, arguments)


# Making and migrating


def test_a_new_database(tmp_path: Path) -> None:
    path = tmp_path / "new.db"
    assert prepare(path) == [f"Made the database {path}."]
    assert execute(path, "PRAGMA application_id") == [(APPLICATION_ID,)]
    applied = execute(path, "SELECT version, name, checksum FROM schema_migrations")
    assert applied == [(one.version, one.name, one.checksum) for one in OURS]
    assert applied[0][:2] == (1, "initial")
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
    [sentence] = prepare(path, known=[*OURS, NEXT, LATER])
    backup = tmp_path / f"records.db.{NEWEST}.backup"
    expected = f"from schema version {NEWEST} to {LATER.version}; the previous version is saved in {backup}."
    assert sentence == f"Brought {path} {expected}"
    assert content(backup) == before
    applied = execute(path, "SELECT max(version), count(*) FROM schema_migrations")
    assert applied == [(LATER.version, len(OURS) + 2)]
    assert execute(path, "SELECT name FROM players") == [("Ann",)]
    assert sorted(file.name for file in tmp_path.iterdir()) == ["records.db", backup.name]
    assert migrate.check(path, known=[*OURS, NEXT, LATER])
    assert prepare(backup) == [], "a backup is a database"


def test_a_backup_is_never_overwritten(path: Path, tmp_path: Path) -> None:
    old = tmp_path / f"records.db.{NEWEST}.backup"
    old.write_text("kept")
    [sentence] = prepare(path, known=[*OURS, NEXT])
    assert f"records.db.{NEWEST}.backup2" in sentence
    assert old.read_text() == "kept"


def test_a_failing_migration_changes_nothing(path: Path) -> None:
    sql = "CREATE TABLE half (id INTEGER) STRICT;\nCREATE TABLE games (id INTEGER) STRICT;\n"
    broken = Migration(LATER.version, "broken", sql)
    with pytest.raises(DatabaseError, match="games already exists"):
        prepare(path, known=[*OURS, NEXT, broken])
    assert execute(path, "SELECT max(version) FROM schema_migrations") == [(NEXT.version,)]
    assert execute(path, "SELECT name FROM sqlite_master WHERE name = 'half'") == []
    assert prepare(path, known=[*OURS, NEXT]) == []


def test_only_a_backup_of_what_has_changed_stays(path: Path, tmp_path: Path) -> None:
    broken = Migration(LATER.version, "broken", "CREATE TABLE games (id INTEGER) STRICT;\n")
    for _ in range(3):  # as a service that is restarted
        with pytest.raises(DatabaseError, match="games already exists"):
            prepare(path, known=[*OURS, NEXT, broken])
    assert sorted(file.name for file in tmp_path.iterdir()) == ["records.db", f"records.db.{NEWEST}.backup"]
    assert execute(tmp_path / f"records.db.{NEWEST}.backup", "SELECT max(version) FROM schema_migrations") == [
        (NEWEST,)
    ]


def test_a_migration_that_breaks_references_is_undone(path: Path) -> None:
    bad = Migration(NEWEST + 1, "bad", "INSERT INTO bot_versions VALUES (99, 'nobody', '{}', 1);")
    with pytest.raises(DatabaseError, match="dangling references"):
        prepare(path, known=[*OURS, bad])
    assert execute(path, "SELECT count(*) FROM bot_versions") == [(0,)]


def test_without_a_backup_no_migration(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(migrate, "_free_name", lambda path, version: path.parent / "gone" / "backup")
    with unchanged(path), pytest.raises(DatabaseError, match="does not exist"):
        prepare(path, known=[*OURS, NEXT])


def test_a_new_database_is_made_whole_or_not_at_all(tmp_path: Path) -> None:
    """So it is never met half made, which would be backed up and migrated."""
    path = tmp_path / "new.db"
    broken = Migration(LATER.version, "broken", "CREATE TABLE games (id INTEGER) STRICT;\n")
    with pytest.raises(DatabaseError, match="games already exists"):
        prepare(path, known=[*OURS, NEXT, broken])
    assert content(path) == content(tmp_path / "none.db")
    assert prepare(path) == [f"Made the database {path}."]


@pytest.mark.parametrize("exists", [False, True])
def test_many_may_start_at_once(tmp_path: Path, exists: bool) -> None:
    path = tmp_path / "shared.db"
    if exists:
        prepare(path)
    known = [*OURS, NEXT, LATER]
    with ThreadPoolExecutor(8) as pool:
        told = list(pool.map(lambda _: prepare(path, known=known), range(16)))
    applied = execute(path, "SELECT max(version), count(*) FROM schema_migrations")
    assert applied == [(LATER.version, len(OURS) + 2)]
    assert any(told)
    assert bool(list(tmp_path.glob("*.backup*"))) == exists
    assert migrate.check(path, known=known)


def test_processes_may_start_at_once(tmp_path: Path) -> None:
    path = tmp_path / "shared.db"
    script = (
        "import asyncio, sys\nfrom server.db.migrate import prepare\nfrom server.db.store import Store\n"
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
    found = [statement.strip() for statement in migrate.statements(script)]
    assert found == [
        "-- a; b\nCREATE TABLE t (x); -- one",
        "CREATE TRIGGER g AFTER INSERT ON t BEGIN\n  SELECT 1;\nEND;",
        "SELECT 2",
    ]


def test_migrations_are_numbered_from_1_and_leave_transactions_to_the_runner() -> None:
    assert [migration.version for migration in OURS] == list(range(1, len(OURS) + 1))
    for migration in OURS:
        words = {statement.split("\n")[-1].split(" ")[0].upper() for statement in migrate.statements(migration.sql)}
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
        refused(path, "is another program's database")


def test_an_empty_database_of_another_program_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    execute(path, "PRAGMA application_id = 77")
    refused(path, "is another program's database")


def test_a_newer_database_is_refused(path: Path) -> None:
    prepare(path, known=[*OURS, NEXT, LATER])
    with unchanged(path):
        refused(path, rf"newer noughts \(schema version {LATER.version}, more; this one knows {NEWEST}\)", OURS)


def test_an_altered_migration_is_refused(path: Path) -> None:
    altered = [OURS[0]._replace(sql=OURS[0].sql + "-- one more comment\n"), *OURS[1:]]
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
        ("DROP VIEW v_moves", "view v_moves"),
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
        "import os, sys, urllib.parse\nfrom server.db.connect import DatabaseError\n"
        "from server.db.migrate import migrations, prepare\nknown = migrations()\n"
        "if os.getuid() == 0: os.setuid(65534)\n"
        "try: prepare(sys.argv[1], known=known)\nexcept DatabaseError as error: print(error)"
    )
    with TemporaryDirectory() as name:  # pytest's own folders are closed to other users
        folder, path = Path(name), Path(name) / "records.db"
        prepare(path)
        folder.chmod(0o777 if read_only == "file" else 0o555)
        path.chmod(0o444 if read_only == "file" else 0o666)
        command = [sys.executable, "-c", script, str(path)]
        # Another user may not write where lines are counted.
        uncounted = {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE_")}
        done = subprocess.run(command, cwd=ROOT, env=uncounted, capture_output=True, text=True, timeout=60)
        folder.chmod(0o755)
    assert done.stderr == ""
    assert re.search(r"cannot be (written|opened): give this user (read and )?write access", done.stdout)


def test_an_old_sqlite_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 34, 1))
    with pytest.raises(DatabaseError, match=r"needs 3\.37\.0 or newer"):
        prepare(tmp_path / "new.db")


# Checks


def test_check_finds_damage(path: Path) -> None:
    players = "WITH RECURSIVE ids (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM ids WHERE id < 100)"
    execute(path, f"{players} INSERT INTO players SELECT id, 'Ann', 'person', randomblob(32), 5 FROM ids")
    with path.open("r+b") as file:
        for page in range(2, path.stat().st_size // 4096):
            file.seek(page * 4096 + 2000)
            file.write(b"\xff" * 2000)
    with pytest.raises(DatabaseError, match="is damaged"):
        migrate.check(path)


def test_check_finds_references_to_nothing(path: Path) -> None:
    execute(path, "INSERT INTO bot_versions VALUES (99, 'nobody', '{}', 1)")
    with pytest.raises(DatabaseError, match="bot_versions that refers to a missing row of players"):
        migrate.check(path)


def test_check_names_what_waits(path: Path) -> None:
    with unchanged(path):
        sentence = migrate.check(path, known=[*OURS, NEXT]).sentence
    assert "1 behind this release" in sentence


def test_check_makes_nothing(tmp_path: Path) -> None:
    with pytest.raises(DatabaseError, match="There is no database"):
        migrate.check(tmp_path / "missing.db")
    (tmp_path / "empty.db").touch()
    with pytest.raises(DatabaseError, match="empty database"):
        migrate.check(tmp_path / "empty.db")
    assert [file.name for file in tmp_path.iterdir()] == ["empty.db"]


# The commands


def test_commands(path: Path, tmp_path: Path) -> None:
    checked = run("check", "--db", str(path))
    assert (checked.exit_code, checked.stdout) == (0, f"{path} is sound: schema version {NEWEST}, up to date.\n")
    assert run("migrate", "--db", str(path)).stdout == f"{path} is up to date.\n"
    made = run("migrate", "--db", str(tmp_path / "new.db"))
    assert made.stdout == f"Made the database {tmp_path / 'new.db'}.\n"
    info = run("info", "--db", str(path))
    assert info.exit_code == 0
    assert f"schema version: {NEWEST}\n" in info.stdout
    assert "rows in ids: 3\n" in info.stdout


def test_commands_as_json(path: Path) -> None:
    file = str(path)
    checked = json.loads(run("check", "--json", "--db", file).stdout)
    assert checked == {"file": file, "schema_version": NEWEST, "behind": 0}
    info = json.loads(run("info", "--json", "--db", file).stdout)
    assert (info["file"], info["schema_version"], info["bytes"]) == (file, NEWEST, path.stat().st_size)
    assert info["sqlite"] == sqlite3.sqlite_version
    assert (info["rows"]["ids"], info["rows"]["games"]) == (3, 0)
    assert [info["size"][told] for told in ("free_bytes", "bytes_per_game", "growth")] == [0, None, None]


def test_backup_command_sees_what_is_not_in_the_file_yet(path: Path, tmp_path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as user:
        user.execute("PRAGMA journal_mode = WAL")
        user.execute("INSERT INTO players VALUES (1, 'Ann', 'person', NULL, 5)")
        assert run("backup", "--db", str(path)).stdout == f"Backed up to {path}.{NEWEST}.backup.\n"
        target = tmp_path / "copy.db"
        assert run("backup", "--db", str(path), "--out", str(target)).exit_code == 0
        again = run("backup", "--db", str(path), "--out", str(target))
    assert (again.exit_code, "already exists" in again.stderr) == (1, True)
    for copy in (target, Path(f"{path}.{NEWEST}.backup")):
        shutil.copy(copy, tmp_path / "alone.db")
        assert execute(tmp_path / "alone.db", "SELECT name FROM players") == [("Ann",)]
        assert execute(tmp_path / "alone.db", "PRAGMA journal_mode") == [("delete",)], "one file, with no others beside"
    assert not list(tmp_path.glob("*.partial"))


def test_a_backup_that_failed_leaves_nothing(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(partial: Path, target: Path) -> None:
        assert partial.exists()
        for ending in ("-wal", "-shm", "-journal"):  # as SQLite leaves them then
            Path(f"{partial}{ending}").touch()
        raise OSError("the disk is full")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(DatabaseError, match=r"cannot be backed up to \S+: the disk is full\.$"):
        migrate.back_up(path)
    assert [*path.parent.iterdir()] == [path]


def test_a_backup_drops_what_a_killed_one_has_left_but_not_what_is_being_made(path: Path) -> None:
    killed = subprocess.Popen(["true"])
    killed.wait()
    name = f"{path.name}.{NEWEST}.backup"
    pieces = [path.with_name(f"{name}.{pid}.partial") for pid in (os.getppid(), killed.pid)]
    for file in (*pieces, Path(f"{pieces[1]}-journal")):
        file.touch()
    migrate.back_up(path)
    assert sorted(path.parent.iterdir()) == [path, path.with_name(name), pieces[0]]


@pytest.mark.parametrize(("mode", "expected"), [(0o600, 0o600), (0o644, 0o640), (0o400, 0o600)])
def test_a_backup_is_for_those_who_may_read_the_database(path: Path, mode: int, expected: int) -> None:
    path.chmod(mode)
    mask = os.umask(0o027)
    try:
        backup = migrate.back_up(path)
    finally:
        os.umask(mask)
    assert backup.stat().st_mode & 0o777 == expected


def test_a_backup_has_its_name_for_good(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[tuple[bool, list[str]]] = []

    def fsync(handle: int) -> None:
        of_folder = os.path.samestat(os.fstat(handle), path.parent.stat())
        synced.append((of_folder, [file.name for file in path.parent.glob("*.backup*")]))
        raise OSError("this file system takes no sync of a folder")

    monkeypatch.setattr(os, "fsync", fsync)
    backup = migrate.back_up(path)
    assert synced == [(True, [backup.name])]


def test_an_interrupted_backup_leaves_nothing(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(partial: Path, target: Path) -> None:
        assert content(partial) == content(path)
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "replace", interrupt)
    with pytest.raises(KeyboardInterrupt):
        migrate.back_up(path)
    assert [file.name for file in tmp_path.iterdir()] == ["records.db"]


def test_a_backup_ended_by_sigterm_leaves_nothing(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "replace", terminated)
    done = run("backup", "--db", str(path))
    assert (done.exit_code, done.output.strip()) == (1, "Aborted!")
    assert [*path.parent.iterdir()] == [path]


def test_an_interrupt_is_heard_while_a_backup_copies(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    left: list[int] = []

    def interrupt(status: int, pages_left: int, pages: int) -> None:
        left.append(pages_left)
        raise KeyboardInterrupt

    monkeypatch.setattr(migrate, "_PIECE_PAGES", 1)
    monkeypatch.setattr(migrate, "_listen", interrupt)
    with pytest.raises(KeyboardInterrupt):
        migrate.back_up(path)
    assert (len(left), left[0] > 0) == (1, True)
    assert [*path.parent.iterdir()] == [path]


def test_who_writes_meanwhile_does_not_have_a_backup_begin_anew(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    left: list[int] = []

    def write(status: int, pages_left: int, pages: int) -> None:
        left.append(pages_left)
        if len(left) < 5:
            user.execute("INSERT INTO players VALUES (?, 'Ann', 'person', NULL, 5)", (len(left),))

    monkeypatch.setattr(migrate, "_PIECE_PAGES", 1)
    monkeypatch.setattr(migrate, "_listen", write)
    with closing(sqlite3.connect(path, isolation_level=None)) as user:
        user.execute("PRAGMA journal_mode = WAL")
        backup = migrate.back_up(path)
    assert left == [*reversed(range(len(left)))]
    assert (execute(path, "SELECT count(*) FROM players"), execute(backup, "SELECT * FROM players")) == ([(4,)], [])


@pytest.mark.parametrize("command", ["check", "backup", "info"])
def test_commands_fail_in_one_sentence(tmp_path: Path, command: str) -> None:
    result = run(command, "--db", str(tmp_path / "missing.db"))
    assert result.exit_code == 1
    assert result.stdout == ""
    assert re.fullmatch(r"Error: There is no database [^\n]+\.\n", result.stderr)


def test_the_environment_may_name_the_database(path: Path) -> None:
    result = CliRunner().invoke(db, ["check"], env={"NOUGHTS_DB": os.fspath(path)})
    assert result.exit_code == 0


# The documentation

PAGE = (ROOT / "docs" / "schema.md").read_text()


def documented(heading: str, row: str) -> dict[str, list[tuple[str, ...]]]:
    """Sections of docs/schema.md whose heading matches: what their rows tell, by the first group of the heading."""
    found: dict[str, list[tuple[str, ...]]] = {}
    for section in re.split(r"^## ", PAGE, flags=re.MULTILINE):
        if match := re.match(heading, section):
            found[match[1]] = [told.groups() for told in re.finditer(row, section, re.MULTILINE)]
    return found


def columns(path: Path, kind: str) -> dict[str, list[tuple[str, str]]]:
    """Of all tables or views: names and types of their columns."""
    names = [str(name) for (name,) in execute(path, f"SELECT name FROM sqlite_master WHERE type = '{kind}'")]
    return {
        name: [(str(column), str(kind)) for _, column, kind, *_ in execute(path, f"PRAGMA table_info({name})")]
        for name in names
        if not name.startswith("sqlite_")
    }


def test_the_schema_page_lists_every_column(path: Path) -> None:
    assert documented(r"`(\w+)`", r"^\| `(\w+)` \| (\w+) \|") == columns(path, "table")


def test_the_schema_page_lists_every_view(path: Path) -> None:
    real = {name: [(column,) for column, _ in found] for name, found in columns(path, "view").items()}
    assert documented(r"View `(\w+)`", r"^\| `(\w+)` \|") == real


def test_columns_of_views_that_are_as_in_a_table_are_there(path: Path) -> None:
    tables = columns(path, "table")
    for view, same in documented(r"View `(\w+)`", r"^\| `(\w+)` \| as in `(\w+)` \|$").items():
        assert same, view
        for column, table in same:
            assert column in dict(tables[table]), (view, column)


def test_the_schema_page_names_every_index(path: Path) -> None:
    for (name,) in execute(path, "SELECT name FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL"):
        assert f"`{name}`" in PAGE


def test_the_examples_of_the_documentation_run(path: Path) -> None:
    """What they find is tested with the views, in test_views_of_records.py."""
    blocks = re.findall(r"```sql\n(.*?)```", PAGE, re.DOTALL)
    statements = [statement for block in blocks for statement in block.split(";") if statement.strip()]
    assert len(statements) == 10
    for statement in statements:
        execute(path, statement)


def test_the_schema_needs_no_newer_sqlite_than_is_asked_for() -> None:
    """`->` and `->>` came with 3.38."""
    assert OLDEST_SQLITE < (3, 38)
    assert not any("->" in migration.sql for migration in OURS)
    assert "->" not in rows.VARIATIONS
