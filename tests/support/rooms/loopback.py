"""Connections on a loopback socket, with a lobby whose time, commits and players are in the hands of a test."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from http import HTTPStatus
from typing import Any, cast

from websockets.asyncio.client import ClientConnection, connect

from engine.bots.roster import OUR_ROSTER
from server.config import Settings
from server.http.connections.gate import Gate
from server.http.connections.listen import Listener, listen
from server.http.connections.socket import Socket
from server.http.connections.websocket import WebSocket
from server.http.message import Request, Response
from server.http.responses import text_response
from server.metrics import Metrics
from server.rooms.announcements import Announcements
from server.rooms.connection import Connection, Wire
from server.rooms.connection_context import ConnectionContext, Limits
from server.rooms.fair_queue import FairQueue
from server.rooms.players.player_names import NewNames
from server.rooms.players.players import token_hash
from server.wire import Kind, Player
from tests.support.rooms.fakes import World
from tests.support.rooms.review_desk import ReviewDesk
from tests.support.rooms.session_driver import ANN

NO_LIMITS = Limits(0, 0, 0, 0, 0)


ANNS_TOKEN = "ann's token"


HELLO = {"t": "hello", "v": 1}


class People:
    """Who has which token, and in `known` whom rooms find. While `gate` is set, what is asked of them waits for it."""

    def __init__(self, known: dict[str, Player]) -> None:
        self.known = known
        self.by_hash: dict[bytes, Player] = {token_hash(ANNS_TOKEN): ANN}
        self.gate: asyncio.Event | None = None
        self.failure: Exception | None = None

    async def _asked(self) -> None:
        if self.gate is not None:
            await self.gate.wait()
        if self.failure is not None:
            raise self.failure

    async def by_token(self, hashed: bytes) -> Player | None:
        await self._asked()
        return self.by_hash.get(hashed)

    async def add(self, name: str, kind: Kind, hashed: bytes) -> Player:
        await self._asked()
        player = Player(id=str(100 + len(self.by_hash)), name=name, kind=kind)
        self.by_hash[hashed] = self.known[player.id] = player
        return player

    async def rename(self, player: Player, name: str) -> Player:
        await self._asked()
        renamed = Player(id=player.id, name=name, kind=player.kind)
        self.by_hash = {key: renamed if kept.id == player.id else kept for key, kept in self.by_hash.items()}
        return renamed

    async def bots_of(self, owner: Player) -> list[Player]:
        return []

    async def delete(self, players: Sequence[Player]) -> None:
        await self._asked()
        self.by_hash = {key: kept for key, kept in self.by_hash.items() if kept not in players}

    async def forget(self, players: Sequence[Player] | None = None) -> None: ...


class BanList:
    """Why a player, or whoever comes from an address, is kept out."""

    def __init__(self) -> None:
        self.players: dict[str, str] = {}
        self.addresses: dict[str, str] = {}

    def sentence(self, player: str) -> str | None:
        return self.players.get(player)

    def address_sentence(self, address: str) -> str | None:
        return self.addresses.get(address)


class Client:
    """The other end of a connection."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket

    async def send(self, *messages: dict[str, Any] | str) -> None:
        for message in messages:
            await self.socket.send(message if isinstance(message, str) else json.dumps(message))

    async def get(self) -> dict[str, Any]:
        async with asyncio.timeout(60):
            message: dict[str, Any] = json.loads(await self.socket.recv())
        return message

    async def ask(self, message: dict[str, Any] | str) -> dict[str, Any]:
        await self.send(message)
        return await self.get()

    async def code(self, message: dict[str, Any] | str) -> str:
        """The code with which a message is refused."""
        answer = await self.ask(message)
        assert answer["t"] == "error", answer
        code: str = answer["code"]
        return code

    async def works(self) -> None:
        """The connection is open, and everything sent before is answered."""
        assert (await self.ask({"t": "ping", "ts": 42}))["ts"] == 42

    async def closed(self) -> int | None:
        """The code with which the server closes; what comes before is passed over."""
        async with asyncio.timeout(60):
            await self.socket.wait_closed()
        return self.socket.close_code


class Watched(Connection):
    """One that says when it is over."""

    def __init__(self, wire: Wire, context: ConnectionContext) -> None:
        super().__init__(wire, context)
        self.wire = cast(WebSocket, wire)
        self.over = asyncio.Event()

    @property
    def socket(self) -> Socket:
        return self.wire._socket

    def on_closed(self) -> None:
        super().on_closed()
        self.over.set()


class BriefFairQueue(FairQueue):
    """Without rests: here time stands still until a test lets it pass."""

    def _rest(self, cost: float) -> None:
        self._resting = True
        asyncio.get_running_loop().call_soon(self._next)


class Serving:
    """A server and what it is made of."""

    def __init__(self, limits: Limits) -> None:
        self.world = World()
        self.people = People(self.world.people)
        self.metrics = Metrics()
        self.lobby = self.world.lobby()
        clock = self.world.clock
        self.desk = ReviewDesk(self.world)
        reviews = self.desk.reviews
        self.bans = BanList()
        self.announcements = Announcements(lambda: self.lobby.members, clock.unix_ms)
        self.context = ConnectionContext(
            self.lobby,
            reviews,
            self.people,
            NewNames(OUR_ROSTER),
            self.bans,
            self.announcements,
            limits,
            self.metrics,
            clock.now_ms,
            clock.now_us,
            clock.unix_ms,
            secrets,
            BriefFairQueue(clock.now_us),
        )
        self.gate = Gate(Settings(address_rate=0), self.metrics, clock.now_ms, lambda: self.context.closing)
        self.listener = Listener(
            self.gate, self.metrics, 3600, clock.now_ms, self, self.connect, self.context.fair_queue
        )
        self.connections: list[Watched] = []
        self.port = 0
        self._clients: list[ClientConnection] = []

    def connect(self, wire: Wire) -> Connection:
        self.connections.append(Watched(wire, self.context))
        return self.connections[-1]

    def cost(self, request: Request) -> float:
        return 1

    async def answer(self, request: Request) -> Response:
        return text_response(HTTPStatus.OK, f"{request.method} {request.path}\n")

    async def client(self) -> Client:
        socket = await connect(f"ws://127.0.0.1:{self.port}/ws", compression=None, ping_interval=None, proxy=None)
        self._clients.append(socket)
        return Client(socket)

    async def guest(self, **hello: Any) -> Client:
        """A client that was greeted."""
        client = await self.client()
        assert (await client.ask(HELLO | hello))["t"] == "welcome"
        return client

    async def all_gone(self) -> None:
        """Return when the server has noticed that no client is left."""
        if self.listener.sockets:
            await self.listener._context.emptied.wait()
        await asyncio.sleep(0)

    async def hang_up(self) -> None:
        for client in self._clients:
            await client.close()


@asynccontextmanager
async def serving(limits: Limits = NO_LIMITS) -> AsyncIterator[Serving]:
    at = Serving(limits)
    listening = listen("127.0.0.1", 0)
    at.port = listening.getsockname()[1]
    at.listener.start(listening)
    try:
        yield at
    finally:
        await at.hang_up()
        await at.listener.close()
