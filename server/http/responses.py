"""HTTP's requests and responses in small: what is asked for, and an answer with the headers that all have."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any
from urllib.parse import SplitResult, urlsplit

import msgspec
from websockets.datastructures import Headers
from websockets.http11 import Request, Response

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


def header(request: Request, name: str) -> str:
    """A header's value, empty without it; one that is given several times is one list."""
    return ", ".join(request.headers.get_all(name))


def split_target(target: str) -> SplitResult:
    """A request's target in parts: a path, a whole URL as proxies send it, or anything else."""
    try:
        parts = urlsplit(target)
    except ValueError:
        return SplitResult("", "", target, "", "")
    return parts if parts.path else parts._replace(path="/")


def json_response(status: HTTPStatus, answer: Any) -> Response:
    return body_response(status, msgspec.json.encode(answer), "application/json")


def text_response(status: HTTPStatus, text: str) -> Response:
    return body_response(status, text.encode(), "text/plain; charset=utf-8")


def body_response(status: HTTPStatus, body: bytes, kind: str, tag: str | None = None) -> Response:
    headers = Headers(_HEADERS | _PAGE_HEADERS if kind.startswith("text/html") else _HEADERS)
    headers["Content-Type"] = kind
    headers["Content-Length"] = str(len(body))
    headers["Connection"] = "close"
    headers["Cache-Control"] = "no-cache" if tag is not None else "no-store"
    if tag is not None:
        headers["ETag"] = tag
    return Response(status.value, status.phrase, headers, body)


def refusal(status: HTTPStatus, sentence: str) -> Response:
    """Why a websocket may not be opened."""
    return text_response(status, sentence + "\n")
