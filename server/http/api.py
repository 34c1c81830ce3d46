"""Answers whatever is no websocket: finds a request's route, and makes what that says into a response."""

from __future__ import annotations

from http import HTTPStatus

from engine.rules.position import IllegalMove, MalformedMove, UnknownGame
from server.http.answers.fields import Failure
from server.http.message import Request, Response
from server.http.parts import Parts
from server.http.previews.page import page_response
from server.http.previews.preview import EVERYWHERE
from server.http.responses import BadQuery, Failed, Missing, json_response, nothing_at, text_response
from server.http.route import Call, Table
from server.http.routes import ROUTES
from server.play.writes import StoreUnavailable

_TABLE = Table(ROUTES)


class HttpApi:
    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    def cost(self, request: Request) -> int:
        """Cost that is charged to the address of an anonymous client that asks for this: see `Route.cost`."""
        found = _TABLE.find(request)
        return found[0].cost if found is not None else 1

    async def answer(self, request: Request) -> Response:
        """The response to a request that does not open a websocket."""
        allowed = _TABLE.methods(request)
        if request.method not in allowed:
            response = _not_allowed(request, allowed[0])
            response.headers["Allow"] = ", ".join(allowed)
            return response
        try:
            response = await self._get(request)
        except StoreUnavailable as error:
            response = text_response(HTTPStatus.SERVICE_UNAVAILABLE, f"{error}\n")
        if request.method == "HEAD":
            response.body = b""
        return response

    async def _get(self, request: Request) -> Response:
        found = _TABLE.find(request)
        if found is None:
            return self._nothing(request)
        route, name = found
        try:
            answer = await route.handler(self._parts, Call(request, name, route.query))
        except Failed as error:
            return _failure(error)
        except (UnknownGame, MalformedMove, IllegalMove) as error:
            return _failure(BadQuery(str(error)))
        if isinstance(answer, Response):
            return answer
        response = json_response(HTTPStatus.OK, answer)
        if route.keep_s:
            response.headers["Cache-Control"] = f"public, max-age={route.keep_s}"
        return response

    def _nothing(self, request: Request) -> Response:
        """Browsers get the page, which says in the reader's language that nothing is here, and where to go."""
        if request.path.startswith("/api/"):
            return _failure(Missing(nothing_at(request.path)))
        if _takes_html(request.header("Accept")):
            response = page_response(self._parts, request, EVERYWHERE, HTTPStatus.NOT_FOUND)
        else:
            response = text_response(HTTPStatus.NOT_FOUND, f"{nothing_at(request.path)} The page is at /.\n")
        response.headers["Vary"] = "Accept, Accept-Encoding"
        return response


def _not_allowed(request: Request, allowed: str) -> Response:
    said = f"{request.method} is not supported here: use {allowed}."
    if request.path.startswith("/api/"):
        return json_response(HTTPStatus.METHOD_NOT_ALLOWED, Failure(error=said))
    return text_response(HTTPStatus.METHOD_NOT_ALLOWED, f"{said}\n")


def _failure(error: Failed) -> Response:
    response = json_response(error.status, Failure(error=str(error)))
    response.headers.update(error.headers)
    return response


def _takes_html(accept: str) -> bool:
    return any(part.partition(";")[0].strip().lower() == "text/html" for part in accept.split(","))
