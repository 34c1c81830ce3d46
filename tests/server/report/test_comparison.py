"""What differs between two reports, for a terminal and for programs."""

from __future__ import annotations

from msgspec import structs

from server.report.comparison import as_object, lines
from server.report.page.changes import headlines
from server.report.page.key_figures import Key, List, Place

BEFORE = Key(
    1_000, 900, 8_000, {"tictactoe": 900},
    [
        List("night/small/0", "night: small", [Place("level:2", 1, 50.04, 9), Place("level:1", 2, -50.0, 9)]),
        List("night/old/0", "night: old", [Place("random", 1, 0.0, 9)]),
    ],
)  # fmt: skip
AFTER = Key(
    2_000, 12_345, 99_000, {"tictactoe": 12_000, "qubic": 345},
    [
        List("night/small/0", "night: small", [Place("level:2", 1, 61.0, 9), Place("level:3", 2, 0.0, 9)]),
        List("night/new/0", "night: new", [Place("random", 1, 0.0, 9)]),
    ],
)  # fmt: skip


def test_programs_get_both_reports_and_the_difference_of_each_bot() -> None:
    told = as_object(BEFORE, AFTER)
    assert (told.before.games, told.after.games, told.after.by_game) == (
        900,
        12_345,
        {"tictactoe": 12_000, "qubic": 345},
    )
    assert (told.new_lists, told.gone_lists) == (["night: new"], ["night: old"])
    [small] = told.lists
    assert [(one.before and one.before.bot, one.after.bot) for one in small.bots] == [
        ("level:2", "level:2"), (None, "level:3"),
    ]  # fmt: skip
    assert small.gone == ["level:1"]
    assert [one.rating_change for one in small.bots] == [0.0, None], "against those that are in both"


def test_changes_of_rating_have_a_digit() -> None:
    now = structs.replace(AFTER, lists=[structs.replace(BEFORE.lists[0], places=[
        Place("level:2", 1, 60.09, 9), Place("level:1", 2, -60.0, 9),
    ])])  # fmt: skip
    assert [one.rating_change for one in as_object(BEFORE, now).lists[0].bots] == [10.0, -10.0]


def test_tables_of_a_terminal_stand_in_columns() -> None:
    told = [*lines(BEFORE, AFTER)]
    first, at = told.index("Games:"), told.index("night: small: standings:")
    assert told[:first] == [*headlines(BEFORE, AFTER), "Not in the second report: night: old.", ""]
    assert told[first + 1 : at] == [
        "                  now   change",
        "  Tic-tac-toe  12,000  +11,100",
        "  Qubic           345     +345",
        "  all games    12,345  +11,445",
        "  all moves    99,000  +91,000",
        "",
    ]
    assert told[at + 1 :] == [
        "  bot      place       Elo  change  games  change",
        "  level:2      1        61              9",
        "  level:3      2  new    0              9",
    ]
