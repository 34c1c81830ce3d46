from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from server.db.connect import DatabaseError
from server.db.read_only import Queries, WrongQuery, queries
from server.report.sql import prompt as sql_prompt
from server.report.sql.prompt import converse
from tests.support.database.database_files import new_database


@pytest.fixture
def asked(tmp_path: Path) -> Iterator[Queries]:
    with queries(new_database(tmp_path)) as asked:
        yield asked


@pytest.fixture
def typed(asked: Queries, monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[str]]:
    """What is run of lines that somebody types, or interrupts; `prompts` has what the last lines were asked by."""

    def typed(*lines: str | BaseException, show: Callable[[str], None] = lambda sql: None) -> list[str]:
        script, shown = iter([*lines, EOFError()]), []

        def read(prompt: str) -> str:
            line = next(script)
            if isinstance(line, BaseException):
                raise line
            return line

        def show_it(sql: str) -> None:
            shown.append(sql)
            show(sql)

        monkeypatch.setattr("builtins.input", read)
        monkeypatch.setattr(sql_prompt, "_complete", lambda queries: None)
        converse(asked, show_it)
        return shown

    return typed


def test_a_query_may_take_several_lines(typed: Callable[..., list[str]]) -> None:
    assert typed("", "SELECT 1;", "SELECT ';'", ", 2", "; -- end") == ["SELECT 1;\n", "SELECT ';'\n, 2\n; -- end\n"]


def test_ctrl_c_forgets_what_was_typed(typed: Callable[..., list[str]]) -> None:
    assert typed("SELECT 1", KeyboardInterrupt(), "SELECT 2;") == ["SELECT 2;\n"]


@pytest.mark.parametrize("word", [".quit", ".exit"])
def test_leaving(typed: Callable[..., list[str]], word: str) -> None:
    assert typed(word, "SELECT 1;") == []


@pytest.mark.parametrize("error", [WrongQuery("It is wrong."), DatabaseError("It is wrong.")])
def test_an_error_is_told_and_the_prompt_goes_on(
    typed: Callable[..., list[str]], capsys: pytest.CaptureFixture[str], error: Exception
) -> None:
    def show(sql: str) -> None:
        raise error

    assert len(typed("SELECT 1;", "SELECT 2;", show=show)) == 2
    assert capsys.readouterr().err == "It is wrong.\nIt is wrong.\n"


def test_a_query_that_is_interrupted_leaves_the_prompt(typed: Callable[..., list[str]]) -> None:
    def show(sql: str) -> None:
        raise KeyboardInterrupt

    assert len(typed("SELECT 1;", "SELECT 2;", show=show)) == 2


def test_tables_and_columns(typed: Callable[..., list[str]], asked: Queries) -> None:
    [tables, columns, none] = typed(".tables", ".schema v_games;", ".schema it's")

    def rows(sql: str) -> list[object]:
        answer = asked.run(sql)
        assert answer is not None
        return [*answer.rows]

    assert rows(tables)[0] == ("v_games", "view")
    assert ("game_id", "INTEGER") in rows(columns)
    assert rows(none) == []


def test_other_words(typed: Callable[..., list[str]], capsys: pytest.CaptureFixture[str]) -> None:
    assert typed(".help", ".schema", ".read x") == []
    told = capsys.readouterr()
    assert ".schema NAME" in told.out
    assert told.err.splitlines() == [
        ".schema is not understood: .help lists the commands.",
        ".read is not understood: .help lists the commands.",
    ]


def test_names_are_completed(asked: Queries) -> None:
    readline = pytest.importorskip("readline")
    before = readline.get_completer()
    try:
        sql_prompt._complete(asked)
        complete = readline.get_completer()
        assert [complete("v_", number) for number in range(4)] == ["v_games", "v_moves", "v_standings", None]
        assert complete("opening_i", 0) == "opening_id"
    finally:
        readline.set_completer(before)
