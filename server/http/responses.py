"""Answers with the headers that all have."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

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
_PAGE_HEADERS = {"Cross-Origin-Opener-Policy": "same-origin"}
"""What browsers read of a page alone: a page loads seventy other files, each with its head."""


def json_response(status: HTTPStatus, answer: Any) -> Response:
    return body_response(status, msgspec.json.encode(answer), "application/json")


def text_response(status: HTTPStatus, text: str) -> Response:
    return body_response(status, text.encode(), "text/plain; charset=utf-8")


def body_response(status: HTTPStatus, body: bytes, kind: str, tag: str | None = None) -> Response:
    headers = _HEADERS | (_PAGE_HEADERS if kind.startswith("text/html") else {})
    headers["Content-Type"] = kind
    headers["Content-Length"] = str(len(body))
    headers["Cache-Control"] = "no-cache" if tag is not None else "no-store"
    if tag is not None:
        headers["ETag"] = tag
    return Response(status, headers, body)


def refusal(status: HTTPStatus, sentence: str) -> Response:
    """Why a websocket may not be opened."""
    return text_response(status, sentence + "\n")
