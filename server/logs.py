"""Structured logs on stderr: one JSON object a line for machines, or one line of text for people."""

from __future__ import annotations

import logging
import sys
from datetime import UTC, datetime

import msgspec

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


def set_up_logs(level: str, form: str) -> None:
    """`form` is json, text, or auto: text where a person watches."""
    as_json = form == "json" or (form == "auto" and not sys.stderr.isatty())
    output = logging.StreamHandler(sys.stderr)
    output.setFormatter(JsonFormatter() if as_json else TextFormatter())
    root = logging.getLogger()
    root.handlers[:] = [output]
    root.setLevel(level.upper())
    # Of every connection that opens and closes the one tells, the other of every query with its parameters: names,
    # codes of private rooms, hashes of tokens.
    for library in ("websockets", "aiosqlite"):
        logging.getLogger(library).setLevel(logging.WARNING)
