"""Who players are, people and bots: found in the database, added, renamed and deleted."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence

import msgspec

from engine.bots.roster import Bot
from server.db.ids import is_number
from server.db.store import Store
from server.play.writes import Conflict, Statement, Write
from server.rooms.players.deletion import deletion_writes
from server.wire import Kind, Player

FORGOTTEN_AT_ONCE = 200
"""Rows in one transaction of a deletion: in between, others write."""
NAMING_READ = 10_000
"""Rows of deleted players that are looked for at once."""


class Players:
    """Reading and committing raise StoreUnavailable. `on_deleted` is told a player's id after the deletion."""

    def __init__(self, store: Store, unix_ms: Callable[[], int], on_deleted: Callable[[int], None]) -> None:
        self._store = store
        self._unix_ms = unix_ms
        self._on_deleted = on_deleted
        self._bots: dict[tuple[str, int], str] = {}

    async def bot_player(self, bot: Bot) -> str:
        known = self._bots.get((bot.name, bot.version))
        if known is not None:
            return known
        parameters = msgspec.json.encode(dict(bot.parameters), order="sorted").decode()
        id = await self._store.bot_version(bot.family, parameters, bot.version)
        if id is None:
            id = await self._add_bot(bot, parameters)
        self._bots[bot.name, bot.version] = str(id)
        return str(id)

    async def _add_bot(self, bot: Bot, parameters: str) -> int:
        id = await self._store.next_id("player")
        try:
            await self._store.write(
                [
                    (Statement.ADD_PLAYER, (id, bot.name, "bot", None, self._unix_ms())),
                    (Statement.ADD_BOT_VERSION, (id, bot.family, parameters, bot.version)),
                ]
            )
        except Conflict:
            # Another process that uses this database was first.
            found = await self._store.bot_version(bot.family, parameters, bot.version)
            assert found is not None, "the database refuses a bot that it does not have"
            return found
        return id

    async def person(self, id: str) -> Player | None:
        """The player with this number, which may have leading zeros; the id in the answer has none."""
        row = await self._store.player(int(id)) if is_number(id) else None
        return Player(id=str(row.id), name=row.name, kind=row.kind) if row is not None else None

    async def by_token(self, hashed: bytes) -> Player | None:
        row = await self._store.player_by_token(hashed)
        return Player(id=str(row.id), name=row.name, kind=row.kind) if row is not None else None

    async def add(self, name: str, kind: Kind, hashed: bytes, owner: Player | None = None) -> Player:
        """`owner` is the person who makes a bot. Raises Conflict where they were deleted meanwhile."""
        id = await self._store.next_id("player")
        writes: list[Write] = [(Statement.ADD_PLAYER, (id, name, kind, hashed, self._unix_ms()))]
        if owner is not None:
            writes.append((Statement.ADD_OWNED_BOT, (id, int(owner.id))))
        await self._store.write(writes)
        return Player(id=str(id), name=name, kind=kind)

    async def bots_of(self, owner: Player) -> list[Player]:
        """The bots that a person made."""
        return [
            Player(id=str(row.id), name=row.name, kind="bot") for row in await self._store.owned_bots(int(owner.id))
        ]

    async def rename(self, player: Player, name: str) -> Player:
        await self._store.write([(Statement.RENAME_PLAYER, (name, int(player.id)))])
        return Player(id=player.id, name=name, kind=player.kind)

    async def change_token(self, player: Player, hashed: bytes, *, withdrawn: bool) -> None:
        """`withdrawn` if nobody was given the token of this hash."""
        id, withdrawn_ms = int(player.id), self._unix_ms() if withdrawn else None
        await self._store.write([(Statement.CHANGE_TOKEN, (hashed, id)), (Statement.SET_WITHDRAWN, (withdrawn_ms, id))])

    async def delete(self, players: Sequence[Player]) -> None:
        """All of them or none; `forget` is still to delete what rooms say of them."""
        await self._store.write([write for player in players for write in deletion_writes(player)])
        for player in players:
            self._on_deleted(int(player.id))

    async def forget(self, players: Sequence[Player] | None = None) -> None:
        """Delete the names and words that rooms still have of players who are deleted: these, or any for None."""
        ids = [int(player.id) for player in players] if players is not None else None
        while rows := await self._store.naming_deleted(ids, NAMING_READ):
            for first in range(0, len(rows), FORGOTTEN_AT_ONCE):
                await self._store.write([row.anonymised for row in rows[first : first + FORGOTTEN_AT_ONCE]])


def token_hash(token: str) -> bytes:
    """Tokens are 256 random bits, so a plain hash is enough at rest."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()
