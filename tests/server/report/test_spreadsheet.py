"""No text of anybody's is a formula in a CSV file of ours."""

from __future__ import annotations

import io
from pathlib import Path

from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from server.db.read_only import Result
from server.play.writes import Statement
from server.report.export.command import export
from server.report.spreadsheet import FORMULA, cells
from server.report.sql.result_formats import write_csv
from tests.support.database.database_files import new_database, opened, people_and_rooms, start_game

TEXTS = ("=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "Ann", "", "a=b", "'=1")
SAFE = ["'=1+1", "'+1", "'-1", "'@SUM(A1)", "'\t=1", "'\r=1", "Ann", "", "a=b", "'=1"]


def test_no_cell_of_ours_is_a_formula() -> None:
    assert [*cells(TEXTS)] == SAFE
    assert cells((-1, 0.5, None, b"=")) == (-1, 0.5, None, b"=")


@given(st.text())
def test_any_text_is_safe_and_all_of_it_is_there(text: str) -> None:
    [cell] = cells([text])
    assert not cell.startswith(FORMULA)
    assert cell in (text, f"'{text}")


def test_answers_to_queries() -> None:
    file = io.StringIO()
    write_csv(Result(["=name", "n"], iter([(text, -1) for text in TEXTS[:4]])), file)
    assert file.getvalue().splitlines() == ["'=name,n", "'=1+1,-1", "'+1,-1", "'-1,-1", "'@SUM(A1),-1"]


async def test_exports(tmp_path: Path) -> None:
    path = new_database(tmp_path)
    async with opened(path) as store:
        await store.write(people_and_rooms())
        await store.write([start_game(1)])
        await store.write([(Statement.RENAME_PLAYER, ("=1+1", 1))])
    done = CliRunner().invoke(export, ["--db", str(path), "--csv", str(path.parent / "tables")])
    assert done.exit_code == 0, done.output
    games = (path.parent / "tables" / "games.csv").read_text()
    assert "'=1+1" in games
    assert ",=1+1" not in games
