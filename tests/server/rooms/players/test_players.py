"""Who players are, in a real database."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from engine.bots.roster import bot
from server.db.store import Store
from server.rooms.players.players import Players, token_hash
from server.wire import Player
from tests.support.database.database_files import new_database, opened


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


async def test_a_bot_is_one_player_whoever_asks_first(store: Store) -> None:
    here, there = players(store), players(store)
    first = await here.bot_player(bot("alphabeta:2"))
    assert await here.bot_player(bot("alphabeta:2")) == first
    assert await there.bot_player(bot("alphabeta:2")) == first
    assert await here.bot_player(bot("alphabeta:3")) != first
    assert await here.person(first) is None, "nobody who could come"
