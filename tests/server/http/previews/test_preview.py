"""What sites that show previews of links are told."""

from __future__ import annotations

import gzip
import json
import re
from html import unescape
from typing import Any

import pytest

from engine.rules.registry import games, rules
from server.db.ladder import BotRow
from server.http.connections.gate import origin_of
from server.http.message import read_request
from server.http.previews.preview import EVERYWHERE, PAGES, of_game, of_room, of_rules, with_preview
from tests.support.http.desk import MINE, PROXY, TOKEN, HttpDesk, game_row
from tests.support.rooms.session_driver import ANN, BOB, Driver, bot_seat

HOST = {"Host": "play.example.org"}


def tags(html: str) -> dict[str, str]:
    found = re.findall(r'<meta (?:property|name)="([^"]+)" content="([^"]*)">', html)
    return {name: unescape(content) for name, content in found}


async def previewed(desk: HttpDesk, path: str, **headers: str) -> dict[str, str]:
    response = await desk.ask(path, **(HOST | headers))
    assert response.status == 200
    return tags(response.body.decode())


@pytest.mark.parametrize("path", ["/", "/ladder", "/stats", "/learn", "/learn/qubic", "/learn/nothing", "/player/7"])
async def test_every_page_has_a_preview_with_a_picture(desk: HttpDesk, path: str) -> None:
    shown = await previewed(desk, path)
    assert shown["og:site_name"] == "noughts"
    assert shown["og:title"]
    assert shown["og:description"] == shown["description"]
    assert shown["twitter:card"] == "summary_large_image"
    picture = shown["og:image"].removeprefix("http://play.example.org")
    drawn = await desk.ask(picture)
    assert (drawn.status, drawn.headers["Content-Type"]) == (200, "image/png")


async def test_a_player(desk: HttpDesk, monkeypatch: pytest.MonkeyPatch) -> None:
    known = {
        7: BotRow(7, "Bob & <Co>", "person", 5, None, None, 0),
        8: BotRow(8, "level:2", "bot", 5, "level", 1, 1),
    }

    async def read(row: type, sql: str, parameters: Any = ()) -> list[Any]:
        return [known[id] for id in json.loads(parameters[0]) if id in known] if row is BotRow else []

    monkeypatch.setattr(desk.parts.ladders, "_read", read)
    shown = await previewed(desk, "/player/7")
    assert shown["og:title"] == "Bob & <Co>"
    assert shown["og:url"] == "http://play.example.org/player/7"
    assert (await previewed(desk, "/player/8"))["og:title"] == "Level 2"
    everywhere = await previewed(desk, "/")
    for nobody in ("9", "x", "9" * 40):
        assert await previewed(desk, f"/player/{nobody}") == everywhere


async def test_a_public_game(desk: HttpDesk) -> None:
    shown = await previewed(desk, "/game/1")
    assert shown["og:title"] == "Ann against Bob: Qubic"
    assert shown["og:description"] == "Ann resigned, Bob (O) won after 1 move."
    assert shown["og:image"] == "http://play.example.org/api/games/1/picture.png"
    assert shown["og:url"] == "http://play.example.org/game/1"
    at = await previewed(desk, "/game/1?ply=1")
    assert (at["og:image"], at["og:url"]) == (f"{shown['og:image']}?ply=1", f"{shown['og:url']}?ply=1")
    for nonsense in ("x", "-1", "99", "9" * 40, "%22%3E"):
        assert await previewed(desk, f"/game/1?ply={nonsense}") == shown


@pytest.mark.parametrize("path", ["/game/2", "/game/99", "/game/x", f"/game/{'9' * 40}", "/room/hidden", "/join/code"])
async def test_of_what_is_private_nothing_is_told(desk: HttpDesk, path: str) -> None:
    desk.links.secrets[2] = "known"
    everywhere = await previewed(desk, "/")
    for sent in ({}, MINE, {"X-Share": "known"}):
        assert await previewed(desk, path, **sent) == everywhere
    assert TOKEN not in str(everywhere)


async def test_the_page_is_there_when_the_database_is_not(desk: HttpDesk) -> None:
    everywhere = await previewed(desk, "/")
    desk.shelf.trouble = "The database cannot be read."
    assert await previewed(desk, "/game/1") == everywhere


async def test_a_name_is_no_markup(desk: HttpDesk) -> None:
    name = "\"><script>{x}'&"
    desk.shelf.rows[1] = game_row(1, x_name=name)
    html = (await desk.ask("/game/1", **HOST)).body.decode()
    assert "<script>{x}" not in html
    assert tags(html)["og:title"] == f"{name} against Bob: Qubic"


@pytest.mark.parametrize("host", ["", "a b", '"><script>', "a/b", "x" * 300, "[::1", "user@host"])
async def test_a_host_that_is_none_gets_no_picture(desk: HttpDesk, host: str) -> None:
    shown = tags((await desk.ask("/", Host=host)).body.decode())
    assert "og:image" not in shown
    assert shown["og:title"] == EVERYWHERE.title


@pytest.mark.parametrize(
    ("address", "headers", "origin"),
    [
        ("203.0.113.9", [("Host", "a.example:8765")], "http://a.example:8765"),
        ("203.0.113.9", [("Host", "a.example"), ("X-Forwarded-Proto", "https")], "http://a.example"),
        (PROXY, [("Host", "a.example"), ("X-Forwarded-Proto", "https")], "https://a.example"),
        (PROXY, [("Host", "a.example"), ("X-Forwarded-Proto", "http")], "http://a.example"),
        (PROXY, [("Host", "a.example")], "https://a.example"),
        (PROXY, [("Host", "a.example"), ("X-Forwarded-Proto", "javascript")], "https://a.example"),
        ("203.0.113.9", [("Host", "[::1]:80")], "http://[::1]:80"),
        ("203.0.113.9", [], None),
    ],
)
def test_where_a_client_found_the_server(address: str, headers: list[tuple[str, str]], origin: str | None) -> None:
    assert origin_of({PROXY}, read_request("GET", "/", headers, address)) == origin


async def test_a_page_with_a_preview_is_packed_and_kept(desk: HttpDesk) -> None:
    plain = await desk.ask("/game/1", **HOST)
    packed = await desk.ask("/game/1", Accept_Encoding="gzip", **HOST)
    assert gzip.decompress(packed.body) == plain.body
    again = await desk.ask("/game/1", If_None_Match=plain.headers["ETag"], **HOST)
    assert (again.status, again.body) == (304, b"")
    assert (await desk.ask("/", **HOST)).headers["ETag"] != plain.headers["ETag"]


# Sentences


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"winner": "x", "termination": "line", "plies": 23}, "Ann (X) won with four in a row after 23 moves."),
        (
            {"game": "ultimate", "start": "[]", "termination": "line"},
            "Bob (O) won with three boards in a row after 1 move.",
        ),
        ({"game": "nine-board", "start": "[]", "termination": "line"}, "Bob (O) won with three in a row after 1 move."),
        ({"game": "mnk:9,9,7", "start": "[]", "termination": "line"}, "Bob (O) won with 7 in a row after 1 move."),
        ({"termination": "count"}, "Bob (O) won more boards after 1 move."),
        ({"termination": "flag"}, "Ann ran out of time, Bob (O) won after 1 move."),
        ({"winner": None, "termination": "agreement", "plies": 9}, "Draw by agreement after 9 moves."),
        ({"winner": None, "termination": "board_full"}, "Draw, no moves left after 1 move."),
        ({"winner": None, "termination": "adjudication"}, "Draw after 1 move."),
        ({"winner": None, "termination": None, "ended_ms": None, "plies": None}, "This game is being played."),
    ],
)
def test_how_a_game_ended(changes: dict[str, Any], sentence: str) -> None:
    assert of_game(game_row(1, **changes)).sentence == sentence


def test_bots_are_called_as_the_page_calls_them() -> None:
    row = game_row(1, x_name="level:2", x_version=3, o_name="level:2")
    assert of_game(row).title == "Level 2 against level:2: Qubic", "a person may be called so"


def test_rooms() -> None:
    waiting = of_room(Driver(o=None).session)
    assert (waiting.title, waiting.sentence) == ("Ann is looking for an opponent: Tic-tac-toe", "Sit down and play.")
    assert waiting.address == "/room/room1"
    running = Driver(ANN, bot_seat("level:2"), kind="bot")
    assert of_room(running.session).title == f"Ann against Level 2: {rules('tictactoe').name}"
    assert of_room(running.session).sentence == "Watch this game as it is played."
    running.act(ANN, "resign")
    assert of_room(running.session).sentence == "This game is over: look at how it went."
    for private in (Driver(o=None, target=BOB.id, kind="player"), Driver(ANN, ANN, kind="self")):
        assert of_room(private.session) == EVERYWHERE


async def test_a_public_room_has_its_preview(desk: HttpDesk) -> None:
    desk.sessions["abc"] = Driver().session
    assert (await previewed(desk, "/room/abc"))["og:title"].startswith("Ann against Bob: ")


def test_every_game_has_one() -> None:
    for game in games():
        assert of_rules(game).title == f"Learn {game.name}"


def test_a_page_without_a_head_stays_as_it_is() -> None:
    assert with_preview("<p>", EVERYWHERE, None) == "<p>"
    assert all(page.title for page in PAGES.values())
