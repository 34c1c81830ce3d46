"""Carries out an operator's orders on the lobby and the players of a running server."""

from __future__ import annotations

import logging
import secrets
import unicodedata
from collections.abc import Awaitable, Callable, Iterable
from typing import Any, ClassVar, Protocol

from msgspec import to_builtins

from server.admin.orders import (
    Announce,
    Answer,
    Ban,
    ChangeToken,
    CloseRoom,
    Delete,
    Drain,
    ListPlayers,
    NewBot,
    Order,
    PlayerLine,
    Rename,
    Unban,
)
from server.db.play import PlayerRow
from server.play.writes import StoreUnavailable
from server.rooms.announcements import Announcements
from server.rooms.lobby.lobby import Lobby
from server.rooms.players.deletion import Register, delete_player
from server.rooms.players.player_names import NewNames, checked_name
from server.rooms.players.players import token_hash
from server.rooms.refused import Refused
from server.wire import Kind, Player

log = logging.getLogger(__name__)

_NAMES = ("name", "search")
"""Parts of orders that are not logged: the log identifies players by their number."""


class PlayerSearch(Protocol):
    async def players_named(self, search: str, limit: int) -> list[PlayerRow]:
        """Newest first. Raises StoreUnavailable."""


class Identity(Register, Protocol):
    """See `Players`; each raises StoreUnavailable."""

    async def person(self, id: str) -> Player | None: ...

    async def rename(self, player: Player, name: str) -> Player: ...

    async def add(self, name: str, kind: Kind, hashed: bytes) -> Player: ...

    async def change_token(self, player: Player, hashed: bytes, *, withdrawn: bool) -> None: ...


class BanBook(Protocol):
    """See `Bans`."""

    async def ban(self, player: str, until_ms: int | None, reason: str) -> None: ...

    def ban_addresses(self, addresses: Iterable[str], until_ms: int, player: str) -> None: ...

    async def unban(self, player: str) -> bool: ...

    def sentence(self, player: str) -> str | None: ...


class OrderHandler:
    def __init__(
        self,
        lobby: Lobby,
        identity: Identity,
        new_names: NewNames,
        search: PlayerSearch,
        bans: BanBook,
        announcements: Announcements,
        unix_ms: Callable[[], int],
    ) -> None:
        self._lobby = lobby
        self._identity = identity
        self._new_names = new_names
        self._search = search
        self._bans = bans
        self._announcements = announcements
        self._unix_ms = unix_ms

    async def carry_out(self, order: Order) -> Answer:
        """Each order leaves a line in the log, whether it was done or not."""
        try:
            answer = await self._ORDERS[type(order)](self, order)
        except Refused as error:
            answer = Answer(said=error.message, done=False)
        except StoreUnavailable as error:
            answer = Answer(said=f"The database cannot be used now: {error}", done=False)
        audited = {name: value for name, value in to_builtins(order).items() if name not in _NAMES}
        level = logging.DEBUG if isinstance(order, Drain) and answer.left else logging.INFO  # asked each second
        log.log(level, "an operator's order", extra={**audited, "done": answer.done})
        return answer

    async def _players(self, order: ListPlayers) -> Answer:
        search = unicodedata.normalize("NFC", order.search.strip())  # as names are kept
        rows = await self._search.players_named(search, order.limit)
        players = [self._line(row) for row in rows]
        return Answer(said=f"{len(players)} {'player' if len(players) == 1 else 'players'}.", players=players)

    def _line(self, row: PlayerRow) -> PlayerLine:
        id = str(row.id)
        return PlayerLine(
            id,
            row.name,
            row.kind,
            row.created_ms,
            self._lobby.is_connected(id),
            self._bans.sentence(id),
            self._lobby.rooms_of(id),
        )

    async def _rename(self, order: Rename) -> Answer:
        player = await self._player(order.player)
        name = checked_name(order.name)
        if name != player.name:
            self._new_names.check(name)
        self._lobby.on_rename(await self._identity.rename(player, name))
        return Answer(said=f"Player {player.id} is now called {name.removesuffix('.')}.")

    async def _ban(self, order: Ban) -> Answer:
        player, now_ms = await self._player(order.player), self._unix_ms()
        until_ms = now_ms + order.ms if order.ms is not None else None
        banned: set[str] = set()
        # Once more for a bot that was made meanwhile: who is banned makes no other.
        while new := [one for one in (player, *await self._identity.bots_of(player)) if one.id not in banned]:
            for one in new:
                await self._bans.ban(one.id, until_ms, order.reason)
                banned.add(one.id)
        said = f"Player {player.id} is banned"
        if order.address_ms:
            addresses = self._lobby.addresses_of(player.id)
            self._bans.ban_addresses(addresses, now_ms + order.address_ms, player.id)
            self._lobby.end_connections_from(addresses, "this address is banned")
            said += ", with their address" if addresses else "; they are not connected, so no address is"
        for id in banned:
            self._lobby.end_connections(id, "this player is banned")
        return Answer(said=f"{said}.")

    async def _unban(self, order: Unban) -> Answer:
        player = await self._player(order.player)
        if not await self._bans.unban(player.id):
            raise Refused("not_found", f"Player {player.id} was not banned.")
        for bot in await self._identity.bots_of(player):
            await self._bans.unban(bot.id)
        return Answer(said=f"Player {player.id} may come back.")

    async def _delete(self, order: Delete) -> Answer:
        player = await self._player(order.player)
        if await self._lobby.plays(player.id):
            rooms = ", ".join(await self._lobby.unfinished_rooms_of(player.id))
            raise Refused("not_now", f"Player {player.id} has a running game; close the room first, of {rooms}.")
        await delete_player(self._lobby, player, self._identity)
        self._lobby.end_connections(player.id, "this player is deleted")
        return Answer(said=f"Player {player.id} is deleted.")

    async def _new_bot(self, order: NewBot) -> Answer:
        name = checked_name(order.name)
        self._new_names.check(name)
        token = secrets.token_urlsafe(32)
        player = await self._identity.add(name, "bot", token_hash(token))
        return Answer(said=f"{name} is player {player.id}.", token=token)

    async def _change_token(self, order: ChangeToken) -> Answer:
        player, token = await self._player(order.player), secrets.token_urlsafe(32)
        await self._identity.change_token(player, token_hash(token), withdrawn=not order.told)
        await self._player(order.player)  # whoever was deleted meanwhile has no token
        self._lobby.end_connections(player.id, "this token is withdrawn")
        said = f"The token that player {player.id} had is withdrawn."
        return Answer(said=said, token=token if order.told else None)

    async def _close(self, order: CloseRoom) -> Answer:
        if not await self._lobby.close_room(order.room):
            raise Refused("not_found", f"There is no open room {order.room}.")
        return Answer(said=f"Room {order.room} is closed.")

    async def _announce(self, order: Announce) -> Answer:
        text = " ".join(order.text.split())
        if text:
            self._announcements.announce(text, order.ms)
            connections = len(self._lobby.members)
            return Answer(said=f"Announced to {connections} {'connection' if connections == 1 else 'connections'}.")
        if not self._announcements.withdraw():
            raise Refused("not_found", "Nothing is announced.")
        return Answer(said="The announcement is withdrawn.")

    async def _drain(self, order: Drain) -> Answer:
        self._lobby.draining = order.on
        if not order.on:
            return Answer(said="Games may begin again.")
        left = self._lobby.games_left
        games = "No game is" if not left else "1 game is" if left == 1 else f"{left} games are"
        return Answer(said=f"{games} left to wait for; no new one can begin.", left=left)

    async def _player(self, id: str) -> Player:
        player = await self._identity.person(id)
        if player is None:
            raise Refused("not_found", f"There is no player {id}: `noughts admin players` lists their numbers.")
        return player

    _ORDERS: ClassVar[dict[type, Callable[[OrderHandler, Any], Awaitable[Answer]]]] = {
        ListPlayers: _players,
        Rename: _rename,
        Ban: _ban,
        Unban: _unban,
        Delete: _delete,
        NewBot: _new_bot,
        ChangeToken: _change_token,
        CloseRoom: _close,
        Announce: _announce,
        Drain: _drain,
    }
