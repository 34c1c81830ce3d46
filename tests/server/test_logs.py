"""Log lines for machines and for people."""

from __future__ import annotations

import io
import json
import logging
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from server.db.connections import open_connection
from server.logs import JsonFormatter, TextFormatter, set_up_logs


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


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def restored() -> Iterator[None]:
    """The loggers as they were."""
    root = logging.getLogger()
    handlers, levels = root.handlers[:], {name: logging.getLogger(name).level for name in (None, *LIBRARIES)}
    yield
    root.handlers[:] = handlers
    for name, level in levels.items():
        logging.getLogger(name).setLevel(level)


@pytest.mark.usefixtures("restored")
@pytest.mark.parametrize(
    ("form", "stream", "is_json"),
    [
        ("json", io.StringIO, True),
        ("json", Screen, True),
        ("text", io.StringIO, False),
        ("auto", io.StringIO, True),
        ("auto", Screen, False),
    ],
)
def test_auto_is_text_where_a_person_watches(
    monkeypatch: pytest.MonkeyPatch, form: str, stream: Any, is_json: bool
) -> None:
    monkeypatch.setattr(sys, "stderr", stream())
    set_up_logs("info", form)
    logging.getLogger("server.x").info("hello")
    written = sys.stderr.getvalue()  # type: ignore[attr-defined]
    assert written.startswith("{") is is_json
    assert "hello" in written


@pytest.mark.usefixtures("restored")
def test_the_level_is_kept_and_the_library_stays_quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    set_up_logs("warning", "text")
    set_up_logs("warning", "text")  # not twice the lines
    logging.getLogger("server.x").info("no")
    logging.getLogger("websockets.server").info("no")
    logging.getLogger("server.x").warning("once")
    assert sys.stderr.getvalue().count("\n") == 1  # type: ignore[attr-defined]


@pytest.mark.usefixtures("restored")
async def test_no_level_logs_what_the_database_is_asked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    set_up_logs("debug", "json")
    connection = await open_connection(tmp_path / "noughts.db", writes=True, busy_timeout_s=1)
    await connection.rows("SELECT ?", ("the code of a private room",))
    await connection.close()
    assert "private" not in sys.stderr.getvalue()  # type: ignore[attr-defined]
