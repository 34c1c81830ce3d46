"""Log lines for machines and for people."""

from __future__ import annotations

import json
import logging
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from server import logs
from server.db.connections import open_connection
from server.logs import LINES_KEPT, BackgroundHandler, JsonFormatter, TextFormatter, flush_logs, set_up_logs


def record(message: str = "it happened", *args: object, **extra: object) -> logging.LogRecord:
    made = logging.getLogger("server.test").makeRecord(
        "server.test", logging.WARNING, "file.py", 7, message, args, None, extra=extra
    )
    made.created = 1_700_000_000.25
    return made


def failed() -> logging.LogRecord:
    made = record()
    try:
        raise ValueError("two\nlines")
    except ValueError:
        made.exc_info = sys.exc_info()
    return made


def test_one_json_object_a_line() -> None:
    line = JsonFormatter().format(record("%s rooms\nrestored", 3, room="r1", plies=5))
    assert "\n" not in line
    assert json.loads(line) == {
        "at": "2023-11-14T22:13:20.250+00:00",
        "level": "warning",
        "from": "server.test",
        "message": "3 rooms\nrestored",
        "room": "r1",
        "plies": 5,
    }


def test_an_exception_stays_on_its_line() -> None:
    line = JsonFormatter().format(failed())
    assert "\n" not in line
    assert json.loads(line)["error"].endswith("ValueError: two\nlines")


def test_what_json_does_not_know_is_told_as_text() -> None:
    thing = object()
    assert json.loads(JsonFormatter().format(record(thing=thing)))["thing"] == str(thing)


def test_a_line_for_people() -> None:
    line = TextFormatter().format(record("ready", room="r1"))
    assert line.endswith(" warning: ready room=r1")
    assert len(line.split()[0].split(":")) == 3


def test_what_a_terminal_would_obey_is_written_out() -> None:
    line = TextFormatter().format(record("failed", path="/\x1b]2;mine\x07\n\x9b2J\u202e"))
    assert line.endswith(r" failed path=/\x1b]2;mine\x07\n\x9b2J\u202e")


def test_people_see_the_traceback() -> None:
    first, *rest = TextFormatter().format(failed()).splitlines()
    assert first.endswith("warning: it happened")
    assert rest[0].startswith("Traceback")


LIBRARIES = ("websockets", "aiosqlite")


def written(capfd: pytest.CaptureFixture[str]) -> str:
    flush_logs()
    return capfd.readouterr().err


@pytest.fixture
def restored(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The loggers as they were; whoever reads waits for the last line, however slow the machine is."""
    monkeypatch.setattr(logs, "LAST_LINES_S", 60.0)
    root = logging.getLogger()
    handlers, levels = root.handlers[:], {name: logging.getLogger(name).level for name in (None, *LIBRARIES)}
    yield
    root.handlers[:] = handlers
    for name, level in levels.items():
        logging.getLogger(name).setLevel(level)


@pytest.mark.usefixtures("restored")
@pytest.mark.parametrize(
    ("form", "is_screen", "is_json"),
    [
        ("json", False, True),
        ("json", True, True),
        ("text", False, False),
        ("auto", False, True),
        ("auto", True, False),
    ],
)
def test_auto_is_text_where_a_person_watches(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, form: str, is_screen: bool, is_json: bool
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: is_screen)
    set_up_logs("info", form)
    logging.getLogger("server.x").info("hello")
    told = written(capfd)
    assert told.startswith("{") is is_json
    assert "hello" in told


@pytest.mark.usefixtures("restored")
def test_the_level_is_kept_and_the_library_stays_quiet(capfd: pytest.CaptureFixture[str]) -> None:
    set_up_logs("warning", "text")
    set_up_logs("warning", "text")  # not twice the lines
    logging.getLogger("server.x").info("no")
    logging.getLogger("websockets.server").info("no")
    logging.getLogger("server.x").warning("once")
    assert written(capfd).count("\n") == 1


@pytest.mark.usefixtures("restored")
async def test_no_level_logs_what_the_database_is_asked(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    set_up_logs("debug", "json")
    connection = await open_connection(tmp_path / "noughts.db", writes=True, busy_timeout_s=1)
    await connection.rows("SELECT ?", ("the code of a private room",))
    await connection.close()
    logging.getLogger("server.x").info("the last")
    told = written(capfd)
    assert "the last" in told
    assert "private" not in told


def test_nobody_waits_for_who_reads_the_log() -> None:
    reading, writing = os.pipe()
    handler = BackgroundHandler(writing)
    handler.setFormatter(JsonFormatter())
    for number in range(LINES_KEPT + 1_000):
        handler.handle(record("x" * 1_000, number=number))
    kept: list[int] = []
    with open(reading) as reader:
        while "number" in (line := json.loads(reader.readline())):
            kept.append(line["number"])
        assert (line["level"], line["from"]) == ("warning", "server.logs")
        assert line["lines"] == LINES_KEPT + 1_000 - len(kept)
        assert kept == sorted(kept)
        handler.handle(record("next"))
        assert json.loads(reader.readline())["message"] == "next"
    os.close(writing)


def test_a_record_that_cannot_be_formatted_is_nobodys_error() -> None:
    reading, writing = os.pipe()
    handler = BackgroundHandler(writing)
    handler.setFormatter(JsonFormatter())
    handler.handle(record("%d rooms", "many"))
    handler.handle(record("next"))
    with open(reading) as reader:
        assert json.loads(reader.readline())["message"] == "next"
    os.close(writing)


@pytest.mark.usefixtures("restored")
def test_a_reader_that_is_gone_is_nothing_to_wait_for() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    handler = BackgroundHandler(writing)
    for _ in range(3):
        handler.handle(record())
        handler.flush()
    assert handler._lines.empty()
    os.close(writing)
