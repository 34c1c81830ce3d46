"""Who the owner of a token is, and what is known about a player."""

from __future__ import annotations

from server.db.ids import is_number
from server.http.answers.players import PlayerAnswer
from server.http.message import Request
from server.http.parts import Parts
from server.http.responses import Missing, UnknownToken, nothing_at
from server.http.route import Call, Query
from server.rooms.players.players import token_hash
from server.wire import Player


async def me(parts: Parts, call: Call[Query]) -> Player:
    return await known_owner(parts, call.request)


async def player(parts: Parts, call: Call[Query]) -> PlayerAnswer:
    if not is_number(call.name):
        raise Missing(nothing_at(call.request.path))
    return await parts.ladders.player(int(call.name))


async def known_owner(parts: Parts, request: Request) -> Player:
    """The player whose token came with the request. Raises UnknownToken."""
    found = await _owner(parts, request)
    if found is None:
        raise UnknownToken("No player has this token: send yours as `Authorization: Bearer TOKEN`.")
    return found


async def viewer(parts: Parts, request: Request) -> int | None:
    """Players see their games of invite rooms by sending their token as a bearer token."""
    found = await _owner(parts, request)
    return int(found.id) if found is not None else None


async def _owner(parts: Parts, request: Request) -> Player | None:
    scheme, _, token = request.header("Authorization").partition(" ")
    return await parts.tokens.by_token(token_hash(token)) if scheme.lower() == "bearer" and token else None
