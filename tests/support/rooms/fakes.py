"""The world of rooms and the lobby, played by hand: time, timers, commits and searches happen when a test says so."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Callable, Sequence
from typing import Any

from msgspec.structs import replace

from engine.bots.player import Decision
from engine.bots.roster import OUR_ROSTER, Bot
from engine.rules.registry import rules
from engine.stats.glicko import Rating
from server.db.play import EventRow, PlayerRow, RoomRow, SleepingRow
from server.limits_met import LimitsMet
from server.play.effects import Think
from server.play.history import RowBuilder
from server.play.inputs import PlayerRequest, Ticket
from server.play.room_spec import Pace, RoomSpec, encode_spec
from server.play.session import Session
from server.play.writes import Statement, StoreUnavailable, Write
from server.rooms.lobby.lobby import Lobby
from server.rooms.members import Followed, Origin
from server.rooms.room.load import RoomLoader
from server.rooms.room.rating_book import RatingBook
from server.rooms.room.room import Room
from server.rooms.room.services import RoomServices, SearchReport
from server.wire import Act, BotLimit, ClockSettings, Create, ErrorCode, Join, Move, Player, Rematch, Say, Seat
from tests.support.rooms.session_driver import ANN, BOB, EVE, seat

UNIX_MS = 1_700_000_000_000
"""Unix time less monotonic time, in any World."""


async def settle() -> None:
    """Let every task go on until it waits for something that only the test can bring about."""
    for _ in range(20):
        await asyncio.sleep(0)


def payload(frame: bytes) -> bytes:
    """The text in a frame as a server sends it: whole and without a mask."""
    (text,) = payloads(frame)
    return text


def payloads(frames: bytes) -> list[bytes]:
    """The texts in several frames, one behind the other."""
    found: list[bytes] = []
    while frames:
        assert frames[0] == 0x81, "a text frame that is whole"
        length = frames[1]
        start = {126: 4, 127: 10}.get(length, 2)
        if start > 2:
            length = int.from_bytes(frames[2:start], "big")
        assert len(frames) >= start + length
        found.append(frames[start : start + length])
        frames = frames[start + length :]
    return found


class FakeMember:
    """A greeted connection that keeps what it is sent."""

    def __init__(self, player: Player, address: str = "here") -> None:
        self.player = player
        self.address = address
        self.open = True
        self.following: dict[Followed, None] = {}
        self.payloads: list[bytes] = []
        self.errors: list[ErrorCode] = []

    def write(self, frames: bytes) -> None:
        self.payloads += payloads(frames)

    def end(self, reason: str) -> None:
        self.open = False

    def count_error(self, code: ErrorCode) -> None:
        self.errors.append(code)

    def take(self) -> list[dict[str, Any]]:
        """The messages since the last call."""
        messages = [json.loads(text) for text in self.payloads]
        self.payloads.clear()
        return messages


def kinds(messages: list[dict[str, Any]]) -> list[str]:
    """What messages are, in short: an event by its `e`, an error by its code."""
    return [message.get("e") or message.get("code", message["t"]) for message in messages]


class FakeTimer:
    """What `call_later` answers."""

    def __init__(self, due_ms: float, callback: Callable[..., object], arguments: tuple[Any, ...]) -> None:
        self.due_ms = due_ms
        self.callback = callback
        self.arguments = arguments
        self.cancelled = False

    def cancel(self) -> None:
        self.cancelled = True


class FakeSearch:
    """A search that a room asked for."""

    def __init__(self, game: str, think: Think, watched: bool, report: SearchReport) -> None:
        self.game = game
        self.think = think
        self.watched = watched
        self.report = report
        self.stopped = False

    def stop(self) -> None:
        self.stopped = True

    def decide(self, move: str, **figures: Any) -> None:
        found: dict[str, Any] = {"nodes": 10, "depth": 1, "value": 0.0, "win_in": None, "proven": False, "pv": ()}
        cell = rules(self.game).parse_move(move)
        self.report.finished(Decision(move=cell, pruned=0, **(found | figures)), 5_000)


class WorldClock:
    def __init__(self, world: World) -> None:
        self._world = world

    def now_ms(self) -> int:
        return self._world.now_ms

    def now_us(self) -> int:
        return 1000 * self._world.now_ms

    def unix_ms(self) -> int:
        return UNIX_MS + self._world.now_ms


class WorldCommitter:
    def __init__(self, world: World) -> None:
        self._world = world

    @property
    def available(self) -> bool:
        return self._world.available

    async def write(self, writes: Sequence[Write]) -> None:
        await self._world.take(writes)


class World:
    """Make one inside a test's event loop, whose `call_later` it takes over."""

    def __init__(self) -> None:
        self.now_ms = 1_000_000
        self.draining = False
        self.timers: list[FakeTimer] = []
        self.rows: list[tuple[Statement, tuple[Any, ...]]] = []
        """committed"""
        self.tries_ms: list[int] = []
        """when something was to be committed"""
        self.failure: Exception | None = None
        """what the next commits meet"""
        self.available = True
        self.readable = True
        self.by_hand = False
        """commits wait for `commit` or `refuse`"""
        self.waiting: list[asyncio.Future[None]] = []
        self.searches: list[FakeSearch] = []
        self.games_over: list[int] = []
        """their seeds"""
        self.workers_full = False
        self.changes: list[tuple[str, bool]] = []
        self.closed: list[str] = []
        self.people: dict[str, Player] = {player.id: player for player in (ANN, BOB, EVE)}
        self.limits = LimitsMet(lambda: self.now_ms)
        """limits that were met, with the address"""
        self.room_rows: dict[int, RoomRow] = {}
        """of rooms whose own row no commit brings"""
        self._ids = 0
        self.clock = WorldClock(self)
        self.committer = WorldCommitter(self)
        self.loader = RoomLoader(WorldRows(self), Pace(between_ms=0), self.clock.now_ms, self.clock.unix_ms)
        self.services = RoomServices(
            clock=self.clock,
            secrets=secrets,
            committer=self.committer,
            loader=self.loader,
            tickets=self,
            ratings=RatingBook(self),
            thinking=self,
        )
        asyncio.get_running_loop().call_later = self._call_later  # type: ignore[assignment, method-assign]

    # Time

    def _call_later(self, delay_s: float, callback: Callable[..., object], *arguments: Any, **_: Any) -> FakeTimer:
        timer = FakeTimer(self.now_ms + delay_s * 1000, callback, arguments)
        self.timers.append(timer)
        return timer

    @property
    def due_ms(self) -> list[float]:
        """When the timers that are set will fire."""
        return sorted(timer.due_ms for timer in self.timers if not timer.cancelled)

    async def wait(self, ms: int) -> None:
        """Let time pass; timers on the way fire, each followed by all that comes of it."""
        await settle()
        end_ms = self.now_ms + ms
        while self.due_ms and self.due_ms[0] <= end_ms:
            timer = min((timer for timer in self.timers if not timer.cancelled), key=lambda timer: timer.due_ms)
            self.timers.remove(timer)
            self.now_ms = max(self.now_ms, round(timer.due_ms))
            timer.callback(*timer.arguments)
            await settle()
        self.now_ms = end_ms

    # The store

    async def take(self, writes: Sequence[Write]) -> None:
        """Commit, or fail to, as a test has said."""
        self.tries_ms.append(self.now_ms)
        if self.by_hand:
            answer: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self.waiting.append(answer)
            await answer
        if self.failure is not None:
            raise self.failure
        self.rows += writes

    async def commit(self) -> None:
        """The oldest commit under way is done."""
        self.waiting.pop(0).set_result(None)
        await settle()

    async def refuse(self, error: Exception) -> None:
        self.waiting.pop(0).set_exception(error)
        await settle()

    def recorded(self, statement: Statement) -> list[tuple[Any, ...]]:
        return [values for kind, values in self.rows if kind is statement]

    def check_readable(self) -> None:
        if not self.readable:
            raise StoreUnavailable("The disk is gone.")

    async def new_ticket(self) -> Ticket:
        number = await self.next_number()
        return Ticket(id=number, seed=number * 7)

    async def next_number(self) -> int:
        if not self.available:
            raise StoreUnavailable("The disk is full.")
        self._ids += 1
        return self._ids

    async def rating(self, player: int, game: str) -> Rating | None:
        """As the rows of ratings leave it."""
        await asyncio.sleep(0)
        self.check_readable()
        rows = [values for values in self.recorded(Statement.SET_RATING) if values[:2] == (player, game)]
        return Rating(*rows[-1][2:]) if rows else None

    # Workers

    def think(self, game: str, think: Think, watched: bool, report: SearchReport) -> Callable[[], None] | None:
        if self.workers_full:
            return None
        search = FakeSearch(game, think, watched, report)
        self.searches.append(search)
        return search.stop

    def end_game(self, seed: int) -> None:
        self.games_over.append(seed)

    # Rooms

    def on_room_changed(self, id: str, listing: bool) -> None:
        self.changes.append((id, listing))

    def on_room_closed(self, id: str) -> None:
        self.closed.append(id)

    def room(
        self,
        x: Player | Seat | None = ANN,
        o: Player | Seat | None = BOB,
        *,
        game: str = "tictactoe",
        kind: str = "open",
        creator: Player = ANN,
        clock: ClockSettings | None = None,
        limit: BotLimit | None = None,
        rated: bool = False,
        code: str | None = None,
        pace: Pace | None = None,
    ) -> Room:
        """A room whose task runs and that nobody has opened yet."""
        spec = RoomSpec(
            game=game,
            kind=kind,
            creator=creator,
            x=seat(x) if isinstance(x, Player) else x,
            o=seat(o) if isinstance(o, Player) else o,
            clock=clock,
            limit=limit,
            rated=rated,
        )
        session = Session("room1", spec, rules(game), opened_ms=self.now_ms, pace=pace or Pace(between_ms=0))
        self.room_rows[1] = RoomRow(1, "room1", encode_spec(spec), code, UNIX_MS + self.now_ms)
        room = Room(session, RowBuilder(1, "here", "noughts 0"), code, self.services, self)
        room.start()
        return room

    def ask(
        self,
        room: Room,
        member: FakeMember,
        request: Move | Act | Rematch | Say | Join,
        *,
        id: int | None = None,
        arrived_ms: int | None = None,
    ) -> None:
        """Post a request as a connection does."""
        arrived_ms = self.now_ms if arrived_ms is None else arrived_ms
        room.post_request(PlayerRequest(Origin(member, id), member.player, request), arrived_ms)

    def lobby(self, *, max_rooms: int = 100, address_rooms: int = 0) -> Lobby:
        """A lobby whose rooms tell it what happens in them."""
        pace = Pace(between_ms=0)
        return Lobby(
            self.services,
            WorldRows(self),
            self,
            self,
            self.limits,
            pace=pace,
            machine="here",
            software="noughts 0",
            max_rooms=max_rooms,
            address_rooms=address_rooms,
        )

    def bot(self, name: str) -> Bot:
        return OUR_ROSTER.bot(name)

    def refusal(self, bot: Bot, person: str) -> str | None:
        return "All bots are busy." if self.workers_full else None

    async def person(self, id: str) -> Player | None:
        return self.people.get(id.lstrip("0"))

    async def bot_player(self, bot: Bot) -> str:
        if not self.available:
            raise StoreUnavailable("The disk is full.")
        return "9"


class WorldRows:
    """What is committed in a World, as `RoomLoader` asks for it."""

    def __init__(self, world: World) -> None:
        self._world = world

    async def next_id(self, kind: str) -> int:
        return await self._world.next_number()

    async def room(self, number: int) -> RoomRow | None:
        """As `RoomLoader` asks for it; None where nothing of the room is committed."""
        self._world.check_readable()
        made = [values for values in self._world.recorded(Statement.ADD_ROOM) if values[0] == number]
        if made:
            return RoomRow(*made[0])
        return self._world.room_rows.get(number) if await self.room_events(number) else None

    async def room_events(self, number: int, after: int = 0, limit: int = -1) -> list[EventRow]:
        self._world.check_readable()
        rows = [values for values in self._world.recorded(Statement.ADD_EVENT) if values[0] == number]
        found = [EventRow(seq, ts, body) for _, seq, ts, _, body in rows if seq > after]
        return found if limit < 0 else found[:limit]

    async def sleeping_room(self, id: str) -> RoomRow | None:
        return next((row for row in self._sleeping() if row.id == id), None)

    async def sleeping_room_by_code(self, code: str) -> RoomRow | None:
        return next((row for row in self._sleeping() if row.code == code), None)

    async def sleeping_rooms_of(self, player: int) -> list[SleepingRow]:
        parts = self._parts()
        sits = {part.number: self._world.people[str(owner)] for owner, part in parts if owner != player and part.seated}
        mine = [(part, sits.get(part.number)) for owner, part in parts if owner == player]
        return [
            replace(part, opponent_id=int(other.id), opponent_name=other.name, opponent_kind=other.kind)
            if other
            else part
            for part, other in mine
        ]

    async def expired_rooms(self, made_before_ms: int, limit: int) -> list[SleepingRow]:
        old = {row.number for row in self._sleeping() if row.created_ms < made_before_ms}
        return [part for _, part in self._parts() if part.waiting and part.number in old][:limit]

    def _sleeping(self) -> list[RoomRow]:
        self._world.check_readable()
        asleep: dict[int, RoomRow] = {}
        for statement, values in self._world.rows:
            if statement is Statement.LET_ROOM_SLEEP:
                number = values[1]
                made = [row for row in self._world.recorded(Statement.ADD_ROOM) if row[0] == number]
                asleep[number] = RoomRow(*made[0]) if made else self._world.room_rows[number]
            elif statement in (Statement.WAKE_ROOM, Statement.CLOSE_ROOM):
                asleep.pop(values[-1], None)
        return list(asleep.values())

    def _parts(self) -> list[tuple[int, SleepingRow]]:
        self._world.check_readable()
        parts: dict[tuple[int, int], SleepingRow] = {}
        asleep = {row.number: row for row in self._sleeping()}
        for statement, values in self._world.rows:
            if statement is Statement.ADD_SLEEPER and values[1] in asleep:
                player, number, made, seated, waiting = values
                row = asleep[number]
                parts[player, number] = SleepingRow(number, row.id, made, seated, waiting, row.spec)
            elif statement is Statement.DROP_SLEEPERS:
                parts = {key: part for key, part in parts.items() if key[1] != values[0]}
        return [(player, part) for (player, _), part in parts.items()]

    async def people(self, ids: Sequence[int]) -> list[PlayerRow]:
        self._world.check_readable()
        known = [self._world.people.get(str(id)) for id in ids]
        return [PlayerRow(int(player.id), player.name, player.kind, 0) for player in known if player is not None]


async def created(lobby: Lobby, member: FakeMember, request: Create, *, id: int | None = None) -> Room:
    """The room that a request made, opened."""
    before = set(lobby.rooms)
    await lobby.create(Origin(member, id), request)
    await settle()
    (name,) = set(lobby.rooms) - before
    return lobby.rooms[name]
