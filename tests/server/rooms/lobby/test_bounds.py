"""How many rooms one person, and one address, may have."""

from __future__ import annotations

import pytest

from server.play.attendance import EMPTY_MS
from server.rooms.lobby.bounds import INVITES_A_PLAYER, SEEKS_A_PLAYER
from server.rooms.members import Origin
from server.wire import (
    Act,
    Create,
    Opponent,
)
from tests.support.rooms.fakes import World, created, settle
from tests.support.rooms.lobby_guests import BOT, INVITE, asked, member, refusal
from tests.support.rooms.session_driver import ANN, BOB


async def test_three_seeks_and_challenges_a_player() -> None:
    lobby = World().lobby()
    ann, bob = member(lobby, ANN), member(lobby, BOB)
    seek = Create(game="qubic")
    challenge = Create(game="qubic", opponent=Opponent(kind="player", player=BOB.id))
    rooms = [await created(lobby, ann, request) for request in (seek, challenge, seek)]
    assert len(rooms) == SEEKS_A_PLAYER
    assert await refusal(lobby, ann, seek) == "not_now"
    assert await refusal(lobby, ann, challenge) == "not_now"
    for opponent in (BOT, INVITE, Opponent(kind="self")):
        await created(lobby, ann, Create(game="qubic", opponent=opponent))
    await created(lobby, bob, seek)
    rooms[0].post_request(asked(ann, Act(room=rooms[0].id, game=1, action="abort")), 0)
    await settle()
    await created(lobby, ann, seek)


async def test_invites_have_a_bound_of_their_own() -> None:
    lobby = World().lobby()
    ann = member(lobby, ANN)
    invite = Create(game="tictactoe", opponent=INVITE)
    for _ in range(INVITES_A_PLAYER):
        await created(lobby, ann, invite)
    assert await refusal(lobby, ann, invite) == "not_now"
    await created(lobby, ann, Create(game="tictactoe"))


async def test_rooms_of_any_kind_have_a_bound_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.rooms.lobby.bounds.ROOMS_A_PLAYER", 2)
    world = World()
    lobby = world.lobby()
    ann, bob = member(lobby, ANN), member(lobby, BOB)
    alone = Create(game="tictactoe", opponent=Opponent(kind="self"))
    room = await created(lobby, ann, alone)
    await created(lobby, ann, alone)
    room.post_request(asked(ann, Act(room=room.id, game=1, action="abort")), 0)
    await settle()
    assert await refusal(lobby, ann, alone) == "not_now", "a room that is over is still held"
    await created(lobby, bob, alone)
    room.leave(ann)
    await world.wait(EMPTY_MS)
    await created(lobby, ann, alone)


async def test_a_burst_makes_no_more_seeks() -> None:
    world = World()
    world.by_hand = True
    lobby = world.lobby()
    ann = member(lobby, ANN)
    for _ in range(SEEKS_A_PLAYER):
        await lobby.create(Origin(ann, None), Create(game="qubic"))
    assert await refusal(lobby, ann, Create(game="qubic")) == "not_now"
