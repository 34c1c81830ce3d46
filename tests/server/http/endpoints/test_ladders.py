"""Ladders over HTTP; what they answer has tests of its own."""

from __future__ import annotations

import pytest

from tests.support.http.desk import HttpDesk


async def test_an_empty_ladder(desk: HttpDesk) -> None:
    assert await desk.json("/api/ladder") == {"lists": []}
    assert await desk.json("/api/ladder/live") == await desk.json("/api/ladder/live?ladder=night") == {"live": None}


@pytest.mark.parametrize(
    ("path", "sentence"),
    [
        ("ladder?run=n%2Fs%2F1", "There is no such list; /api/ladder lists them all."),
        ("ladder/", "There is nothing at /api/ladder/."),
        ("ladder/7", "There is nothing at /api/ladder/7."),
        ("players/7", "There is no player 7."),
        ("players/Ann", "There is nothing at /api/players/Ann."),
        ("players/-1", "There is nothing at /api/players/-1."),
        ("players/" + "9" * 40, "There is nothing at /api/players/" + "9" * 40 + "."),
    ],
)
async def test_ladders_and_players_that_are_not_there(desk: HttpDesk, path: str, sentence: str) -> None:
    assert await desk.json(f"/api/{path}", 404) == {"error": sentence}
