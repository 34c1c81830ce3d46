"""Charts over HTTP; how they are drawn has tests of its own."""

from __future__ import annotations

import pytest

from server.http.pictures import PictureFile
from tests.support.http_desk import HttpDesk


async def test_pictures_are_svg_and_come_once(desk: HttpDesk) -> None:
    desk.parts.pictures._files["lengths"] = PictureFile(b"<svg/>", "tag")
    first = await desk.ask("/api/stats/lengths.svg?tag")
    assert (first.status, first.body, first.headers["Content-Type"]) == (200, b"<svg/>", "image/svg+xml")
    assert "default-src 'none'" in first.headers["Content-Security-Policy"]
    again = await desk.ask("/api/stats/lengths.svg", If_None_Match=first.headers["ETag"])
    assert (again.status, again.body) == (304, b"")


@pytest.mark.parametrize(
    "name", ["other.svg", "lengths", "lengths.png", "", ".svg", "../ladder", "..%2F..%2Fserver%2Fhttp.py", "%00.svg"]
)
async def test_there_are_no_other_pictures(desk: HttpDesk, name: str) -> None:
    desk.parts.pictures._files["lengths"] = PictureFile(b"<svg/>", "tag")
    error = (await desk.json(f"/api/stats/{name}", 404))["error"]
    assert error == "There is no such chart; /api/stats lists them all."


async def test_pictures_that_cannot_be_drawn(desk: HttpDesk) -> None:
    assert (await desk.json("/api/stats"))["drawing"]
    await desk.parts.pictures._drawing
    answer = await desk.json("/api/stats")
    assert (answer["drawing"], answer["pictures"], answer["as_of_ms"]) == (False, [], None)
    assert answer["error"].endswith(".")
