"""Answers and their headers."""

from __future__ import annotations

from http import HTTPStatus

from server.http.responses import body_response, refusal


def test_a_refused_websocket_is_told_why() -> None:
    response = refusal(HTTPStatus.FORBIDDEN, "No.")
    assert (response.status, response.body) == (403, b"No.\n")
    assert "Content-Security-Policy" in response.headers


def test_what_has_not_changed_is_sent_without_a_length() -> None:
    """Zero would be that of the file which the browser has (RFC 9110, 8.6)."""
    headers = body_response(HTTPStatus.NOT_MODIFIED, b"", "image/svg+xml", '"a"').headers
    assert "Content-Length" not in headers
    assert body_response(HTTPStatus.OK, b"", "image/svg+xml", '"a"').headers["Content-Length"] == "0"


def test_headers_of_the_page_come_with_the_page_alone() -> None:
    kinds = {"text/html; charset=utf-8": "same-origin", "image/svg+xml": None}
    for kind, policy in kinds.items():
        headers = body_response(HTTPStatus.OK, b"", kind).headers
        assert headers.get("Cross-Origin-Opener-Policy") == policy
