"""The page at its paths, and how the server is."""

from __future__ import annotations

import pytest

from tests.support.http_desk import HttpDesk


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/room/abc",
        "/room/",
        "/join/x%2Fy",
        "/game/5?ply=3",
        "/ladder?run=a%2Fb",
        "/stats",
        "/explorer?game=qubic",
        "/player/7",
        "?x=1",
        "",
    ],
)
async def test_the_page_is_at_all_its_paths(desk: HttpDesk, path: str) -> None:
    response = await desk.ask(path)
    assert response.status == 200
    assert response.headers["Content-Type"] == "text/html; charset=utf-8"
    assert b"<script" in response.body


async def test_how_the_server_is(desk: HttpDesk) -> None:
    assert (await desk.ask("/healthz")).status == 200
    assert (await desk.ask("/readyz")).status == 200
    desk.ready = False
    assert (await desk.ask("/healthz")).status == 200
    assert (await desk.ask("/readyz")).status == 503
    metrics = await desk.ask("/metrics")
    assert metrics.headers["Content-Type"].startswith("text/plain")
    assert b"noughts_connections 0.0" in (metrics.body)
