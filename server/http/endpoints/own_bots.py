"""The bots that people make for programs of theirs: listed, made, given other tokens, withdrawn."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Annotated, ClassVar, TypeVar

from msgspec import Meta

from server.db.play import OwnedBotRow
from server.http.answers.own_bots import (
    NewTokenAnswer,
    OwnBotAnswer,
    OwnBotsAnswer,
    own_bot_answer,
    own_bots_answer,
)
from server.http.endpoints.players import known_owner
from server.http.parts import Parts
from server.http.responses import BadQuery, Failed, Missing, NotNow, TooOften
from server.http.route import Call, Query
from server.rooms.players.own_bots import MOST
from server.rooms.refused import Refused

_FAILURES: dict[str, type[Failed]] = {"bad_name": BadQuery, "not_found": Missing}
Done = TypeVar("Done")


class NewBotQuery(Query):
    """What the bot is called."""

    missing: ClassVar = "Give the new bot a name: name=coin."
    name: Annotated[str, Meta(description="1 to 20 printable characters, and not like the name of a bot here")]


async def own_bots(parts: Parts, call: Call[Query]) -> OwnBotsAnswer:
    rows = await parts.own_bots.listed(await known_owner(parts, call.request))
    return own_bots_answer(rows, [_is_connected(parts, row) for row in rows], MOST)


async def make_bot(parts: Parts, call: Call[NewBotQuery]) -> NewTokenAnswer:
    owner = await known_owner(parts, call.request)
    row, token = await _done(parts, parts.own_bots.make(owner, call.query.name))
    return NewTokenAnswer(bot=own_bot_answer(row, _is_connected(parts, row)), token=token)


async def renew_token(parts: Parts, call: Call[Query]) -> NewTokenAnswer:
    owner = await known_owner(parts, call.request)
    row, token = await _done(parts, parts.own_bots.renew(owner, call.name))
    return NewTokenAnswer(bot=own_bot_answer(row, connected=False), token=token)


async def withdraw_token(parts: Parts, call: Call[Query]) -> OwnBotAnswer:
    owner = await known_owner(parts, call.request)
    return own_bot_answer(await _done(parts, parts.own_bots.withdraw(owner, call.name)), connected=False)


def _is_connected(parts: Parts, row: OwnedBotRow) -> bool:
    return parts.rooms.is_connected(str(row.id))


async def _done(parts: Parts, asked: Awaitable[Done]) -> Done:
    """Turns Refused into what HTTP answers."""
    try:
        return await asked
    except Refused as refusal:
        if refusal.code == "too_fast":
            parts.metrics.limits.met("own_bots", "")
            raise TooOften(refusal.message, refusal.wait_s) from None
        raise _FAILURES.get(refusal.code, NotNow)(refusal.message) from None
