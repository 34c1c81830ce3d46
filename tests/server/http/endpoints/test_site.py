"""The page at its paths, and how the server is."""

from __future__ import annotations

import pytest

from tests.support.http.desk import HttpDesk


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


@pytest.mark.parametrize(
    ("path", "location"),
    [
        ("/explore", "/explorer"),
        ("/explore?game=mnk:3,3,3&moves=b2,a1", "/explorer?game=mnk:3,3,3&moves=b2,a1"),
        ("/explore?game=%0d%0aSet-Cookie:x", "/explorer?game=%0D%0ASet-Cookie:x"),
    ],
)
async def test_the_word_of_the_menu_leads_to_the_explorer(desk: HttpDesk, path: str, location: str) -> None:
    response = await desk.ask(path)
    assert (response.status, response.headers["Location"]) == (308, location)


async def test_how_the_server_is(desk: HttpDesk) -> None:
    assert (await desk.ask("/healthz")).status == 200
    assert (await desk.ask("/readyz")).status == 200
    desk.trouble = "No worker can be started: too many open files."
    assert (await desk.ask("/healthz")).status == 200
    unready = await desk.ask("/readyz")
    assert (unready.status, unready.body) == (503, b"not ready: No worker can be started: too many open files.\n")
    metrics = await desk.ask("/metrics")
    assert metrics.headers["Content-Type"].startswith("text/plain")
    assert b"noughts_connections 0.0" in (metrics.body)


async def test_readyz_says_which_limits_are_being_met_and_from_where(desk: HttpDesk) -> None:
    for _ in range(2):
        desk.metrics.limits.met("chat_rate", "203.0.113.7")
    desk.metrics.limits.met("queue", "")
    assert (await desk.ask("/readyz")).body.decode().splitlines() == [
        "ready",
        "limit met in the last minute: chat_rate, 2 times by 203.0.113.0/24",
        "limit met in the last minute: queue, 1 times by players who are away",
    ]
