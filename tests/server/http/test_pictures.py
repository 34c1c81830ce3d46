"""Pictures drawn by another process: when, what is made of its answer, and what becomes of a process that fails."""

from __future__ import annotations

import asyncio
import json
import sys
import textwrap
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from server.http import pictures as pictures_module
from server.http.answers.charts import SaidAnswer
from server.http.pictures import AGAIN_AFTER_MS, Pictures, command

PICTURE = {
    "name": "lengths",
    "title": "T",
    "alt": "A",
    "reading": "R",
    "file": "lengths.svg",
    "part": "p",
    "game": None,
}
TABLE = {"title": "T", "head": ["a"], "rows": [["x"], [1], [2.5], [None]], "note": "", "part": "p", "game": "qubic"}
PART = {"name": "p", "title": "P", "sentences": ["S."]}
SAID = {"S.": {"key": "s", "values": {"text": "T", "count": 1, "list": ["A", "R"]}}}


class Desk:
    """Pictures whose process is a small program; `files` are what it writes, `stats` its stats.json."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.files: dict[str, str] = {"lengths.svg": "<svg/>"}
        self.stats: Any = {"as_of_ms": 70, "games": 3, "parts": [PART], "pictures": [PICTURE], "tables": [TABLE]}
        self.stats["said"] = SAID
        self.program = ""
        self.finished = 1
        self.asked_since: list[int] = []
        self.now_ms = 1_000_000
        self.started = 0
        self.places: list[Path] = []
        self.pictures = Pictures("the.db", self._finished_since, lambda: self.now_ms, self._command)

    async def _finished_since(self, ms: int) -> int:
        self.asked_since.append(ms)
        await asyncio.sleep(0)  # as the store does: others come in between
        return self.finished

    def _command(self, db: str, folder: str) -> list[str]:
        assert db == "the.db"
        self.started += 1
        self.places.append(Path(folder).parent)
        files = {**self.files, "stats.json": json.dumps(self.stats)}
        program = (
            self.program
            or f"""
            import pathlib
            out = pathlib.Path({folder!r})
            out.mkdir()
            for name, text in {files!r}.items():
                (out / name).write_text(text)
        """
        )
        return [sys.executable, "-c", textwrap.dedent(program)]

    async def drawn(self) -> Any:
        """The answer when nothing is being drawn any more."""
        while (await self.pictures.answer()).drawing:
            assert self.pictures._drawing is not None
            await asyncio.wait([self.pictures._drawing])
        return await self.pictures.answer()


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    desk = Desk(tmp_path)
    yield desk
    await desk.pictures.close()


async def test_the_first_who_asks_has_them_drawn(desk: Desk) -> None:
    first = await desk.pictures.answer()
    assert (first.as_of_ms, first.games, first.pictures, first.drawing, first.error) == (None, 0, [], True, None)
    answer = await desk.drawn()
    assert (answer.as_of_ms, answer.games, answer.drawing, answer.error) == (70, 3, False, None)
    [picture] = answer.pictures
    assert (picture.name, picture.title, picture.alt, picture.reading) == ("lengths", "T", "A", "R")
    file = desk.pictures.file("lengths")
    assert file is not None
    assert file.body == b"<svg/>"
    assert picture.url == f"/api/stats/lengths.svg?{file.tag}"
    assert answer.tables[0].rows == [["x"], [1], [2.5], [None]]
    assert answer.parts[0].sentences == ["S."]
    assert answer.said == {"S.": SaidAnswer(key="s", values={"text": "T", "count": 1, "list": ["A", "R"]})}
    assert desk.started == 1
    assert not desk.places[0].exists()


async def test_they_are_drawn_again_when_old_and_games_have_ended_since(desk: Desk) -> None:
    await desk.drawn()
    desk.finished = 1
    assert not (await desk.pictures.answer()).drawing
    desk.now_ms += AGAIN_AFTER_MS
    desk.finished = 0
    assert not (await desk.pictures.answer()).drawing
    desk.finished = 1
    desk.files = {"lengths.svg": "<svg>new</svg>"}
    while_drawing = await desk.pictures.answer()
    assert (while_drawing.drawing, while_drawing.games) == (True, 3)
    before = while_drawing.pictures[0].url
    assert (await desk.drawn()).pictures[0].url != before
    assert desk.started == 2
    assert set(desk.asked_since) == {0, 70}


async def test_without_games_there_is_nothing_to_draw(desk: Desk) -> None:
    desk.finished = 0
    answer = await desk.pictures.answer()
    assert (answer.drawing, answer.as_of_ms, answer.error) == (False, None, None)
    assert desk.started == 0


async def test_one_at_a_time(desk: Desk) -> None:
    answers = await asyncio.gather(*(desk.pictures.answer() for _ in range(5)))
    assert {answer.drawing for answer in answers} == {True}
    await desk.drawn()
    assert desk.started == 1


@pytest.mark.parametrize(
    ("program", "sentence"),
    [
        ("raise SystemExit('no')", "The charts could not be drawn; see the server's log."),
        (
            "import sys; sys.stderr.write('x\\nError: Pictures need matplotlib.\\n'); sys.exit(2)",
            "Pictures need matplotlib.",
        ),
        ("import sys; sys.exit(2)", "The charts could not be drawn; see the server's log."),
        ("pass", "The charts could not be drawn; see the server's log."),
        ("import os; os.abort()", "The charts could not be drawn; see the server's log."),
    ],
)
async def test_what_goes_wrong_is_told_and_tried_again_later(desk: Desk, program: str, sentence: str) -> None:
    desk.program = program
    answer = await desk.drawn()
    assert (answer.error, answer.as_of_ms, answer.pictures) == (sentence, None, [])
    assert (await desk.drawn()).error == sentence
    assert desk.started == 1
    desk.program = ""
    desk.now_ms += AGAIN_AFTER_MS
    assert (await desk.drawn()).error is None
    assert desk.started == 2


async def test_old_pictures_stay_when_new_ones_fail(desk: Desk) -> None:
    await desk.drawn()
    desk.program, desk.finished = "raise SystemExit('no')", 1
    desk.now_ms += AGAIN_AFTER_MS
    answer = await desk.drawn()
    assert answer.error is not None
    assert [picture.name for picture in answer.pictures] == ["lengths"]


@pytest.mark.parametrize("stats", [{}, [], {"as_of_ms": 1, "games": 1, "parts": [], "pictures": [{}], "tables": []}])
async def test_an_answer_that_cannot_be_read(desk: Desk, stats: Any) -> None:
    desk.stats = stats
    assert (await desk.drawn()).error == "The charts could not be drawn; see the server's log."


@pytest.mark.parametrize(
    "picture",
    [{"name": "../x"}, {"name": ""}, {"name": "A"}, {"file": "../../stats.json"}, {"file": "/etc/passwd"}],
)
async def test_odd_names_are_no_pictures(desk: Desk, picture: dict[str, str]) -> None:
    desk.stats["pictures"] = [PICTURE | {"name": "good"}, PICTURE | picture]
    answer = await desk.drawn()
    assert [picture.name for picture in answer.pictures] == ["good"]
    assert desk.pictures.file("lengths") is None


async def test_too_large_is_no_picture(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures_module, "PICTURE_BYTES", 3)
    assert (await desk.drawn()).pictures == []


async def test_a_process_that_hangs_is_ended(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures_module, "DRAWING_S", 0.05)
    desk.program = "import time; time.sleep(600)"  # no test waits for it: it is a process to be ended
    assert (await desk.drawn()).error == "Drawing the charts took longer than 0 s and was stopped."


async def test_a_stop_ends_the_process_and_leaves_nothing(desk: Desk) -> None:
    desk.program = "import time; time.sleep(600)"  # no test waits for it: it is a process to be ended
    await desk.pictures.answer()
    await asyncio.sleep(0)
    await desk.pictures.close()
    await desk.pictures.close()
    assert not [place for place in desk.places if place.exists()]


def test_only_what_may_be_public_is_drawn() -> None:
    assert command("a.db", "out")[1:] == ["-m", "server.report.pictures", "--db", "a.db", "--out", "out", "--public"]
