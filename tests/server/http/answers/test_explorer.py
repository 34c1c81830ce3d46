"""The JSON answer about a position, made of what is counted there."""

from __future__ import annotations

from server.db.explorer import ExplorerRow
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
