"""The page and its files, and how the server is."""

from __future__ import annotations

from contextlib import suppress
from http import HTTPStatus
from urllib.parse import urlencode

from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from engine.rules.position import UnknownGame
from engine.rules.registry import rules
from server.db.ids import is_number
from server.http.message import Request, Response
from server.http.page_files import file_response
from server.http.parts import Parts
from server.http.previews import preview
from server.http.previews.page import page_response
from server.http.previews.preview import Preview
from server.http.responses import Missing, body_response, text_response
from server.http.route import Call, Query
from server.play.writes import StoreUnavailable


async def page(parts: Parts, call: Call[Query]) -> Response:
    return page_response(parts, call.request, preview.PAGES.get(call.request.path, preview.EVERYWHERE))


async def game_page(parts: Parts, call: Call[Query]) -> Response:
    """The query is for the page itself."""
    return page_response(parts, call.request, await _of_game(parts, call.request, call.name))


async def room_page(parts: Parts, call: Call[Query]) -> Response:
    session = parts.rooms.public_session(call.name)
    return page_response(parts, call.request, preview.of_room(session) if session else preview.EVERYWHERE)


async def player_page(parts: Parts, call: Call[Query]) -> Response:
    shown = preview.EVERYWHERE
    if is_number(call.name):
        with suppress(Missing, StoreUnavailable):
            shown = preview.of_player(await parts.ladders.player(int(call.name)))
    return page_response(parts, call.request, shown)


async def learn_page(parts: Parts, call: Call[Query]) -> Response:
    try:
        shown = preview.of_rules(rules(call.name))
    except UnknownGame:
        shown = preview.EVERYWHERE
    return page_response(parts, call.request, shown)


async def explore(parts: Parts, call: Call[Query]) -> Response:
    """Redirect whoever types the word in the page's menu to the explorer, with the query."""
    query = urlencode(call.request.query, safe=":,")
    response = text_response(HTTPStatus.PERMANENT_REDIRECT, "The explorer is at /explorer.\n")
    response.headers["Location"] = f"/explorer?{query}" if query else "/explorer"
    return response


async def invitation(parts: Parts, call: Call[Query]) -> Response:
    """The page, which never names its address to others: the code in it is a secret."""
    response = page_response(parts, call.request, preview.EVERYWHERE)
    response.headers["Referrer-Policy"] = "no-referrer"
    return response


async def _of_game(parts: Parts, request: Request, number: str) -> Preview:
    """Preview for anyone: those who ask for previews have no token. The page is there when the database is not."""
    try:
        row = await parts.records.game(int(number)) if is_number(number) else None
    except StoreUnavailable:
        row = None
    if row is None or not row.visible_to(None):
        return preview.EVERYWHERE
    ply = request.query.get("ply", "")
    is_ply = is_number(ply) and row.plies is not None and int(ply) <= row.plies
    try:
        return preview.of_game(row, int(ply) if is_ply else None)
    except UnknownGame:  # of an experiment with a game of its own
        return preview.EVERYWHERE


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
