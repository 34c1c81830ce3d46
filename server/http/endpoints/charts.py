"""The statistics of all games, as charts and tables."""

from __future__ import annotations

from http import HTTPStatus

from server.http.answers.charts import StatsAnswer
from server.http.message import Response
from server.http.parts import Parts
from server.http.responses import Missing, body_response
from server.http.route import Call, Query


async def stats(parts: Parts, call: Call[Query]) -> StatsAnswer:
    return await parts.pictures.answer()


async def picture(parts: Parts, call: Call[Query]) -> Response:
    name = call.name
    found = parts.pictures.file(name.removesuffix(".svg")) if name.endswith(".svg") else None
    if found is None:
        raise Missing("There is no such chart; /api/stats lists them all.")
    tag = f'"{found.tag}"'
    if tag in call.request.header("If-None-Match"):
        return body_response(HTTPStatus.NOT_MODIFIED, b"", "image/svg+xml", tag)
    return body_response(HTTPStatus.OK, found.body, "image/svg+xml", tag)
