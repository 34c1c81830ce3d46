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
        text = f"{at} {record.levelname.lower()}: {record.getMessage()}{extra}"
        return f"{text}\n{self.formatException(record.exc_info)}" if record.exc_info else text


def set_up_logs(level: str, form: str) -> None:
    """`form` is json, text, or auto: text where a person watches."""
    as_json = form == "json" or (form == "auto" and not sys.stderr.isatty())
    output = logging.StreamHandler(sys.stderr)
    output.setFormatter(JsonFormatter() if as_json else TextFormatter())
    root = logging.getLogger()
    root.handlers[:] = [output]
    root.setLevel(level.upper())
    # The library tells of every connection that opens and closes.
    logging.getLogger("websockets").setLevel(logging.WARNING)
