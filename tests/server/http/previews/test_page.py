"""The page with a preview in its head."""

from __future__ import annotations

from dataclasses import replace
from http import HTTPStatus

from server.http.message import read_request
from server.http.previews.page import page_response
from server.http.previews.preview import EVERYWHERE
from tests.support.http.desk import HttpDesk


def test_a_page_is_packed_once_for_all_who_ask(desk: HttpDesk) -> None:
    request = read_request("GET", "/", [("Accept-Encoding", "gzip")])
    first, second = (page_response(desk.parts, request, EVERYWHERE) for _ in range(2))
    assert first.headers["Content-Encoding"] == "gzip"
    assert first.body is second.body


def test_without_its_file_there_is_no_page(desk: HttpDesk) -> None:
    request = read_request("GET", "/")
    response = page_response(replace(desk.parts, files={}), request, EVERYWHERE)
    assert (response.status, response.body) == (HTTPStatus.NOT_FOUND, b"There is no file index.html.\n")
