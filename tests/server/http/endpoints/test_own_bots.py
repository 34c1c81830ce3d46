"""Bots that people make for programs of theirs, over HTTP."""

from __future__ import annotations

import pytest

from server.rooms.players.own_bots import MOST
from server.rooms.refused import Refused
from server.wire import ErrorCode
from tests.support.http.desk import MINE, NOW_MS, HttpDesk

BOTS = "/api/players/me/bots"


async def test_a_bot_is_made_listed_renewed_and_withdrawn(desk: HttpDesk) -> None:
    assert await desk.json(BOTS, **MINE) == {"bots": [], "most": MOST}
    made = await desk.json(f"{BOTS}?name=coin+1", method="POST", **MINE)
    coin = {"id": "40", "name": "coin 1", "since_ms": NOW_MS, "connected": False, "games": 0}
    assert made == {"bot": coin, "token": "first token"}
    desk.connected.add("40")
    assert (await desk.json(BOTS, **MINE))["bots"] == [coin | {"connected": True}]
    withdrawn = await desk.json(f"{BOTS}/40/token", method="DELETE", **MINE)
    assert withdrawn == coin | {"withdrawn_ms": NOW_MS}
    assert await desk.json(f"{BOTS}/40/token", method="POST", **MINE) == {"bot": coin, "token": "another token"}


@pytest.mark.parametrize(
    ("path", "method"),
    [("", "GET"), ("?name=coin", "POST"), ("/40/token", "POST"), ("/40/token", "DELETE")],
)
async def test_without_a_token_nothing_is_told_or_done(desk: HttpDesk, path: str, method: str) -> None:
    for sent in ({}, {"Authorization": "Bearer nobody"}):
        assert "token" in (await desk.json(BOTS + path, 401, method, **sent))["error"]
    assert desk.own_bots.rows == {}


async def test_a_bot_needs_a_name(desk: HttpDesk) -> None:
    assert "name=coin" in (await desk.json(BOTS, 400, "POST", **MINE))["error"]


@pytest.mark.parametrize(
    ("code", "status"), [("bad_name", 400), ("not_now", 409), ("too_fast", 429), ("not_found", 404)]
)
async def test_what_is_refused_is_told_in_its_sentence(desk: HttpDesk, code: ErrorCode, status: int) -> None:
    desk.own_bots.over = Refused(code, "Not like this.")
    assert await desk.json(f"{BOTS}?name=coin", status, "POST", **MINE) == {"error": "Not like this."}
    assert desk.metrics.limits.counts["own_bots"] == (code == "too_fast")


async def test_who_makes_many_tokens_is_told_when_to_come_back(desk: HttpDesk) -> None:
    desk.own_bots.over = Refused("too_fast", "Try again in 180 s.", wait_s=180)
    response = await desk.ask(f"{BOTS}?name=coin", "POST", **MINE)
    assert (response.status, response.headers["Retry-After"]) == (429, "180")


async def test_bots_that_are_not_there(desk: HttpDesk) -> None:
    for method in ("POST", "DELETE"):
        assert (await desk.json(f"{BOTS}/41/token", 404, method, **MINE))["error"] == "You have no bot 41."
