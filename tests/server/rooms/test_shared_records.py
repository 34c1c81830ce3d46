"""Links to private records, in a real database."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from server.db.store import Store
from server.rooms import shared_records
from server.rooms.players.deletion import deletion_writes
from server.rooms.shared_records import SharedRecords
from server.wire import Player
from tests.support.database.database_files import (
    ANN,
    BOB,
    INVITE_ROOM,
    execute,
    new_database,
    opened,
    people_and_rooms,
    start_game,
)

GAME, OTHER = 1, 2


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return new_database(tmp_path)


@pytest.fixture
async def store(path: Path) -> AsyncIterator[Store]:
    async with opened(path) as store:
        games = [start_game(game, room_number=INVITE_ROOM, serial=game, source="room") for game in (GAME, OTHER)]
        await store.write([*people_and_rooms(), *games])
        yield store


def shared(store: Store) -> SharedRecords:
    return SharedRecords(store, lambda: 0, lambda: 7, secrets)


async def test_a_link_opens_its_game_until_it_is_withdrawn(store: Store) -> None:
    links = shared(store)
    assert await links.made_ms(GAME) is None
    secret, made_ms = await links.make(GAME, str(ANN))
    assert (len(secret), made_ms, await links.made_ms(GAME)) == (22, 7, 7)
    assert await links.opens(GAME, secret)
    assert not await links.opens(OTHER, secret)
    await links.withdraw(GAME)
    assert not await links.opens(GAME, secret)
    assert await links.made_ms(GAME) is None
    await links.withdraw(GAME)


async def test_a_new_link_ends_the_one_before(store: Store) -> None:
    links = shared(store)
    first, _ = await links.make(GAME, str(ANN))
    second, _ = await links.make(GAME, str(ANN))
    assert first != second
    assert not await links.opens(GAME, first)
    assert await links.opens(GAME, second)


@pytest.mark.parametrize("secret", ["", "x", "x" * 22, "x" * 5000, "\u00e9" * 22, "' OR 1=1 --", "\x00" * 22])
async def test_forged_secrets_open_nothing(store: Store, secret: str) -> None:
    links = shared(store)
    made, _ = await links.make(GAME, str(ANN))
    assert not await links.opens(GAME, secret)
    assert not await links.opens(GAME, made.lower() + secret)


async def test_the_secret_itself_is_kept_nowhere(store: Store, path: Path) -> None:
    secret, _ = await shared(store).make(GAME, str(ANN))
    [(hashed,)] = execute(path, "SELECT secret_hash FROM shares")
    assert secret.encode() not in hashed


async def test_the_links_of_a_players_games_end_with_the_player(store: Store) -> None:
    links = shared(store)
    for id in (ANN, BOB):
        secret, _ = await links.make(GAME, str(id))
        assert await links.opens(GAME, secret)
        await store.write(deletion_writes(Player(id=str(id), name="Gone", kind="person")))
        assert not await links.opens(GAME, secret)


async def test_who_is_deleted_meanwhile_makes_no_link(store: Store) -> None:
    links = shared(store)
    await store.write(deletion_writes(Player(id=str(ANN), name="Ann", kind="person")))
    secret, _ = await links.make(GAME, str(ANN))
    assert not await links.opens(GAME, secret)
    of_bob, _ = await links.make(GAME, str(BOB))
    await links.make(GAME, str(ANN))
    assert await links.opens(GAME, of_bob)


async def test_a_player_makes_so_many_links_and_no_more(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shared_records, "AT_ONCE", 2)
    links = shared(store)
    assert links.refusal("1") is None
    assert links.refusal("1") is None
    over = links.refusal("1")
    assert over is not None
    assert (over.sentence, over.wait_s) == ("You are making too many links: try again in 60 s.", 60)
    assert links.refusal("2") is None
