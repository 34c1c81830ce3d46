"""What the report says, and that the page's texts have all of it: else other languages would have it in English."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path
from typing import Any

import pytest

import server
from server.report.frames import Choice, read
from server.report.parts import every_part
from server.report.plots import Part, Points, Stacked, Table, walk
from server.report.wording import GAME, TEXTS, Said, said_in, say, sentences
from server.report.words import ReportData
from tests.support.page_texts import page_texts
from tests.support.report_records import add_samples, many_records

ENGLISH = page_texts("en")
FIGURE = re.compile(r"[-+]?[\d.,]+( %|/[\d.]+| to [-+]?[\d.,]+)?|\d{4}-\d\d-\d\d \d\d:\d\d|[\d /]+")
"""Numbers, ranges, times: the page writes them in its own way."""
FAULTS = "reason"


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> ReportData:
    path = many_records(tmp_path_factory.mktemp("wording"))
    add_samples(path)
    return ReportData(read(path, Choice()))


@pytest.fixture(scope="module")
def parts(data: ReportData) -> list[Part]:
    return [*walk(every_part(data))]


@pytest.fixture(scope="module")
def names(data: ReportData, parts: list[Part]) -> set[str]:
    """Of bots, people and lists: they are the same in every language."""
    players = set(data.players.values())
    placed = {f"{place} {name}" for place in range(1, 10) for name in players}
    return players | placed | {part.title for part in parts if part.name.startswith("list-")} | {"night"}


# Saying it


def test_a_text_knows_what_it_was_made_of() -> None:
    said = say("faults", count=1234, games=5000)
    assert said == "1,234 games of 5,000 lost by a fault."
    assert (said.key, said.values) == ("faults", {"count": 1234, "games": 5000})
    assert say("faults", count=1, games=5) == "1 game of 5 lost by a fault."
    assert json.dumps([said]) == '["1,234 games of 5,000 lost by a fault."]'


def test_several_texts_stand_in_a_row() -> None:
    assert say("results.alt", results=("a 1", "b 2")) == "Games won by X, drawn and won by O: a 1; b 2."


def test_sentences_follow_each_other() -> None:
    first, second, third = say("band"), say("scale"), say("shown", shown=30, count=31)
    assert sentences("", "") == ""
    assert sentences(first, "") is first
    assert sentences(first, second, third) == f"{first} {second} {third}"


@dataclass(frozen=True)
class Held:
    texts: tuple[str, ...]
    number: int = 1


def test_texts_are_found_wherever_they_are() -> None:
    game = Said("Qubic", GAME, {"game": "qubic"})
    title = say("lengths.title", game=game)
    assert [*said_in([Held(("plain", title)), [say("band")]])] == [title, game, say("band")]


def test_a_text_means_one_thing(parts: list[Part]) -> None:
    """Texts are looked up by what they say."""
    meanings: dict[str, tuple[str, Any]] = {}
    for said in said_in(parts):
        assert meanings.setdefault(said, (said.key, said.values)) == (said.key, said.values)
    assert len(meanings) > 100


# The page's texts


def test_the_page_has_every_sentence() -> None:
    """Its English ones are those of the report."""
    report = {f"stats.said.{key}": _forms(text) for key, text in TEXTS.items()}
    assert {key: text for key, text in ENGLISH.items() if key.startswith("stats.said.")} == report


def _forms(text: str | tuple[str, str]) -> str | dict[str, str]:
    return text if isinstance(text, str) else {"one": text[0], "other": text[1]}


def test_every_sentence_has_a_key(parts: list[Part]) -> None:
    for part in parts:
        assert all(isinstance(text, Said) for text in part.sentences), part.sentences
        for picture in part.pictures:
            assert all(isinstance(text, Said) for text in (picture.title, picture.alt, picture.reading)), picture
        for table in part.tables:
            assert isinstance(table.note, Said) or not table.note, table.note


def test_the_page_has_every_word(parts: list[Part], names: set[str]) -> None:
    """Titles, heads of columns, cells, and labels of pictures that are no sentences."""
    for text in (text for part in parts for text in _short_texts(part)):
        known = isinstance(text, Said) or text in names or FIGURE.fullmatch(text)
        assert known or ENGLISH.get(f"stats.word.{_slug(text)}") == text, text


def _short_texts(part: Part) -> Iterator[str]:
    yield part.title
    for picture in part.pictures:
        yield from _labels(picture.plot)
    for table in part.tables:
        yield table.title
        yield from filter(None, table.head)
        yield from _cells(table)


def _labels(thing: object) -> Iterator[str]:
    """All texts of a plot but the names of its drawing's colours."""
    if isinstance(thing, str):
        yield from filter(None, [thing])
    elif isinstance(thing, tuple):
        for one in thing:
            yield from _labels(one)
    elif is_dataclass(thing):
        for field in fields(thing):
            if field.name not in ("colours", "kind"):
                yield from _labels(getattr(thing, field.name))


def _cells(table: Table) -> Iterator[str]:
    for row in table.rows:
        for head, cell in zip(table.head, row, strict=True):
            if isinstance(cell, str) and cell and head != FAULTS:
                yield cell


def _slug(text: str) -> str:
    """As `slug` in stats/words.js."""
    return "-".join([word for word in re.split("[^a-z0-9]+", text.lower()) if word][:6])


def test_rows_of_pictures_are_names(parts: list[Part], names: set[str]) -> None:
    plots = [picture.plot for part in parts for picture in part.pictures]
    labels = [label for plot in plots if isinstance(plot, Points | Stacked) for label in plot.labels]
    assert labels
    assert all(isinstance(label, Said) or label in names for label in labels)


def test_the_page_has_no_word_too_many() -> None:
    """Each is what the server says, and stands under its first words."""
    root = Path(server.__file__).parent
    said = "".join(
        path.read_text(encoding="utf-8") for path in [*(root / "report").glob("*.py"), root / "http" / "pictures.py"]
    )
    sources = {"room", "match", "experiment"}
    for key, text in ENGLISH.items():
        if key.startswith("stats.word."):
            assert key == f"stats.word.{_slug(text)}"
            assert f'"{text}"' in said or text in sources, text
