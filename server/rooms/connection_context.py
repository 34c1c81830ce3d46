"""What all connections share: the lobby, who is who, and what each may ask of the server."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from server.metrics import Metrics
from server.play.rate_limit import Buckets, TokenBucket
from server.rooms.announcements import Announcements
from server.rooms.chat_limits import ChatLimits
from server.rooms.fair_queue import FairQueue
from server.rooms.lobby.lobby import Lobby
from server.rooms.players.deletion import Register
from server.rooms.players.player_names import NewNames
from server.rooms.reviews import Reviews
from server.rooms.room.services import Secrets
from server.wire import Kind, Player

RENAMES_PER_S = 0.1
"""of a player, where messages of players are limited at all"""
RENAMES_AT_ONCE = 10
SWEPT = 2
"""Whenever a player leaves, this many buckets are looked at and dropped if full: more than arrive."""


class BanList(Protocol):
    """Whom the operator has banned: see `Bans`. A sentence says why; None lets them in."""

    def sentence(self, player: str) -> str | None: ...

    def address_sentence(self, address: str) -> str | None: ...


class Identity(Register, Protocol):
    """Who players are: see `Players`. Each method raises StoreUnavailable."""

    async def by_token(self, hashed: bytes) -> Player | None: ...

    async def add(self, name: str, kind: Kind, hashed: bytes) -> Player: ...

    async def rename(self, player: Player, name: str) -> Player: ...


@dataclass(frozen=True, slots=True)
class Limits:
    """0 for no bound."""

    connection_rate: float = 50.0
    """messages a second"""
    connection_burst: float = 200.0
    player_rate: float = 100.0
    chat_rate: float = 1.0
    """lines of chat a second from a player"""
    address_players: float = 120.0
    """new players an hour from an address"""


class ConnectionContext:
    """What every connection shares."""

    def __init__(
        self,
        lobby: Lobby,
        reviews: Reviews,
        identity: Identity,
        new_names: NewNames,
        bans: BanList,
        announcements: Announcements,
        limits: Limits,
        metrics: Metrics,
        now_ms: Callable[[], int],
        now_us: Callable[[], int],
        unix_ms: Callable[[], int],
        secrets: Secrets,
        fair_queue: FairQueue,
    ) -> None:
        self.lobby = lobby
        self.reviews = reviews
        self.identity = identity
        self.new_names = new_names
        self.bans = bans
        self.announcements = announcements
        self.limits = limits
        self.metrics = metrics
        self.now_ms = now_ms
        self.unix_ms = unix_ms
        self.secrets = secrets
        self.closing = False
        self.fair_queue = fair_queue
        self.chat = ChatLimits(limits.chat_rate)
        self.renames = Buckets(RENAMES_PER_S if limits.player_rate else 0, RENAMES_AT_ONCE)
        self.new_players = Buckets(limits.address_players / 3600, limits.address_players)
        self.deletions: set[asyncio.Task[None]] = set()
        """of players, under way"""
        self._by_player: OrderedDict[str, tuple[TokenBucket, int]] = OrderedDict()
        """with the number of connections that use it; kept until it is full, or reconnecting would refill it"""

    def player_bucket(self, player: str) -> TokenBucket:
        """One bucket for all connections of a player, and for those that follow; given back by `release`."""
        bucket, users = self._by_player.get(player, (None, 0))
        if bucket is None:
            rate = self.limits.player_rate
            bucket = TokenBucket(rate, max(rate, self.limits.connection_burst), self.now_ms())
        self._by_player[player] = (bucket, users + 1)
        return bucket

    def release(self, player: str) -> None:
        bucket, users = self._by_player[player]
        self._by_player[player] = (bucket, users - 1)
        for _ in range(min(SWEPT, len(self._by_player))):
            looked_at, (bucket, users) = self._by_player.popitem(last=False)
            if users or not bucket.is_full(self.now_ms()):
                self._by_player[looked_at] = (bucket, users)  # behind all others
