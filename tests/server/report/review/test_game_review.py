"""A reviewed game as a table, an object and a page."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.analysis.verdict import MoveVerdict
from engine.record.model import GameRecord, Player, RecordedMove
from server.report.plots import Lines
from server.report.review import game_review


@pytest.mark.parametrize(
    ("player", "shown"),
    [
        (Player("level:6", "bot", 1), "Level 6"),
        (Player("strongest", "bot", 1), "Strongest"),
        (Player("alphabeta:3", "bot", 1), "alphabeta:3"),
        (Player("level:6"), "level:6"),
    ],
)
def test_bots_have_names_for_people(player: Player, shown: str) -> None:
    record = GameRecord("tictactoe", player, Player("Ann"), id=7)
    assert game_review.heading(record) == f"Game 7, Tic-tac-toe: {shown} (X) against Ann (O)"


# A game of tic-tac-toe after the start b2: O is to move first.
BEST = MoveVerdict("drawn", True, 0.0, None, False, (0,), "drawn", None, 1)
BLUNDER = MoveVerdict("lost", True, -1.0, -2, False, (2, 3, 5), "won", 3, 1)
SLOW = MoveVerdict("won", True, 1.0, 5, False, (6,), "won", 1, 1)
DOUBTFUL = MoveVerdict("worse", False, -0.25, None, False, tuple(range(5, 9)) * 3, "better", None, 1)
MOVES = (
    RecordedMove(0, think_ms=1, think_us=1_499), RecordedMove(1, think_ms=2_000), RecordedMove(3), RecordedMove(2),
)  # fmt: skip
RECORD = GameRecord(
    "tictactoe", Player("Ann", "person"), Player("level:6", "bot", 2), MOVES, start=(4,), winner="o",
    termination="illegal_move", id=7,
)  # fmt: skip
REVIEWED = game_review.Reviewed(RECORD, [BEST, BLUNDER, SLOW, DOUBTFUL])


def of_moves(number: int) -> game_review.Reviewed:
    """The same game, ended earlier."""
    return game_review.Reviewed(replace(RECORD, moves=MOVES[:number]), REVIEWED.judged[:number])


def test_each_move_has_its_side_its_grade_and_a_value_for_x() -> None:
    told = [(ply, side, grade, REVIEWED.value_for_x(ply)) for ply, side, _, _, grade in REVIEWED.each()]
    assert told == [(0, "o", "good", 0), (1, "x", "mistake", -1), (2, "o", "slow", -1), (3, "x", "doubtful", -0.25)]
    assert str(REVIEWED.value_for_x(0)) == "0.0", "and no -0.0"


def test_a_row_for_each_move_says_what_it_led_to_and_the_best_line() -> None:
    head, *rows = game_review.table(REVIEWED)
    assert len(head) == len(rows[0])
    assert [row[:5] for row in rows] == [
        ("1", "O", "a1", "1.5 ms", "0"),
        ("2", "X", "b1??", "2.00 s", "-1"),
        ("3", "O", "a2?!", "<1 ms", "-1"),
        ("4", "X", "c1?", "<1 ms", "-0.25"),
    ]
    assert rows[1][5:] == ("exact: threw away the win in 3: lost in 2 plies", "c1 a2 c2")
    assert rows[3][6] == "c2 a3 b3 c3 c2 a3 b3 c3 c2 a3 ..."


def test_the_legend_explains_the_signs_that_are_there() -> None:
    plies = "Plies are moves of both sides, including the move itself."
    assert game_review.legend(of_moves(1)) == plies
    assert game_review.legend(of_moves(2)) == f"?? blunder: proven to have cost the result. {plies}"
    assert game_review.legend(REVIEWED).count(";") == 2


def test_a_sentence_for_each_side_counts_what_went_wrong() -> None:
    assert game_review.summary(REVIEWED) == [
        "X: 2 moves, 1 proven; 1 blunder, 1 doubtful move.",
        "O: 2 moves, 2 proven; 1 slower move.",
    ]
    assert game_review.summary(of_moves(1)) == [
        "X: no moves.",
        "O: 1 move, 1 proven; no blunder found.",
    ]
    estimated = MoveVerdict("even", False, 0.0, None, False, (0,), "even", None, 1)
    assert game_review.summary(game_review.Reviewed(of_moves(1).record, [estimated]))[1] == (
        "O: 1 move, 0 proven; estimates only."
    )


def test_the_result_in_a_sentence() -> None:
    assert game_review.result(RECORD) == "O won (illegal move) in 4 moves, after the start b2."
    drawn = replace(RECORD, winner=None, termination="agreement", start=(), moves=MOVES[:1])
    assert game_review.result(drawn) == "nobody won (agreement) in 1 move."


def test_an_object_tells_the_same_as_the_table() -> None:
    told = game_review.as_object(REVIEWED)
    rows = game_review.table(REVIEWED)[1:]
    assert [(str(n), one.side.upper(), one.move, one.words) for n, one in enumerate(told.moves, start=1)] == [
        (row[0], row[1], row[2].rstrip("?!"), row[5]) for row in rows
    ]
    assert [one.grade for one in told.moves] == REVIEWED.grades
    assert [(one.think_ms, one.think_us) for one in told.moves[:2]] == [(1, 1_499), (2_000, None)]
    assert (told.game, told.start, told.done, told.of) == (7, ["b2"], 4, 4)


def test_the_picture_marks_what_is_proven_and_what_went_wrong() -> None:
    [picture] = game_review.part(REVIEWED).pictures
    assert isinstance(picture.plot, Lines)
    drawn = {line.name: [*zip(line.x, line.y, strict=True)] for panel in picture.plot.panels for line in panel.lines}
    values = [(1.0, 0.0), (2.0, -1.0), (3.0, -1.0), (4.0, -0.25)]
    assert drawn == {
        "value": values,
        "exact": values[:3],
        "blunder or doubtful": [values[1], values[3]],
        "time of X": [(2.0, 2000.0), (4.0, 0.0)],
        "time of O": [(1.0, 1.499), (3.0, 0.0)],
    }


@pytest.mark.parametrize(
    ("name", "shown"), [("Bob\x1b[2J", "Bob?[2J"), ("\u202eeve", "?eve"), ("नि\u200dक", "नि\u200dक")]
)
def test_no_name_steers_the_terminal(name: str, shown: str) -> None:
    assert game_review.printable(name) == shown
    assert f" {shown} (X) " in game_review.heading(replace(RECORD, x=Player(name, "person")))


def test_a_table_is_cut_to_the_terminal() -> None:
    rows = [("move", "side", "played", "time", "for X", "verdict", "best line"), ("1", "X", "b2", "0.10 s", "+1", "x" * 60, "b2")]  # fmt: skip  # noqa: E501
    assert list(game_review.aligned(rows, 40))[1] == "   1  X     b2      0.10 s     +1  " + "x" * 4 + "~"
    assert list(game_review.aligned(rows))[1].endswith("x  b2")
