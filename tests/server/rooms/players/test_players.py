"""Who players are, in a real database."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import pytest

from engine.bots.roster import bot
from server.db.store import Store
from server.play.writes import Statement, StoreUnavailable, Write
from server.rooms.players import players as players_module
from server.rooms.players.players import Players, token_hash
from server.wire import Player
from tests.support.database.database_files import ANN, BOB, ROOM, add_event, new_database, opened, people_and_rooms


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    async with opened(new_database(tmp_path)) as store:
        yield store


def players(store: Store, deleted: list[int] | None = None) -> Players:
    told = deleted if deleted is not None else []
    return Players(store, lambda: 5, told.append)


async def test_a_player_is_found_by_token_and_by_id(store: Store) -> None:
    known = players(store)
    ann = await known.add("Ann", "person", token_hash("secret"))
    assert await known.by_token(token_hash("secret")) == await known.person(ann.id) == ann
    assert await known.person(f"00{ann.id}") == ann, "one player has one id, by which rooms and bans know them"
    assert await known.by_token(token_hash("Secret")) is None
    for nobody in ("77", "", "x", "9" * 30):
        assert await known.person(nobody) is None


async def test_a_new_name_and_the_end_of_it(store: Store) -> None:
    deleted: list[int] = []
    known = players(store, deleted)
    ann = await known.add("Ann", "person", token_hash("secret"))
    anna = await known.rename(ann, "Anna")
    assert anna == Player(id=ann.id, name="Anna", kind="person")
    assert await known.person(ann.id) == anna
    assert deleted == []
    await known.delete([anna])
    assert deleted == [int(ann.id)]
    assert await known.person(ann.id) is None
    assert await known.by_token(token_hash("secret")) is None


async def test_a_name_that_comes_too_late_is_not_kept(store: Store) -> None:
    known = players(store)
    ann = await known.add("Ann", "person", token_hash("secret"))
    await known.delete([ann])
    await known.rename(ann, "Anna")
    (name,) = await store.reader.look_up(str, "SELECT name FROM players")
    assert name == f"deleted player {ann.id}"


ANN_PLAYER = Player(id=str(ANN), name="Ann", kind="person")
LINES = 5


@pytest.fixture
async def talker(store: Store, monkeypatch: pytest.MonkeyPatch) -> Players:
    """Ann has said a few things, which go one by one."""
    monkeypatch.setattr(players_module, "FORGOTTEN_AT_ONCE", 1)
    monkeypatch.setattr(players_module, "NAMING_READ", 3)
    await store.write(people_and_rooms())
    body = json.dumps({"e": "said", "by": {"id": str(ANN), "name": "Ann"}, "text": "my secret"})
    await store.write([add_event(ROOM, seq, body) for seq in range(1, LINES + 1)])
    return players(store)


async def words_left(store: Store) -> int:
    (left,) = await store.read(int, "SELECT count(*) FROM events WHERE instr(body, 'my secret') OR instr(body, 'Ann')")
    return left


async def test_others_write_while_somebody_is_forgotten(store: Store, talker: Players) -> None:
    await talker.delete([ANN_PLAYER])
    assert await words_left(store) == LINES, "they are deleted, whatever is still to be done"
    write, left = store.write, []

    async def beside(writes: Sequence[Write]) -> None:
        await write(writes)
        await write([(Statement.RENAME_PLAYER, ("Bobby", BOB))])
        left.append(await words_left(store))

    store.write = beside  # type: ignore[assignment, method-assign]
    await talker.forget([ANN_PLAYER])
    assert left == [4, 3, 2, 1, 0]


async def test_a_deletion_that_is_cut_short_goes_on(store: Store, talker: Players) -> None:
    await talker.delete([ANN_PLAYER])
    write, written = store.write, list[Sequence[Write]]()

    def dying(writes: Sequence[Write]) -> asyncio.Future[None]:
        if len(written) == 2:
            raise StoreUnavailable("killed")
        written.append(writes)
        return write(writes)

    store.write = dying  # type: ignore[method-assign]
    with pytest.raises(StoreUnavailable):
        await talker.forget([ANN_PLAYER])
    assert await words_left(store) == LINES - 2
    store.write = write  # type: ignore[method-assign]
    await players(store).forget()
    assert await words_left(store) == 0


async def test_who_is_only_called_deleted_keeps_what_was_said(store: Store, talker: Players) -> None:
    await talker.rename(ANN_PLAYER, f"deleted player {ANN}")
    await talker.forget()
    assert await words_left(store) == LINES


async def test_a_bot_is_one_player_whoever_asks_first(store: Store) -> None:
    here, there = players(store), players(store)
    first = await here.bot_player(bot("alphabeta:2"))
    assert await here.bot_player(bot("alphabeta:2")) == first
    assert await there.bot_player(bot("alphabeta:2")) == first
    assert await here.bot_player(bot("alphabeta:3")) != first
    assert await here.person(first) is None, "nobody who could come"
