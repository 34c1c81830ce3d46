"""A room followed through a connection."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Coroutine
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from client.sdk.errors import MissedEvents, NoughtsError, ProtocolError, RequestRefused
from client.sdk.patience import until_possible
from client.sdk.room_view import Change, RoomView, SequencedEvent
from server.wire import (
    Ack,
    Act,
    Action,
    Join,
    Leave,
    Move,
    Rematch,
    Reply,
    Request,
    Resume,
    Room,
    Say,
    Side,
    Watch,
)  # fmt: skip

Answer = TypeVar("Answer", bound=Reply)

_EVERY_SEQ = 1 << 62
UPDATES_KEPT = 1024
"""Updates that wait for a reader of `LiveRoom.updates`; the oldest are dropped, each carries the whole view."""


@dataclass(frozen=True, slots=True)
class RoomUpdate:
    """A room after a message that changed it."""

    view: RoomView
    message: Change
    missed: bool = False
    """Whether it may have happened while we were not connected."""


class RoomConnection(Protocol):
    """What a room needs of the connection through which it is followed."""

    def server_now_ms(self) -> int: ...
    async def ping(self) -> int: ...
    async def request(self, request: Request, answer: type[Answer]) -> Answer: ...
    def start(self, work: Coroutine[Any, Any, None]) -> object:
        """Run this as long as the connection is open."""

    def unfollow(self, room: str) -> None:
        """Send this room nothing more."""


class LiveRoom:
    """A room followed through a connection. `async for view in room` gives its newest view whenever it changed."""

    def __init__(self, connection: RoomConnection, view: RoomView, room: Room) -> None:
        self.view = view
        self._connection = connection
        self._code: str | None = None
        self._updates: deque[RoomUpdate] = deque([RoomUpdate(view, room)], maxlen=UPDATES_KEPT)
        self._version = 1
        self._pulse = asyncio.Event()
        self._failure: NoughtsError | None = None
        self._left = False
        self._resuming = False
        self._newest_seq = view.seq
        self._missed_seq = 0

    @property
    def id(self) -> str:
        return self.view.room

    @property
    def connection(self) -> RoomConnection:
        """The connection through which the room is followed."""
        return self._connection

    @property
    def missed(self) -> bool:
        """Whether the newest event may have happened while we were not connected."""
        return self.view.seq <= self._missed_seq

    def remaining_ms(self, side: Side) -> int | None:
        """What the side has left now; None without a clock."""
        return self.view.remaining_ms(side, self._connection.server_now_ms())

    async def ping(self) -> int:
        """Milliseconds to the server and back. Raises RequestRefused, ServerUnreachable."""
        return await self._connection.ping()

    # Reading

    async def __aiter__(self) -> AsyncIterator[RoomView]:
        """The view now and after each change; changes in between are skipped. Ends when left."""
        seen = 0
        while await self.changed_since(seen):
            seen = self._version
            yield self.view

    async def updates(self) -> AsyncIterator[RoomUpdate]:
        """Every message of the room, with the view after it; for one reader. Ends when left."""
        while True:
            version = self._version
            for update in self.take_updates():
                yield update
            if not await self.changed_since(version):
                return

    def take_updates(self) -> list[RoomUpdate]:
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
        """Play a move as the next ply; the view once it includes the move.

        Raises RequestRefused, ServerUnreachable.
        """
        view = self.view
        request = Move(room=self.id, game=view.serial, ply=len(view.moves), move=move, after=view.seq)
        return await self._acknowledged(request)

    async def act(self, action: Action) -> RoomView:
        """Resign, offer, accept, decline, abort or claim. Raises RequestRefused, ServerUnreachable."""
        return await self._acknowledged(Act(room=self.id, game=self.view.serial, action=action))

    async def rematch(self) -> RoomView:
        return await self._acknowledged(Rematch(room=self.id))

    async def say(self, text: str) -> RoomView:
        return await self._acknowledged(Say(room=self.id, text=text))

    async def leave(self) -> None:
        """Follow the room no longer; a seat stays ours."""
        self._connection.unfollow(self.id)
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
        if isinstance(message, SequencedEvent):
            self._newest_seq = max(self._newest_seq, message.seq)
        try:
            self.view = before.apply(message)
        except MissedEvents:
            self._catch_up()
            return
        except ProtocolError as error:
            self._end(error)
            return
        if self.view is not before:
            missed = isinstance(message, Room) or (isinstance(message, SequencedEvent) and self.missed)
            self._updates.append(RoomUpdate(self.view, message, missed))
            self._version += 1
            self._beat()

    def _catch_up(self) -> None:
        if not self._resuming:
            self._resuming = True
            self._connection.start(self._fill_gaps())

    async def _fill_gaps(self) -> None:
        """Request the missed events, or the whole room where they are too many."""
        try:
            while self.view.seq < self._newest_seq and self._failure is None:
                await until_possible(self._resume)
        except NoughtsError as error:
            self._end(error)
        finally:
            self._resuming = False

    async def _resume(self) -> None:
        self._missed_seq = _EVERY_SEQ  # until it is known how many were missed
        seq: int | None = None
        try:
            answer = await self._connection.request(Resume(room=self.id, seq=self.view.seq), Reply)
            seq = answer.seq if isinstance(answer, Ack) else None
        finally:
            self._missed_seq = self.view.seq if seq is None else seq
        if seq is not None:
            await self._reached(seq)

    async def _restore(self) -> None:
        """Be up to date on a new connection."""
        try:
            await until_possible(self._resume)
            if self.view.running and self.view.clock is not None:
                # Clocks stood while a server restarted, which no event tells.
                await until_possible(self._refresh)
        except RequestRefused as refused:
            await self._rewatch(refused)
        except NoughtsError as error:
            self._end(error)

    async def _refresh(self) -> None:
        if self.view.you is None:
            await self._watch()
        else:
            await self._connection.request(Join(room=self.id), Room)

    async def _watch(self) -> None:
        await self._connection.request(Watch(room=self.id, code=self._code), Room)

    async def _rewatch(self, refused: RequestRefused) -> None:
        """A new connection must give the code of a private room once more."""
        if self._code is None or refused.code != "not_found":
            self._end(refused)
            return
        try:
            await until_possible(self._watch)
        except NoughtsError as error:
            self._end(error)

    def _end(self, error: NoughtsError) -> None:
        self._failure = self._failure or error
        self._beat()

    def _beat(self) -> None:
        pulse, self._pulse = self._pulse, asyncio.Event()
        pulse.set()
