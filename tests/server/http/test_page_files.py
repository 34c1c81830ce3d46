"""The files of the page, and the tags by which browsers keep them."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from server.http.message import read_request
from server.http.page_files import KINDS, file_response, page_files
from tests.support.http.desk import SCRIPT, SHEET, HttpDesk
from tests.support.page.sources import DIST

STAYS = "public, max-age=31536000, immutable"


@pytest.mark.parametrize("name", ["index.html", SHEET, SCRIPT, "favicon.svg"])
async def test_files_come_once_until_they_change(desk: HttpDesk, name: str) -> None:
    first = await desk.ask(f"/static/{name}")
    tag = first.headers["ETag"]
    for sent in (tag, f'"other", {tag}', f"W/{tag}"):
        again = await desk.ask(f"/static/{name}", If_None_Match=sent)
        assert (again.status, again.body) == (304, b"")
        assert again.headers["ETag"] == tag
        assert again.headers["Cache-Control"] == first.headers["Cache-Control"]
    changed = await desk.ask(f"/static/{name}", If_None_Match='"other"')
    assert (changed.status, changed.body) == (200, first.body)


def test_hidden_files_and_folders_are_not_handed_out(tmp_path: Path) -> None:
    for name in ("index.html", ".index.html.swp"):
        (tmp_path / name).write_text("", encoding="utf-8")
    (tmp_path / "folder").mkdir()
    assert page_files(tmp_path).keys() == {"index.html"}


def test_the_kind_of_every_file_of_the_page_is_known() -> None:
    assert {path.suffix for path in DIST.iterdir()} <= KINDS.keys()


@pytest.mark.parametrize(
    ("name", "stays"),
    [
        ("main-Z2EGSBL5.js", True),
        ("main-Z2EGSBL5.js.map", True),
        ("texts-de-YMERVDL3.json", True),
        ("index.html", False),
        ("favicon.svg", False),
        ("room-view.js", False),
        ("room-playbook.js", False),
        ("main-Z2EGSBL5", False),
    ],
)
def test_what_its_name_tells_apart_is_kept_for_good(tmp_path: Path, name: str, stays: bool) -> None:
    (tmp_path / name).write_text("text", encoding="utf-8")
    files = page_files(tmp_path)
    for known in ("", files[name].tag):
        response = file_response(files, name, read_request("GET", "/", [("If-None-Match", known)]))
        assert response.headers["Cache-Control"] == (STAYS if stays else "no-cache")
        assert response.headers["ETag"] == files[name].tag


def test_a_file_that_is_gone_is_not_kept() -> None:
    response = file_response({}, "main-Z2EGSBL5.js", read_request("GET", "/"))
    assert response.status == 404
    assert response.headers["Cache-Control"] == "no-store"


async def test_files_are_packed_for_who_can_unpack(desk: HttpDesk) -> None:
    plain = await desk.ask(f"/static/{SCRIPT}")
    packed = await desk.ask(f"/static/{SCRIPT}", Accept_Encoding="br, gzip;q=0.8")
    assert packed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.body) == plain.body
    assert packed.headers["ETag"] != plain.headers["ETag"]
    for response in (plain, packed):
        assert response.headers["Vary"] == "Accept-Encoding"
    refused = await desk.ask(f"/static/{SCRIPT}", Accept_Encoding="gzip;q=0")
    assert "Content-Encoding" not in refused.headers
    source_map = await desk.ask(f"/static/{SCRIPT}.map", Accept_Encoding="gzip")
    assert "Content-Encoding" not in source_map.headers
    assert json.loads(source_map.body)["sources"]


@pytest.mark.parametrize(
    "path",
    [
        "/static/../http.py",
        "/static/%2e%2e/http.py",
        "/static//etc/passwd",
        "/static/",
        "/static/.hidden",
        "/static/x%00",
    ],
)
async def test_there_are_no_other_files(desk: HttpDesk, path: str) -> None:
    assert (await desk.ask(path)).status == 404


async def test_the_page_has_no_inline_script_or_style(desk: HttpDesk) -> None:
    body = (await desk.ask("/")).body.decode()
    for script in body.split("<script")[1:]:
        assert "src=" in script.split(">")[0]
        assert script.split(">")[1].startswith("</script")
    assert "<style" not in body
    assert " style=" not in body
    assert " onclick=" not in body
