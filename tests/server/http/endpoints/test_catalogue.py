"""Bots and rules over HTTP."""

from __future__ import annotations

import pytest

from engine.bots.roster import bot, bots
from engine.rules.registry import games, rules
from tests.support.http.desk import HttpDesk, bot_rating


async def test_people_may_play_before_bots_are_warm(desk: HttpDesk) -> None:
    assert await desk.json("/api/warm-up") == {"warm": True, "done": 0, "of": 0}
    assert (await desk.ask("/readyz")).body == b"ready\n"
    desk.warming = (1, 2)
    assert await desk.json("/api/warm-up") == {"warm": False, "done": 1, "of": 2}
    response = await desk.ask("/readyz")
    assert (response.status, response.body) == (200, b"ready; the bots are starting: 1 of 2\n")


async def test_a_game_has_as_many_levels_as_can_be_told_apart(desk: HttpDesk) -> None:
    async def highest(query: str) -> int:
        (level,) = [entry for entry in await desk.json(f"/api/bots{query}") if entry["family"] == "level"]
        return int(level["parameters"][0]["max"])

    assert await highest("") == await highest("?game=qubic") == 8
    assert await highest("?game=tictactoe") == 4


@pytest.mark.parametrize("game", ["qubic", "mnk:4,4,4", "mnk:6,5,4", "tictactoe", "nine-board"])
async def test_the_bots_of_a_game(desk: HttpDesk, game: str) -> None:
    names = [entry["name"] for entry in await desk.json(f"/api/bots?game={game}")]
    assert names == [entry.name for entry in bots() if entry.plays(rules(game))]
    listed = [entry["name"] for entry in await desk.json("/api/bots") if rules(game).id in entry["plays"]]
    assert listed == (names if rules(game).id in [listed.id for listed in games()] else [])


@pytest.mark.parametrize("game", ["", "chess", "mnk:1,1,1"])
async def test_the_bots_of_no_game(desk: HttpDesk, game: str) -> None:
    if game:
        assert (await desk.json(f"/api/bots?game={game}", 400))["error"].endswith(".")
    else:  # as for games: a field without a value is left out by the form that sent it
        assert await desk.json("/api/bots?game=") == await desk.json("/api/bots")


async def test_measured_strengths_are_told_for_the_game_that_is_asked_for(
    desk: HttpDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engine.bots.roster.strength._MEASURED", {"qubic": {"alphabeta:4": "about level 5"}})
    told = {entry["family"]: entry.get("strengths") for entry in await desk.json("/api/bots?game=qubic")}
    assert told["alphabeta"] == {"alphabeta:4": "about level 5"}
    assert told["random"] is None
    assert not any("strengths" in entry for entry in await desk.json("/api/bots"))


async def test_bots_are_told_with_their_ratings_in_the_game_that_is_asked_for(desk: HttpDesk) -> None:
    level, old = bot("level:2"), bot("strongest")
    rough = bot_rating("level:1", level.version, rating=1300.0, deviation=200.0, games=2)
    desk.shelf.ratings = [bot_rating(level.name, level.version), rough, bot_rating(old.name, old.version - 1)]
    told = {entry["family"]: entry.get("ratings") for entry in await desk.json("/api/bots?game=qubic")}
    assert told["level"] == {
        "level:2": {"value": 1612, "deviation": 80},
        "level:1": {"value": 1300, "deviation": 200, "provisional": True},
    }
    assert told["strongest"] is None, "an older version is another player"
    assert not any("ratings" in entry for entry in await desk.json("/api/bots?game=gomoku"))


async def test_without_the_records_bots_are_told_without_ratings(desk: HttpDesk) -> None:
    desk.shelf.trouble = "The disk is gone."
    assert [entry["family"] for entry in await desk.json("/api/bots?game=qubic")]


async def test_bots_and_rules(desk: HttpDesk) -> None:
    names = [entry["name"] for entry in await desk.json("/api/bots")]
    assert names == [entry.name for entry in bots()]
    assert {"random", "alphabeta:2"} <= set(names)
    listed = await desk.json("/api/rules")
    assert [entry["id"] for entry in listed] == [game.id for game in games()]
    one = await desk.json("/api/rules?game=cube:4")
    assert (one["id"], one["dimensions"], one["nested"], len(one["sentences"])) == ("qubic", [4, 4, 4], False, 3)
    assert "chess" in (await desk.json("/api/rules?game=chess", 400))["error"]
