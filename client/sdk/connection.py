"""A connection to a noughts server: requests and their answers, and the rooms that it follows.

A lost connection is re-established, rooms are resumed, and idempotent requests are repeated; `on_state` reports both
the loss and the recovery.
"""

from __future__ import annotations

import asyncio
import itertools
import random
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, TypeVar

from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from client.sdk.address import host_url, websocket_url
from client.sdk.codec import Message, Unreadable, decode
from client.sdk.errors import NoughtsError, ProtocolError, RequestRefused, ServerUnreachable
from client.sdk.room import Answer, LiveRoom
from client.sdk.room_view import SequencedEvent, room_view
from client.sdk.text import clean
from client.sdk.websocket import OPEN_TIMEOUT_S, open_socket, why_closed
from server.wire import (
    VERSION,
    Ack,
    Act,
    Announcement,
    BotLimit,
    Bots,
    CancelReview,
    ClockSettings,
    Create,
    Error,
    HeldRoom,
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
    Request,
    Resume,
    Review,
    ReviewRequest,
    Room,
    Say,
    ServerReply,
    Spectators,
    Thinking,
    Watch,
    Welcome,
    encode,
)

ANSWER_TIMEOUT_S = 30
"""How long a request may go unanswered before its connection is given up, as if pings were not answered: in front of a
server that hangs, a proxy may still answer them."""

DELAYS_S: tuple[float, ...] = (0.2, 0.5, 1, 2, 5, *(10,) * 60)
"""The delay before each attempt to reconnect; after the last attempt the connection is given up."""

CLOCK_SET_MS = 2_000
"""If an event is further than this from the server's time as we know it, that clock was set or the line is very
slow."""

RESTORED_AT_ONCE = 4
"""rooms: a server takes no more than some messages a second from a connection"""

_REPEATABLE: tuple[type[Request], ...] = (
    Move, Join, Watch, Leave, Resume, LobbyRequest, ReviewRequest, CancelReview, Ping,
)  # fmt: skip
"""Asking these twice does what asking once does."""

News = TypeVar("News")
SeatChoice: TypeAlias = Literal["x", "o", "random"]


@dataclass(frozen=True, slots=True)
class ConnectionState:
    """Whether there is a connection just now, and a sentence about it."""

    connected: bool
    sentence: str


OnState: TypeAlias = Callable[[ConnectionState], None]


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

    Raises BadAddress, ServerUnreachable, and RequestRefused when the greeting is refused.
    """
    connection = Connection(websocket_url(address), Hello(v=VERSION, token=token, name=name, kind=kind), on_state)
    socket = await connection._greet()
    keeper = asyncio.create_task(connection._keep(socket, delays_s))
    try:
        try:
            async with asyncio.timeout(ANSWER_TIMEOUT_S):
                await connection._sync_clock()
        except TimeoutError:
            raise ServerUnreachable(f"{host_url(connection.url)} does not answer.") from None
        yield connection
    finally:
        keeper.cancel()
        with suppress(asyncio.CancelledError):
            await keeper


class Connection:
    """A player's connection. Made by `connect`."""

    player: Player
    """Who we are to the server."""
    token: str | None
    """The bearer secret of this player: keep it to be the same player next time."""
    announcement: str
    """What the server's operator tells everybody now; empty for nothing."""
    rooms: list[str]
    """Rooms in which we held a seat of a waiting or running game when we connected last."""
    held: dict[str, HeldRoom]
    """What is played in them, by room, as far as the server says."""

    def __init__(self, url: str, hello: Hello, on_state: OnState | None = None) -> None:
        self.url = url
        self.token = hello.token
        self.rooms = []
        self.held = {}
        self.lobby_changed: Callable[[Lobby], None] | None = None
        """Called with each change of the lobby after `lobby(True)`."""
        self.announcement = ""
        self.on_announcement: Callable[[str], None] | None = None
        """Called with each new announcement of the server's operator."""
        self._hello = hello
        self.on_state = on_state
        self._socket: ClientConnection | None = None
        self._ids = itertools.count(1)
        self._pending: dict[int, _Pending] = {}
        self._live: dict[str, LiveRoom] = {}
        self._reviews: dict[int, asyncio.Queue[Review | NoughtsError]] = {}
        self._failure: NoughtsError | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._restoring: list[asyncio.Task[None]] = []
        self._clock_offset_ms = int(time.time() * 1000) - _monotonic_ms()
        self._syncing: asyncio.Task[None] | None = None

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
        """A new room: against `opponent`, or two `bots` to watch. Raises RequestRefused, ServerUnreachable."""
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
        """Take the free seat of a room, or come back to one's own.

        Raises RequestRefused, ServerUnreachable.
        """
        return self._room(await self.request(Join(room=room, code=code), Room))

    async def watch(self, room: str, code: str | None = None) -> LiveRoom:
        live = self._room(await self.request(Watch(room=room, code=code), Room))
        live._code = code
        return live

    async def lobby(self, on: bool = True) -> Lobby:
        """The lobby now; while it is on, each change is given to `lobby_changed`."""
        return await self.request(LobbyRequest(on=on), Lobby)

    async def decline_challenge(self, room: str) -> None:
        """Decline a challenge to us, which ends the game that it offers. Raises RequestRefused, ServerUnreachable."""
        await self.request(Act(room=room, game=1, action="decline_challenge"), Ack)

    async def rename(self, name: str) -> Player:
        self._hello.name = name  # given with the next greeting, should the connection be lost first
        try:
            welcome = await self.request(Hello(v=VERSION, name=name), Welcome)
        except RequestRefused:
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

    async def review(self, game: int) -> AsyncGenerator[Review]:
        """What is judged of a finished game's moves, as it comes; the last message has `done` equal to `of`.

        `game` is the id of its record. After a reconnection, moves may be repeated. One reader a game.
        Raises RequestRefused, also for a review that the server could not finish, and ServerUnreachable.
        """
        if game in self._reviews:
            raise ValueError(f"The review of game {game} is being read already.")
        news = self._reviews[game] = asyncio.Queue()
        over = False
        try:
            await self.request(ReviewRequest(game=game), Ack)
            while not over:
                said = await news.get()
                if isinstance(said, NoughtsError):
                    raise said
                over = said.done == said.of
                yield said
        finally:
            del self._reviews[game]
            if not over:
                self.start(self._cancel_review(game))

    async def _cancel_review(self, game: int) -> None:
        with suppress(NoughtsError):
            await self.request(CancelReview(game=game), Ack)

    async def request(self, request: Request, answer: type[Answer]) -> Answer:
        """Send any request and await its answer. Raises RequestRefused, ServerUnreachable."""
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
            pending.set_deadline(None)
        if not isinstance(reply, answer):
            raise ProtocolError(f"The server answered a request with an unexpected {type(reply).__name__}.")
        return reply

    def server_now_ms(self) -> int:
        """The server's time, as this connection last learnt it."""
        return _monotonic_ms() + self._clock_offset_ms

    def _room(self, room: Room) -> LiveRoom:
        # Made when the message was received, so that no event after it is lost.
        return self._live[room.room]

    async def _send(self, pending: _Pending) -> None:
        if self._socket is None or pending.request.id not in self._pending:
            return  # sent after reconnecting, or wanted no longer
        socket = self._socket
        pending.sent = True
        pending.set_deadline(asyncio.get_running_loop().call_later(ANSWER_TIMEOUT_S, self._give_up, socket))
        with suppress(ConnectionClosed):
            await socket.send(encode(pending.request).decode())

    def _give_up(self, socket: ClientConnection) -> None:
        """Treat the connection as lost."""
        if socket is self._socket:
            self.start(socket.close())

    # Keeping the connection

    async def _greet(self) -> ClientConnection:
        """Open the websocket and say hello. Raises ServerUnreachable, RequestRefused."""
        socket = await open_socket(self.url)
        try:
            await socket.send(encode(self._hello).decode())
            async with asyncio.timeout(OPEN_TIMEOUT_S):
                self._on_welcome(decode(await socket.recv()))
        except ConnectionClosed as closed:
            if closed.sent is not None and not closed.rcvd_then_sent:  # over frames that no noughts server sends
                raise ServerUnreachable(f"{host_url(self.url)} is no noughts server.") from None
            raise ServerUnreachable(f"{host_url(self.url)} closed the connection{why_closed(closed)}.") from None
        except TimeoutError:
            await socket.close()
            raise ServerUnreachable(f"{host_url(self.url)} does not answer.") from None
        except BaseException:
            await socket.close()
            raise
        self._socket = socket
        return socket

    def _on_welcome(self, reply: Message) -> None:
        if isinstance(reply, Error):
            raise RequestRefused(reply.code, clean(reply.message), field=reply.field)
        if not isinstance(reply, Welcome):
            raise ServerUnreachable(f"{host_url(self.url)} is no noughts server.")
        self.player = reply.player
        self.rooms = reply.rooms
        self.held = {held.room: held for held in reply.held or ()}
        self.token = self._hello.token = reply.token or self.token
        self._hello.name = None  # sending it again would undo a rename elsewhere

    async def _keep(self, socket: ClientConnection, delays_s: Sequence[float]) -> None:
        """Read until the end, reconnecting whenever the connection is lost."""
        try:
            while True:
                why = await self._read(socket)
                self._socket = None
                for task in self._restoring:
                    task.cancel()
                self._fail_unrepeatable()
                self._report_state(False, f"Connection lost{why}; reconnecting.")
                socket = await self._reconnect(delays_s)
                self._restore()
                self._report_state(True, "Connected again.")
        except NoughtsError as error:
            self._fail(error)
        finally:
            self._fail(ServerUnreachable("The connection is closed."))
            for task in self._tasks:
                task.cancel()
            await socket.close()

    async def _read(self, socket: ClientConnection) -> str:
        """Deal with every message until the connection is lost; answers why, ready to be put into a sentence."""
        try:
            async for frame in socket:
                self._receive(decode(frame))
        except ConnectionClosed as closed:
            return why_closed(closed)
        return ""

    async def _reconnect(self, delays_s: Sequence[float]) -> ClientConnection:
        lost = ServerUnreachable(f"The connection to {host_url(self.url)} was lost.")
        for delay_s in delays_s:
            # Apart, so that the clients of a restarted server do not all come at once.
            await asyncio.sleep(delay_s * random.uniform(0.5, 1.5))
            try:
                return await self._greet()
            except ServerUnreachable as error:
                lost = error
            except RequestRefused as error:
                if self._hello.name is not None:
                    self._hello.name = None  # the name that was asked for; its own request is refused by itself
                elif not error.temporary:
                    raise
        raise lost

    def _restore(self) -> None:
        """Resume the rooms, then resend the requests that have no answer yet, since only those in a room may speak
        there."""
        said: dict[str, list[_Pending]] = {id: [] for id in self._live}
        others: list[_Pending] = []
        for pending in self._pending.values():
            request = pending.request
            (said[request.room] if isinstance(request, Say) and request.room in said else others).append(pending)
        turns = asyncio.Semaphore(RESTORED_AT_ONCE)
        self._restoring = [self.start(self._restore_room(live, turns, said[id])) for id, live in self._live.items()]
        self.start(self._resend(others))
        self.start(self._sync_clock())
        for game in self._reviews:
            self.start(self._resume_review(game))

    async def _restore_room(self, live: LiveRoom, turns: asyncio.Semaphore, said: Sequence[_Pending]) -> None:
        async with turns:
            await live._restore()
        await self._resend(said)

    async def _resend(self, unanswered: Sequence[_Pending]) -> None:
        for pending in unanswered:
            await self._send(pending)

    async def _resume_review(self, game: int) -> None:
        try:
            await self.request(ReviewRequest(game=game), Ack)
        except NoughtsError as error:
            self._pass_to_reviewer(game, error)

    def _fail_unrepeatable(self) -> None:
        for pending in self._pending.values():
            if pending.sent and not isinstance(pending.request, _REPEATABLE) and not pending.answer.done():
                lost = ServerUnreachable(
                    "The connection was lost before the server answered; the request may or may not have gone through.",
                    in_doubt=True,
                )
                pending.answer.set_exception(lost)

    def _fail(self, error: NoughtsError) -> None:
        """Raise the error wherever an answer or a message is awaited."""
        if self._failure is not None:
            return
        self._failure = error
        for pending in self._pending.values():
            if not pending.answer.done():
                pending.answer.set_exception(error)
        for live in self._live.values():
            live._end(error)
        for game in self._reviews:
            self._pass_to_reviewer(game, error)

    async def _sync_clock(self) -> None:
        asked_ms = _monotonic_ms()
        with suppress(NoughtsError):
            pong = await self.request(Ping(ts=self.server_now_ms()), Pong)
            self._clock_offset_ms = pong.server_ms - (asked_ms + _monotonic_ms()) // 2

    def _check_clock(self, ts: int) -> None:
        """`ts` is when an event happened that arrives now."""
        if abs(ts - self.server_now_ms()) > CLOCK_SET_MS and (self._syncing is None or self._syncing.done()):
            self._syncing = self.start(self._sync_clock())

    def _report_state(self, connected: bool, sentence: str) -> None:
        _call(self.on_state, ConnectionState(connected, sentence))

    def unfollow(self, room: str) -> None:
        """Send this room nothing more."""
        self._live.pop(room, None)

    def start(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Run this as long as the connection is open."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    # Messages

    def _receive(self, message: Message) -> None:
        match message:
            case Room():
                self._receive_room(message)
            case SequencedEvent() | Present() | Spectators() | Thinking():
                live = self._live.get(message.room)
                if live is not None:
                    live._receive(message)
            case Lobby():
                _call(self.lobby_changed, message)
            case Announcement():
                self._receive_announcement(clean(message.text))
            case Review():
                self._pass_to_reviewer(message.game, message)
            case Error(game=int(game)):
                self._pass_to_reviewer(game, RequestRefused(message.code, clean(message.message)))
        if isinstance(message, SequencedEvent):
            self._check_clock(message.ts)
        else:
            self._answer(message)

    def _receive_announcement(self, text: str) -> None:
        """It is sent again with each greeting."""
        if text and text != self.announcement:
            _call(self.on_announcement, text)
        self.announcement = text

    def _pass_to_reviewer(self, game: int, news: Review | NoughtsError) -> None:
        if game in self._reviews:
            self._reviews[game].put_nowait(news)

    def _receive_room(self, room: Room) -> None:
        live = self._live.get(room.room)
        if live is not None:
            live._receive(room)
            return
        if room.id not in self._pending:
            return  # of a room that was left
        try:
            self._live[room.room] = LiveRoom(self, room_view(room, self.player.id), room)
        except ProtocolError as error:
            self._answer(Unreadable(room.id, str(error)))

    def _answer(self, message: ServerReply | Unreadable) -> None:
        pending = self._pending.get(message.id) if message.id is not None else None
        if pending is None or pending.answer.done():
            return
        match message:
            case Error():
                pending.answer.set_exception(
                    RequestRefused(message.code, clean(message.message), message.room, message.field)
                )
            case Unreadable():
                pending.answer.set_exception(ProtocolError(message.sentence))
            case _:
                pending.answer.set_result(message)


@dataclass(slots=True)
class _Pending:
    """A request that waits for its answer."""

    request: Request
    answer: asyncio.Future[ServerReply]
    sent: bool = False
    deadline: asyncio.TimerHandle | None = None
    """when its connection is given up"""

    def set_deadline(self, timer: asyncio.TimerHandle | None) -> None:
        if self.deadline is not None:
            self.deadline.cancel()
        self.deadline = timer


def _call(callback: Callable[[News], None] | None, news: News) -> None:
    """What it raises is reported as asyncio reports it for any callback, and does not end the connection."""
    if callback is None:
        return
    try:
        callback(news)
    except Exception as error:
        asyncio.get_running_loop().call_exception_handler({"message": f"{callback!r} failed", "exception": error})


def _monotonic_ms() -> int:
    return time.monotonic_ns() // 1_000_000
