"""The page as it is sent: with a preview in its head, packed once for each of those that were asked for last."""

from __future__ import annotations

from functools import lru_cache
from http import HTTPStatus

from server.http.message import Request, Response
from server.http.page_files import PageFile, packed_response, page_file
from server.http.parts import Parts
from server.http.previews.preview import Preview, with_preview
from server.http.responses import text_response

PAGES_KEPT = 200
"""Number of pages kept, of about 5 KB each."""
_PAGE = "index.html"


def page_response(parts: Parts, request: Request, preview: Preview, status: HTTPStatus = HTTPStatus.OK) -> Response:
    page = parts.files.get(_PAGE)
    if page is None:
        return text_response(HTTPStatus.NOT_FOUND, f"There is no file {_PAGE}.\n")
    return packed_response(_with_preview(page, preview, parts.origin(request)), request, status)


@lru_cache(maxsize=PAGES_KEPT)
def _with_preview(page: PageFile, preview: Preview, origin: str | None) -> PageFile:
    return page_file(_PAGE, with_preview(page.body.decode(), preview, origin).encode())
