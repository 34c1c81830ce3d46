from __future__ import annotations

import csv
import io
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest
from click.testing import CliRunner, Result

from server.db.migrate import migrations, prepare
from server.report.sql import command as sql_command
from server.report.sql.command import sql
from tests.support.database.database_files import new_database
from tests.support.ladder.records import add_list
from tests.support.terminated import terminated

GAMES = "SELECT game, count(*) AS games FROM v_games GROUP BY game ORDER BY game"
ENDLESS = "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT {} FROM t"


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = new_database(tmp_path_factory.mktemp("sql"))
    add_list(path)
    add_list(path, list="big", game="ultimate", pairs=1)
    return path


def run(path: Path, *arguments: str, stdin: str | bytes | None = None) -> Result:
    return CliRunner().invoke(sql, ["--db", str(path), *arguments], input=stdin)


def failed(done: Result) -> tuple[int, str]:
    """The status and the sentence."""
    assert done.stdout == ""
    return done.exit_code, done.stderr.splitlines()[-1].removeprefix("Error: ")


TABLE = "game       games\n---------  -----\ntictactoe     25\nultimate      13\n"


def test_the_query_comes_from_the_argument_a_file_or_stdin(path: Path, tmp_path: Path) -> None:
    file = tmp_path / "query.sql"
    file.write_text(f"\ufeff-- how many?\n{GAMES};\n")
    for done in (run(path, GAMES), run(path, "-f", str(file)), run(path, stdin=GAMES)):
        assert (done.exit_code, done.stdout, done.stderr) == (0, TABLE, "")


def test_ended_by_sigterm_it_leaves_no_unfinished_file(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sql_command, "write_csv", terminated)
    done = run(path, "--format", "csv", "--out", str(tmp_path / "games.csv"), GAMES)
    assert (done.exit_code, done.output.strip()) == (1, "Aborted!")
    assert not [*tmp_path.iterdir()]


def test_formats(path: Path, tmp_path: Path) -> None:
    rows = [{"game": "tictactoe", "games": 25}, {"game": "ultimate", "games": 13}]
    assert json.loads(run(path, "--format", "json", GAMES).stdout) == rows
    found = csv.DictReader(io.StringIO(run(path, "--format", "csv", GAMES).stdout))
    assert [{**row, "games": int(row["games"])} for row in found] == rows
    out = tmp_path / "games.parquet"
    done = run(path, "--format", "parquet", "--out", str(out), GAMES)
    assert (done.exit_code, done.output) == (0, "")
    assert pl.read_parquet(out).to_dicts() == rows


@pytest.mark.parametrize("form", ["table", "csv", "json"])
def test_out(path: Path, tmp_path: Path, form: str) -> None:
    out = tmp_path / "out"
    assert run(path, "--format", form, "--out", str(out), GAMES).output == ""
    assert out.read_text() == run(path, "--format", form, GAMES).stdout


def test_several_queries_are_several_tables(path: Path) -> None:
    assert run(path, f"{GAMES}; -- and\n{GAMES}").stdout == f"{TABLE}\n{TABLE}"
    sentence = "--format csv takes one query; these are 2."
    assert failed(run(path, "--format", "csv", "SELECT 1; SELECT 2")) == (2, sentence)


def test_a_long_table_is_cut(path: Path) -> None:
    done = run(path, "SELECT cell FROM v_moves LIMIT 120")
    assert len(done.stdout.splitlines()) == 52
    assert done.stderr == "50 of 120 rows; --all shows the rest.\n"
    done = run(path, "--all", "SELECT cell FROM v_moves LIMIT 120")
    assert (len(done.stdout.splitlines()), done.stderr) == (122, "")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((), "There is no query: give one as an argument, with --file or on stdin."),
        (("/* nothing */",), "There is no query: give one as an argument, with --file or on stdin."),
        (("SELECT 1", "-f", "x.sql"), "Give the query as an argument or with --file, not both."),
        (("DELETE FROM games",), "Only queries are answered: this statement could change something."),
        (("SELECT * FROM movse",), "The query is wrong: no such table: movse."),
        (("--format", "csv", "SELECT * FROM movse"), "The query is wrong: no such table: movse."),
        (("--format", "parquet", "SELECT 1"), "--format parquet needs a file: name it with --out."),
    ],
)
def test_misuse(path: Path, arguments: tuple[str, ...], sentence: str) -> None:
    assert failed(run(path, *arguments, stdin="")) == (2, sentence)


def test_files_that_cannot_be_read(path: Path, tmp_path: Path) -> None:
    missing = tmp_path / "missing.sql"
    assert failed(run(path, "-f", str(missing))) == (2, f"{missing} cannot be read: No such file or directory.")
    assert failed(run(path, stdin=b"SELECT '\xff'")) == (2, "stdin is not text in UTF-8.")


def test_a_query_that_never_ends(path: Path) -> None:
    done = run(path, "--timeout", "0.02", ENDLESS.format("max(n)"))
    assert failed(done) == (1, "The query took more than 0.02 s and was stopped.")


def test_a_query_that_never_ends_leaves_the_old_file(path: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    out.write_text("old")
    done = run(path, "--timeout", "0.02", "--format", "csv", "--out", str(out), ENDLESS.format("n"))
    assert done.exit_code == 1
    assert (out.read_text(), [*tmp_path.iterdir()]) == ("old", [out])


def test_a_database_of_an_older_version(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    prepare(path, known=migrations()[:2])
    sentence = f"{path} has schema version 2: `noughts db migrate` brings it up to date."
    assert failed(run(path, "SELECT 1")) == (1, sentence)


def test_no_database(tmp_path: Path) -> None:
    status, sentence = failed(run(tmp_path / "no.db", "SELECT 1"))
    assert (status, sentence.startswith("There is no database")) == (1, True)
    assert not [*tmp_path.iterdir()]


def test_without_polars_it_says_what_to_install(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.report.find_spec", lambda name: None)
    status, sentence = failed(run(path, "--format", "parquet", "--out", str(tmp_path / "x"), "SELECT 1"))
    assert (status, sentence.startswith("Tables in Parquet need polars: in a checkout")) == (1, True)


def test_the_prompt_takes_no_format(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sql_command, "_at_terminal", lambda: True)
    assert failed(run(path, "--format", "csv"))[0] == 2
    done = run(path, stdin=f"{GAMES};\nSELECT * FROM movse;\n")
    assert done.exit_code == 0
    assert TABLE in done.stdout
    assert done.stderr == "The query is wrong: no such table: movse.\n"


# As processes


def started(path: Path, *arguments: str, stdout: int) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "client.cli", "sql", "--db", str(path), *arguments]
    return subprocess.Popen(command, stdout=stdout, stderr=subprocess.PIPE, text=True)


def test_ctrl_c_ends_a_query_at_once(path: Path) -> None:
    """The first table is there, so the second query runs or is about to."""
    query = f"SELECT 'first'; {ENDLESS.format('max(n)')}"
    with started(path, query, stdout=subprocess.PIPE) as process:
        try:
            assert process.stdout is not None
            while "first\n" not in (line := process.stdout.readline()):
                assert line
            process.send_signal(signal.SIGINT)
            _, err = process.communicate(timeout=60)
        finally:
            process.kill()
    assert (process.returncode, err.strip()) == (130, "")


@pytest.mark.parametrize("form", ["table", "csv", "json"])
def test_a_reader_that_goes_is_no_error(path: Path, form: str) -> None:
    reading, writing = os.pipe()
    with started(path, "--all", "--format", form, ENDLESS.format("n"), stdout=writing) as process:
        os.close(writing)
        try:
            assert os.read(reading, 1)
            os.close(reading)
            _, err = process.communicate(timeout=60)
        finally:
            process.kill()
    assert (process.returncode, err) == (1, "")
