"""What is told of a recorded game."""

from __future__ import annotations

import pytest
from msgspec import structs

from client.sdk.records import RecordedMove
from client.terminal.records import words as record_words
from client.terminal.records.replay import replay_of
from server.wire import JudgedMove
from tests.support.terminal.fake_server import ME
from tests.support.terminal.records import BLUNDER, WON, recorded


def test_each_move_in_words() -> None:
    replay = replay_of(WON, ME.id)
    assert record_words.heading(replay) == "Tic-tac-toe · game 7 · 1+0 · rated · 2023-11-14"
    assert record_words.ply_sentence(replay, 0) == "Start."
    assert record_words.ply_sentence(replay, 2) == "Move 2 of 5: Bob (O) b1, 0.50 s."
    assert record_words.ply_sentence(replay, 5) == "Move 5 of 5: You (X) a3, 2.0 s. You win with three in a row."
    unfinished = replay_of(recorded("b2", winner=None))
    assert record_words.ply_sentence(unfinished, 1).endswith("The game is still running.")
    opened = replay_of(recorded("c3", start=["a1"], winner=None))
    assert record_words.ply_sentence(opened, 0) == "Start, after a1."
    assert record_words.ply_sentence(opened, 1).startswith("Move 1 of 1: Bob (O) c3")


def test_what_a_bot_found() -> None:
    move = RecordedMove(0, "b2", "x", 10, nodes=1200, depth=3, value=0.5, pv=["b2", "a1"])
    replay = replay_of(structs.replace(WON, moves=[move]))
    assert record_words.found_words(replay, 1) == "depth 3 · 1,200 positions · value +0.5 · expects a1"
    assert record_words.found_words(replay, 0) == ""
    running = structs.replace(recorded("b2", winner=None), moves=[move])
    assert record_words.found_words(replay_of(running), 1) != ""
    assert record_words.found_words(replay_of(running, ME.id), 1) == "", "one's own rated game still runs"


def test_moves_with_their_times() -> None:
    rows = record_words.move_rows(replay_of(recorded("c3 b2", start=["a1"], winner=None)))
    assert ["".join(piece for piece, _ in row).rstrip() for row in rows] == [
        "  1. (a1)         c3     0.00",
        "  2. b2     0.50",
    ]
    assert [ply for row in rows for _, ply in row] == [None, None, 1, None, 2]


def test_times_as_bars() -> None:
    replay = replay_of(WON)
    assert record_words.time_bars(replay, 5, 80) == ("▁▂▄▆█", 4)
    assert record_words.time_bars(replay, 0, 80, True) == ("_.-+#", None)
    assert record_words.time_bars(replay, 5, 3) == ("▄▆█", 2)
    assert record_words.time_bars(replay, 3, 3) == ("▂▄▆", 1)
    assert record_words.time_bars(replay_of(recorded("", winner=None)), 0, 9) == ("", None)


@pytest.mark.parametrize(("ms", "words"), [(0, "0.00"), (350, "0.35"), (4_890, "4.8"), (65_000, "1:05")])
def test_times_of_moves(ms: int, words: str) -> None:
    assert record_words.spent(ms) == words


def test_a_game_in_a_list() -> None:
    record = recorded("a1", winner=None, name="\x1b[2J名前")
    assert record_words.line_of(record) == "Tic-tac-toe: Ada - 名前, still running, 2023-11-14, game 7"
    odd = structs.replace(record, game="newer:9", termination="agreement", started_ms=10**18)
    assert record_words.line_of(odd) == "newer:9: Ada - 名前, drawn, at an unknown time, game 7"


@pytest.mark.parametrize(
    ("judged", "made", "words"),
    [
        (BLUNDER, "b1", "Review: it leads to a loss in 3 plies; b2 would have drawn."),
        (
            JudgedMove(ply=4, verdict="won", exact=True, value=1, best=["a3"], could="won", win_in=1, could_in=1),
            "a3",
            "Review: it wins immediately.",
        ),
        (
            JudgedMove(ply=0, verdict="won", exact=True, value=1, best=["a1"], could="won", win_in=43, at_most=True),
            "a1",
            "Review: it leads to a win in at most 43 plies.",
        ),
        (
            JudgedMove(ply=0, verdict="even", exact=False, value=0.1, best=["c3"], could="better"),
            "a1",
            "Review: the position is probably even; c3 would have been better.",
        ),
        (
            JudgedMove(ply=0, verdict="drawn", exact=True, value=0, best=["c3"], could="won", could_in=5),
            "a1",
            "Review: it leads to a draw; c3 would have won in at most 5 plies.",
        ),
    ],
)
def test_a_review_in_words(judged: JudgedMove, made: str, words: str) -> None:
    assert record_words.review_words(judged, made) == words
