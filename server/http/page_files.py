"""The files of the page: read and packed once, and answered with the tags by which browsers keep them."""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from importlib.resources.abc import Traversable

import msgspec

from server.http.message import Request, Response
from server.http.responses import body_response, text_response

TEXTS = "i18n/texts/"
"""Where the page keeps its texts, one file for each language."""
SHARED_TEXTS = "i18n/shared/"
"""Those that the terminal says in the same words; the page is given both as one file."""


@dataclass(frozen=True, slots=True)
class PageFile:
    """A file of the page, as it is and packed with gzip. The tags differ, as the bytes do."""

    body: bytes
    packed: bytes
    kind: str
    tag: str
    packed_tag: str


def page_files(folder: Traversable) -> dict[str, PageFile]:
    """The page's files by their paths below `folder`. Read and packed once: the page is small.

    The names of the texts are the languages that there are: index.html names them to the page.
    """
    bodies = dict(_bodies(folder))
    for shared in [name for name in bodies if name.startswith(SHARED_TEXTS)]:
        texts = TEXTS + shared.removeprefix(SHARED_TEXTS)
        both = msgspec.json.decode(bodies[texts]) | msgspec.json.decode(bodies.pop(shared))
        bodies[texts] = msgspec.json.encode(both)
    languages = " ".join(sorted(name[len(TEXTS) :].removesuffix(".json") for name in bodies if name.startswith(TEXTS)))
    bodies["index.html"] = bodies["index.html"].replace(b"{languages}", languages.encode())
    return {name: _packed(name, body) for name, body in bodies.items()}


def _bodies(folder: Traversable, path: str = "") -> Iterator[tuple[str, bytes]]:
    for entry in folder.iterdir():
        if entry.name.startswith("."):
            continue
        if entry.is_dir():
            yield from _bodies(entry, f"{path}{entry.name}/")
        else:
            yield path + entry.name, entry.read_bytes()


def _packed(name: str, body: bytes) -> PageFile:
    kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
    kind = "text/javascript" if name.endswith(".js") else kind
    charset = "; charset=utf-8" if kind.startswith("text/") else ""
    digest = hashlib.sha256(body).hexdigest()[:16]
    return PageFile(body, gzip.compress(body, mtime=0), kind + charset, f'"{digest}"', f'"{digest}-gzip"')


def file_response(
    files: Mapping[str, PageFile], name: str, request: Request, status: HTTPStatus = HTTPStatus.OK
) -> Response:
    found = files.get(name)
    if found is None:
        return text_response(HTTPStatus.NOT_FOUND, f"There is no file {name}.\n")
    packed = _takes_gzip(request.header("Accept-Encoding"))
    tag = found.packed_tag if packed else found.tag
    # A list, perhaps marked as weak by a proxy.
    if status is HTTPStatus.OK and tag in request.header("If-None-Match"):
        response = body_response(HTTPStatus.NOT_MODIFIED, b"", found.kind, tag)
    else:
        response = body_response(status, found.packed if packed else found.body, found.kind, tag)
        if packed:
            response.headers["Content-Encoding"] = "gzip"
    response.headers["Vary"] = "Accept-Encoding"
    return response


def _takes_gzip(accept_encoding: str) -> bool:
    for part in accept_encoding.lower().split(","):
        coding, _, quality = part.partition(";")
        if coding.strip() == "gzip":
            return quality.replace(" ", "").rstrip("0") not in ("q=", "q=0.")
    return False
