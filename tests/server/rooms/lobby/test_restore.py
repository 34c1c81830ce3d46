"""Rooms put back after a restart."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from server.db.store import Store
from server.play.effects import Commit
from server.play.history import RowBuilder
from server.play.inputs import Committed, Opened
from server.play.room_spec import Pace, encode_spec
from server.play.writes import Statement, StoreUnavailable, Write
from server.rooms.lobby.lobby import Lobby
from server.rooms.lobby.restore import restore_rooms
from server.rooms.room.load import RoomLoader
from server.rooms.room.sleepers import sleep_writes
from server.wire import encode_event
from tests.support.database.database_files import new_database, opened
from tests.support.rooms.fakes import UNIX_MS, World, settle
from tests.support.rooms.session_driver import ANN, BLITZ, BOB, Driver


async def store_room(store: Store, number: int, **spec: Any) -> Driver:
    """A room of Ann's in the database."""
    room = Driver(open=False, **spec)
    code = "c0de" if room.spec.kind == "invite" else None
    written: list[Write] = [(Statement.ADD_ROOM, (number, f"room{number}", encode_spec(room.spec), code, UNIX_MS))]
    real = room._commit

    def noting(commit: Commit) -> Committed:
        bodies = [encode_event(entry.event) for entry in commit.entries]
        written.extend(RowBuilder(number, "here", "noughts 0").writes(room.session, commit.entries, bodies, UNIX_MS))
        return real(commit)

    room._commit = noting  # type: ignore[method-assign]
    room._tickets = 10 * number

    room.send(Opened("1"))
    for write in written:
        await store.write([write])
    return room


async def restored(store: Store) -> tuple[World, Lobby]:
    world = World()
    lobby = world.lobby()

    async def commit(writes: list[Write]) -> None:
        world.rows += writes
        await store.write(writes)

    loader = RoomLoader(store, Pace(between_ms=0), world.clock.now_ms, world.clock.unix_ms)
    await restore_rooms(lobby, store, loader, commit, world.clock.unix_ms)
    await settle()
    return world, lobby


async def people(store: Store) -> None:
    for player in (ANN, BOB):
        await store.write([(Statement.ADD_PLAYER, (int(player.id), player.name, "person", player.name.encode(), 1))])


async def test_games_and_invites_come_back_and_seeks_do_not(tmp_path: Path) -> None:
    async with opened(new_database(tmp_path)) as store:
        await people(store)
        game = await store_room(store, 1, clock=BLITZ)
        await store_room(store, 2, o=None)
        await store_room(store, 3, o=None, kind="invite")
        world, lobby = await restored(store)
        assert set(lobby.rooms) == {"room1", "room3"}
        assert lobby.rooms["room1"].session.game_view() == game.session.game_view()
        assert lobby.by_code("c0de") is lobby.rooms["room3"]
        assert [number for _, number in world.recorded(Statement.CLOSE_ROOM)] == [2]


async def test_a_full_disk_keeps_no_server_from_starting(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(new_database(tmp_path)) as store:
        await people(store)
        await store_room(store, 1)
        await store_room(store, 2, o=None)

        async def full(writes: list[Write]) -> None:
            raise StoreUnavailable("The disk is full.")

        with monkeypatch.context() as patch:
            patch.setattr(store, "write", full)
            _, lobby = await restored(store)
        assert set(lobby.rooms) == {"room1"}
        assert "cannot be closed now" in caplog.text
        world, lobby = await restored(store)
        assert [number for _, number in world.recorded(Statement.CLOSE_ROOM)] == [2], "the next start does it"


async def test_what_sleeps_goes_on_sleeping(tmp_path: Path) -> None:
    async with opened(new_database(tmp_path)) as store:
        await people(store)
        room = await store_room(store, 1)
        await store.write(sleep_writes(room.session, 1, UNIX_MS))
        _, lobby = await restored(store)
        assert lobby.rooms == {}
        assert await store.sleeping_room("room1") is not None


async def test_a_room_that_cannot_be_read_is_left_alone(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async with opened(new_database(tmp_path)) as store:
        await people(store)
        await store.write([(Statement.ADD_ROOM, (1, "room1", "{}", None, 1))])
        await store_room(store, 2)
        _, lobby = await restored(store)
        assert set(lobby.rooms) == {"room2"}
        assert "cannot be restored and is left alone" in caplog.text
