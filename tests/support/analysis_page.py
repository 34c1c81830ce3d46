"""docs/analysis.md: its questions, the sample they are asked of, and what is made of the page.

`python -m tests.support.analysis_page` writes the results into the page and makes the notebook of it. With the name
of a database, that becomes the sample first.
"""

from __future__ import annotations

import ast
import gzip
import re
import sqlite3
import sys
import tempfile
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any, Final, NamedTuple

import polars as pl

from server.db.migrate import prepare
from server.report.export import parquet
from server.report.sql.result_table import lines

ROOT: Final = Path(__file__).parents[2]
PAGE: Final = ROOT / "docs" / "analysis.md"
NOTEBOOK: Final = ROOT / "server" / "report" / "analysis_notebook.py"
SAMPLE: Final = ROOT / "tests" / "data" / "night.sql.gz"
"""Rows alone, as INSERT statements that name their columns: the schema may grow."""
SHOWN_ROWS: Final = 6

_TABLES: Final = (
    "players", "bot_versions", "ladder_lists", "games", "moves", "ladder_standings", "faults", "ladder_samples",
    "reviews", "review_moves",
)  # fmt: skip
_QUESTION: Final = re.compile(
    r"### (\d+)\. (.*?)\n\n```sql\n(.*?)```\n\n```python\n(.*?)```\n\n```text\n(.*?)```\n\n(.*?)(?=\n\n##|\s*\Z)",
    re.DOTALL,
)


class Question(NamedTuple):
    number: int
    title: str
    sql: str
    polars: str
    result: str
    reading: str
    """How to read the result."""


Tables = Mapping[str, pl.DataFrame]
"""games, moves and standings, as an export has them."""


def questions(page: str) -> list[Question]:
    return [Question(int(number), *rest) for number, *rest in _QUESTION.findall(page)]


def sample(folder: Path) -> Path:
    """The sample's database, in a folder."""
    path = folder / "night.db"
    prepare(path)
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(f"BEGIN; {gzip.decompress(SAMPLE.read_bytes()).decode()} COMMIT;")
    return path


def make_sample(path: Path) -> None:
    """Of a database's games, without the name of its computer and without rooms."""
    statements = []
    with closing(sqlite3.connect(path)) as connection:
        for table in _TABLES:
            columns = [column for _, column, *_ in connection.execute(f"PRAGMA table_info({table})")]
            values = " || ', ' || ".join(
                "quote('sample')" if name == "machine" else f"quote({name})" for name in columns
            )
            row = f"'INSERT INTO {table} ({', '.join(columns)}) VALUES (' || {values} || ');'"
            statements += [text for (text,) in connection.execute(f"SELECT {row} FROM {table}")]
    SAMPLE.write_bytes(gzip.compress("\n".join(statements).encode(), mtime=0))


def tables(path: Path, folder: Path) -> Tables:
    parquet.write(path, folder, None, None)
    return {name: pl.read_parquet(folder / f"{name}.parquet") for name in parquet.SCHEMAS}


def by_sql(path: Path, sql: str) -> tuple[list[str], list[tuple[Any, ...]]]:
    with closing(sqlite3.connect(path)) as connection:
        cursor = connection.execute(sql)
        return [name for name, *_ in cursor.description], cursor.fetchall()


def by_polars(known: Tables, snippet: str) -> pl.DataFrame:
    """What the snippet's last expression is worth."""
    *before, last = ast.parse(snippet).body
    assert isinstance(last, ast.Expr)
    names: dict[str, Any] = {"pl": pl, **known}
    exec(compile(ast.Module(before, []), "before", "exec"), names)
    frame = eval(compile(ast.Expression(last.value), "last", "eval"), names)
    assert isinstance(frame, pl.DataFrame)
    return frame


def updated_page(page: str, path: Path) -> str:
    def answered(match: re.Match[str]) -> str:
        columns, rows = by_sql(path, match[3])
        text = "\n".join(lines(columns, rows[:SHOWN_ROWS], None)) + "\n"
        more = len(rows) - SHOWN_ROWS
        text += f"... {more:,} more rows\n" if more > 0 else ""
        begin, end = match.start(5) - match.start(), match.end(5) - match.start()
        return match[0][:begin] + text + match[0][end:]

    return _QUESTION.sub(answered, page)


def notebook(page: str) -> str:
    """The notebook of a page: a cell of text and a cell of polars for each question, charts after some."""
    cells = []
    for question in questions(page):
        about = f"## {question.number}. {question.title}\n\n{question.reading}"
        cells.append(_cell(f'mo.md(r"""\n{about}\n""")\n'))
        cells.append(_cell(_shown(question.polars)))
        if question.number in CHARTS:
            cells.append(_cell(CHARTS[question.number]))
    return HEAD + "".join(cells) + TAIL


def _shown(snippet: str) -> str:
    """With its last expression, the answer, in digits that one can read."""
    last = ast.parse(snippet).body[-1]
    *before, answer = snippet.rstrip("\n").split("\n", last.lineno - 1)
    indented = answer.replace("\n", "\n    ")
    return "\n".join([*before, f"shown(\n    {indented}\n)\n"])


def _cell(body: str) -> str:
    """`body` as marimo writes it: what it needs of other cells are arguments, what it gives them is returned."""
    nodes = [node for node in ast.walk(ast.parse(body)) if isinstance(node, ast.Name) and not node.id.startswith("_")]
    given = sorted({node.id for node in nodes if isinstance(node.ctx, ast.Store)})
    needed = sorted({node.id for node in nodes} & _OF_OTHER_CELLS - {*given})
    answer = f" {', '.join(given)}," if len(given) == 1 else f" {', '.join(given)}" if given else ""
    indented = "".join(f"    {line}" if line.strip() else line for line in body.splitlines(keepends=True))
    cell = "app.cell(hide_code=True)" if body.startswith("mo.md(") else "app.cell"
    return f"\n\n@{cell}\ndef _({', '.join(needed)}):\n{indented}    return{answer}\n"


_OF_OTHER_CELLS: Final = frozenset({"games", "mo", "move_times", "moves", "pl", "plt", "shown", "standings"})
HEAD: Final = '''\
"""Twenty questions to the records of a ladder, as a notebook: docs/analysis.md, of which it is made.

`noughts notebook` opens it. It also runs as a script, on the tables in a folder of `noughts export --parquet`:

    python analysis_notebook.py --tables FOLDER
"""

import marimo

__generated_with = "0.25.2"
app = marimo.App(width="medium")


@app.cell
def _():
    import sys
    from pathlib import Path

    import marimo as mo
    import matplotlib.pyplot as plt
    import polars as pl

    return Path, mo, pl, plt, sys


@app.cell
def _(Path, mo, pl, sys):
    folder = Path(mo.cli_args().get("tables") or mo.notebook_dir())
    if not (folder / "standings.parquet").exists():
        sys.exit(f"There are no tables in {folder}: noughts export --parquet {str(folder)!r} writes them.")
    games = pl.read_parquet(folder / "games.parquet")
    moves = pl.read_parquet(folder / "moves.parquet")
    standings = pl.read_parquet(folder / "standings.parquet")
    return games, moves, standings


@app.cell(hide_code=True)
def _(pl):
    def shown(frame):
        """Four digits, or all before the point: who needs more leaves this out."""
        value = pl.selectors.float()
        return frame.with_columns(pl.when(value.abs() < 1000).then(value.round_sig_figs(4)).otherwise(value.round()))

    return shown,


@app.cell(hide_code=True)
def _(games, mo, moves):
    mo.md(f"""
    # Questions to the records

    {games.height:,} games with {moves.height:,} moves. Change any cell, and what depends on it follows.

    Bots and people are grouped by name. Where several have one, as two versions of a bot, group by `player_id` as well,
    in `games` by `x_id` and `o_id`.
    """)
    return
'''
TAIL: Final = '\n\nif __name__ == "__main__":\n    app.run()\n'
CHARTS: Final = {
    2: """\
strength_chart, strength_axes = plt.subplots()
_timed = standings.join(move_times, on=["run_id", "player_id"]).sort("list")
for (_list,), _bots in _timed.group_by("list", maintain_order=True):
    strength_axes.plot(_bots["mean_ms"], _bots["rating"], "o", label=_list)
strength_axes.set(xscale="log", xlabel="mean ms a move", ylabel="Elo in its list")
strength_axes.legend()
strength_axes
""",
    6: """\
time_chart, time_axes = plt.subplots()
_longest = moves.group_by("game").len().sort("len", "game")["game"][-1]
_of_ply = moves.filter(pl.col("kind") == "bot", pl.col("game") == _longest).group_by("player", "ply")
for (_player,), _moves in _of_ply.agg(ms=pl.col("think_us").mean() / 1000).sort("player", "ply").group_by(
    "player", maintain_order=True
):
    time_axes.plot(_moves["ply"], _moves["ms"], label=_player)
time_axes.set(title=_longest, xlabel="ply", ylabel="mean ms a move")
time_axes.legend()
time_axes
""",
}


def main(arguments: list[str]) -> None:
    if arguments:
        make_sample(Path(arguments[0]))
    page = PAGE.read_text("utf-8")
    with tempfile.TemporaryDirectory() as folder:
        page = updated_page(page, sample(Path(folder)))
    PAGE.write_text(page, "utf-8")
    NOTEBOOK.write_text(notebook(page), "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
