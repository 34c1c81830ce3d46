"""Players over HTTP."""

from __future__ import annotations

import json

from tests.support.http.desk import MINE, TOKEN, HttpDesk


async def test_a_token_tells_who_one_is(desk: HttpDesk) -> None:
    assert await desk.json("/api/players/me", **MINE) == {"id": "1", "name": "Ann", "kind": "person"}
    for wrong in ("", "Bearer", "Bearer nobody", f"Basic {TOKEN}"):
        for path in ("", "/games.jsonl"):
            response = await desk.ask(f"/api/players/me{path}", Authorization=wrong)
            assert (response.status, response.headers["WWW-Authenticate"]) == (401, "Bearer")
            assert "No player has this token" in json.loads(response.body)["error"]
