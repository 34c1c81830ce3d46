"""Bots that people make for their own programs: each is a player, with a token that its owner can withdraw."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil

from server.db.play import OwnedBotRow
from server.db.store import Store
from server.play.rate_limit import Buckets
from server.play.writes import Conflict
from server.rooms.lobby.lobby import Lobby
from server.rooms.players.bans import Bans
from server.rooms.players.player_names import NewNames, checked_name
from server.rooms.players.players import Players, token_hash
from server.rooms.refused import Refused
from server.rooms.room.services import Secrets
from server.wire import Player

MOST = 10
"""bots of one person, including those whose token is withdrawn"""
AT_ONCE = 10
PER_HOUR = 20
"""Tokens that one person may make at once, and then per hour."""


class OwnBots:
    """Reading and committing raise StoreUnavailable; what may not be raises Refused."""

    def __init__(
        self,
        store: Store,
        players: Players,
        lobby: Lobby,
        bans: Bans,
        new_names: NewNames,
        now_ms: Callable[[], int],
        secrets: Secrets,
    ) -> None:
        self._store = store
        self._players = players
        self._lobby = lobby
        self._bans = bans
        self._new_names = new_names
        self._now_ms = now_ms
        self._secrets = secrets
        self._tokens = Buckets(PER_HOUR / 3600, AT_ONCE)
        self._making: set[str] = set()
        """who has a bot made just now"""

    async def listed(self, owner: Player) -> list[OwnedBotRow]:
        """The oldest first."""
        return await self._store.owned_bots(int(owner.id))

    async def make(self, owner: Player, name: str) -> tuple[OwnedBotRow, str]:
        """A new bot and its token, which is kept nowhere."""
        self._check_may(owner)
        name = checked_name(name)
        self._new_names.check(name)
        if owner.id in self._making:
            raise Refused("not_now", "A bot of yours is being made just now: wait for it, then make the next.")
        self._making.add(owner.id)
        try:
            if len(await self.listed(owner)) >= MOST:
                raise Refused("not_now", f"You have {MOST} bots, the most allowed: reuse one of them.")
            self._charge(owner)
            token = self._secrets.token_urlsafe(32)
            try:
                bot = await self._players.add(name, "bot", token_hash(token), owner)
            except Conflict:
                raise Refused("not_now", "Your data is being deleted.") from None
        finally:
            self._making.discard(owner.id)
        return await self._row(owner, bot.id), token

    async def renew(self, owner: Player, id: str) -> tuple[OwnedBotRow, str]:
        """Give the bot a new token; programs that use the former one are disconnected."""
        self._check_may(owner)
        row = await self._row(owner, id)
        self._charge(owner)
        token = self._secrets.token_urlsafe(32)
        await self._change_token(row, token, withdrawn=False)
        return await self._row(owner, id), token

    async def withdraw(self, owner: Player, id: str) -> OwnedBotRow:
        """Withdraw the bot's token: no program can be this bot until its owner makes another one."""
        row = await self._row(owner, id)
        if row.withdrawn_ms is not None:
            return row  # since when it already is
        await self._change_token(row, self._secrets.token_urlsafe(32), withdrawn=True)
        return await self._row(owner, id)

    async def _change_token(self, row: OwnedBotRow, token: str, *, withdrawn: bool) -> None:
        bot = Player(id=str(row.id), name=row.name, kind="bot")
        await self._players.change_token(bot, token_hash(token), withdrawn=withdrawn)
        self._lobby.end_connections(bot.id, "this token is withdrawn")

    async def _row(self, owner: Player, id: str) -> OwnedBotRow:
        found = [row for row in await self.listed(owner) if str(row.id) == id]
        if not found:
            raise Refused("not_found", f"You have no bot {id}.")
        return found[0]

    def _check_may(self, owner: Player) -> None:
        if owner.kind != "person":
            raise Refused("not_now", "Only people make bots.")
        if self._lobby.is_being_deleted(owner.id):
            raise Refused("not_now", "Your data is being deleted.")
        ban = self._bans.sentence(owner.id)
        if ban is not None:
            raise Refused("not_now", ban)

    def _charge(self, owner: Player) -> None:
        wait_ms = self._tokens.wait_ms(owner.id, self._now_ms())
        if wait_ms:
            wait_s = ceil(wait_ms / 1000)
            raise Refused("too_fast", f"You are making too many tokens: try again in {wait_s} s.", wait_s=wait_s)
