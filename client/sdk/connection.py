"""The SDK: a connection to a noughts server, and the rooms followed through it.

    async with connect("http://127.0.0.1:8765", name="Ada") as connection:
        room = await connection.create("tictactoe", opponent=Opponent(kind="bot", bot="random"))
        async for view in room:
            if view.my_turn:
                await room.move(view.legal[0])

A lost connection is made again by itself, rooms are resumed, and a request that may be asked twice without harm is
asked again. Whoever wants to know is told through `on_state`. What the server refuses is raised as `Refused`, what
cannot be done for want of a server as `Unreachable`.
"""

from __future__ import annotations

import asyncio
import itertools
import os
import random
import socket as sockets
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, TypeVar
from urllib.parse import urlsplit, urlunsplit

import msgspec
from websockets.asyncio.client import ClientConnection
from websockets.asyncio.client import connect as open_websocket
from websockets.exceptions import ConnectionClosed, InvalidStatus, WebSocketException

from client.sdk.room_view import Change, Committed, Gap, NotUnderstood, RoomView, room_view
from client.sdk.text import clean
from server.wire import (
    VERSION,
    Ack,
    Act,
    Action,
    BotLimit,
    Bots,
    CancelReview,
    ClockSettings,
    Create,
    Error,
    ErrorCode,
    Hello,
    Join,
    Kind,
    Leave,
    Lobby,
    LobbyRequest,
    Move,
    Opponent,
    PaceAsked,
    Ping,
    Player,
    Pong,
    Present,
    Rematch,
    Reply,
    Request,
    Resume,
    Review,
    ReviewRequest,
    Room,
    Say,
    ServerReply,
    Side,
    Spectators,
    Thinking,
    Watch,
    Welcome,
    decode_event,
    encode,
)

DEFAULT_PORT = 8765
DELAYS_S: tuple[float, ...] = (0.2, 0.5, 1, 2, 5, *(10,) * 60)
"""How long to wait before each attempt to connect again; after the last the connection is given up."""
UPDATES_KEPT = 1024
"""Updates that wait for a reader of `LiveRoom.updates`; the oldest are dropped, each carries the whole view."""
OPEN_TIMEOUT_S = 10
KEEPALIVE_S = 15
CLOSE_TIMEOUT_S = 2

_REPEATABLE: tuple[type[Request], ...] = (
    Move, Join, Watch, Leave, Resume, LobbyRequest, ReviewRequest, CancelReview, Ping,
)  # fmt: skip
"""Asking these twice does what asking once does."""

SeatChoice: TypeAlias = Literal["x", "o", "random"]
Answer = TypeVar("Answer", bound=Reply)


class Refused(Exception):
    """The server's error: its code and its sentence."""

    def __init__(self, code: ErrorCode, message: str, room: str | None = None) -> None:
        super().__init__(message)
        self.code: ErrorCode = code
        self.message = message
        self.room = room


class BadAddress(ValueError):
    """Text that is not a server address."""


class Unreachable(Exception):
    """There is no server, or none any more; the message is one sentence for the user."""

    def __init__(self, message: str, *, in_doubt: bool = False) -> None:
        super().__init__(message)
        self.in_doubt = in_doubt
        """Whether what was asked for may have been done: the connection was lost before the answer came."""


@dataclass(frozen=True, slots=True)
class State:
    """Whether there is a connection just now, and a sentence about it."""

    connected: bool
    sentence: str


@dataclass(frozen=True, slots=True)
class Update:
    """A room after a message that changed it."""

    view: RoomView
    message: Change


OnState: TypeAlias = Callable[[State], None]


def websocket_url(address: str) -> str:
    """The websocket's URL for a server given as `http://host:port`, `ws://...`, or `host:port`. Raises BadAddress."""
    text = address.strip()
    try:
        parts = urlsplit(text if "://" in text else f"ws://{text}")
        port = parts.port
    except ValueError:
        raise _bad_address(address) from None
    scheme = {"http": "ws", "https": "wss", "ws": "ws", "wss": "wss"}.get(parts.scheme)
    if scheme is None or not parts.hostname or any(character.isspace() for character in text):
        raise _bad_address(address)
    place = parts.netloc
    if "://" not in text and port is None:
        place = f"{place}:{DEFAULT_PORT}"
    path = parts.path.rstrip("/")
    return urlunsplit((scheme, place, path if path.endswith("/ws") else f"{path}/ws", "", ""))


def _bad_address(address: str) -> BadAddress:
    return BadAddress(f"{address!r} is not a server address: write it like http://127.0.0.1:{DEFAULT_PORT}.")


def page_url(address: str, path: str = "/") -> str:
    """Where the server's page is, for a link to give to people. Raises BadAddress."""
    scheme, rest = websocket_url(address).split("://", 1)
    return f"{'https' if scheme == 'wss' else 'http'}://{rest.removesuffix('/ws')}{path}"


@asynccontextmanager
async def connect(
    address: str,
    *,
    name: str | None = None,
    token: str | None = None,
    kind: Kind | None = None,
    on_state: OnState | None = None,
    delays_s: Sequence[float] = DELAYS_S,
) -> AsyncIterator[Connection]:
    """A greeted connection. Without a token the server makes a new player, whose token is `connection.token`.

    Raises BadAddress, Unreachable, and Refused when the greeting is refused.
    """
    connection = Connection(websocket_url(address), Hello(v=VERSION, token=token, name=name, kind=kind), on_state)
    socket = await connection._greet()
    keeper = asyncio.create_task(connection._keep(socket, delays_s))
    try:
        await connection._ask_the_time()
        yield connection
    finally:
        keeper.cancel()
        with suppress(asyncio.CancelledError):
            await keeper


class Connection:
    """One player's connection. Made by `connect`."""

    player: Player
    """Who we are to the server."""
    token: str | None
    """The bearer secret of this player: keep it to be the same player next time."""
    rooms: list[str]
    """Rooms in which we held a seat of a waiting or running game when we connected last."""

    def __init__(self, url: str, hello: Hello, on_state: OnState | None = None) -> None:
        self.url = url
        self.token = hello.token
        self.rooms = []
        self.lobby_changed: Callable[[Lobby], None] | None = None
        """Called with each change of the lobby, once `lobby(True)` was asked for."""
        self._hello = hello
        self.on_state = on_state
        self._socket: ClientConnection | None = None
        self._ids = itertools.count(1)
        self._pending: dict[int, _Pending] = {}
        self._live: dict[str, LiveRoom] = {}
        self._reviews: dict[int, asyncio.Queue[Review | Exception]] = {}
        self._failure: Exception | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._clock_offset_ms = int(time.time() * 1000) - _monotonic_ms()

    # Requests

    async def create(
        self,
        game: str,
        *,
        opponent: Opponent | None = None,
        seat: SeatChoice | None = None,
        bots: tuple[str, str] | None = None,
        clock: ClockSettings | None = None,
        limit: BotLimit | None = None,
        rated: bool | None = None,
        start: Sequence[str] = (),
        pace: PaceAsked | None = None,
    ) -> LiveRoom:
        """A new room: against `opponent`, or two `bots` to watch. Raises Refused, Unreachable."""
        request = Create(
            game=game,
            opponent=opponent,
            seat="none" if bots else seat,
            bots=Bots(x=bots[0], o=bots[1]) if bots else None,
            clock=clock,
            limit=limit,
            rated=rated,
            start=list(start) or None,
            pace=pace,
        )
        return self._room(await self.request(request, Room))

    async def join(self, *, code: str | None = None, room: str | None = None) -> LiveRoom:
        """Take the free seat of a room; whoever sits there already is simply back. Raises Refused, Unreachable."""
        return self._room(await self.request(Join(room=room, code=code), Room))

    async def watch(self, room: str, code: str | None = None) -> LiveRoom:
        live = self._room(await self.request(Watch(room=room, code=code), Room))
        live._code = code
        return live

    async def lobby(self, on: bool = True) -> Lobby:
        """The lobby now; while it is on, each change is given to `lobby_changed`."""
        return await self.request(LobbyRequest(on=on), Lobby)

    async def rename(self, name: str) -> Player:
        self._hello.name = name  # given with the next greeting, should the connection be lost first
        try:
            welcome = await self.request(Hello(v=VERSION, name=name), Welcome)
        except Refused:
            self._hello.name = None
            raise
        self._hello.name = None
        self.player = welcome.player
        return self.player

    async def ping(self) -> int:
        """Milliseconds to the server and back."""
        asked_ms = _monotonic_ms()
        await self.request(Ping(ts=self.server_now_ms()), Pong)
        return _monotonic_ms() - asked_ms

    async def review(self, game: int) -> AsyncIterator[Review]:
        """What is judged of a finished game's moves, as it comes; the last message has `done` equal to `of`.

        `game` is the id of its record. On a connection that was made again, moves come again. One reader a game.
        Raises Refused, also for a review that the server could not finish, and Unreachable.
        """
        if game in self._reviews:
            raise ValueError(f"The review of game {game} is being read already.")
        news = self._reviews[game] = asyncio.Queue()
        over = False
        try:
            await self.request(ReviewRequest(game=game), Ack)
            while not over:
                said = await news.get()
                if isinstance(said, Exception):
                    raise said
                over = said.done == said.of
                yield said
        finally:
            del self._reviews[game]
            if not over:
                self._start(self._cancel_review(game))

    async def _cancel_review(self, game: int) -> None:
        with suppress(Refused, Unreachable):
            await self.request(CancelReview(game=game), Ack)

    async def request(self, request: Request, answer: type[Answer]) -> Answer:
        """Send any request and await its answer. Raises Refused, Unreachable."""
        if self._failure is not None:
            raise self._failure
        request.id = next(self._ids)
        pending = _Pending(request, asyncio.get_running_loop().create_future())
        self._pending[request.id] = pending
        try:
            await self._send(pending)
            reply = await pending.answer
        finally:
            self._pending.pop(request.id, None)
        if not isinstance(reply, answer):
            raise NotUnderstood(f"The server answered a request with an unexpected {type(reply).__name__}.")
        return reply

    def server_now_ms(self) -> int:
        """The server's time, as this connection last learnt it."""
        return _monotonic_ms() + self._clock_offset_ms

    def _room(self, room: Room) -> LiveRoom:
        # The reader made it when the message came, so that no event in between was lost.
        return self._live[room.room]

    async def _send(self, pending: _Pending) -> None:
        if self._socket is None:
            return  # sent once there is a connection again
        pending.sent = True
        with suppress(ConnectionClosed):
            await self._socket.send(encode(pending.request).decode())

    # Keeping the connection

    async def _greet(self) -> ClientConnection:
        """Open the websocket and say hello. Raises Unreachable, Refused."""
        socket = await _open(self.url)
        try:
            await socket.send(encode(self._hello).decode())
            self._welcomed(_decode(await socket.recv()))
        except ConnectionClosed as closed:
            raise Unreachable(f"{_place(self.url)} closed the connection{_why(closed)}.") from None
        except BaseException:
            await socket.close()
            raise
        self._socket = socket
        return socket

    def _welcomed(self, reply: _Message) -> None:
        if isinstance(reply, Error):
            raise Refused(reply.code, clean(reply.message))
        if not isinstance(reply, Welcome):
            raise Unreachable(f"{_place(self.url)} is no noughts server.")
        self.player = reply.player
        self.rooms = reply.rooms
        self.token = self._hello.token = reply.token or self.token
        self._hello.name = None  # given: to give it again would undo what the player chose elsewhere meanwhile

    async def _keep(self, socket: ClientConnection, delays_s: Sequence[float]) -> None:
        """Read until the end; when the connection is lost, make it again."""
        try:
            while True:
                why = await self._read(socket)
                self._socket = None
                self._lose_unrepeatable()
                self._tell(False, f"Connection lost{why}; reconnecting.")
                socket = await self._greet_again(delays_s)
                await self._restore()
                self._tell(True, "Connected again.")
        except (Unreachable, Refused) as error:
            self._fail(error)
        finally:
            self._fail(Unreachable("The connection is closed."))
            await socket.close()

    async def _read(self, socket: ClientConnection) -> str:
        """Deal with every message until the connection is lost; answers why, ready to be put into a sentence."""
        try:
            async for frame in socket:
                self._receive(_decode(frame))
        except ConnectionClosed as closed:
            return _why(closed)
        return ""

    async def _greet_again(self, delays_s: Sequence[float]) -> ClientConnection:
        lost = Unreachable(f"The connection to {_place(self.url)} was lost.")
        for delay_s in delays_s:
            # Apart, so that the clients of a restarted server do not all come at once.
            await asyncio.sleep(delay_s * random.uniform(0.5, 1.5))
            try:
                return await self._greet()
            except Unreachable as error:
                lost = error
            except Refused as error:
                if error.code not in ("shutting_down", "busy", "too_fast", "unavailable"):
                    raise
        raise lost

    async def _restore(self) -> None:
        """Take up the rooms and ask again what has no answer yet."""
        for pending in list(self._pending.values()):
            await self._send(pending)
        self._start(self._ask_the_time())
        for live in self._live.values():
            self._start(live._restore())
        for game in self._reviews:
            self._start(self._go_on_with_review(game))

    async def _go_on_with_review(self, game: int) -> None:
        try:
            await self.request(ReviewRequest(game=game), Ack)
        except (Refused, Unreachable) as error:
            self._tell_reviewer(game, error)

    def _lose_unrepeatable(self) -> None:
        for pending in self._pending.values():
            if pending.sent and not isinstance(pending.request, _REPEATABLE) and not pending.answer.done():
                lost = Unreachable(
                    "The connection was lost before the server answered; the request may or may not have gone through.",
                    in_doubt=True,
                )
                pending.answer.set_exception(lost)

    def _fail(self, error: Exception) -> None:
        """Nothing more will come: everybody who waits is told."""
        if self._failure is not None:
            return
        self._failure = error
        for pending in self._pending.values():
            if not pending.answer.done():
                pending.answer.set_exception(error)
        for live in self._live.values():
            live._end(error)
        for game in self._reviews:
            self._tell_reviewer(game, error)

    async def _ask_the_time(self) -> None:
        asked_ms = _monotonic_ms()
        with suppress(Refused, Unreachable):
            pong = await self.request(Ping(ts=self.server_now_ms()), Pong)
            self._clock_offset_ms = pong.server_ms - (asked_ms + _monotonic_ms()) // 2

    def _tell(self, connected: bool, sentence: str) -> None:
        if self.on_state is not None:
            self.on_state(State(connected, sentence))

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # Messages

    def _receive(self, message: _Message) -> None:
        match message:
            case Room():
                self._receive_room(message)
            case Committed() | Present() | Spectators() | Thinking():
                live = self._live.get(message.room)
                if live is not None:
                    live._receive(message)
            case Lobby() if self.lobby_changed is not None:
                self.lobby_changed(message)
            case Review():
                self._tell_reviewer(message.game, message)
            case Error(game=int(game)):
                self._tell_reviewer(game, Refused(message.code, clean(message.message)))
        if not isinstance(message, Committed):
            self._answer(message)

    def _tell_reviewer(self, game: int, news: Review | Exception) -> None:
        if game in self._reviews:
            self._reviews[game].put_nowait(news)

    def _receive_room(self, room: Room) -> None:
        live = self._live.get(room.room)
        if live is not None:
            live._receive(room)
            return
        try:
            self._live[room.room] = LiveRoom(self, room_view(room, self.player.id), room)
        except NotUnderstood as error:
            self._answer(_Unreadable(room.id, str(error)))

    def _answer(self, message: ServerReply | _Unreadable) -> None:
        pending = self._pending.get(message.id) if message.id is not None else None
        if pending is None or pending.answer.done():
            return
        match message:
            case Error():
                pending.answer.set_exception(Refused(message.code, clean(message.message), message.room))
            case _Unreadable():
                pending.answer.set_exception(NotUnderstood(message.sentence))
            case _:
                pending.answer.set_result(message)


class LiveRoom:
    """A room followed through a connection. `async for view in room` gives its newest view whenever it changed."""

    def __init__(self, connection: Connection, view: RoomView, room: Room) -> None:
        self.view = view
        self._connection = connection
        self._code: str | None = None
        self._updates: deque[Update] = deque([Update(view, room)], maxlen=UPDATES_KEPT)
        self._version = 1
        self._pulse = asyncio.Event()
        self._failure: Exception | None = None
        self._left = False
        self._resuming = False
        self._newest_seq = view.seq

    @property
    def id(self) -> str:
        return self.view.room

    @property
    def connection(self) -> Connection:
        """The one through which the room is followed."""
        return self._connection

    def remaining_ms(self, side: Side) -> int | None:
        """What the side has left now; None without a clock."""
        return self.view.remaining_ms(side, self._connection.server_now_ms())

    async def ping(self) -> int:
        """Milliseconds to the server and back. Raises Refused, Unreachable."""
        return await self._connection.ping()

    # Reading

    async def __aiter__(self) -> AsyncIterator[RoomView]:
        """The view now and after each change; changes that came in between are skipped. Ends when left."""
        seen = 0
        while await self.changed_since(seen):
            seen = self._version
            yield self.view

    async def updates(self) -> AsyncIterator[Update]:
        """Every message of the room, with the view after it; for one reader. Ends when left."""
        while True:
            version = self._version
            for update in self.take_updates():
                yield update
            if not await self.changed_since(version):
                return

    def take_updates(self) -> list[Update]:
        """The updates since they were taken last, without waiting."""
        taken = list(self._updates)
        self._updates.clear()
        return taken

    @property
    def version(self) -> int:
        """Grows with every change of the view."""
        return self._version

    async def changed_since(self, version: int) -> bool:
        """Wait for a change. False once the room was left; raises what ended the connection."""
        while self._version == version and not self._left:
            if self._failure is not None:
                raise self._failure
            await self._pulse.wait()
        return not self._left

    # Asking

    async def move(self, move: str) -> RoomView:
        """Play a move as the next ply; the view once the move stands in it. Raises Refused, Unreachable."""
        view = self.view
        request = Move(room=self.id, game=view.serial, ply=len(view.moves), move=move, after=view.seq)
        return await self._acknowledged(request)

    async def act(self, action: Action) -> RoomView:
        """Resign, offer, accept, decline, abort or claim. Raises Refused, Unreachable."""
        return await self._acknowledged(Act(room=self.id, game=self.view.serial, action=action))

    async def rematch(self) -> RoomView:
        return await self._acknowledged(Rematch(room=self.id))

    async def say(self, text: str) -> RoomView:
        return await self._acknowledged(Say(room=self.id, text=text))

    async def leave(self) -> None:
        """Follow the room no longer; a seat stays ours."""
        self._connection._live.pop(self.id, None)
        self._left = True
        self._beat()
        await self._connection.request(Leave(room=self.id), Ack)

    async def _acknowledged(self, request: Request) -> RoomView:
        """The view after the event that the ack names, whichever of the two comes first."""
        ack = await self._connection.request(request, Ack)
        if ack.seq is not None:
            await self._reached(ack.seq)
        return self.view

    async def _reached(self, seq: int) -> None:
        while self.view.seq < seq and not self._left:
            await self.changed_since(self._version)

    # Messages

    def _receive(self, message: Change) -> None:
        before = self.view
        if isinstance(message, Committed):
            self._newest_seq = max(self._newest_seq, message.seq)
        try:
            self.view = before.apply(message)
        except Gap:
            self._catch_up()
            return
        except NotUnderstood as error:
            self._end(error)
            return
        if self.view is not before:
            self._updates.append(Update(self.view, message))
            self._version += 1
            self._beat()

    def _catch_up(self) -> None:
        if not self._resuming:
            self._resuming = True
            self._connection._start(self._fill_gaps())

    async def _fill_gaps(self) -> None:
        """Have the missed events sent again, or the whole room where they are too many."""
        try:
            while self.view.seq < self._newest_seq and self._failure is None:
                await self._resume()
        except (Refused, Unreachable, NotUnderstood) as error:
            self._end(error)
        finally:
            self._resuming = False

    async def _resume(self) -> None:
        answer = await self._connection.request(Resume(room=self.id, seq=self.view.seq), Reply)
        if isinstance(answer, Ack) and answer.seq is not None:
            await self._reached(answer.seq)

    async def _restore(self) -> None:
        """Be up to date on a new connection."""
        try:
            await self._resume()
            if self.view.running and self.view.clock is not None:
                # Clocks stood while a server restarted, which no event tells.
                await self._refresh()
        except Refused as refused:
            await self._watch_again(refused)
        except (Unreachable, NotUnderstood) as error:
            self._end(error)

    async def _refresh(self) -> None:
        if self.view.you is None:
            await self._connection.request(Watch(room=self.id, code=self._code), Room)
        else:
            await self._connection.request(Join(room=self.id), Room)

    async def _watch_again(self, refused: Refused) -> None:
        """A new connection that watches by a code must give it again."""
        if self._code is None or refused.code != "not_found":
            self._end(refused)
            return
        try:
            await self._connection.request(Watch(room=self.id, code=self._code), Room)
        except (Refused, Unreachable, NotUnderstood) as error:
            self._end(error)

    def _end(self, error: Exception) -> None:
        self._failure = self._failure or error
        self._beat()

    def _beat(self) -> None:
        pulse, self._pulse = self._pulse, asyncio.Event()
        pulse.set()


@dataclass(slots=True)
class _Pending:
    """A request that waits for its answer."""

    request: Request
    answer: asyncio.Future[ServerReply]
    sent: bool = False


@dataclass(frozen=True, slots=True)
class _Unreadable:
    """A message that this version cannot read, and the request it answers, if any."""

    id: int | None
    sentence: str


_Message: TypeAlias = ServerReply | Committed | _Unreadable


class _Outline(msgspec.Struct):
    t: str
    id: int | None = None
    room: str = ""
    seq: int = 0
    ts: int = 0


_outlines = msgspec.json.Decoder(_Outline)
_replies: msgspec.json.Decoder[ServerReply] = msgspec.json.Decoder(ServerReply)


def _decode(frame: str | bytes) -> _Message:
    """What a frame says. A newer server may send kinds of messages and events that are unknown here."""
    outline = _Outline(t="")
    try:
        outline = _outlines.decode(frame)
        if outline.t != "event":
            return _replies.decode(frame)
        event = decode_event(frame)
    except (msgspec.MsgspecError, RecursionError, UnicodeError) as error:
        if outline.t != "event":
            return _Unreadable(outline.id, f"The server's answer cannot be read: {error}.")
        event = None
    return Committed(room=outline.room, seq=outline.seq, ts=outline.ts, event=event)


async def _open(url: str) -> ClientConnection:
    """An open websocket. Raises Unreachable."""
    place = _place(url)
    try:
        return await open_websocket(
            url,
            compression=None,  # small frames: it would cost more than it saves
            proxy=None if is_loopback(url) else True,
            open_timeout=OPEN_TIMEOUT_S,
            ping_interval=KEEPALIVE_S,
            ping_timeout=KEEPALIVE_S,
            close_timeout=CLOSE_TIMEOUT_S,
        )
    except TimeoutError:
        raise Unreachable(f"{place} does not answer.") from None
    except InvalidStatus as error:
        raise Unreachable(
            f"{place} answered with HTTP status {error.response.status_code} where a noughts server opens a websocket."
        ) from None
    except sockets.gaierror:
        raise Unreachable(f"There is no host {urlsplit(url).hostname!r}.") from None
    except OSError as error:
        why = f": {os.strerror(error.errno).lower()}" if error.errno else ""
        raise Unreachable(f"No server answers at {place}{why}.") from None
    except WebSocketException:
        raise Unreachable(f"{place} is no noughts server.") from None


def _place(url: str) -> str:
    return page_url(url).rstrip("/")


def is_loopback(url: str) -> bool:
    host = urlsplit(url).hostname or ""
    return host in ("localhost", "::1") or host.startswith("127.")


def _why(closed: ConnectionClosed) -> str:
    """Why a connection was closed, ready to be put into a sentence."""
    if closed.rcvd is None:
        return ""
    if closed.rcvd.code == 1012:
        return ", because the server restarts"
    return f" ({clean(closed.rcvd.reason)})" if closed.rcvd.reason else ""


def _monotonic_ms() -> int:
    return time.monotonic_ns() // 1_000_000
