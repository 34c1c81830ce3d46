"""The files of the page, which `make bundle` makes: browsers keep those with a hash in their name for good."""

from __future__ import annotations

import gzip
import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from importlib.resources.abc import Traversable
from pathlib import PurePath

from server.http.message import Request, Response
from server.http.responses import body_response, text_response

KINDS = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".map": "application/json",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
}
"""Content types by file extension; the system's own list differs from machine to machine."""
STAYS = re.compile(r"-[0-9A-Z]{8}\.")
"""Part of the names of files that never change: a hash of their content."""


@dataclass(frozen=True, slots=True)
class PageFile:
    """A file of the page, as it is and packed with gzip. The tags differ, as the bytes do.

    Source maps are not packed: only developer tools ask for them, and they are most of what there is to pack.
    """

    body: bytes
    packed: bytes | None
    kind: str
    tag: str
    packed_tag: str


def page_files(folder: Traversable) -> dict[str, PageFile]:
    """The page's files by their names in `folder`, read and packed once: the page is small."""
    files = (entry for entry in folder.iterdir() if entry.is_file() and not entry.name.startswith("."))
    return {entry.name: page_file(entry.name, entry.read_bytes()) for entry in files}


def page_file(name: str, body: bytes) -> PageFile:
    kind = KINDS.get(PurePath(name).suffix, "application/octet-stream")
    digest = hashlib.sha256(body).hexdigest()[:16]
    packed = None if name.endswith(".map") else gzip.compress(body, mtime=0)
    return PageFile(body, packed, kind, f'"{digest}"', f'"{digest}-gzip"')


def file_response(files: Mapping[str, PageFile], name: str, request: Request) -> Response:
    found = files.get(name)
    if found is None:
        return text_response(HTTPStatus.NOT_FOUND, f"There is no file {name}.\n")
    response = packed_response(found, request)
    if STAYS.search(name):
        response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
    return response


def packed_response(found: PageFile, request: Request, status: HTTPStatus = HTTPStatus.OK) -> Response:
    packed = found.packed if _takes_gzip(request.header("Accept-Encoding")) else None
    tag = found.tag if packed is None else found.packed_tag
    # A list, perhaps marked as weak by a proxy.
    if status is HTTPStatus.OK and tag in request.header("If-None-Match"):
        response = body_response(HTTPStatus.NOT_MODIFIED, b"", found.kind, tag)
    else:
        response = body_response(status, found.body if packed is None else packed, found.kind, tag)
        if packed is not None:
            response.headers["Content-Encoding"] = "gzip"
    response.headers["Vary"] = "Accept-Encoding"
    return response


def _takes_gzip(accept_encoding: str) -> bool:
    for part in accept_encoding.lower().split(","):
        coding, _, quality = part.partition(";")
        if coding.strip() == "gzip":
            return quality.replace(" ", "").rstrip("0") not in ("q=", "q=0.")
    return False
