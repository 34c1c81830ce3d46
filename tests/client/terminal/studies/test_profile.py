"""Profiles, and whom a name means."""

from __future__ import annotations

import pytest

from client.terminal.full_screen.study_screen import StudyScreen
from client.terminal.seating import BadChoice
from tests.support.terminal.ladder import GAME, RUN
from tests.support.terminal.studies import study_screen, told

ADA = {
    "id": "p1", "name": "Ada\x1b[2J", "kind": "person", "since_ms": 0,
    "ratings": [
        {"game": "qubic", "rating": 1512.3, "deviation": 60, "games": 3,
         "history": [{"rating": 1500}, {"rating": 1450}, {"rating": 1512.3}]},
        {"game": "newer:9", "rating": 1500, "deviation": 350, "games": 1, "history": [{"rating": 1500}]},
    ],
}  # fmt: skip
BOT = {
    "id": "7", "name": "level:2", "kind": "bot", "since_ms": 0,
    "bot": {"family": "level", "character": "unused", "version": 1},
    "ladder": [{"run": RUN, "ladder": "night", "list": "t", "game": "tictactoe", "place": 1, "of": 3, "rating": 31.4,
                "low": -12, "high": 80, "retired": True}],
}  # fmt: skip
PAGES: dict[str, object] = {
    "/api/players/p1": ADA,
    "/api/players/7": BOT,
    "/api/games?player=p1&limit=30": {"games": []},
    "/api/games?player=7&limit=30": {"games": [GAME]},
    "/api/games?limit=200": {"games": [GAME, {**GAME, "o": {"id": "12", "name": "Twin", "kind": "person"}},
                                       {**GAME, "x": {"id": "13", "name": "twin", "kind": "person"}}]},
}  # fmt: skip


async def test_oneself() -> None:
    said, _ = await told("player", pages=PAGES)
    assert said.startswith("Ada\nhere since 1970-01-01\n")
    assert "Qubic 1512 ± 120, after 3 rated games; the ± is an interval of 95 %" in said
    assert "  ▇▁█  1450 to 1512" in said
    assert "newer:9 1500 ± 700, after 1 rated game" in said
    assert said.endswith("No game to replay.")


@pytest.mark.parametrize("asked", ["player 7", "player level:2", "player LEVEL 2"])
async def test_a_bot_by_number_and_by_name(asked: str) -> None:
    said, _ = await told(asked, pages=PAGES)
    assert said.startswith("Level 2\nbot\nMakes mistakes as people do")
    assert "On ladders\n  night · Tic-tac-toe: 1 of 3, +31 (-12 to +80), retired\n" in said
    assert "  1  Tic-tac-toe: Level 2 - alphabeta:1, X won" in said


async def test_two_of_one_name() -> None:
    pages = {**PAGES, "/api/players/13": {**ADA, "id": "13"}, "/api/games?player=13&limit=30": {"games": []}}
    said, _ = await told("player Twin", "12", "nobody", "2", pages=pages)
    assert "Players called Twin\nWhich one?\n  1  Twin, player 12\n  2  twin, player 13" in said
    assert "The numbers go from 1 to 2." in said
    assert "'nobody' does nothing here" in said
    assert "Qubic 1512" in said


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [("player 99", "There is no such player."), ("player Nobody Here", "Nobody called 'Nobody Here' is here")],
)
async def test_nobody(asked: str, sentence: str) -> None:
    with pytest.raises(BadChoice, match=sentence):
        await told(asked, pages=PAGES)
    async with study_screen(asked, pages=PAGES) as seen:
        await seen.until(sentence, "#problem")
        await seen.type("player")
        await seen.settles(lambda: isinstance(seen.app.screen, StudyScreen))
        await seen.until("here since")
