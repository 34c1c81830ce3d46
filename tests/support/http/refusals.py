"""What a server says to a request before it looks at any room: its own checks, over players and bots that all exist."""

from __future__ import annotations

import secrets
from collections.abc import Coroutine
from typing import Any

from engine.bots.roster import OUR_ROSTER, Bot
from server.rooms.lobby.create_checks import CreateChecks
from server.rooms.players.player_names import checked_name
from server.rooms.refused import Refused
from server.wire import VERSION, BadFrame, Create, Hello, Join, Player, parse

ANN = Player(id="1", name="Ann", kind="person")


class _Everybody:
    """Everybody there is, and a bot for every name."""

    async def person(self, id: str) -> Player:
        return Player(id=id, name="Bob", kind="person")

    async def bot_player(self, bot: Bot) -> str:
        return f"player of {bot.name}"

    def bot(self, name: str) -> Bot:
        return OUR_ROSTER.bot(name)

    def refusal(self, bot: Bot, person: str) -> None:
        return None


_CHECKS = CreateChecks(_Everybody(), _Everybody(), lambda player, kind: None, secrets)


NOT_OF_FORM = {"bad_game", "unknown_bot", "illegal_move"}
"""What depends on the rules of a game, or on which bots there are."""


def is_refused(frame: bytes) -> bool:
    """By its form, or because its fields do not go together or are out of bounds."""
    try:
        request = parse(frame)
        if isinstance(request, Hello) and request.name is not None:
            checked_name(request.name)
        if isinstance(request, Create):
            _at_once(_CHECKS.spec(ANN, request))
    except BadFrame:
        return True
    except Refused as error:
        return error.code not in NOT_OF_FORM and not error.message.startswith("The start is wrong")
    if isinstance(request, Join):
        return (request.room is None) == (request.code is None)
    return isinstance(request, Hello) and request.v != VERSION


def _at_once(work: Coroutine[Any, Any, object]) -> None:
    """The result of what waits for nothing."""
    try:
        work.send(None)
    except StopIteration:
        return
    raise AssertionError("it waits")
