"""What is known of players before they sit down."""

from __future__ import annotations

import pytest

from server.rooms.members import Origin
from server.rooms.room.next_game import prepared
from server.wire import Join
from tests.support.rooms.fakes import FakeMember, World, settle
from tests.support.rooms.session_driver import ANN, BOB, EVE


async def test_who_sits_and_who_may_sit_down_are_looked_up_and_no_number_is_drawn_twice(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    world = World()
    room = world.room(o=None)
    room.open(Origin(FakeMember(ANN), None))
    await settle()
    waiting = await prepared(room.session, EVE, world.services)
    assert waiting.ticket == room.session.ticket
    world.ask(room, FakeMember(BOB), Join(room="room1"))
    await settle()
    looked_up: list[str] = []
    known = world.services.ratings.known

    async def noted(game: str, players: list[str]) -> object:
        looked_up.extend(players)
        return await known(game, players)

    monkeypatch.setattr(world.services.ratings, "known", noted)
    assert room.session.ticket is None
    playing = await prepared(room.session, EVE, world.services)
    assert looked_up == sorted([ANN.id, BOB.id, EVE.id])
    assert playing.ticket != waiting.ticket
