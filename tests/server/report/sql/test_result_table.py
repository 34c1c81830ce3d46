from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from server.report.sql.result_table import GAP, NARROWEST, lines


def test_numbers_are_aligned_and_null_is_shown() -> None:
    assert lines(["game", "n", "share"], [("qubic", 12, 0.5), ("nim", None, 0.25), (None, 3, None)], None) == [
        "game      n  share",
        "-----  ----  -----",
        "qubic    12   0.50",
        "nim    NULL   0.25",
        "NULL      3   NULL",
    ]


def test_floats_share_their_decimals() -> None:
    def column(*values: object) -> list[str]:
        return [line.strip() for line in lines(["a"], [(value,) for value in values], None)[2:]]

    assert column(1.0, 2.0) == ["1.0", "2.0"]
    assert column(1 / 3, 0.5, 7) == ["0.3333", "0.5000", "7"]
    assert column(1e-9, 2e20, float("inf"), 0.0) == ["1e-09", "2e+20", "inf", "0.0"]
    assert column(1234.56789, 0.25) == ["1234.568", "0.250"]
    assert column(123456789.25, -0.5) == ["123456789.2", "-0.5"]


def test_what_would_move_the_cursor_is_written_out() -> None:
    (_, _, line) = lines(["a\nb"], [("x\x1b[31m\ty\n\x9b",)], None)
    assert line == r"x\x1b[31m\ty\n\x9b"
    assert lines(["a\nb"], [], None)[0] == r"a\nb"


def test_bytes_are_hexadecimal() -> None:
    assert lines(["a"], [(b"\0\xff",)], None)[2] == "00ff"


def test_long_texts_are_cut_numbers_never() -> None:
    rows = [(123456789012, "a" * 100, "short")]
    assert lines(["n", "text", "more"], rows, 40)[2] == f"123456789012  {'a' * 18}…  short"
    assert lines(["n", "text", "more"], rows, None)[2] == f"123456789012  {'a' * 100}  short"


def test_where_nothing_fits_each_column_takes_a_line() -> None:
    rows = [(1, "x" * 30, None), (22, "y", 3)]
    blocks = ["n       1", "text    " + "x" * 30, "number  NULL", "", "n       22", "text    y", "number  3"]
    assert lines(["n", "text", "number"], rows, 12) == blocks
    assert lines(["n", "text", "number"], rows, 12, goes_on=True) == ["", *blocks]


def test_a_table_that_goes_on_has_no_header() -> None:
    whole = lines(["n"], [(1,), (2,)], None)
    assert lines(["n"], [(1,), (2,)], None, goes_on=True) == whole[2:]


CELLS = st.one_of(st.none(), st.integers(-(10**6), 10**6), st.text(max_size=60), st.floats(-1e6, 1e6))


@given(st.lists(st.tuples(CELLS, CELLS, CELLS), max_size=5), st.integers(3 * NARROWEST + 60, 120))
def test_no_line_is_wider_than_the_terminal(rows: list[tuple[object, ...]], width: int) -> None:
    table = lines(["first", "second", "third"], rows, width)
    assert all(cell_len(line) <= width for line in table)
    assert len(table) == len(rows) + 2
    assert GAP in table[1]


@pytest.mark.parametrize("text", ["あ" * 50, "é" * 50])
def test_wide_characters_count_twice(text: str) -> None:
    table = lines(["a", "b"], [(text, 1)], 30)
    assert {cell_len(line) for line in table} == {30}
