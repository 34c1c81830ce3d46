"""Who is kept out, in a real database."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import pytest

from server.db.store import Store
from server.rooms.players.bans import Bans
from server.rooms.players.deletion import deletion_writes
from server.wire import Player
from tests.support.database.database_files import ANN, BOB, new_database, opened, people_and_rooms

NOON_MS = 1_800_014_400_000
"""2027-01-15 12:00 UTC"""
HOUR_MS = 3_600_000


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return new_database(tmp_path)


@pytest.fixture
async def store(path: Path) -> AsyncIterator[Store]:
    async with opened(path) as store:
        await store.write(people_and_rooms())
        yield store


class Clock:
    def __init__(self) -> None:
        self.now_ms = NOON_MS

    def __call__(self) -> int:
        return self.now_ms


async def test_a_ban_ends_with_its_time_and_survives_a_restart(store: Store) -> None:
    clock = Clock()
    await Bans(store, clock).ban(str(ANN), NOON_MS + HOUR_MS, "insults")
    bans = Bans(store, clock)
    assert bans.sentence(str(ANN)) is None, "not loaded yet"
    await bans.load()
    assert bans.sentence(str(ANN)) == "You are banned until 2027-01-15 13:00 UTC: insults"
    assert bans.sentence(str(BOB)) is None
    clock.now_ms += HOUR_MS
    assert bans.sentence(str(ANN)) is None


@pytest.mark.parametrize("until_ms", [10**15, 10**17, (1 << 63) - 1])
async def test_a_ban_beyond_the_calendar_is_for_good(store: Store, until_ms: int) -> None:
    bans = Bans(store, Clock())
    await bans.ban(str(ANN), until_ms, "insults")
    assert bans.sentence(str(ANN)) == "You are banned: insults"
    bans.ban_addresses(["here"], until_ms, str(ANN))
    assert bans.address_sentence("here") == "Nobody may play from your address."


async def test_a_later_ban_takes_the_place_of_an_earlier_one_until_it_is_lifted(store: Store) -> None:
    bans = Bans(store, Clock())
    await bans.ban(str(ANN), NOON_MS + HOUR_MS, "insults")
    await bans.ban(str(ANN), None, "")
    assert bans.sentence(str(ANN)) == "You are banned."
    assert await bans.unban(str(ANN))
    assert bans.sentence(str(ANN)) is None
    assert not await bans.unban(str(ANN))
    await bans.load()
    assert bans.sentence(str(ANN)) is None


async def test_addresses_are_banned_for_a_time_and_with_their_player(store: Store) -> None:
    clock = Clock()
    bans = Bans(store, clock)
    bans.ban_addresses({"192.0.2.1"}, NOON_MS + HOUR_MS, str(ANN))
    bans.ban_addresses({"192.0.2.2"}, NOON_MS + 2 * HOUR_MS, str(BOB))
    assert bans.address_sentence("192.0.2.1") == "Nobody may play from your address until 2027-01-15 13:00 UTC."
    assert bans.address_sentence("192.0.2.3") is None
    clock.now_ms += HOUR_MS
    assert bans.address_sentence("192.0.2.1") is None
    assert bans.address_sentence("192.0.2.2") is not None
    await bans.unban(str(BOB))
    assert bans.address_sentence("192.0.2.2") is None


async def test_of_two_who_share_an_address_each_ban_holds(store: Store) -> None:
    clock = Clock()
    bans = Bans(store, clock)
    bans.ban_addresses({"192.0.2.1"}, NOON_MS + 24 * HOUR_MS, str(ANN))
    bans.ban_addresses({"192.0.2.1"}, NOON_MS + HOUR_MS, str(BOB))
    clock.now_ms += 2 * HOUR_MS
    assert bans.address_sentence("192.0.2.1") is not None
    await bans.unban(str(BOB))
    assert bans.address_sentence("192.0.2.1") is not None
    await bans.unban(str(ANN))
    assert bans.address_sentence("192.0.2.1") is None


async def test_the_reason_goes_with_the_player(store: Store, path: Path) -> None:
    await Bans(store, Clock()).ban(str(ANN), None, "insults")
    await store.write(deletion_writes(Player(id=str(ANN), name="Ann", kind="person")))
    with closing(sqlite3.connect(path)) as records:
        assert records.execute("SELECT * FROM bans").fetchall() == []
