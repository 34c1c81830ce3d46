"""Structured logs on stderr: one JSON object a line for machines, or one line of text for people."""

from __future__ import annotations

import logging
import os
import select
import sys
from contextlib import suppress
from datetime import UTC, datetime
from queue import Full, Queue
from threading import Thread
from typing import Final

import msgspec

LINES_KEPT: Final = 1_000
"""Lines that wait for their reader; the next are dropped."""
LAST_LINES_S: Final = 1.0
"""How long the end of the process waits for what is not written yet."""

_STDERR: Final = 2
"""Its descriptor: `sys.stderr` is flushed at the end of Python, which aborts if a thread hangs in it."""
_STANDARD = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}


def _fields(record: logging.LogRecord) -> dict[str, object]:
    """What the call gave as `extra`."""
    return {name: value for name, value in vars(record).items() if name not in _STANDARD}


class JsonFormatter(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        entry: dict[str, object] = {"at": at, "level": record.levelname.lower(), "from": record.name}
        entry["message"] = record.getMessage()
        entry |= _fields(record)
        if record.exc_info:
            entry["error"] = self.formatException(record.exc_info)
        return msgspec.json.encode(entry, enc_hook=str).decode()


class TextFormatter(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        at = datetime.fromtimestamp(record.created).strftime("%H:%M:%S")
        extra = "".join(f" {name}={value}" for name, value in _fields(record).items())
        lines = [f"{at} {record.levelname.lower()}: {record.getMessage()}{extra}"]
        if record.exc_info:
            lines += self.formatException(record.exc_info).split("\n")
        return "\n".join(map(_printable, lines))


def _printable(line: str) -> str:
    """The line with anything that a terminal would obey written out: a path or a name may be anybody's."""
    return "".join(one if one.isprintable() else one.encode("unicode_escape").decode() for one in line)


class BackgroundHandler(logging.Handler):
    """Has a thread write the lines, so that nothing waits for their reader: a pipe may be full, a terminal stopped by
    Ctrl-S. Lines for which there is no room are dropped, and their number is told when there is."""

    def __init__(self, descriptor: int) -> None:
        super().__init__()
        self._descriptor = descriptor
        self._lines = Queue[str](LINES_KEPT)
        self._dropped = 0
        Thread(target=self._write, name="log", daemon=True).start()

    def emit(self, record: logging.LogRecord) -> None:
        try:
            self._lines.put_nowait(self.format(record))
        except Full:
            self._dropped += 1
        except Exception:
            self.handleError(record)

    def flush(self) -> None:
        """Wait a second at most for what is not written yet."""
        written = self._lines.all_tasks_done
        with written:
            written.wait_for(lambda: not self._lines.unfinished_tasks, LAST_LINES_S)

    def _write(self) -> None:
        told = 0
        while True:
            line = self._lines.get()
            if self._lines.empty() and self._dropped > told:
                line += f"\n{self._loss(self._dropped - told)}"
                told = self._dropped
            with suppress(OSError):  # nobody reads it any more, or the disk of a file is full
                self._write_line(f"{line}\n".encode(errors="backslashreplace"))
            self._lines.task_done()

    def _write_line(self, line: bytes) -> None:
        while line:
            try:
                line = line[os.write(self._descriptor, line) :]
            except BlockingIOError:  # another process that shares the pipe may have set it so
                select.select((), (self._descriptor,), ())

    def _loss(self, lines: int) -> str:
        told = {"name": __name__, "levelno": logging.WARNING, "levelname": "WARNING", "lines": lines}
        return self.format(logging.makeLogRecord(told | {"msg": "lines of the log were dropped, since nobody read it"}))


def set_up_logs(level: str, form: str) -> None:
    """`form` is json, text, or auto: text where a person watches."""
    as_json = form == "json" or (form == "auto" and not sys.stderr.isatty())
    output = BackgroundHandler(_STDERR)
    output.setFormatter(JsonFormatter() if as_json else TextFormatter())
    root = logging.getLogger()
    root.handlers[:] = [output]
    root.setLevel(level.upper())
    # One logs every connection that opens and closes; the other logs every query with its parameters, which include
    # names, codes of private rooms and hashes of tokens.
    for library in ("websockets", "aiosqlite"):
        logging.getLogger(library).setLevel(logging.WARNING)


def flush_logs() -> None:
    """Wait a second at most until what was logged is written."""
    for output in logging.getLogger().handlers:
        output.flush()
