"""Pictures of positions over HTTP."""

from __future__ import annotations

import pytest

from tests.support.http.desk import MINE, HttpDesk, game_row

FORMS = pytest.mark.parametrize(("form", "kind"), [("svg", "image/svg+xml"), ("png", "image/png")])


@FORMS
async def test_a_game_as_a_picture(desk: HttpDesk, form: str, kind: str) -> None:
    whole = await desk.ask(f"/api/games/1/picture.{form}")
    assert (whole.status, whole.headers["Content-Type"]) == (200, kind)
    assert whole.headers["Cache-Control"] == "public, max-age=3600"
    again = await desk.ask(f"/api/games/1/picture.{form}", If_None_Match=whole.headers["ETag"])
    assert (again.status, again.body) == (304, b"")
    bodies = [(await desk.ask(f"/api/games/1/picture.{form}?ply={ply}")).body for ply in (0, 1)]
    assert bodies[1] == whole.body != bodies[0]


async def test_a_picture_begins_after_the_start(desk: HttpDesk) -> None:
    picture = await desk.ask("/api/games/1/picture.svg?ply=0")
    assert picture.body.count(b"<path") == 1, "the move that was made beforehand"
    assert b"Qubic after 1 move" in picture.body


@pytest.mark.parametrize("ply", ["2", "99", "-1", "x", "1.5", "9" * 30])
async def test_a_ply_that_a_game_does_not_have(desk: HttpDesk, ply: str) -> None:
    assert (await desk.json(f"/api/games/1/picture.png?ply={ply}", 400))["error"].endswith(".")


@FORMS
async def test_a_private_game_has_a_picture_for_its_players(desk: HttpDesk, form: str, kind: str) -> None:
    path = f"/api/games/2/picture.{form}"
    assert await desk.json(path, 404) == {"error": "There is no game 2."}
    await desk.json(f"{path}?ply=99", 404)
    desk.links.secrets[2] = "known"
    for known in (MINE, {"X-Share": "known"}):
        picture = await desk.ask(path, **known)
        assert (picture.status, picture.headers["Cache-Control"]) == (200, "no-store")
    await desk.json(path, 404, X_Share="forged")
    await desk.json(f"/api/games/99/picture.{form}", 404)


async def test_the_picture_of_a_running_game_is_asked_for_again(desk: HttpDesk) -> None:
    desk.shelf.rows[1] = game_row(1, ended_ms=None, winner=None, termination=None, plies=None)
    assert (await desk.ask("/api/games/1/picture.png")).headers["Cache-Control"] == "no-cache"


@FORMS
async def test_any_position_as_a_picture(desk: HttpDesk, form: str, kind: str) -> None:
    picture = await desk.ask(f"/api/picture.{form}?game=tictactoe&moves=b2,a1")
    assert (picture.status, picture.headers["Content-Type"]) == (200, kind)
    assert picture.headers["Cache-Control"] == "public, max-age=3600"
    empty = await desk.ask(f"/api/picture.{form}?game=tictactoe&moves=")
    assert empty.status == 200
    assert empty.body != picture.body


@pytest.mark.parametrize(
    ("query", "says"),
    [
        ("", "Name the game"),
        ("moves=a1", "Name the game"),
        ("game=chess", "chess"),
        ("game=tictactoe&moves=a1,a1", "Move 2, 'a1', cannot be shown."),
        ("game=tictactoe&moves=a1,,b1", "Move 2, '', cannot be shown."),
        ("game=tictactoe&moves=" + "z9" * 3000, "Move 1, 'z9"),
        ("game=tictactoe&moves=a1,a2,b1,b2,c1,c2", "Move 6, 'c2', cannot be shown."),
    ],
)
async def test_a_position_that_cannot_be(desk: HttpDesk, query: str, says: str) -> None:
    error = (await desk.json(f"/api/picture.png?{query}", 400))["error"]
    assert says in error
    assert len(error) < 300
