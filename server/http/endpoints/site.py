"""The page and its files, and how the server is."""

from __future__ import annotations

from http import HTTPStatus

from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from server.http.message import Response
from server.http.page_files import file_response
from server.http.parts import Parts
from server.http.responses import body_response, text_response
from server.http.route import Call, Query


async def page(parts: Parts, call: Call[Query]) -> Response:
    return file_response(parts.files, "index.html", call.request)


async def static(parts: Parts, call: Call[Query]) -> Response:
    return file_response(parts.files, call.name, call.request)


async def icon(parts: Parts, call: Call[Query]) -> Response:
    return file_response(parts.files, "favicon.svg", call.request)


async def healthz(parts: Parts, call: Call[Query]) -> Response:
    return text_response(HTTPStatus.OK, "ok\n")


async def readyz(parts: Parts, call: Call[Query]) -> Response:
    trouble = parts.readiness.trouble
    if trouble is not None:
        return text_response(HTTPStatus.SERVICE_UNAVAILABLE, f"not ready: {trouble}\n")
    warming = parts.readiness.warming
    # People can play, and what needs no compiled search too.
    lines = ["ready" if warming is None else "ready; the bots are starting: {} of {}".format(*warming)]
    lines += [
        f"limit met in the last minute: {limit}, {times} times by {network or 'players who are away'}"
        for limit, network, times in parts.metrics.limits.recent()
    ]
    return text_response(HTTPStatus.OK, "".join(f"{line}\n" for line in lines))


async def metrics(parts: Parts, call: Call[Query]) -> Response:
    return body_response(HTTPStatus.OK, generate_latest(parts.metrics.registry), CONTENT_TYPE_LATEST)
