"""Players as they are found, added, renamed and deleted, over a store that only listens."""

from __future__ import annotations

from typing import Any

import pytest

from engine.bots.roster import bot
from server.db.play import PlayerRow
from server.play.writes import Conflict, Statement, StoreUnavailable, Write
from server.rooms.deletion import deletion_writes
from server.rooms.players import Players, token_hash
from server.wire import Player

ANN = Player(id="7", name="Ann", kind="person")


class Shelf:
    """A store and what commits to it; `bots` are those that it has."""

    available = True

    def __init__(self) -> None:
        self.rows = [PlayerRow(id=7, name="Ann", kind="person", created_ms=1)]
        self.bots: list[int] = []
        self.committed: list[list[Write]] = []
        self.trouble: Exception | None = None
        self.deleted: list[int] = []

    async def player(self, id: int) -> PlayerRow | None:
        return next((row for row in self.rows if row.id == id), None)

    async def player_by_token(self, hashed: bytes) -> PlayerRow | None:
        return self.rows[0] if hashed == token_hash("ann's") else None

    async def bot_version(self, name: str, parameters: str, version: int) -> int | None:
        return self.bots[0] if self.bots else None

    async def next_id(self, kind: str) -> int:
        return 20

    async def commit(self, writes: list[Write]) -> None:
        if self.trouble is not None:
            self.bots = [30]
            raise self.trouble
        self.committed.append(writes)


def players(shelf: Any) -> Players:
    return Players(shelf, shelf, lambda: 99, shelf.deleted.append)


async def test_players_are_found_by_id_and_by_token() -> None:
    known = players(Shelf())
    assert await known.person("7") == await known.by_token(token_hash("ann's")) == ANN
    for nobody in ("8", "-7", "Ann", "9" * 30, ""):
        assert await known.person(nobody) is None
    assert await known.by_token(token_hash("bob's")) is None


async def test_players_are_added_and_renamed() -> None:
    shelf = Shelf()
    bob = await players(shelf).add("Bob", "bot", b"hash")
    assert bob == Player(id="20", name="Bob", kind="bot")
    assert await players(shelf).rename(ANN, "Anna") == Player(id="7", name="Anna", kind="person")
    assert shelf.committed == [
        [(Statement.ADD_PLAYER, (20, "Bob", "bot", b"hash", 99))],
        [(Statement.RENAME_PLAYER, ("Anna", 7))],
    ]


async def test_a_deletion_is_told_after_the_commit() -> None:
    shelf = Shelf()
    shelf.trouble = StoreUnavailable("The disk is full.")
    with pytest.raises(StoreUnavailable):
        await players(shelf).delete(ANN)
    assert shelf.deleted == []
    shelf.trouble = None
    await players(shelf).delete(ANN)
    assert shelf.committed == [deletion_writes(ANN)]
    assert shelf.deleted == [7]


async def test_a_bot_is_added_once() -> None:
    shelf = Shelf()
    known, random = players(shelf), bot("random")
    assert await known.bot_player(random) == await known.bot_player(random) == "20"
    [[(added, _), (version, row)]] = shelf.committed
    assert (added, version, row) == (
        Statement.ADD_PLAYER,
        Statement.ADD_BOT_VERSION,
        (20, "random", "{}", random.version),
    )


async def test_a_bot_that_another_process_adds_first_is_that_one() -> None:
    shelf = Shelf()
    shelf.trouble = Conflict("UNIQUE constraint failed")
    assert await players(shelf).bot_player(bot("random")) == "30"
