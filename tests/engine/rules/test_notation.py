import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.rules import notation
from engine.rules.position import MalformedMove


@pytest.mark.parametrize(("text", "cell"), [("a1", 0), ("c1", 2), ("a2", 3), ("c3", 8)])
def test_flat_cells_count_along_the_rank_first(text: str, cell: int) -> None:
    assert notation.parse_flat(text, 3, 3) == cell
    assert notation.format_flat(cell, 3, 3) == text


def test_files_reach_s_with_i_among_them() -> None:
    assert notation.parse_flat("i1", 19, 19) == 8
    assert notation.parse_flat("s19", 19, 19) == 360
    assert notation.parse_flat("t20", 20, 20) == 399


@pytest.mark.parametrize(("text", "cell"), [("a1.1", 0), ("d1.1", 3), ("a2.1", 4), ("a1.2", 16), ("d4.4", 63)])
def test_cubes_add_the_level(text: str, cell: int) -> None:
    assert notation.parse_cube(text, 4) == cell
    assert notation.format_cube(cell, 4) == text


@pytest.mark.parametrize(("text", "cell"), [("1/1", 0), ("1/9", 8), ("5/3", 38), ("9/9", 80)])
def test_nested_cells_are_board_and_square(text: str, cell: int) -> None:
    assert notation.parse_nested(text) == cell
    assert notation.format_nested(cell) == text


@pytest.mark.parametrize(
    "text",
    ["", "a", "1", "A1", "a0", "a01", " a1", "a1 ", "a1\n", "a-1", "a+1", "a4", "d1", "a1.1", "a\u0661", "\u0430" "1",
     "a\u00b9", "aa1", "a100", "1a", "\ud800", "1/1"],
)  # fmt: skip
def test_flat_refuses_what_names_no_cell(text: str) -> None:
    with pytest.raises(MalformedMove):
        notation.parse_flat(text, 3, 3)


@pytest.mark.parametrize(
    "text", ["a1", "a1.", "a1.0", "a1.5", "a5.1", "e1.1", "a1.01", "a1,1", "a1.1\n", "A1.1", "a1.\u0661"]
)
def test_cubes_refuse_what_names_no_cell(text: str) -> None:
    with pytest.raises(MalformedMove):
        notation.parse_cube(text, 4)


@pytest.mark.parametrize(
    "text", ["", "5", "5/", "/3", "0/3", "3/0", "10/1", "5/03", "5 /3", "5/3\n", "\u0665/3", "5.3", "-5/3"]
)
def test_nested_refuses_what_names_no_cell(text: str) -> None:
    with pytest.raises(MalformedMove):
        notation.parse_nested(text)


@pytest.mark.parametrize("cell", [-1, 9, 1 << 70])
def test_no_text_for_a_cell_off_the_board(cell: int) -> None:
    with pytest.raises(MalformedMove):
        notation.format_flat(cell, 3, 3)


def test_the_sentence_says_what_would_be_right() -> None:
    with pytest.raises(MalformedMove, match="file a-o and a rank 1-12, as in a1"):
        notation.parse_flat("z9", 15, 12)


@given(st.text())
def test_shown_text_is_short_and_printable(text: str) -> None:
    shown = notation.shown(text)
    assert shown.isprintable()
    assert len(shown) < 24 * 10 + 3


def test_a_long_text_is_cropped_to_24_characters() -> None:
    assert notation.shown("a" * 24) == repr("a" * 24)
    assert notation.shown("a" * 25) == repr("a" * 21 + "...")


def test_the_last_file_rank_and_level_are_named() -> None:
    with pytest.raises(MalformedMove, match=r"a file a-e and a rank 1-7, as in a1\.$"):
        notation.parse_flat("z", 5, 7)
    with pytest.raises(MalformedMove, match=r"a file a-d, a rank 1-4, a dot and a level 1-4, as in a1\.1\.$"):
        notation.parse_cube("z", 4)
    with pytest.raises(MalformedMove, match="its cells are 0 to 63"):
        notation.format_cube(64, 4)
    with pytest.raises(MalformedMove, match="its cells are 0 to 80"):
        notation.format_nested(81)
