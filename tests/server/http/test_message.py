"""A request as plain data, made of its line and headers."""

from __future__ import annotations

import pytest

from server.http.message import LOCAL, Headers, read_request, split_target


@pytest.mark.parametrize(
    ("target", "path", "query"),
    [
        ("/a/b?c=d", "/a/b", "c=d"),
        ("http://host:1/a?b", "/a", "b"),
        ("http://host", "/", ""),
        ("", "/", ""),
        ("?a", "/", "a"),
        ("*", "*", ""),
        ("//[", "//[", ""),
        ("//host/metrics?a=b", "//host/metrics", "a=b"),
        ("///metrics", "///metrics", ""),
        ("/a?b?c=/d#e?f", "/a", "b?c=/d"),
    ],
)
def test_targets(target: str, path: str, query: str) -> None:
    assert split_target(target) == (path, query)


@pytest.mark.parametrize(("target", "logged"), [("/join/s3cret", "/join/..."), ("/room/a", "/room/a"), ("/j", "/j")])
def test_a_log_has_no_code_of_an_invitation(target: str, logged: str) -> None:
    assert read_request("GET", target).logged_path == logged


def test_headers_that_come_twice_are_one_list() -> None:
    request = read_request("GET", "/", [("Accept", "a"), ("accept", "b")])
    assert request.header("ACCEPT") == request.headers["Accept"] == "a, b"
    assert list(request.headers) == ["accept"]
    assert request.header("Origin") == ""
    assert "Origin" not in request.headers


def test_an_empty_header_is_there() -> None:
    assert "origin" in Headers([("Origin", "")])


def test_a_request_is_decoded() -> None:
    request = read_request("HEAD", "/j%6fin/x%2Fy?run=n%2Fs+1&a=1&a=2&b=", address="192.0.2.1")
    assert (request.method, request.path, request.address) == ("HEAD", "/join/x/y", "192.0.2.1")
    assert request.query == {"run": "n/s 1", "a": "2"}
    assert read_request("GET", "/%ff?%ff").path == "/\ufffd"
    assert read_request("GET", "/").address == LOCAL
