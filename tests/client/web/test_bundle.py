"""What the server hands out of the page: few files, whose names say what is in them. `make check` compares it with its
sources."""

from __future__ import annotations

import json
import re

from tests.support.page.sources import DIST, page_scripts, page_sources
from tests.support.page.texts import page_languages, page_texts

NAMES = {path.name for path in DIST.iterdir()}
HASH = r"-[0-9A-Z]{8}\."
SCRIPTS = {name for name in NAMES if name.endswith(".js")}
INDEX = (DIST / "index.html").read_text(encoding="utf-8")
ENTRY = "main"
MOST_SCRIPTS = 24
SHEET = "page"
VIEWS = "views"
LIBRARIES = "library:"
"""Where a map says that libraries are."""


def text(name: str) -> str:
    return (DIST / name).read_text(encoding="utf-8")


def at_once(name: str) -> set[str]:
    """The scripts that one imports, and those that these import."""
    found = set(re.findall(r'(?:\bfrom|\bimport)"\./([\w.-]+\.js)"', text(name)))
    return found.union(*map(at_once, found))


def test_all_files_stay_but_the_page_itself_and_the_icon_for_who_asks_for_none_by_name() -> None:
    assert {name for name in NAMES if not re.search(HASH, name)} == {"index.html", "favicon.svg", "licences.txt"}


def test_the_page_names_what_it_loads_first_and_nothing_else() -> None:
    """So the browser need not find files one after the other, nor load what somebody may open later."""
    named = re.findall(r'(?:src|href)="/static/([^"]+)"', INDEX)
    (main,) = [name for name in named if re.match(rf"{ENTRY}{HASH}js$", name)]
    (sheet,) = [name for name in named if re.match(rf"{SHEET}{HASH}css$", name)]
    assert sorted(named) == sorted({main, sheet, *at_once(main)})
    assert re.search(rf'<meta name="views" content="/static/{VIEWS}{HASH}css">', INDEX)
    # The texts take longest: what asks for them runs once it is here.
    for name in at_once(main):
        assert f'<script type="module" async src="/static/{name}">' in INDEX


def test_the_page_names_the_texts_of_every_language() -> None:
    """With those that the terminal says in the same words."""
    (languages,) = re.findall(r'<meta name="languages" content="([^"]+)">', INDEX)
    files = dict(pair.split("=") for pair in languages.split(" "))
    assert sorted(files) == page_languages()
    for code, file in files.items():
        assert re.fullmatch(rf"/static/texts-{code}{HASH}json", file)
        assert json.loads(text(file.removeprefix("/static/"))) == page_texts(code)


def test_every_file_is_one_that_another_names() -> None:
    texts = INDEX + "".join(text(name) for name in NAMES if name.endswith((".js", ".css")))
    assert {name for name in NAMES if name not in texts} == {"index.html", "favicon.svg", "licences.txt"}
    assert len(SCRIPTS) <= MOST_SCRIPTS


def test_the_licences_of_all_libraries_are_passed_on() -> None:
    maps = [json.loads(text(f"{name}.map")) for name in SCRIPTS]
    used = {source.removeprefix(LIBRARIES) for one in maps for source in one["sources"] if source.startswith(LIBRARIES)}
    packages = {"/".join(name.split("/")[: 2 if name.startswith("@") else 1]) for name in used}
    told = text("licences.txt")
    assert {"preact", "@preact/signals"} <= packages
    assert {name for name in packages if f"{name}\n\n" not in told} == set()
    assert told.count("Permission is hereby granted") == len(packages)


def test_maps_tell_where_each_line_is_from() -> None:
    """Of every script and sheet, with the sources in them: the server has no others."""
    maps = [json.loads(text(f"{name}.map")) for name in NAMES if name.endswith((".js", ".css"))]
    sources = [source for one in maps for source in one["sources"]]
    assert len(sources) == len(set(sources))
    wanted = {*page_scripts(), *page_sources("*.css"), "learn/puzzles.json"} - {"page.css", "views.css"}
    own = {source for source in sources if not source.startswith(LIBRARIES)}
    assert own == {f"../{name}" for name in wanted}
    for one in maps:
        assert len(one["sourcesContent"]) == len(one["sources"])
