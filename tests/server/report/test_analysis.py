"""docs/analysis.md: twenty questions, answered alike by SQL and by polars, and the notebook that is made of them."""

from __future__ import annotations

import math
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from server.report.sql.command import sql
from tests.support.analysis_page import (
    NOTEBOOK,
    PAGE,
    Tables,
    by_polars,
    by_sql,
    notebook,
    questions,
    sample,
    tables,
    updated_page,
)
from tests.support.report.records import many_records

QUESTIONS = questions(PAGE.read_text("utf-8"))
MADE_BY = "run: python -m tests.support.analysis_page"


@pytest.fixture(scope="module")
def night(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return sample(tmp_path_factory.mktemp("night"))


@pytest.fixture(scope="module")
def night_tables(night: Path) -> Tables:
    return tables(night, night.parent / "tables")


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """With people, faults and games that run, and with some moves reviewed, by no chess player's judgement."""
    path = many_records(tmp_path_factory.mktemp("many"))
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(
            "INSERT INTO reviews (game_id, version, begun_ms) SELECT id, 1, 1 FROM games WHERE id % 3 = 0"
        )
        connection.execute(
            "INSERT INTO review_moves (game_id, ply, verdict, exact, value, at_most, best, could, nodes) "
            "SELECT game_id, ply, CASE ply % 3 WHEN 0 THEN 'lost' ELSE 'drawn' END, ply % 5 < 4, 0, 0, '[99]', "
            "'drawn', 1 FROM moves WHERE game_id % 3 = 0 AND ply < 12"
        )
        connection.execute("UPDATE moves SET win_in = 3 WHERE (game_id + ply) % 4 = 0")
        connection.execute("UPDATE moves SET value = -value WHERE ply % 3 = 0")
    return path


@pytest.fixture(scope="module")
def many_tables(many: Path) -> Tables:
    return tables(many, many.parent / "tables")


def assert_same(path: Path, known: Tables, number: int) -> int:
    """How many rows both ways answer a question with."""
    question = QUESTIONS[number - 1]
    columns, rows = by_sql(path, question.sql)
    frame = by_polars(known, question.polars)
    assert frame.columns == columns
    assert len(rows) == frame.height
    for ours, theirs in zip(rows, frame.rows(), strict=True):
        assert all(map(alike, ours, theirs)), (ours, theirs)
    return len(rows)


def alike(one: Any, other: Any) -> bool:
    numbers = isinstance(one, (int, float)) and isinstance(other, (int, float))
    return math.isclose(one, other, rel_tol=1e-9) if numbers else one == other


def test_there_are_twenty() -> None:
    assert [question.number for question in QUESTIONS] == [*range(1, 21)]
    assert len({question.title for question in QUESTIONS}) == 20


@pytest.mark.parametrize("number", range(1, 21))
def test_sql_and_polars_agree_on_the_sample(night: Path, night_tables: Tables, number: int) -> None:
    assert assert_same(night, night_tables, number) > 0 or number == 18, "nobody forfeits in the sample"


@pytest.mark.parametrize("number", range(1, 21))
def test_sql_and_polars_agree_on_records_of_all_kinds(many: Path, many_tables: Tables, number: int) -> None:
    assert assert_same(many, many_tables, number) > 0


def test_the_command_answers_every_question(night: Path, tmp_path: Path) -> None:
    file = tmp_path / "all.sql"
    file.write_text("\n".join(question.sql for question in QUESTIONS))
    done = CliRunner().invoke(sql, ["--db", str(night), "--file", str(file)])
    assert done.exit_code == 0, done.output
    assert done.stdout.count("\n\n") == 19


def test_the_results_are_those_of_the_sample(night: Path) -> None:
    page = PAGE.read_text("utf-8")
    assert page == updated_page(page, night), MADE_BY


def test_the_notebook_is_made_of_the_page() -> None:
    assert NOTEBOOK.read_text("utf-8") == notebook(PAGE.read_text("utf-8")), MADE_BY


# The notebook as a script


def test_nothing_beside_the_notebook_hides_the_standard_library() -> None:
    """It is run as a script, so Python looks for modules in its folder first."""
    assert not {path.stem for path in NOTEBOOK.parent.iterdir()} & sys.stdlib_module_names


@pytest.mark.slow
def test_the_notebook_runs_from_end_to_end(night_tables: Tables, night: Path, tmp_path: Path) -> None:
    done = run("-W", "error", NOTEBOOK, "--tables", night.parent / "tables", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.slow
def test_the_notebook_without_tables_says_how_to_make_them(tmp_path: Path) -> None:
    done = run(NOTEBOOK, "--tables", "no tables", cwd=tmp_path)
    assert done.returncode == 1
    assert done.stderr == "There are no tables in no tables: noughts export --parquet 'no tables' writes them.\n"


@pytest.mark.slow
def test_marimo_finds_nothing_to_mend() -> None:
    """What it would change when somebody saves it."""
    done = run("-m", "marimo", "check", "--strict", NOTEBOOK, cwd=NOTEBOOK.parent)
    assert (done.returncode, done.stderr) == (0, "")


def run(*arguments: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, *map(str, arguments)]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=200)
