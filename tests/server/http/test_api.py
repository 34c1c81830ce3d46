"""Requests by their route: what all answers have, other methods, and what is not there."""

from __future__ import annotations

import pytest

from tests.support.http.desk import SCRIPT, SHEET, HttpDesk

STAYS = "public, max-age=31536000, immutable"

EVERYTHING = (
    "/", "/room/abc", "/join/code", "/game/5?ply=3", "/embed/game/1", "/static/index.html", f"/static/{SHEET}",
    f"/static/{SCRIPT}", f"/static/{SCRIPT}.map",
    "/explore", "/favicon.ico", "/healthz", "/readyz", "/metrics", "/api/bots", "/api/warm-up", "/api/rules",
    "/api/rules?game=qubic", "/api/games",
    "/api/games/1", "/api/games/1.txt", "/api/games/1/review",
    "/api/games/2/share", "/api/games/1/picture.svg?ply=0", "/api/games/2/picture.png",
    "/api/games/99/review", "/nothing", "/static/nothing", "/api/nothing", "/api/games/99",
    "/api/games?game=x", "/api/explorer?game=tictactoe", "/api/explorer",
    "/api/ladder", "/api/ladder?run=n%2Fs%2F1", "/api/ladder/live", "/api/players/7", "/api/stats/lengths.svg",
)  # fmt: skip


@pytest.mark.parametrize("path", EVERYTHING)
async def test_every_answer_is_guarded_and_head_is_get_without_the_body(desk: HttpDesk, path: str) -> None:
    response, head = await desk.ask(path), await desk.ask(path, "HEAD")
    headers = response.headers
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == ("no-referrer" if path.startswith("/join/") else "same-origin")
    is_page = headers["Content-Type"].startswith("text/html")
    assert ("camera=(), " in headers.get("Permissions-Policy", "")) == is_page
    assert headers["Content-Length"] == str(len(response.body))
    assert headers["Content-Type"]
    kept = headers["Cache-Control"]
    if path.removeprefix("/static/").startswith((SHEET, SCRIPT)):
        assert kept == STAYS
    elif path.startswith("/api/rules"):
        assert kept == "public, max-age=300"
    elif path.startswith("/api/games/1/picture"):
        assert kept == "public, max-age=3600"
    else:
        assert kept == ("no-cache" if "ETag" in headers else "no-store")
    assert head.body == b""
    assert head.status == response.status
    if path != "/metrics":
        assert dict(head.headers) == dict(headers)


@pytest.mark.parametrize(
    ("method", "path"),
    [
        *((method, "/") for method in ("POST", "PUT", "DELETE", "OPTIONS", "PATCH", "get", "NONSENSE")),
        ("POST", "/healthz"),
        ("POST", "/api/games/1"),
    ],
)
async def test_other_methods_are_refused(desk: HttpDesk, method: str, path: str) -> None:
    response = await desk.ask(path, method)
    assert response.status == 405
    assert response.headers["Allow"] == "GET, HEAD"


async def test_what_may_be_changed_takes_its_methods_alone(desk: HttpDesk) -> None:
    response = await desk.ask("/api/games/1/share", "PUT")
    assert response.body == b'{"error":"PUT is not supported here: use GET."}'
    assert (response.status, response.headers["Allow"]) == (405, "GET, HEAD, POST, DELETE")


@pytest.mark.parametrize(
    "path",
    ["/nothing", "*", "//[", "/rooms", "/room", "room/abc", "/%ff", "/a%0d%0aX-Evil: 1", "/API/games", "/ladder/x"],
)
async def test_what_is_not_there_is_told_in_a_sentence(desk: HttpDesk, path: str) -> None:
    response = await desk.ask(path)
    assert response.status == 404
    assert response.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert response.body.endswith(b".\n")
    assert "X-Evil" not in response.headers


async def test_a_browser_gets_the_page_where_nothing_is(desk: HttpDesk) -> None:
    page = await desk.ask("/")
    asked = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8", "If-None-Match": page.headers["ETag"]}
    nothing = await desk.ask("/nowhere", **asked)
    assert (nothing.status, nothing.body) == (404, page.body)
    assert nothing.headers["Content-Type"] == "text/html; charset=utf-8"
    assert nothing.headers["Vary"] == (await desk.ask("/nowhere", Accept="*/*")).headers["Vary"]
    for path in ("/api/nowhere", "/static/nowhere"):
        answer = await desk.ask(path, **asked)
        assert answer.status == 404
        assert not answer.headers["Content-Type"].startswith("text/html")


async def test_a_page_whose_query_was_stopped_is_told_why(desk: HttpDesk) -> None:
    desk.shelf.trouble = "A query took more than 2 s and was stopped."
    response = await desk.ask("/api/games/1")
    assert response.status == 503
    assert response.body == b"A query took more than 2 s and was stopped.\n"
    assert (await desk.ask("/api/games/1", "HEAD")).body == b""
