"""Gomocup's protocol: every command, every wrong word, time, and boards that come in any order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from client.lab.brain.gomocup import Gomocup
from engine.rules.position import Move, Position
from engine.search.decision import Decision


class Chosen:
    """Plays the last free cell, and keeps what it was asked."""

    def __init__(self) -> None:
        self.positions: list[Position] = []
        self.move_ms: list[int] = []
        self.games: list[int] = []

    def __call__(self, position: Position, move_ms: int, moves: Sequence[Move], game: int) -> Decision:
        self.games.append(game)
        self.positions.append(position)
        self.moves = list(moves)
        self.move_ms.append(move_ms)
        return Decision(position.legal_moves()[-1], nodes=7, depth=2, value=-1.5)


def talk(*lines: str, chosen: Chosen | None = None) -> list[str]:
    """What is said to the last of the lines; nothing before it is refused."""
    brain = Gomocup(chosen or Chosen(), "about", lambda game: None)
    said: list[str] = []
    for line in lines:
        assert not any(one.startswith(("ERROR", "UNKNOWN")) for one in said), said
        said = brain.hear(line)
    return said


def test_it_opens_and_answers() -> None:
    assert talk("START 15") == ["OK"]
    assert talk("RECTSTART 7,5") == ["OK"]
    assert talk("START 20", "BEGIN")[-1] == "19,19"
    assert talk("START 15", "BEGIN") == ["MESSAGE depth 2 nodes 7 value -1.5", "14,14"]
    assert talk("RECTSTART 7,5", "TURN 6,4")[-1] == "5,4"
    assert talk("start 15", "begin", "turn 14,13")[-1] == "13,14"
    assert talk("ABOUT") == ["about"]
    assert talk("") == []


def test_a_game_is_remembered() -> None:
    chosen = Chosen()
    talk("START 5", "TURN 0,0", "TURN 1,0", "TURN 0,1", chosen=chosen)
    last = chosen.positions[-1]
    assert [last.mark(cell) for cell in (0, 1, 5, 24, 23)] == ["x", "x", "x", "o", "o"]
    assert chosen.moves == [0, 24, 1, 23, 5], "as they were played"
    talk("START 5", "BEGIN", "TURN 0,0", chosen=chosen)
    assert chosen.positions[-1].to_move == "x"


def test_each_game_has_a_number_of_its_own() -> None:
    chosen = Chosen()
    talk("START 6", "BEGIN", "TURN 0,0", "RESTART", "BEGIN", "START 5", "BEGIN", chosen=chosen)
    assert chosen.games == [0, 0, 1, 2]


def test_a_board_is_told_in_any_order() -> None:
    chosen = Chosen()
    stones = ["0,0,2", "1,0,2", "2,0,2", "0,1,1", "1,1,1"]
    assert talk("START 6", "BOARD", *stones) == []
    assert talk("START 6", "BOARD", *stones, "DONE", chosen=chosen)[-1] == "5,5"
    position = chosen.positions[-1]
    assert (position.to_move, position.ply, position.mark(6)) == ("o", 5, "o")
    talk("START 6", "BOARD", "0,0,1", "1,0,2", "DONE", chosen=chosen)
    assert chosen.positions[-1].mark(0) == "x"
    assert talk("START 6", "BOARD", "DONE")[-1] == "5,5"


def test_moves_are_taken_back_and_played_for_us() -> None:
    chosen = Chosen()
    begun = ("START 6", "TURN 0,0", "TAKEBACK 5,5", "TAKEBACK 0,0")
    assert talk(*begun) == ["OK"]
    assert talk(*begun, "BEGIN")[-1] == "5,5"
    assert talk("START 6", "PLAY 2,2") == ["2,2"]
    talk("START 6", "PLAY 2,2", "TURN 0,0", chosen=chosen)
    assert chosen.positions[-1].mark(14) == "x"
    assert talk("START 6", "TURN 0,0", "RESTART", "BEGIN")[-1] == "5,5"


@pytest.mark.parametrize(
    ("settings", "move_ms"),
    [
        ([], 1000),
        (["timeout_turn 300"], 300),
        (["timeout_turn 0"], 50),
        (["timeout_turn 5000", "time_left 10000"], 500),
        (["timeout_turn 5000", "time_left 3"], 1),
        (["timeout_turn 5000", "timeout_match 0", "time_left 10000"], 5000),
        (["timeout_turn 5000", "time_left 2147483647"], 5000),
        (["folder /tmp", "max_memory 1", "game_type 2", "evaluate 1,1", "sing", "rule 2", "TIMEOUT_TURN 70"], 70),
    ],
)
def test_time_is_divided(settings: list[str], move_ms: int) -> None:
    chosen = Chosen()
    talk("START 15", *(f"INFO {setting}" for setting in settings), "BEGIN", chosen=chosen)
    assert chosen.move_ms == [move_ms]


@pytest.mark.parametrize(
    ("lines", "sentence"),
    [
        (["START"], "3 to 20 columns and rows"),
        (["START 2"], "3 to 20 columns and rows"),
        (["START 4"], "3 to 20 columns and rows"),
        (["START 21"], "3 to 20 columns and rows"),
        (["RECTSTART 15"], "3 to 20 columns and rows"),
        (["BEGIN"], "There is no board yet"),
        (["RESTART"], "There is no board yet"),
        (["TURN 1,1"], "There is no board yet"),
        (["START 15", "TURN"], "whole numbers"),
        (["START 15", "TURN 1"], "is not a place: write X,Y"),
        (["START 15", "TURN 1,²"], "whole numbers"),
        (["START 15", "TURN 15,0"], "15,0 is not on the board of 15 columns and 15 rows"),
        (["START 15", "TURN 0,-1"], "0,-1 is not on the board"),
        (["START 15", "BEGIN", "TURN 14,14"], "14,14 is taken"),
        (["START 15", "TURN 1,1", "BEGIN"], "the board is not empty"),
        (["START 15", "TAKEBACK 1,1"], "There is no stone at 1,1"),
        (["START 15", "BOARD", "1,1", "DONE"], "is not a stone: write X,Y,WHO"),
        (["START 15", "BOARD", "1,1,3", "DONE"], "1 for our stones"),
        (["START 15", "BOARD", "1,1,1", "1,1,2", "DONE"], "1,1 is given twice"),
        (["START 15", "BOARD", "1,1,1", "DONE"], "Nobody is to move with 1 stones of ours and 0 of theirs"),
        (["RECTSTART 5,1"], "3 to 20 columns and rows"),
        (["RECTSTART 4,4"], "at least 5 of one"),
        (["RECTSTART 5,5,5"], "3 to 20 columns and rows"),
        (["START 15", "INFO rule 4", "TURN 1,1"], "Send INFO rule 0, where five or more in a row win, or 1, where"),
        (["START 15", "INFO rule 5", "BEGIN"], "or 1, where exactly five do."),
        (["INFO rule five"], "whole numbers"),
        (["INFO timeout_turn"], "INFO timeout_turn is followed by one whole number."),
        (["INFO time_left 5 6"], "INFO time_left is followed by one whole number."),
    ],
)
def test_what_cannot_be_obeyed(lines: list[str], sentence: str) -> None:
    (error,) = talk(*lines)
    assert error.startswith("ERROR ")
    assert sentence in error


def test_a_refused_move_changes_nothing() -> None:
    chosen = Chosen()
    brain = Gomocup(chosen, "about", lambda game: None)
    for line in ("START 6", "TURN 0,0", "TURN 0,0", "BOARD", "1,1,1", "DONE", "START 99", "TURN 1,0"):
        brain.hear(line)
    assert [chosen.positions[-1].mark(cell) for cell in (0, 1, 7, 35)] == ["x", "x", None, "o"]


def test_a_game_that_is_over_has_no_move() -> None:
    row = [f"{x},0,2" for x in range(5)] + [f"{x},1,1" for x in range(4)]
    assert talk("START 15", "BOARD", *row, "DONE") == ["ERROR The game is over."]


@pytest.mark.parametrize("rule", [1, 3])
def test_by_rule_1_six_in_a_row_do_not_win(rule: int) -> None:
    """The stones are told so that five of the six come first."""
    row = [f"{x},0,2" for x in range(6)] + [f"{2 * x},3,1" for x in range(5)]
    chosen = Chosen()
    assert talk("START 15", f"INFO rule {rule}", "BOARD", *row, "DONE", chosen=chosen)[-1] == "14,14"
    assert talk(f"INFO rule {rule}", "START 15", "BOARD", *row, "DONE")[-1] == "14,14"
    assert chosen.positions[-1].rules.id == "mnk:15,15,5,exact"
    assert talk("START 15", "BOARD", *row, "DONE") == ["ERROR The game is over."]
    five = [*row[:5], *row[6:10]]
    assert talk("START 15", f"INFO rule {rule}", "BOARD", *five, "DONE") == ["ERROR The game is over."]


def test_other_words_and_the_end() -> None:
    assert talk("SWAP2BOARD")[0].startswith("UNKNOWN 'SWAP2BOARD': the commands are START, ")
    assert talk("\x1b[2J\u202e")[0].startswith("UNKNOWN '\\x1b[2J\\u202e'")
    brain = Gomocup(Chosen(), "about", lambda game: None)
    assert brain.hear("END") == []
    assert brain.ended


def test_a_game_is_prepared_before_it_is_ready() -> None:
    prepared: list[Any] = []
    brain = Gomocup(Chosen(), "about", lambda game: prepared.append(game.id))
    brain.hear("START 15")
    brain.hear("RECTSTART 7,6")
    brain.hear("START 3")
    brain.hear("INFO rule 1")
    brain.hear("START 15")
    brain.hear("INFO rule 1")
    brain.hear("INFO rule 0")
    assert prepared == ["gomoku", "mnk:7,6,5", "mnk:7,6,5,exact", "mnk:15,15,5,exact", "gomoku"]


KNOWN_WORDS = """
    START RECTSTART RESTART INFO BEGIN TURN BOARD DONE PLAY TAKEBACK ABOUT 6 6,5 0,0 1,1 1,1,1 0,0,2 rule 1 2
"""
words = st.one_of(st.text(), st.sampled_from(KNOWN_WORDS.split()))


@given(st.lists(st.lists(words, max_size=3).map(" ".join), max_size=15))
def test_any_lines_are_survived(lines: list[str]) -> None:
    brain = Gomocup(Chosen(), "about", lambda game: None)
    for line in lines:
        assert all(len(said.splitlines()) == 1 for said in brain.hear(line))
    brain.hear("DONE")
    assert brain.hear("START 15") == ["OK"]
