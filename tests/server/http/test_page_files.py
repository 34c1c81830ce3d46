"""The files of the page, and the tags by which browsers keep them."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from server.http.page_files import page_files
from tests.support.http_desk import HttpDesk


@pytest.mark.parametrize("name", ["index.html", "ui/style.css", "main.js", "favicon.svg"])
async def test_files_come_once_until_they_change(desk: HttpDesk, name: str) -> None:
    first = await desk.ask(f"/static/{name}")
    tag = first.headers["ETag"]
    for sent in (tag, f'"other", {tag}', f"W/{tag}"):
        again = await desk.ask(f"/static/{name}", If_None_Match=sent)
        assert (again.status, again.body) == (304, b"")
        assert again.headers["ETag"] == tag
    changed = await desk.ask(f"/static/{name}", If_None_Match='"other"')
    assert (changed.status, changed.body) == (200, first.body)


def test_a_file_of_texts_is_a_language(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text('<meta name="languages" content="{languages}">', encoding="utf-8")
    texts = tmp_path / "i18n" / "texts"
    texts.mkdir(parents=True)
    for name in ("en.json", "fr.json", "de.json", ".en.json.swp"):
        (texts / name).write_text("{}", encoding="utf-8")
    found = page_files(tmp_path)
    assert found.keys() == {"index.html", "i18n/texts/de.json", "i18n/texts/en.json", "i18n/texts/fr.json"}
    assert found["index.html"].body == b'<meta name="languages" content="de en fr">'
    assert found["i18n/texts/fr.json"].kind == "application/json"


def test_shared_texts_come_with_those_of_the_page(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("{languages}", encoding="utf-8")
    for folder, text in (("texts", '{"own": "Settings"}'), ("shared", '{"both": "Züge"}')):
        (tmp_path / "i18n" / folder).mkdir(parents=True)
        (tmp_path / "i18n" / folder / "de.json").write_text(text, encoding="utf-8")
    found = page_files(tmp_path)
    assert found.keys() == {"index.html", "i18n/texts/de.json"}
    assert json.loads(found["i18n/texts/de.json"].body) == {"own": "Settings", "both": "Züge"}


async def test_files_are_packed_for_who_can_unpack(desk: HttpDesk) -> None:
    plain = await desk.ask("/static/main.js")
    packed = await desk.ask("/static/main.js", Accept_Encoding="br, gzip;q=0.8")
    assert packed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.body) == plain.body
    assert packed.headers["ETag"] != plain.headers["ETag"]
    for response in (plain, packed):
        assert response.headers["Vary"] == "Accept-Encoding"
    refused = await desk.ask("/static/main.js", Accept_Encoding="gzip;q=0")
    assert "Content-Encoding" not in refused.headers


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
