"""Golden pictures of every kind of board, and what holds for all of them."""

from __future__ import annotations

from textwrap import dedent

from hypothesis import given
from hypothesis import strategies as st

from client.sdk.text import width
from client.terminal.drawing.boards import Look, Marked, Picture, draw
from engine.rules.position import Position
from engine.rules.registry import games, rules

USUAL = Look()


def picture(game: str, moves: str, look: Look = USUAL, cursor: str | None = None) -> Picture:
    position = rules(game).initial
    last = None
    for move in moves.split():
        last = position.rules.parse_move(move)
        position = position.play(last)
    at = None if cursor is None else position.rules.parse_move(cursor)
    return draw(position, look, Marked(last=last, line=frozenset(position.line), cursor=at))


def shows(drawn: Picture, expected: str) -> None:
    """The same but for the margin, which the test's own indentation hides."""
    assert dedent(str(drawn)) == dedent(expected).strip("\n")


def test_tictactoe() -> None:
    shows(
        picture("tictactoe", "b2 a1"),
        """
           ┌───┬───┬───┐
         3 │   │   │   │
           ├───┼───┼───┤
         2 │   │ X │   │
           ├───┼───┼───┤
         1 │(O)│   │   │
           └───┴───┴───┘
             a   b   c
        """,
    )


def test_a_winning_line_in_ascii() -> None:
    shows(
        picture("tictactoe", "a1 a2 b1 b2 c1", Look(ascii=True)),
        """
           +---+---+---+
         3 |   |   |   |
           +---+---+---+
         2 | O | O |   |
           +---+---+---+
         1 |[X]|[X]|[X]|
           +---+---+---+
             a   b   c
        """,
    )


def test_wide_marks() -> None:
    shows(
        picture("tictactoe", "b2 a1", Look(marks=("猫", "oo"))),
        """
           ┌────┬────┬────┐
         3 │    │    │    │
           ├────┼────┼────┤
         2 │    │ 猫 │    │
           ├────┼────┼────┤
         1 │(oo)│    │    │
           └────┴────┴────┘
              a    b    c
        """,
    )


def test_large_boards_have_no_grid() -> None:
    lines = str(picture("gomoku", "h8 i9")).split("\n")
    assert lines[0] == "15" + "  ·" * 15
    assert lines[6] == " 9" + "  ·" * 8 + " (O)" + " ·" + "  ·" * 5
    assert lines[-1] == "    a  b  c  d  e  f  g  h  i  j  k  l  m  n  o"


def test_large_boards_in_narrow_terminals() -> None:
    lines = str(picture("gomoku", "h8 i9", Look(width=40))).split("\n")
    assert lines[6] == " 9  · · · · · · · ·>O · · · · · ·"
    assert lines[7] == " 8  · · · · · · · X · · · · · · ·"
    assert lines[-1] == "    a b c d e f g h i j k l m n o"


def test_qubic_beside() -> None:
    shows(
        picture("qubic", "a1.1 d4.4", cursor="b2.2"),
        """
            level 1          level 2          level 3          level 4
        4  ·  ·  ·  ·    4  ·  ·  ·  ·    4  ·  ·  ·  ·    4  ·  ·  · (O)
        3  ·  ·  ·  ·    3  ·  ·  ·  ·    3  ·  ·  ·  ·    3  ·  ·  ·  ·
        2  ·  ·  ·  ·    2  · >·< ·  ·    2  ·  ·  ·  ·    2  ·  ·  ·  ·
        1  X  ·  ·  ·    1  ·  ·  ·  ·    1  ·  ·  ·  ·    1  ·  ·  ·  ·
           a  b  c  d       a  b  c  d       a  b  c  d       a  b  c  d
        """,
    )


def test_levels_in_other_words() -> None:
    roomy = str(picture("qubic", "", Look(level="Ebene {level}")))
    assert " ".join(roomy.split("\n")[0].split()) == "Ebene 1 Ebene 2 Ebene 3 Ebene 4"
    narrow = str(picture("qubic", "", Look(level="a long word {level}", width=30)))
    assert narrow.split("\n")[0].split() == [".1", ".2"]


def test_qubic_narrow() -> None:
    shows(
        picture("qubic", "a1.1 d4.4", Look(width=30, ascii=True)),
        """
          level 1      level 2
        4  . . . .   4  . . . .
        3  . . . .   3  . . . .
        2  . . . .   2  . . . .
        1  X . . .   1  . . . .
           a b c d      a b c d

          level 3      level 4
        4  . . . .   4  . . .>O
        3  . . . .   3  . . . .
        2  . . . .   2  . . . .
        1  . . . .   1  . . . .
           a b c d      a b c d
        """,
    )


def test_nine_boards_show_where_to_play() -> None:
    shows(
        picture("ultimate", "5/9"),
        """
        ┌─ 1 ──────┬─ 2 ──────┬─ 3 ──────┐
        │ ·  ·  ·  │ ·  ·  ·  │ ·  ·  ·  │
        │ ·  ·  ·  │ ·  ·  ·  │ ·  ·  ·  │
        │ ·  ·  ·  │ ·  ·  ·  │ ·  ·  ·  │
        ├─ 4 ──────┼─ 5 ──────┼─ 6 ──────┤
        │ ·  ·  ·  │ ·  ·  ·  │ ·  ·  ·  │
        │ ·  ·  ·  │ ·  ·  ·  │ ·  ·  ·  │
        │ ·  ·  ·  │ ·  · (X) │ ·  ·  ·  │
        ├─ 7 ──────┼─ 8 ──────┼─>9<──────┤
        │ ·  ·  ·  │ ·  ·  ·  │ 1  2  3  │
        │ ·  ·  ·  │ ·  ·  ·  │ 4  5  6  │
        │ ·  ·  ·  │ ·  ·  ·  │ 7  8  9  │
        └──────────┴──────────┴──────────┘
        """,
    )


WON_BOARD = "1/1 1/5 5/1 1/6 6/1 1/4 4/2"  # O wins board 1


def test_won_boards_carry_their_mark() -> None:
    lines = str(picture("ultimate", WON_BOARD)).split("\n")
    assert lines[0] == "┌─ 1=O ────┬─>2<──────┬─ 3 ──────┐"
    assert lines[2] == "│ O  O  O  │ 4  5  6  │ ·  ·  ·  │"


def test_a_free_choice_shows_every_open_board() -> None:
    closed = str(picture("ultimate", WON_BOARD + " 2/1")).split("\n")
    assert closed[0] == "┌─ 1=O ────┬─ 2 ──────┬─ 3 ──────┐"
    assert closed[1] == "│ X  ·  ·  │(O) 2  3  │ 1  2  3  │"


def test_super_plays_on_in_a_won_board() -> None:
    open_still = str(picture("super", WON_BOARD + " 2/1")).split("\n")
    assert open_still[0] == "┌─>1=O<────┬─ 2 ──────┬─ 3 ──────┐"
    assert open_still[1] == "│ X  2  3  │(O) ·  ·  │ ·  ·  ·  │"


def test_narrow_nine_boards() -> None:
    lines = str(picture("nine-board", "1/9", Look(width=30))).split("\n")
    assert lines[0] == "┌─ 1 ───┬─ 2 ───┬─ 3 ───┐"
    assert lines[3] == "│  · ·>X│  · · ·│  · · ·│"
    assert lines[9] == "│  · · ·│  · · ·│  1 2 3│"


def test_marks_are_drawn_where_there_is_height() -> None:
    shows(
        picture("tictactoe", "b2 a1", Look(width=40, height=14), cursor="c1"),
        """
           ┌───────┬───────┬───────┐
           │       │       │       │
         3 │       │       │       │
           │       │       │       │
           ├───────┼───────┼───────┤
           │       │ ▀▄ ▄▀ │       │
         2 │       │  ▄▀▄  │       │
           │       │ ▀   ▀ │       │
           ├───────┼───────┼───────┤
           │(▄▀▀▀▄)│       │>     <│
         1 │(█   █)│       │>     <│
           │( ▀▀▀ )│       │>     <│
           └───────┴───────┴───────┘
               a       b       c
        """,
    )


def test_drawn_marks_of_letters() -> None:
    drawn = picture("tictactoe", "b2 a1", Look(("@", "##"), ascii=True, width=40, height=14))
    lines = [line[3:].strip() for line in str(drawn).split("\n")]
    assert lines[5:8] == ["|       | @   @ |       |", "|       |   @   |       |", "|       | @   @ |       |"]
    assert lines[9:12] == ["|(     )|       |       |", "|( ##  )|       |       |", "|(     )|       |       |"]


def test_a_board_as_low_as_it_can_be() -> None:
    assert len(picture("tictactoe", "", Look(height=1)).lines) == 4
    assert len(picture("qubic", "", Look(height=5)).lines) == 6


GAMES = [game.id for game in games()]


@st.composite
def positions(draw_from: st.DrawFn) -> Position:
    position = rules(draw_from(st.sampled_from(GAMES))).initial
    for _ in range(draw_from(st.integers(0, 30))):
        moves = position.legal_moves()
        if not moves:
            break
        position = position.play(draw_from(st.sampled_from(moves)))
    return position


@given(
    positions(),
    st.integers(20, 220),
    st.none() | st.integers(1, 70),
    st.sampled_from([("X", "O"), ("猫", "o"), ("ab", "cd")]),
    st.booleans(),
)
def test_every_cell_is_where_the_picture_says(
    position: Position, columns: int, lines: int | None, marks: tuple[str, str], ascii_only: bool
) -> None:
    drawn = draw(position, Look(marks, ascii_only, columns, lines))
    assert sorted(drawn.cells) == list(range(position.rules.cells))
    for cell, (line, first, wide) in drawn.cells.items():
        last = line + drawn.cell_lines - 1
        assert drawn.cell_at(line, first) == drawn.cell_at(last, first + wide - 1) == cell
        owner = position.mark(cell)
        if owner is not None and drawn.cell_lines == 1:
            assert marks[owner == "o"] in _columns(drawn, line, first, wide)
    if ascii_only and marks[0].isascii():
        assert str(drawn).isascii()
    assert len({sum(width(piece) for piece, _ in line) for line in drawn.lines if line}) <= 3


def _columns(drawn: Picture, line: int, first: int, wide: int) -> str:
    text, at = "", 0
    for character in "".join(piece for piece, _ in drawn.lines[line]):
        if first <= at < first + wide:
            text += character
        at += width(character)
    return text


@given(positions(), st.integers(20, 220), st.integers(5, 70))
def test_the_roomiest_style_that_fits_is_taken(position: Position, columns: int, lines: int) -> None:
    drawn = draw(position, Look(width=columns, height=lines))
    fitting = drawn.width <= columns and len(drawn.lines) <= lines
    assert fitting or drawn.cell_lines == 1
    larger = draw(position, Look(width=columns + 40, height=lines + 40))
    assert larger.cell_lines >= drawn.cell_lines
    assert not fitting or len(larger.lines) >= len(drawn.lines)


@given(positions())
def test_eighty_columns_hold_every_game(position: Position) -> None:
    assert draw(position, Look(width=80)).width <= 80


def test_no_cell_beside_the_board() -> None:
    assert picture("tictactoe", "").cell_at(0, 0) is None
