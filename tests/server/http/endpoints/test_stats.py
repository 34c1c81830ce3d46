"""The statistics over HTTP; how they are counted has tests of its own."""

from __future__ import annotations

from tests.support.http.desk import HttpDesk


async def test_without_games(desk: HttpDesk) -> None:
    answer = await desk.json("/api/stats")
    assert (answer["as_of_ms"], answer["games"], answer["kinds"]) == (None, 0, [])
    # What clients of before look for.
    assert (answer["pictures"], answer["tables"], answer["parts"], answer["said"]) == ([], [], [], {})
    assert answer["drawing"] is False


async def test_the_server_draws_no_charts(desk: HttpDesk) -> None:
    for name in ("lengths.svg", "..%2F..%2Fserver%2Fhttp.py"):
        await desk.json(f"/api/stats/{name}", 404)
