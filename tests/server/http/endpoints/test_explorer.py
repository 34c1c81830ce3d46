"""Positions explored over HTTP."""

from __future__ import annotations

import pytest

from server.db.explorer import ExplorerRow
from tests.support.http.desk import HttpDesk


async def test_a_position_explored(desk: HttpDesk) -> None:
    answer = await desk.json("/api/explorer?game=mnk:3,3,3")
    assert (answer["game"], answer["moves"], answer["to_move"], answer["pending"]) == ("tictactoe", [], "x", 5)
    assert (answer["games"], answer["x_won"], answer["drawn"], answer["o_won"]) == (6, 3, 2, 1)
    assert answer["next"] == [
        {"move": "b2", "alike": [], "games": 6, "x_won": 3, "drawn": 2, "o_won": 1, "last_game": 17}
    ]
    assert answer["set_up"] == []
    after = await desk.json("/api/explorer?game=tictactoe&moves=b2,a1")
    assert (after["moves"], after["games"], len(after["legal"])) == (["b2", "a1"], 0, 7)


async def test_games_that_are_counted_meanwhile_are_told_or_pending(
    desk: HttpDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted = False

    async def explored(game: str, key: int) -> list[ExplorerRow]:
        nonlocal counted
        found = [ExplorerRow(4, 5, 0, 0, 17)] if counted else []
        counted = True  # just after they were read
        return found

    async def pending() -> int:
        return 0 if counted else 5

    monkeypatch.setattr(desk.shelf, "explored", explored)
    monkeypatch.setattr(desk, "pending", pending)
    answer = await desk.json("/api/explorer?game=tictactoe")
    assert answer["games"] or answer["pending"]


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ("", "Name a game to explore, as in game=tictactoe."),
        ("game=", "Name a game to explore, as in game=tictactoe."),
        ("game=chess", "There is no game 'chess': write one of "),
        ("game=tictactoe&moves=b2,b2", "Move 2, 'b2', cannot be explored. b2 is taken by X."),
        ("game=tictactoe&moves=z9", "Move 1, 'z9', cannot be explored. 'z9' names no cell of this board: "),
        ("game=tictactoe&moves=b2,,a1", "Move 2, '', cannot be explored. "),
        ("game=tictactoe&moves=a1,a2,b1,b2,c1,c2", "Move 6, 'c2', cannot be explored. c2 cannot be played: the game"),
    ],
)
async def test_what_cannot_be_explored(desk: HttpDesk, query: str, sentence: str) -> None:
    assert (await desk.json(f"/api/explorer?{query}", 400))["error"].startswith(sentence)
