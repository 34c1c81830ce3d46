"""The JSON answer about a position, made of what is counted there."""

from __future__ import annotations

from typing import Any

from engine.rules.registry import rules
from server.db.explorer import ExplorerRow
from server.explorer.positions import Played, entries
from server.http.answers.explorer import explorer_answer, walk


def row(cell: int, x_won: int = 1, drawn: int = 0, o_won: int = 0, last_game: int = 7) -> ExplorerRow:
    return ExplorerRow(cell, x_won, drawn, o_won, last_game)


def test_the_answer_tells_totals_and_the_most_frequent_first() -> None:
    here = walk("tictactoe", "b2")
    corner, edge = sorted(here.legal_by_canonical())
    found = [row(edge, 1, 2, 3), row(corner, 10, 0, 0, 9), row(~edge, 0, 1, 0), row(77)]
    answer = explorer_answer(here, "b2", found, 5)
    assert (answer.game, answer.moves, answer.to_move, answer.pending) == ("tictactoe", ["b2"], "o", 5)
    assert (answer.games, answer.x_won, answer.drawn, answer.o_won) == (17, 11, 3, 3)
    assert [(move.move, move.games, move.last_game) for move in answer.next] == [("a1", 10, 9), ("b1", 6, 7)]
    assert [(move.move, move.drawn) for move in answer.set_up] == [("b1", 1)]
    assert len(answer.legal) == 8


def test_the_answer_where_the_game_is_over() -> None:
    answer = explorer_answer(walk("tictactoe", "a1,a2,b1,b2,c1"), "a1,a2,b1,b2,c1", [], 0)
    assert (answer.to_move, answer.legal, answer.winner, answer.termination) == (None, [], "x", "line")
    assert answer.line == ["a1", "b1", "c1"]
    nested = explorer_answer(walk("ultimate", "5/1"), "5/1", [], 0)
    assert (nested.forced, nested.to_move, len(nested.legal)) == (1, "o", 9)


def test_moves_come_back_in_the_orientation_that_was_asked_for() -> None:
    kind = rules("tictactoe")
    played = Played(4, 1, [8, 4, 7, 6], "o")
    counted = {(key, cell): ExplorerRow(cell, 0, 0, 1, 4) for _, key, cell in entries(kind, played)}

    def asked(moves: str) -> Any:
        there = walk("tictactoe", moves)
        key = there.place.key
        return explorer_answer(there, moves, [row for (at, _), row in counted.items() if at == key], 0)

    root = asked("")
    assert root.next == []
    assert [(move.move, move.alike) for move in root.set_up] == [("a1", ["c1", "a3", "c3"])]
    for corner in ("a1", "c1", "a3", "c3"):
        assert [(move.move, move.alike) for move in asked(corner).next] == [("b2", [])]
    # a1 b2: b1 and a2 are alike, once c1 b2 is played b1 and c2 are.
    assert [(move.move, move.alike) for move in asked("a1,b2").next] == [("b1", ["a2"])]
    assert [(move.move, move.alike) for move in asked("c1,b2").next] == [("b1", ["c2"])]
    assert [move.move for move in asked("c1,b2,c2").next] == ["c3"]
    assert asked("a1,b2,c3").next == []
