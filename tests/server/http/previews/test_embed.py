"""A game in a frame of another site."""

from __future__ import annotations

import re
from base64 import b64encode
from hashlib import sha256
from html.parser import HTMLParser

import pytest

from server.http.previews.embed import embed_page, embed_policy
from server.http.previews.preview import Preview
from tests.support.http.desk import MINE, HttpDesk, game_row

GAME = Preview("Ann against Bob: Qubic", "Ann won.", "/picture")


class Reader(HTMLParser):
    """Elements with their attributes."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.found if name == tag]


def links(page: str) -> dict[str | None, str | None]:
    return {link.get("aria-label"): link["href"] for link in Reader(page).all("a")}


def test_steps_lead_back_and_forth() -> None:
    middle = links(embed_page(GAME, 17, 3, 9))
    assert {name: middle[name] for name in ("First", "Back", "Next", "Last")} == {
        "First": "?ply=0",
        "Back": "?ply=2",
        "Next": "?ply=4",
        "Last": "?ply=9",
    }
    assert middle[None] == "/game/17?ply=3"
    assert links(embed_page(GAME, 17, 0, 9)).keys() == {None, "Next", "Last"}
    assert links(embed_page(GAME, 17, 9, 9)).keys() == {None, "First", "Back"}
    assert links(embed_page(GAME, 17, 0, 0)).keys() == {None}


def test_a_page_without_scripts_whose_style_is_the_one_that_is_allowed() -> None:
    page = embed_page(Preview("<b>&\"'", "</p><script>", "/picture"), 17, 3, 9)
    read = Reader(page)
    assert not read.all("script")
    assert not read.all("b")
    assert [image["alt"] for image in read.all("img")] == ["<b>&\"', after 3 of 9 moves"]
    style = re.search("<style>(.*)</style>", page)
    assert style
    assert f"'sha256-{b64encode(sha256(style[1].encode()).digest()).decode()}'" in embed_policy(frozenset())


def test_nobody_may_embed_who_is_not_named() -> None:
    assert embed_policy(frozenset()).endswith("frame-ancestors 'none'")
    assert embed_policy({"https://b.example", "https://a.example"}).endswith(
        "frame-ancestors https://a.example https://b.example"
    )


async def test_a_public_game_in_a_frame(desk: HttpDesk) -> None:
    response = await desk.ask("/embed/game/1")
    assert (response.status, response.headers["Content-Type"]) == (200, "text/html; charset=utf-8")
    policy = response.headers["Content-Security-Policy"]
    assert policy.endswith("frame-ancestors https://blog.example https://news.example:8443")
    page = response.body.decode()
    [image] = Reader(page).all("img")
    assert image["src"] == "/api/games/1/picture.svg?ply=1"
    assert (await desk.ask(image["src"])).status == 200
    assert "Ann resigned, Bob (O) won after 1 move." in page
    assert '?ply=0"' in (await desk.ask("/embed/game/1?ply=1")).body.decode()
    desk.shelf.rows[1] = game_row(1, ended_ms=None, winner=None, termination=None, plies=None)
    assert b"This game is being played." in (await desk.ask("/embed/game/1")).body


@pytest.mark.parametrize("path", ["2", "99", "x", "2?ply=0"])
async def test_no_frame_shows_what_is_private(desk: HttpDesk, path: str) -> None:
    answer = await desk.json(f"/embed/game/{path}", 404)
    assert answer == {"error": f"There is no game {path.partition('?')[0]}."}
    private = await desk.ask("/embed/game/2", **MINE)
    assert private.headers["Content-Security-Policy"].endswith("frame-ancestors 'none'")


async def test_a_frame_of_a_ply_that_is_not_there(desk: HttpDesk) -> None:
    assert "ply is 0 to 1" in (await desk.json("/embed/game/1?ply=2", 400))["error"]
