"""The nine-board protocol of UNSW: whole games as X and as O, several in a series, and servers that speak wrongly."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest

from client.lab.brain.choice import ProtocolError
from client.lab.brain.servt import Servt
from engine.rules.position import Move, Position
from engine.rules.registry import rules
from engine.search.decision import Decision
from tests.support.engine.games import replay


def last(position: Position, move_ms: int, moves: Sequence[Move], game: int) -> Decision:
    assert replay(position.rules.id, list(moves)) == position
    assert move_ms == 70
    return Decision(position.legal_moves()[-1])


def play_as(brain: Servt, side: str, random: Random) -> None:
    """A game as the server sees it: two moves by lot, then ours are the last legal ones, until somebody wins."""
    position = rules("nine-board").initial
    assert brain.hear(f"start({side}).") == []
    told: list[int] = []
    while position.outcome is None and (position.ply == 0 or position.forced is not None):
        mine = position.to_move == side
        if mine and position.ply:
            board, square = divmod(position.legal_moves()[-1], 9)
            names = {1: "second_move", 2: "third_move"}
            line = names.get(position.ply, "next_move")
            squares = told if position.ply <= 2 else told[-1:]
            assert brain.hear(f"{line}({','.join(map(str, squares))}).") == [str(square + 1)]
            move = 9 * board + square
        else:
            move = random.choice(position.legal_moves())
        told += [move // 9 + 1, move % 9 + 1] if position.ply == 0 else [move % 9 + 1]
        position = position.play(move)
    assert brain.hear("last_move(3).") == []
    assert brain.hear("loss(triple).") == []


def test_a_series_of_games() -> None:
    brain = Servt(last, 70)
    assert brain.hear("init.") == []
    random = Random(1)
    for game in range(20):
        play_as(brain, "xo"[game % 2], random)
    assert not brain.ended
    assert brain.hear("end.") == []
    assert brain.ended


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ("hello there", "is not one of the server's lines: init, start,"),
        ("jump(1).", "is not one of the server's lines"),
        ("second_move(1).", "must be 2 of the numbers 1 to 9"),
        ("second_move(1,10).", "must be 2 of the numbers 1 to 9"),
        ("second_move(a,b).", "is not made of whole numbers"),
        ("second_move.", "is not made of whole numbers"),
        ("third_move(1,2).", "must be 3 of the numbers 1 to 9"),
        ("next_move(1).", "no board is forced"),
        ("third_move(5,5,5).", "5/5 is taken by X"),
    ],
)
def test_a_server_that_speaks_wrongly(wrong: str, sentence: str) -> None:
    brain = Servt(last, 70)
    brain.hear("start(o).")
    with pytest.raises(ProtocolError, match=sentence):
        brain.hear(wrong)


def test_blank_lines_and_missing_stops_are_forgiven() -> None:
    brain = Servt(last, 70)
    assert brain.hear("\n") == []
    assert brain.hear("second_move(1,2)\r\n") == ["9"]
