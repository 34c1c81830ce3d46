"""People in a lobby, what they ask for and what they are shown."""

from __future__ import annotations

from typing import Any

import pytest

from server.play.inputs import PlayerRequest
from server.rooms.lobby.lobby import Lobby
from server.rooms.members import Origin
from server.rooms.refused import Refused
from server.wire import (
    Act,
    Create,
    Join,
    Move,
    Opponent,
    Player,
    Rematch,
)
from tests.support.rooms.fakes import FakeMember

BOT = Opponent(kind="bot", bot="random")
INVITE = Opponent(kind="invite")


def member(lobby: Lobby, player: Player) -> FakeMember:
    """A connection of this player that was greeted."""
    guest = FakeMember(player)
    lobby.on_connect(guest)
    return guest


def asked(guest: FakeMember, request: Act | Join | Move | Rematch) -> PlayerRequest:
    return PlayerRequest(Origin(guest, None), guest.player, request)


async def refusal(lobby: Lobby, guest: FakeMember, request: Create) -> str:
    rooms = len(lobby.rooms)
    with pytest.raises(Refused) as caught:
        await lobby.create(Origin(guest, None), request)
    assert caught.value.message.endswith("."), "a sentence"
    assert len(lobby.rooms) == rooms
    return caught.value.code


async def listing(lobby: Lobby, guest: FakeMember) -> dict[str, Any]:
    lobby.subscribe(guest, True, 1)
    message = guest.take()[-1]
    assert (message["t"], message["id"]) == ("lobby", 1)
    return message
