"""The JSON answers about the bots that a person made for programs of theirs. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from msgspec import Meta

from server.db.play import OwnedBotRow
from server.http.answers.fields import Answer, Games
from server.wire import Name, PlayerId, Token, UnixMs


class OwnBotAnswer(Answer):
    """A bot of one's own."""

    id: PlayerId
    name: Name
    since_ms: UnixMs
    connected: Annotated[bool, Meta(description="a program is this bot just now")]
    games: Games
    last_game_ms: Annotated[int, Meta(description="Unix time of the start of its newest game")] | None = None
    withdrawn_ms: Annotated[int, Meta(description="since when no token makes a program this bot")] | None = None


class OwnBotsAnswer(Answer):
    """The bots that one made, the oldest first."""

    bots: list[OwnBotAnswer]
    most: Annotated[int, Meta(description="how many one may have")]


class NewTokenAnswer(Answer):
    """A bot, and the token that makes a program this bot: told this once."""

    bot: OwnBotAnswer
    token: Token


def own_bot_answer(row: OwnedBotRow, connected: bool) -> OwnBotAnswer:
    return OwnBotAnswer(
        id=str(row.id),
        name=row.name,
        since_ms=row.created_ms,
        connected=connected,
        games=row.games,
        last_game_ms=row.last_game_ms,
        withdrawn_ms=row.withdrawn_ms,
    )


def own_bots_answer(rows: Sequence[OwnedBotRow], connected: Sequence[bool], most: int) -> OwnBotsAnswer:
    return OwnBotsAnswer(bots=[own_bot_answer(*bot) for bot in zip(rows, connected, strict=True)], most=most)
