"""An operator's orders to a lobby, players and bans in memory."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engine.bots.roster import OUR_ROSTER
from server.admin.order_handler import OrderHandler
from server.admin.orders import (
    Answer,
    Order,
)
from server.db.play import PlayerRow
from server.rooms.announcements import Announcements
from server.rooms.lobby.lobby import Lobby
from server.rooms.players.player_names import NewNames
from server.wire import Kind, Player
from tests.support.rooms.fakes import World, settle
from tests.support.rooms.session_driver import ANN, BOB


class Register:
    """Who players are, in memory."""

    def __init__(self) -> None:
        self.players = {player.id: player for player in (ANN, BOB)}
        self.failure: Exception | None = None
        self.hashes: dict[str, bytes] = {}
        self.withdrawn: dict[str, bool] = {}
        self.bots: list[tuple[Player, Player]] = []
        """each with its owner"""

    async def person(self, id: str) -> Player | None:
        if self.failure is not None:
            raise self.failure
        return self.players.get(id)

    async def rename(self, player: Player, name: str) -> Player:
        renamed = self.players[player.id] = Player(id=player.id, name=name, kind=player.kind)
        return renamed

    async def add(self, name: str, kind: Kind, hashed: bytes) -> Player:
        added = self.players["50"] = Player(id="50", name=name, kind=kind)
        self.hashes[added.id] = hashed
        return added

    async def change_token(self, player: Player, hashed: bytes, *, withdrawn: bool) -> None:
        self.hashes[player.id] = hashed
        self.withdrawn[player.id] = withdrawn

    async def bots_of(self, owner: Player) -> list[Player]:
        return [bot for bot, whose in self.bots if whose == owner]

    async def delete(self, players: Sequence[Player]) -> None:
        for player in players:
            del self.players[player.id]

    async def forget(self, players: Sequence[Player] | None = None) -> None: ...

    async def players_named(self, search: str, limit: int) -> list[PlayerRow]:
        found = [player for player in self.players.values() if search in player.name]
        return [PlayerRow(int(player.id), player.name, player.kind, 7) for player in found[:limit]]


class Banned:
    """Those who are kept out, in memory; see `Bans`."""

    def __init__(self) -> None:
        self.bans: dict[str, tuple[int | None, str]] = {}
        self.addresses: dict[str, tuple[int, str]] = {}

    async def ban(self, player: str, until_ms: int | None, reason: str) -> None:
        self.bans[player] = (until_ms, reason)

    def ban_addresses(self, addresses: Iterable[str], until_ms: int, player: str) -> None:
        self.addresses.update(dict.fromkeys(addresses, (until_ms, player)))

    async def unban(self, player: str) -> bool:
        return self.bans.pop(player, None) is not None

    def sentence(self, player: str) -> str | None:
        return self.bans[player][1] if player in self.bans else None


class Office:
    def __init__(self) -> None:
        self.world = World()
        self.lobby: Lobby = self.world.lobby()
        self.register = Register()
        self.bans = Banned()
        self.announcements = Announcements(lambda: self.lobby.members, lambda: 1000)
        names = NewNames(OUR_ROSTER)
        self.handler = OrderHandler(
            self.lobby, self.register, names, self.register, self.bans, self.announcements, lambda: 1000
        )

    async def order(self, order: Order) -> Answer:
        answer = await self.handler.carry_out(order)
        await settle()
        assert answer.said.endswith("."), "a sentence"
        return answer

    async def refused(self, order: Order) -> str:
        answer = await self.order(order)
        assert not answer.done
        return answer.said
