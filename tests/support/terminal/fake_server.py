"""A noughts server of one room and no clockwork, for testing clients: it plays by script and remembers what it heard.

It keeps to the protocol in what it sends, and to little else: everybody gets the same seat, time stands still, and
nothing is stored.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from http import HTTPStatus
from typing import Any, TypeVar

from msgspec import structs
from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request as HttpRequest
from websockets.http11 import Response

from client.sdk import RoomView
from client.sdk.room_view import room_view
from engine.rules.position import IllegalMove, other
from engine.rules.registry import rules
from server.wire import (
    Ack,
    Act,
    Author,
    ChatLine,
    ClockView,
    Create,
    Ended,
    Error,
    GameView,
    Hello,
    Join,
    Leave,
    Lobby,
    LobbyRequest,
    Move,
    Moved,
    Ping,
    Player,
    Pong,
    Rematch,
    Request,
    Result,
    Resume,
    Room,
    RoomEvent,
    Said,
    Say,
    Seat,
    Seated,
    Seats,
    ServerReply,
    Side,
    Started,
    Watch,
    Welcome,
    encode,
    encode_event,
    envelope,
    parse,
)

SERVER_MS = 1_700_000_000_000
ME = Player(id="p1", name="Ada", kind="person")
OPPONENT = Seat(id="p2", name="Bob", kind="person", present=True)
Asked = TypeVar("Asked", bound=Request)


class FakeRoom:
    """The one room: its present snapshot and the events so far."""

    def __init__(
        self,
        game: str = "tictactoe",
        you: Side = "x",
        *,
        opponent: Seat | None = OPPONENT,
        clock: ClockView | None = None,
        code: str | None = None,
        start: list[str] | None = None,
    ) -> None:
        mine = Seat(id=ME.id, name=ME.name, kind="person", present=True)
        self.game = rules(game)
        self.frames: list[bytes] = []
        self.seq = 10
        self.room = Room(
            room="r1",
            seq=self.seq,
            game=GameView(
                serial=1,
                id=1 if opponent else None,
                game=self.game.id,
                start=start or [],
                moves=[],
                to_move="x",
                legal=[],
                started=opponent is not None,
                result=None,
            ),
            seats=Seats(x=mine if you == "x" else opponent, o=mine if you == "o" else opponent),
            clock=clock,
            ts=SERVER_MS,
            offers=[],
            chat=[],
            spectators=0,
            rated=False,
            you=you,
            code=code,
        )

    @property
    def view(self) -> RoomView:
        return room_view(self.room, ME.id)

    def snapshot(self, id: int | None = None) -> Room:
        return structs.replace(self.room, id=id, seq=self.seq)

    def happens(self, event: RoomEvent) -> bytes:
        """Number an event and take it into the snapshot; its frame."""
        self.seq += 1
        self._take(event)
        self.frames.append(envelope("r1", self.seq, SERVER_MS, encode_event(event)))
        return self.frames[-1]

    def moves(self, move: str) -> list[RoomEvent]:
        """The events of a move. Raises IllegalMove."""
        view = self.view
        position = view.position.play(self.game.parse_move(move))
        outcome = position.outcome
        by = view.position.to_move
        moved = Moved(
            ply=len(view.moves),
            move=move,
            by=by,
            think_ms=1500,
            clock=structs.replace(self.room.clock, running=other(by)) if self.room.clock else None,
            to_move=None if outcome else other(by),
        )
        if outcome is None:
            return [moved]
        line = [self.game.format_move(cell) for cell in position.line]
        return [moved, Ended(winner=outcome.winner, termination=outcome.termination, clock=None, line=line)]

    def since(self, seq: int) -> list[bytes]:
        return self.frames[len(self.frames) - (self.seq - seq) :] if seq < self.seq else []

    def _take(self, event: RoomEvent) -> None:
        game = self.room.game
        match event:
            case Moved():
                game.moves.append(event.move)
                game.to_move = event.to_move
            case Ended():
                game.result = Result(winner=event.winner, termination=event.termination)
            case Said():
                self.room.chat.append(ChatLine(by=event.by, text=event.text, ts=SERVER_MS))
            case Seated():
                setattr(self.room.seats, event.side, event.seat)
            case Started():
                self.room.game = event.game


class FakeServer:
    """`replies` are the opponent's moves, played one after each move heard. `answers` overrides what is answered."""

    def __init__(self, room: FakeRoom | None = None) -> None:
        self.room = room or FakeRoom()
        self.heard: list[Request] = []
        self.replies: list[str] = []
        self.answers: dict[type[Request], Callable[[Any], ServerReply | None]] = {}
        self.lobby = Lobby(seeks=[], rooms=[], players=1, challenges=[], people=[])
        self.pages: dict[str, tuple[int, bytes]] = {"/api/warm-up": (200, b'{"warm":true,"done":0,"of":0}')}
        """Path -> status and body of what is answered over HTTP."""
        self.tokens: list[str | None] = []
        """Who asked over HTTP."""
        self.sockets: set[ServerConnection] = set()
        self.refuse_to_open = False
        self.url = ""
        self._server: Server | None = None
        self._news = asyncio.Condition()

    def requests(self, kind: type[Asked]) -> list[Asked]:
        return [request for request in self.heard if isinstance(request, kind)]

    async def hears(self, kind: type[Asked], count: int = 1) -> Asked:
        """Wait until so many requests of a kind were heard; the last of them."""
        async with self._news:
            await self._news.wait_for(lambda: len(self.requests(kind)) >= count)
        return self.requests(kind)[count - 1]

    async def send(self, message: ServerReply | bytes | str) -> None:
        """To everybody."""
        frame = encode(message) if not isinstance(message, bytes | str) else message
        for socket in list(self.sockets):
            await socket.send(frame.decode() if isinstance(frame, bytes) else frame)

    async def happens(self, *events: RoomEvent) -> None:
        for event in events:
            await self.send(self.room.happens(event))

    async def opponent_moves(self, move: str) -> None:
        await self.happens(*self.room.moves(move))

    async def drop(self, code: int = 1012) -> None:
        """Close every connection, as a restart does."""
        for socket in list(self.sockets):
            await socket.close(code)

    def serve_page(self, socket: ServerConnection, asked: HttpRequest) -> Response | None:
        if asked.path == "/ws":
            return None
        self.tokens.append(asked.headers.get("Authorization"))
        status, body = self.pages.get(asked.path, (404, b'{"error":"There is no such record."}'))
        kind = "application/json" if body.startswith((b"{", b"[")) else "text/plain"
        headers = Headers({"Content-Type": kind, "Content-Length": str(len(body)), "Connection": "close"})
        return Response(status, HTTPStatus(status).phrase, headers, body)

    async def serve_one(self, socket: ServerConnection) -> None:
        if self.refuse_to_open:
            await socket.close(1013)
            return
        self.sockets.add(socket)
        try:
            async for frame in socket:
                assert isinstance(frame, str), "the protocol has text frames only"
                await self._answer(socket, parse(frame.encode()))
        except ConnectionClosed:
            pass
        finally:
            self.sockets.discard(socket)

    async def _answer(self, socket: ServerConnection, request: Request) -> None:
        override = self.answers.get(type(request))
        if override is not None:
            answer = override(request)
            if answer is not None:
                await socket.send(encode(structs.replace(answer, id=request.id)).decode())
        else:
            await self._play_along(socket, request)
        async with self._news:
            self.heard.append(request)
            self._news.notify_all()

    async def _play_along(self, socket: ServerConnection, request: Request) -> None:
        reply = self._reply(request)
        await socket.send(encode(structs.replace(reply, id=request.id)).decode())
        if isinstance(request, Resume) and isinstance(reply, Ack):
            for frame in self.room.since(request.seq):
                await socket.send(frame.decode())
        elif isinstance(reply, Ack):
            await self._consequences(request)

    def _reply(self, request: Request) -> ServerReply:
        match request:
            case Hello():
                player = structs.replace(ME, name=request.name or ME.name, kind=request.kind or "person")
                return Welcome(v=1, player=player, rooms=[], token=None if request.token else "secret")
            case Create() | Join() | Watch():
                return self.room.snapshot()
            case Ping():
                return Pong(ts=request.ts, server_ms=SERVER_MS)
            case LobbyRequest():
                return self.lobby
            case Move():
                return self._reply_to_move(request)
            case Act() | Say():
                return Ack(room="r1", seq=self.room.seq + 1)
            case _:
                return Ack(room="r1", seq=self.room.seq)

    def _reply_to_move(self, request: Move) -> ServerReply:
        try:
            self.room.moves(request.move)
        except IllegalMove as error:
            return Error(code="illegal_move", message=str(error), room="r1")
        return Ack(room="r1", seq=self.room.seq + 1)

    async def _consequences(self, request: Request) -> None:
        match request:
            case Move():
                await self.opponent_moves(request.move)
                if self.replies and self.room.room.game.result is None:
                    await self.opponent_moves(self.replies.pop(0))
            case Say():
                await self.happens(Said(by=Author(id=ME.id, name=ME.name), text=request.text))
            case Act(action="resign"):
                await self.happens(Ended(winner="o", termination="resignation", clock=None))
            case Act() | Leave() | Rematch():
                pass


AT_ONCE = (0.0,) * 20
"""Waits between attempts to connect again."""
HELLO_FROM_BOB = Said(by=Author(id="p2", name="Bob"), text="hello")


@asynccontextmanager
async def fake_server(room: FakeRoom | None = None) -> AsyncIterator[FakeServer]:
    fake = FakeServer(room)
    async with serve(fake.serve_one, "127.0.0.1", 0, close_timeout=1, process_request=fake.serve_page) as server:
        port = server.sockets[0].getsockname()[1]
        fake.url = f"http://127.0.0.1:{port}"
        yield fake
