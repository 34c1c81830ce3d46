"""Rooms made of what a real database has of them, held field by field against those that died."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from server.db.store import Store
from server.play.inputs import PlayerDeleted, PlayerRenamed, Withdrawn
from server.play.room_spec import Pace
from server.play.writes import DELETED_TEXT, Statement
from server.rooms.anonymous import anonymous
from server.rooms.members import Origin
from server.rooms.players.players import Players
from server.rooms.room import load
from server.rooms.room.load import Loaded, RoomLoader
from server.rooms.room.room import Room
from server.wire import Act, Move, Player, Rematch, Say
from tests.support.database.database_files import new_database, opened
from tests.support.rooms.fakes import UNIX_MS, FakeMember, World, settle
from tests.support.rooms.replay import check_same
from tests.support.rooms.session_driver import ANN, BLITZ, BOB, bot_seat

CLEO = Player(id="3", name="Cleo", kind="person")


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    async with opened(new_database(tmp_path)) as store:
        for player in (ANN, BOB, CLEO):
            row = (int(player.id), player.name, player.kind, player.name.encode(), 1)
            await store.write([(Statement.ADD_PLAYER, row)])
        await store.write([(Statement.ADD_PLAYER, (9, "random", "bot", None, 1))])
        yield store


class Scene:
    """A room whose commits are written to the store."""

    def __init__(self, store: Store, **spec: Any) -> None:
        self.store = store
        self.world = World()
        self.room: Room = self.world.room(**spec)
        self.ann, self.bob = FakeMember(ANN), FakeMember(BOB)
        self.loader = RoomLoader(store, Pace(between_ms=0), lambda: self.world.now_ms, self._unix_ms)
        self._written = 0

    def _unix_ms(self) -> int:
        return UNIX_MS + self.world.now_ms

    async def begin(self) -> Scene:
        row = self.world.room_rows[1]
        made = (Statement.ADD_ROOM, (row.number, row.id, row.spec, row.code, row.created_ms))
        self.room.open(Origin(self.ann, 1), [made])
        self.room.watch(Origin(self.bob, 1))
        await settle()
        return self

    async def ask(self, member: FakeMember, request: Any) -> None:
        self.world.ask(self.room, member, request)
        await settle()

    async def load(self) -> Loaded:
        rows = self.world.rows[self._written :]
        self._written = len(self.world.rows)
        for row in rows:
            await self.store.write([row])
        loaded = await self.loader.by_number(1)
        assert loaded is not None
        return loaded


async def test_nothing_of_an_unknown_room(store: Store) -> None:
    assert await RoomLoader(store, Pace(), lambda: 0, lambda: 0).by_number(1) is None


async def test_a_room_and_its_last_events(store: Store) -> None:
    scene = await Scene(store, clock=BLITZ, code="c0de").begin()
    await scene.ask(scene.ann, Say(room="room1", text="hello"))
    loaded = await scene.load()
    check_same(scene.room.session, loaded.session)
    assert (loaded.number, loaded.code) == (1, "c0de")
    assert [seq for seq, _ in loaded.kept] == [1, 2, 3, 4]
    assert b"hello" in loaded.kept[-1][1]
    assert b"seed" not in b"".join(frame for _, frame in loaded.kept)
    assert (loaded.renamed, loaded.deleted) == ([], [])


@pytest.mark.parametrize("at_once", range(1, 6))
async def test_a_long_history_is_read_a_part_at_a_time(
    store: Store, at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene = await Scene(store).begin()
    await scene.ask(scene.ann, Say(room="room1", text="hello"))
    whole = await scene.load()
    read: list[int] = []
    look_up = store.reader.look_up

    async def counted(*asked: Any) -> list[Any]:
        rows = await look_up(*asked)
        read.append(len(rows))
        return rows

    monkeypatch.setattr(load, "EVENTS_AT_ONCE", at_once)
    monkeypatch.setattr(store.reader, "look_up", counted)
    loaded = await scene.load()
    assert max(read[1:-1]) <= at_once  # the first are of the room, the last of its people
    check_same(scene.room.session, loaded.session)
    assert loaded.kept == whole.kept
    assert len(loaded.kept) == 4


async def test_a_bots_game(store: Store) -> None:
    scene = await Scene(store, o=bot_seat(), kind="bot").begin()
    await scene.ask(scene.ann, Act(room="room1", game=1, action="offer_draw"))
    check_same(scene.room.session, (await scene.load()).session)


async def test_who_has_another_name_now(store: Store) -> None:
    scene = await Scene(store).begin()
    await scene.load()
    await store.write([(Statement.RENAME_PLAYER, ("Anna", 1))])
    anna = Player(id="1", name="Anna", kind="person")
    assert (await scene.load()).renamed == [anna]
    scene.room.post_input(PlayerRenamed(anna))
    await settle()
    loaded = await scene.load()
    assert loaded.renamed == []
    check_same(scene.room.session, loaded.session)


async def delete(store: Store, player: Player) -> None:
    players = Players(store, lambda: 5, lambda id: None)
    await players.delete([player])
    await players.forget([player])


async def test_a_deleted_player(store: Store) -> None:
    scene = await Scene(store).begin()
    await scene.ask(scene.ann, Say(room="room1", text="hello"))
    await scene.ask(scene.ann, Act(room="room1", game=1, action="resign"))
    await scene.ask(scene.ann, Rematch(room="room1"))
    assert scene.room.session.offers
    scene.room.post_input(Withdrawn(ANN.id))
    await settle()
    await scene.load()
    await delete(store, ANN)
    scene.room.post_input(PlayerDeleted(anonymous(ANN), DELETED_TEXT))
    await settle()
    loaded = await scene.load()
    check_same(scene.room.session, loaded.session)
    assert loaded.session.offers == []
    assert loaded.deleted == [ANN.id]
    assert loaded.kept == [], "whoever comes back is sent the whole room"


async def test_somebody_who_only_said_something_and_was_deleted(store: Store) -> None:
    scene = await Scene(store).begin()
    cleo = FakeMember(CLEO)
    scene.room.watch(Origin(cleo, 1))
    await scene.ask(cleo, Say(room="room1", text="hello"))
    assert (await scene.load()).kept != []
    await delete(store, CLEO)
    loaded = await scene.load()
    assert (loaded.renamed, loaded.deleted) == ([], [])
    assert loaded.kept == [], "whoever comes back may show what she said"


async def test_who_is_deleted_is_not_shown_though_their_words_are_still_in_the_rows(store: Store) -> None:
    scene = await Scene(store).begin()
    cleo = FakeMember(CLEO)
    scene.room.watch(Origin(cleo, 1))
    for member in (scene.ann, cleo):
        await scene.ask(member, Say(room="room1", text="hello"))
    await Players(store, lambda: 5, lambda id: None).delete([ANN, CLEO])
    session = (await scene.load()).session
    ann, cleo_left = anonymous(ANN), anonymous(CLEO)
    assert session.spec.creator == ann
    assert {seat.name for seat in (session.seats["x"], session.spec.x) if seat is not None} == {ann.name}
    assert [(line.by.name, line.text) for line in session.chat] == [
        (ann.name, DELETED_TEXT),
        (cleo_left.name, DELETED_TEXT),
    ]


async def test_a_deleted_player_has_no_rating(store: Store) -> None:
    """An event that ended a rated game holds it still."""
    scene = await Scene(store, clock=BLITZ, rated=True).begin()
    for ply, text in enumerate(("a1", "b2", "a3")):
        member = (scene.ann, scene.bob)[ply % 2]
        await scene.ask(member, Move(room="room1", game=1, ply=ply, move=text))
    await scene.ask(scene.ann, Act(room="room1", game=1, action="resign"))
    ratings = [seat.rating for seat in (await scene.load()).session.seats.values() if seat is not None]
    assert None not in ratings
    await delete(store, ANN)
    seats = (await scene.load()).session.seats
    assert [seat.rating is None for seat in seats.values() if seat is not None] == [True, False]


async def test_an_offer_that_an_earlier_version_left_standing_lapses(store: Store) -> None:
    scene = await Scene(store).begin()
    await scene.ask(scene.ann, Act(room="room1", game=1, action="resign"))
    await scene.ask(scene.ann, Rematch(room="room1"))
    await scene.load()
    await delete(store, ANN)
    loaded = await scene.load()
    assert [offer.by for offer in loaded.session.offers] == ["x"]
    lobby = scene.world.lobby()
    lobby.restore(loaded)
    await settle()
    assert lobby.rooms["room1"].session.offers == []


@pytest.mark.parametrize(("passed_ms", "age_ms"), [(5_000, 5_000), (-86_400_000, 0)], ids=["on", "back"])
async def test_a_room_is_no_younger_than_new_however_the_wall_jumps(store: Store, passed_ms: int, age_ms: int) -> None:
    scene = await Scene(store, kind="invite", code="c0de").begin()
    await scene.load()
    now_ms = scene.world.now_ms
    loader = RoomLoader(store, Pace(), lambda: now_ms, lambda: scene.world.room_rows[1].created_ms + passed_ms)
    loaded = await loader.by_number(1)
    assert loaded is not None
    assert loaded.session._opened_ms == now_ms - age_ms
