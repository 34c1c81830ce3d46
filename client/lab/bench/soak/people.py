"""Who plays during a soak: people among themselves and against bots, spectators, and readers of the site.

Everybody is a client of the SDK, goes away after a while and comes back as the same player, and outlives restarts.
"""

from __future__ import annotations

import asyncio
import urllib.request
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from random import Random
from typing import TypeAlias

from msgspec import Struct

from client.sdk import (
    BotLimit,
    ClockSettings,
    Connection,
    LiveRoom,
    NoughtsError,
    Opponent,
    RequestRefused,
    RoomView,
    connect,
)

GAMES = ("tictactoe", "qubic", "ultimate", "mnk:7,7,4")
BOTS = ("random", "level:2", "level:4")
CLOCK = ClockSettings(initial_ms=600_000, increment_ms=2_000)
LIMIT = BotLimit(nodes=5_000)
THINKS_S = (0.3, 1.5)
STAYS_S = (20.0, 90.0)
"""How long somebody is connected before going away for a moment."""
AWAY_S = (0.2, 3.0)
WATCHES_S = (5.0, 30.0)
READS_S = (1.0, 4.0)
GAMES_A_ROOM = 3
CHATS = 0.05
"""Share of moves that come with a chat message."""
PAGES = (
    "/", "/api/games", "/api/games?game=qubic&limit=200", "/api/stats", "/api/ladder", "/api/bots?game=qubic",
    "/api/explorer?game=tictactoe", "/api/picture.png?game=qubic&moves=a1.1,b2.2", "/api/players/1", "/metrics",
)  # fmt: skip

Look: TypeAlias = Callable[[Connection], Awaitable[None]]


class Crowd(Struct, frozen=True):
    """How many of each there are."""

    pairs: int = 8
    against_bots: int = 4
    spectators: int = 6
    readers: int = 1


class Log:
    """What happened to them."""

    def __init__(self) -> None:
        self.reconnects = 0
        self.errors: list[str] = []

    def unexpected(self, error: BaseException) -> None:
        sentence = f"{type(error).__name__}: {error}"
        if sentence not in self.errors:
            self.errors.append(sentence)


class Table:
    """Where two meet again and again: the room that the first one made, and its code."""

    def __init__(self) -> None:
        self.room: LiveRoom | None = None
        self.made = asyncio.Event()

    def clear(self) -> None:
        self.room = None
        self.made.clear()


@asynccontextmanager
async def playing(address: str, crowd: Crowd, random: Random, log: Log) -> AsyncIterator[None]:
    """All of them play at once, until the end of the block."""
    visits: list[Awaitable[None]] = []
    for _ in range(crowd.pairs):
        table = Table()
        visits += [_visits(address, Random(random.random()), log, _host(table, Random(random.random())))]
        visits += [_visits(address, Random(random.random()), log, _guest(table, Random(random.random())))]
    visits += [_visits(address, random, log, _against_bot(random)) for _ in range(crowd.against_bots)]
    visits += [_visits(address, random, log, _spectator(random)) for _ in range(crowd.spectators)]
    visits += [_reader(address, random) for _ in range(crowd.readers)]
    tasks = [asyncio.ensure_future(visit) for visit in visits]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _visits(address: str, random: Random, log: Log, look: Look) -> None:
    """One player's visits, one after the other."""
    token: str | None = None
    while True:
        try:
            async with connect(address, token=token, kind="person") as connection:
                token = connection.token
                async with asyncio.timeout(random.uniform(*STAYS_S)):
                    await look(connection)
        except TimeoutError:
            log.reconnects += 1
        except RequestRefused as error:
            if error.code not in ("shutting_down", "unavailable", "busy"):
                log.unexpected(error)
        except NoughtsError:
            log.reconnects += 1
        await asyncio.sleep(random.uniform(*AWAY_S))


# People


def _host(table: Table, random: Random) -> Look:
    async def look(connection: Connection) -> None:
        while True:
            if table.room is None:
                invite = Opponent(kind="invite")
                table.room = await connection.create(random.choice(GAMES), opponent=invite, clock=CLOCK)
                table.made.set()
                room = table.room
            else:
                room = await connection.join(room=table.room.id)
            await _play_on(room, table, random)

    return look


def _guest(table: Table, random: Random) -> Look:
    async def look(connection: Connection) -> None:
        while True:
            await table.made.wait()
            assert table.room is not None
            room = await connection.join(code=table.room.view.code)
            await _play_on(room, table, random)

    return look


def _against_bot(random: Random) -> Look:
    async def look(connection: Connection) -> None:
        while True:
            bot = random.choice(BOTS)
            opponent = Opponent(kind="bot", bot=bot)
            limit = None if bot == "random" else LIMIT
            await _play_on(await connection.create(random.choice(GAMES), opponent=opponent, limit=limit), None, random)

    return look


async def _play_on(room: LiveRoom, table: Table | None, random: Random) -> None:
    """Some games in a room, then leave it for good."""
    async for view in room:
        try:
            if view.result is not None:
                if view.serial >= GAMES_A_ROOM:
                    break
                await room.rematch()
            elif view.my_turn and view.running:
                await _move(room, view, random)
        except RequestRefused as refused:
            if refused.code not in ("stale", "game_over", "not_your_turn", "not_now"):
                raise
    if table is not None and table.room is not None and table.room.id == room.id:
        table.clear()
    await room.leave()


async def _move(room: LiveRoom, view: RoomView, random: Random) -> None:
    await asyncio.sleep(random.uniform(*THINKS_S))
    if random.random() < CHATS:
        await room.say("Good move!")
    await room.move(random.choice(view.legal))


# Others


def _spectator(random: Random) -> Look:
    async def look(connection: Connection) -> None:
        while True:
            shown = (await connection.lobby()).rooms
            if shown:
                with suppress(RequestRefused):  # over since
                    watched = await connection.watch(random.choice(shown).room)
                    await asyncio.sleep(random.uniform(*WATCHES_S))
                    await watched.leave()
            await asyncio.sleep(1)

    return look


async def _reader(address: str, random: Random) -> None:
    def read(page: str) -> None:
        with suppress(OSError), urllib.request.urlopen(f"{address}{page}", timeout=30) as answer:
            answer.read()

    while True:
        await asyncio.to_thread(read, random.choice(PAGES))
        await asyncio.sleep(random.uniform(*READS_S))
