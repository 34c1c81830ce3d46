"""Win detection against oracles that share nothing with the rules: line matrices times mark vectors."""

from collections.abc import Callable, Sequence
from itertools import groupby, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.rules.flat import CUBE, MNK, FlatPosition
from engine.rules.position import IllegalMove, O, Outcome, X
from engine.rules.registry import rules
from tests.support.engine.games import played, replay
from tests.support.examples import examples


def _qubic_line_matrix() -> list[list[int]]:
    """76 rows of 64 columns, 1 where the line has the cell: written out by kind of line, not by direction."""
    n = range(4)
    rows = [[(i, a, b) for i in n] for a in n for b in n]
    rows += [[(a, i, b) for i in n] for a in n for b in n]
    rows += [[(a, b, i) for i in n] for a in n for b in n]
    for a in n:
        rows += [[(a, i, i) for i in n], [(a, i, 3 - i) for i in n]]
        rows += [[(i, a, i) for i in n], [(i, a, 3 - i) for i in n]]
        rows += [[(i, i, a) for i in n], [(i, 3 - i, a) for i in n]]
    rows += [[(i, i, i) for i in n], [(i, i, 3 - i) for i in n], [(i, 3 - i, i) for i in n], [(3 - i, i, i) for i in n]]
    return [[int((c % 4, c // 4 % 4, c // 16) in row) for c in range(64)] for row in rows]


QUBIC_MATRIX = _qubic_line_matrix()


def test_the_oracle_has_76_lines() -> None:
    assert len({tuple(row) for row in QUBIC_MATRIX}) == 76


@given(played(st.just("qubic")))
@examples(60)
def test_qubic_wins_are_those_of_the_line_matrix(game: tuple[str, list[int]]) -> None:
    position = replay(*game)
    completed: set[int] = set()
    for side in (X, O):
        marks = [int(position.mark(cell) == side) for cell in range(64)]
        for row in QUBIC_MATRIX:
            if sum(a * b for a, b in zip(row, marks, strict=True)) == 4:
                completed |= {cell for cell in range(64) if row[cell]}
                assert position.outcome == Outcome(side, "line")
    assert set(position.line) == completed
    if not completed:
        assert position.outcome in (None, Outcome(None, "board_full"))


def _naive_winner(marks: Sequence[Sequence[str]], length: int) -> str | None:
    rows, columns = len(marks), len(marks[0])
    for y, x, (dx, dy) in product(range(rows), range(columns), [(1, 0), (0, 1), (1, 1), (1, -1)]):
        run = [
            marks[y + dy * i][x + dx * i] for i in range(length) if 0 <= y + dy * i < rows and 0 <= x + dx * i < columns
        ]
        if len(run) == length and len(set(run)) == 1 and run[0] in ("x", "o"):
            return run[0]
    return None


@given(
    played(st.sampled_from(["tictactoe", "mnk:4,4,4", "mnk:5,5,4", "mnk:7,4,4", "mnk:4,3,4", "mnk:3,5,3", "gomoku"]))
)
def test_flat_wins_are_those_of_a_naive_scan(game: tuple[str, list[int]]) -> None:
    position = replay(*game)
    columns, rows = position.rules.dimensions
    marks = [[position.mark(x + columns * y) or "." for x in range(columns)] for y in range(rows)]
    length = {"tictactoe": 3, "gomoku": 5, "mnk:3,5,3": 3}.get(game[0], 4)
    winner = _naive_winner(marks, length)
    if winner:
        assert position.outcome is not None
        assert (position.outcome.winner, position.outcome.termination) == (winner, "line")
    elif len(game[1]) == columns * rows:
        assert position.outcome == Outcome(None, "board_full")
    else:
        assert position.outcome is None


def _exact_lines(marks: Sequence[Sequence[str]], length: int) -> dict[str, set[int]]:
    """Each side's cells in runs of exactly so many marks, found by walking along every row, column and diagonal."""
    rows, columns = len(marks), len(marks[0])
    places = list(product(range(columns), range(rows)))
    found: dict[str, set[int]] = {"x": set(), "o": set()}
    ways: list[Callable[[int, int], int]] = [lambda x, y: x, lambda x, y: y, lambda x, y: x - y, lambda x, y: x + y]
    for way in ways:
        for same in {way(x, y) for x, y in places}:
            walk = sorted((y, x) for x, y in places if way(x, y) == same)
            for mark, run in groupby(walk, lambda place: marks[place[0]][place[1]]):
                cells = {x + columns * y for y, x in run}
                if mark in found and len(cells) == length:
                    found[mark] |= cells
    return found


@given(played(st.sampled_from(["mnk:4,3,3,exact", "mnk:5,5,3,exact", "mnk:3,6,3,exact", "mnk:6,6,4,exact"])))
@examples(200)
def test_exact_wins_are_those_of_a_walk_along_the_lines(game: tuple[str, list[int]]) -> None:
    position = replay(*game)
    columns, rows = position.rules.dimensions
    marks = [[position.mark(x + columns * y) or "." for x in range(columns)] for y in range(rows)]
    found = _exact_lines(marks, 4 if game[0] == "mnk:6,6,4,exact" else 3)
    assert set(position.line) == found["x"] | found["o"]
    if position.line:
        assert position.outcome == Outcome(X if found["x"] else O, "line")
    else:
        assert position.outcome == (Outcome(None, "board_full") if len(game[1]) == columns * rows else None)


def test_on_an_exact_board_a_longer_line_goes_on() -> None:
    # The same game as below, where the longer line wins.
    position = replay("mnk:5,5,3,exact", [0, 10, 1, 12, 3, 20, 4, 22, 2])
    assert position.outcome is None
    assert position.line == ()
    assert position.play(13).outcome is None


@given(played(st.sampled_from(["tictactoe", "mnk:4,3,3", "mnk:4,3,3,exact", "cube:3"])))
def test_a_position_is_made_of_its_marks(game: tuple[str, list[int]]) -> None:
    position = replay(*game)
    assert isinstance(position, FlatPosition)
    made = position.rules.position(position.x, position.o)
    assert (made, made.ply, made.outcome, made.line) == (position, position.ply, position.outcome, position.line)


def test_a_longer_line_does_not_spoil_an_exact_one() -> None:
    # c1 makes five on the first rank and three on the file c; only the three count.
    position = replay("mnk:5,5,3,exact", [0, 5, 1, 8, 3, 15, 4, 16, 7, 19, 12, 23, 2])
    assert position.outcome == Outcome(X, "line")
    assert position.line == (2, 7, 12)


def test_a_longer_line_counts_and_is_named_in_full() -> None:
    # X fills the gap of xx.xx on the first rank of a board where three win.
    position = replay("mnk:5,5,3", [0, 10, 1, 12, 3, 20, 4, 22, 2])
    assert position.outcome == Outcome(X, "line")
    assert position.line == (0, 1, 2, 3, 4)


def test_two_lines_at_once_are_both_named() -> None:
    position = replay("tictactoe", [0, 1, 2, 3, 6, 5, 8, 7, 4])
    assert position.outcome == Outcome(X, "line")
    assert position.line == (0, 2, 4, 6, 8)


def test_the_last_cell_may_win() -> None:
    position = replay("tictactoe", [0, 1, 2, 4, 3, 5, 7, 6, 8])
    assert position.outcome == Outcome(None, "board_full")
    assert replay("tictactoe", [0, 1, 2, 3, 4, 5, 7, 6, 8]).outcome == Outcome(X, "line")


def test_a_draw_is_declared_only_when_the_board_is_full() -> None:
    # On 4 x 3 with four in a row only the ranks are lines; all three are blocked after six plies.
    position = replay("mnk:4,3,4", [0, 1, 4, 5, 8, 9])
    assert position.outcome is None
    assert len(position.legal_moves()) == 6


@pytest.mark.parametrize(
    ("move", "sentence"), [(0, "a1 is taken by X."), (9, "9 is no cell"), (-1, "-1 is no cell"), (10**30, "no cell")]
)
def test_illegal_moves_say_why(move: int, sentence: str) -> None:
    position = replay("tictactoe", [0])
    assert not position.is_legal(move)
    with pytest.raises(IllegalMove, match=sentence):
        position.play(move)


def test_a_finished_game_is_over() -> None:
    position = replay("tictactoe", [0, 3, 1, 4, 2])
    assert position.legal_moves() == ()
    assert position.to_move == O
    with pytest.raises(IllegalMove, match="c3 cannot be played: the game is over"):
        position.play(8)


def test_positions_of_different_games_differ() -> None:
    assert rules("tictactoe").initial != rules("mnk:3,3,3").initial.play(0)
    assert rules("mnk:4,4,4").initial != rules("mnk:4,4,3").initial
    name: object = "tictactoe"
    assert rules("tictactoe").initial != name


def test_what_a_board_is_can_be_told_without_drawing_its_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    """Anybody may ask for any size, and the lines of a big board cost milliseconds."""

    def drawn(*_: object) -> None:
        raise AssertionError("lines were drawn")

    monkeypatch.setattr("engine.rules.lines.flat_lines", drawn)
    monkeypatch.setattr("engine.rules.lines.cube_lines", drawn)
    for build, sizes in ((MNK.build, "19,18,7"), (CUBE.build, "5")):
        board = build("any", sizes)
        assert board.sentences
        assert board.initial.legal_moves()
