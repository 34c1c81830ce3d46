"""What a line of the table of routes is: the endpoint, what may be asked of it and what it answers. Pure but for what
its handler does."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property
from types import UnionType
from typing import Annotated, Any, ClassVar, Generic, TypeAlias, TypeVar, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta, Struct

from server.db.ids import NUMBER_MAX, is_number
from server.http.message import Request, Response
from server.http.parts import Parts
from server.http.responses import BadQuery

_METHODS = ("GET", "HEAD", "POST", "DELETE")

Number: TypeAlias = Annotated[int, Meta(ge=0, le=NUMBER_MAX)]


class Query(Struct, kw_only=True):
    """The parameters of an endpoint: numbers, or texts. This one has none; others that are sent are ignored."""

    missing: ClassVar[str] = ""
    """The error if a required parameter is missing."""


Q = TypeVar("Q", bound=Query)


@dataclass(frozen=True, slots=True)
class Call(Generic[Q]):
    """A request that found its route."""

    request: Request
    name: str
    """what the path has in place of the braces; empty if it has none"""
    kind: type[Q]

    @property
    def query(self) -> Q:
        """What is asked for, read now: a handler may refuse for another reason first. Raises BadQuery."""
        return read_query(self.kind, self.request.query)


Handler: TypeAlias = Callable[[Parts, Call[Any]], Awaitable[Any]]
"""Returns what is sent as JSON, or a Response. Raises Failed, StoreUnavailable, and what rules and notation raise."""


@dataclass(frozen=True)
class Route:
    """An endpoint. The types of its query and its answer are those of its handler.

    `target` is the path as docs and schema name it. A part in braces stands for any text. With parameters it answers
    only where they are given, if another route has the path alone.
    """

    target: str
    handler: Handler
    summary: str
    method: str = "GET"
    """GET answers HEAD too"""
    cost: int = 1
    """what it costs the server, in units of about a millisecond: charged to an anonymous client's address"""
    keep_s: int = 0
    """how long a browser may reuse the answer without asking again"""

    @property
    def name(self) -> str:
        """Name in docs and schema: the target alone for a route that only reads."""
        return self.target if self.method == "GET" else f"{self.method} {self.target}"

    @cached_property
    def path(self) -> str:
        return self.target.partition("?")[0]

    @cached_property
    def given(self) -> frozenset[str]:
        """The parameters that are named in the target."""
        return frozenset(part.rstrip("=") for part in self.target.partition("?")[2].split("&") if part)

    @cached_property
    def query(self) -> type[Query]:
        query: type[Query] = get_args(get_type_hints(self.handler)["call"])[0]
        return query

    @cached_property
    def answer(self) -> Any:
        """The type of its JSON, None where it answers something else."""
        types = get_type_hints(self.handler)["return"]
        kinds = get_args(types) if get_origin(types) in (UnionType, Union) else (types,)
        return next((kind for kind in kinds if kind is not Response), None)


class Table:
    """Finds a request's route, the most specific of those that fit."""

    def __init__(self, routes: Iterable[Route]) -> None:
        self._exact: dict[str, list[Route]] = {}
        self._open: list[tuple[str, str, Route]] = []
        """what is before and after the part in braces"""
        for route in routes:
            before, brace, rest = route.path.partition("{")
            if brace:
                self._open.append((before, rest.partition("}")[2], route))
            else:
                self._exact.setdefault(before, []).append(route)
        for same_path in self._exact.values():
            same_path.sort(key=lambda route: -len(route.given))
        self._open.sort(key=lambda part: -len(part[0] + part[1]))

    def find(self, request: Request) -> tuple[Route, str] | None:
        """A request's route, with what it has for the part in braces."""
        path, method = request.path, "GET" if request.method == "HEAD" else request.method
        routes = self._exact.get(path)
        if routes is not None:
            fitting = [route for route in routes if route.method == method]
            asked = [route for route in fitting if route.given <= request.query.keys()] or fitting[-1:]
            return (asked[0], "") if asked else None
        found = None
        for before, after, route in self._open:
            if not (path.startswith(before) and path.endswith(after) and len(path) >= len(before) + len(after)):
                continue
            found = found or (before, after)
            if (before, after) != found:
                break  # a less specific path is another thing, even where it takes this method
            if route.method == method:
                return route, path[len(before) : len(path) - len(after)]
        return None

    def methods(self, request: Request) -> list[str]:
        """Methods with which its path may be asked for."""
        methods = [method for method in _METHODS if self.find(replace(request, method=method)) is not None]
        return methods or ["GET", "HEAD"]


def read_query(kind: type[Q], sent: Mapping[str, str]) -> Q:
    """Raises BadQuery."""
    values: dict[str, int | str] = {}
    for field in _fields(kind):
        text = sent.get(field.name)
        if text is not None:
            values[field.name] = _number(field.name, text) if _is_of_numbers(field.type) else text
        elif field.required:
            raise BadQuery(kind.missing)
    return kind(**values)


_fields = cache(msgspec.structs.fields)


def _is_of_numbers(type: Any) -> bool:
    return type is int or any(_is_of_numbers(part) for part in get_args(type))


def _number(name: str, text: str) -> int:
    if not is_number(text):
        right = f"at most {NUMBER_MAX}" if text.isascii() and text.isdecimal() else "a whole number"
        raise BadQuery(f"{name} must be {right}, not {text[:40]!r}.")
    return int(text)
