"""Answers with the headers that all have, and the errors that an endpoint answers with a sentence."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, ClassVar

import msgspec

from server.http.message import Response

_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
}
_UNUSED = (
    "accelerometer", "camera", "display-capture", "geolocation", "gyroscope", "hid", "magnetometer", "microphone",
    "midi", "payment", "publickey-credentials-get", "serial", "usb", "xr-spatial-tracking",
)  # fmt: skip
_PAGE_HEADERS = {
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": ", ".join(f"{feature}=()" for feature in _UNUSED),
}
"""Headers that browsers obey only on a page."""


class Failed(Exception):
    """A request cannot be answered; the message is one sentence, sent as JSON."""

    status: ClassVar = HTTPStatus.BAD_REQUEST
    headers: Mapping[str, str] = {}


class BadQuery(Failed):
    pass


class Missing(Failed):
    status: ClassVar = HTTPStatus.NOT_FOUND


class NotNow(Failed):
    status: ClassVar = HTTPStatus.CONFLICT


class TooOften(Failed):
    status: ClassVar = HTTPStatus.TOO_MANY_REQUESTS

    def __init__(self, sentence: str, wait_s: int) -> None:
        super().__init__(sentence)
        self.headers = {"Retry-After": str(wait_s)}


class Busy(Failed):
    status: ClassVar = HTTPStatus.SERVICE_UNAVAILABLE
    headers: Mapping[str, str] = {"Retry-After": "2"}


class UnknownToken(Failed):
    status: ClassVar = HTTPStatus.UNAUTHORIZED
    headers: Mapping[str, str] = {"WWW-Authenticate": "Bearer"}


def json_response(status: HTTPStatus, answer: Any) -> Response:
    return body_response(status, msgspec.json.encode(answer), "application/json")


def text_response(status: HTTPStatus, text: str) -> Response:
    return body_response(status, text.encode(), "text/plain; charset=utf-8")


def body_response(status: HTTPStatus, body: bytes, kind: str, tag: str | None = None) -> Response:
    headers = _HEADERS | (_PAGE_HEADERS if kind.startswith("text/html") else {})
    headers["Content-Type"] = kind
    if status is not HTTPStatus.NOT_MODIFIED:  # there it would be that of the body which is left out
        headers["Content-Length"] = str(len(body))
    headers["Cache-Control"] = "no-cache" if tag is not None else "no-store"
    if tag is not None:
        headers["ETag"] = tag
    return Response(status, headers, body)


def refusal(status: HTTPStatus, sentence: str) -> Response:
    """Why a websocket may not be opened."""
    return text_response(status, sentence + "\n")


def nothing_at(path: str) -> str:
    return f"There is nothing at {path}."
