"""Positions as pictures: of a game, and of any moves."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import lru_cache
from http import HTTPStatus
from typing import Annotated, ClassVar, Literal, TypeAlias

from msgspec import Meta

from engine.rules.notation import shown
from engine.rules.position import IllegalMove, MalformedMove, play_all
from engine.rules.registry import rules
from server.console.counted import counted
from server.http.endpoints.games import visible_game
from server.http.message import Request, Response
from server.http.parts import Parts
from server.http.previews.board import scene, svg
from server.http.previews.embed import embed_page, embed_policy
from server.http.previews.png import png
from server.http.previews.preview import of_game
from server.http.responses import BadQuery, Missing, body_response
from server.http.route import Call, Number, Query
from server.wire import GameId

Form: TypeAlias = Literal["svg", "png"]

KINDS: dict[Form, str] = {"svg": "image/svg+xml", "png": "image/png"}
KEPT_S = 3600
"""How long a browser may show a picture again that will not change."""
PICTURES_KEPT = 200
"""How many of those drawn last are kept, about 10 KB each."""


class PlyQuery(Query):
    """Which position of a game."""

    ply: Annotated[Number, Meta(description="how many moves are played; all if left out")] | None = None


class PositionQuery(Query):
    """Which position."""

    missing: ClassVar[str] = "Name the game, as in game=qubic&moves=a1.1,b2.2."

    game: GameId
    moves: Annotated[str, Meta(description="the moves that lead to the position: a1,b2")] = ""


async def game_svg(parts: Parts, call: Call[PlyQuery]) -> Response:
    return await _of_game(parts, call, "svg")


async def game_png(parts: Parts, call: Call[PlyQuery]) -> Response:
    return await _of_game(parts, call, "png")


async def position_svg(parts: Parts, call: Call[PositionQuery]) -> Response:
    return await _of_moves(parts, call, "svg")


async def position_png(parts: Parts, call: Call[PositionQuery]) -> Response:
    return await _of_moves(parts, call, "png")


async def embedded(parts: Parts, call: Call[PlyQuery]) -> Response:
    """Public games alone, whoever asks: a frame is shown to anybody."""
    row = await visible_game(parts, call.request, call.name)
    if row.private:
        raise Missing(f"There is no game {call.name}.")
    plies = row.plies if row.plies is not None else len(await parts.records.move_rows(row.id))
    ply = _checked_ply(call.query.ply, plies)
    page = embed_page(of_game(row), row.id, plies if ply is None else ply, plies)
    response = body_response(HTTPStatus.OK, page.encode(), "text/html; charset=utf-8")
    response.headers["Content-Security-Policy"] = embed_policy(parts.embedders)
    return response


def _checked_ply(ply: int | None, plies: int) -> int | None:
    if ply is not None and ply > plies:
        raise BadQuery(f"ply is 0 to {plies} in this game, not {ply}.")
    return ply


async def _of_game(parts: Parts, call: Call[PlyQuery], form: Form) -> Response:
    row = await visible_game(parts, call.request, call.name)
    moves = await parts.records.move_rows(row.id)
    ply = _checked_ply(call.query.ply, len(moves))
    cells = [*row.start_cells(), *(move.cell for move in moves[:ply])]
    response = await _picture(parts, call.request, row.game, cells, form)
    if row.private:
        response.headers["Cache-Control"] = "no-store"
    elif row.termination is not None:
        response.headers["Cache-Control"] = f"public, max-age={KEPT_S}"
    return response


async def _of_moves(parts: Parts, call: Call[PositionQuery], form: Form) -> Response:
    query = call.query
    kind = rules(query.game)
    cells: list[int] = []
    position = kind.initial
    for number, text in enumerate(query.moves.split(",") if query.moves else [], 1):
        try:
            cells.append(kind.parse_move(text))
            position = position.play(cells[-1])
        except (MalformedMove, IllegalMove) as error:
            raise BadQuery(f"Move {number}, {shown(text)}, cannot be shown. {error}") from None
    response = await _picture(parts, call.request, kind.id, cells, form)
    response.headers["Cache-Control"] = f"public, max-age={KEPT_S}"
    return response


async def _picture(parts: Parts, request: Request, game: str, cells: Sequence[int], form: Form) -> Response:
    body = await parts.heavy.make(_drawn, game, tuple(cells), form)  # 10 to 60 ms
    tag = f'"{hashlib.sha256(body).hexdigest()[:16]}"'
    if tag in request.header("If-None-Match"):
        return body_response(HTTPStatus.NOT_MODIFIED, b"", KINDS[form], tag)
    return body_response(HTTPStatus.OK, body, KINDS[form], tag)


@lru_cache(maxsize=PICTURES_KEPT)
def _drawn(game: str, cells: tuple[int, ...], form: Form) -> bytes:
    kind = rules(game)
    position = play_all(kind.initial, cells)
    drawn = scene(position, cells[-1] if cells else None)
    return png(drawn) if form == "png" else svg(drawn, f"{kind.name} after {counted(len(cells), 'move')}").encode()
