"""A request and its answer as plain data: all that endpoints see of HTTP, independent of what reads and writes the
bytes. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from urllib.parse import parse_qsl, unquote, urlsplit

LOCAL = "local"
"""The address of a client that has none, on a socket of this machine."""


_INVITATION = "/join/"


class Headers(Mapping[str, str]):
    """A request's headers by name, in any case. One that is given several times is one list."""

    def __init__(self, pairs: Iterable[tuple[str, str]] = ()) -> None:
        self._values: dict[str, str] = {}
        for name, value in pairs:
            known = self._values.get(name.lower())
            self._values[name.lower()] = value if known is None else f"{known}, {value}"

    def __getitem__(self, name: str) -> str:
        return self._values[name.lower()]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)


@dataclass(frozen=True, slots=True)
class Request:
    """What a client asks for. `path` is decoded; of a query parameter that is given twice the last value counts."""

    method: str
    path: str
    query: Mapping[str, str] = field(default_factory=dict)
    headers: Headers = field(default_factory=Headers)
    address: str = LOCAL
    """where the connection comes from: a proxy, where there is one in between"""

    @property
    def logged_path(self) -> str:
        """The path without the code of an invitation."""
        return f"{_INVITATION}..." if self.path.startswith(_INVITATION) else self.path

    def header(self, name: str) -> str:
        """A header's value, empty without it."""
        return self.headers.get(name, "")


@dataclass(slots=True)
class Response:
    """An answer; `headers` are named as they are sent, without those of the connection."""

    status: HTTPStatus
    headers: dict[str, str]
    body: bytes


def read_request(method: str, target: str, headers: Iterable[tuple[str, str]] = (), address: str = LOCAL) -> Request:
    """A request from its line and headers. The target is a path, a whole URL as proxies send it, or anything else."""
    path, query = split_target(target)
    return Request(method, unquote(path), dict(parse_qsl(query)), Headers(headers), address)


def split_target(target: str) -> tuple[str, str]:
    """A target's path and query, as they were sent."""
    if target.startswith("/"):  # also `//host/metrics`, which no URL library may take for the URL of a host
        path, _, query = target.partition("#")[0].partition("?")
        return path, query
    try:
        parts = urlsplit(target)
    except ValueError:
        return target, ""
    return parts.path or "/", parts.query
