"""All rooms and all players who are connected: making rooms, finding them, and the list of what is going on."""

from __future__ import annotations

import asyncio
import logging
import re
import secrets
import unicodedata
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from itertools import islice

from engine.bots.player import Limit
from engine.bots.roster import Bot, UnknownBot
from engine.bots.roster import bot as find_bot
from engine.rules.position import IllegalMove, MalformedMove, Rules, UnknownGame
from engine.rules.registry import rules as find_rules
from server.play.clock import BadClock, check_clock
from server.play.history import RowBuilder
from server.play.inputs import Offline, Online, PlayerDeleted, Renamed, StoreBack, StoreDown
from server.play.room_spec import Pace, RoomSpec, encode_spec
from server.play.session import Session
from server.play.views import running_view, seek_view
from server.play.writes import Statement, StoreUnavailable, Write
from server.rooms.room import Room, RoomServices
from server.rooms.send_queue import Member, Origin, text_frame
from server.wire import (
    BOARDS_SHOWN,
    LIST_LENGTH,
    BotLimit,
    Create,
    ErrorCode,
    Player,
    RunningRoom,
    Seat,
    Seek,
    Side,
    encode,
)
from server.wire import Lobby as LobbyMessage

log = logging.getLogger(__name__)

SEEKS_A_PLAYER = 3
INVITES_A_PLAYER = 50
ROOMS_A_PLAYER = 1000
"""Rooms that one player made and that are still held, also over ones: the server is not for one alone."""
SEEKING = ("open", "player")
"""Kinds of rooms that are a seek or a challenge while they wait; an invite is neither."""
LISTING_S = 1.0
"""A `lobby` goes out at most this often."""
NAME_LENGTH = 20
_JOINER = re.compile("[\u200c\u200d]")
ROOMS_AT_ONCE = 100
"""Rooms that drop what they hold of a deleted player before others get their turn."""
MOVE_LIMIT_MS = 86_400_000
NODE_LIMIT = 10**12
DEPTH_LIMIT = 1000


class Refused(Exception):
    """A request that cannot be granted."""

    def __init__(self, code: ErrorCode, message: str) -> None:
        super().__init__(message)
        self.code: ErrorCode = code
        self.message = message


@dataclass(frozen=True, slots=True)
class LobbyServices:
    """What the lobby needs of the records besides what rooms do."""

    next_room_number: Callable[[], Awaitable[int]]
    person: Callable[[str], Awaitable[Player | None]]
    """a player of any connection by id, None where there is none"""
    bot_player: Callable[[Bot], Awaitable[str]]
    """the player id of a bot in its present version"""
    searches_full: Callable[[], bool]


class Lobby:
    def __init__(
        self,
        services: RoomServices,
        registry: LobbyServices,
        *,
        pace: Pace,
        machine: str,
        software: str,
        max_rooms: int,
    ) -> None:
        self.rooms: dict[str, Room] = {}
        self._services = services
        self._registry = registry
        self._pace = pace
        self._machine = machine
        self._software = software
        self._max_rooms = max_rooms
        self._codes: dict[str, Room] = {}
        self._rooms_of: dict[str, set[Room]] = {}
        self._holders: dict[Room, set[str]] = {}
        self._waiting: dict[str, Room] = {}
        self._running: dict[str, Room] = {}
        """games that others are shown, in the order in which they began or somebody came back to them"""
        self._connected: dict[str, dict[Member, None]] = {}
        self._deleted: set[str] = set()
        """players who were deleted since the start, or are being"""
        self._subscribers: dict[Member, None] = {}
        self._listing_timer: asyncio.TimerHandle | None = None

    # Players

    @property
    def players(self) -> int:
        return len(self._connected)

    def on_connect(self, member: Member) -> None:
        """A connection was greeted."""
        player = member.player.id
        connections = self._connected.setdefault(player, {})
        connections[member] = None
        if len(connections) == 1:
            for room in self._rooms_of.get(player, ()):
                room.post_input(Online(player))
                self._place(room)
            self._list_soon()

    def on_disconnect(self, member: Member) -> None:
        """A greeted connection closed."""
        player = member.player.id
        self._subscribers.pop(member, None)
        for room in list(member.following):
            room.leave(member)
        connections = self._connected.get(player, {})
        connections.pop(member, None)
        if not connections:
            self._connected.pop(player, None)
            for room in self._rooms_of.get(player, ()):
                room.post_input(Offline(player))
                self._place(room)
            self._list_soon()

    def on_rename(self, player: Player) -> None:
        """A player goes by another name from now on, also where they sit and on their other connections."""
        if player.id in self._deleted:
            return  # the name that a deletion overtook is told to nobody
        for member in self._connected.get(player.id, ()):
            member.player = player
        for room in self._rooms_of.get(player.id, ()):
            room.post_input(Renamed(player))
        self._list_soon()

    def is_connected(self, player: str) -> bool:
        return player in self._connected

    def rooms_of(self, player: str) -> list[str]:
        """Where a player holds a seat and the game waits or runs."""
        return sorted(
            room.id
            for room in self._rooms_of.get(player, ())
            if room.session.sides(player) and (room.session.waiting or room.session.game.running)
        )

    def plays(self, player: str) -> bool:
        """Whether a game of theirs runs."""
        return any(self.rooms[id].session.game.running for id in self.rooms_of(player))

    # Players who are deleted: see `server.rooms.deletion`

    def begin_deletion(self, player: str) -> bool:
        """From now on this player can begin nothing; False where that is so already."""
        if player in self._deleted:
            return False
        self._deleted.add(player)
        return True

    def cancel_deletion(self, player: str) -> None:
        self._deleted.discard(player)

    def is_deleted(self, player: str) -> bool:
        return player in self._deleted

    async def settle(self) -> None:
        """Until every room has done what it has been asked to."""
        await asyncio.gather(*(room.settled() for room in list(self.rooms.values()) if not room.idle))

    async def withdraw(self, player: str) -> None:
        """End the rooms where this player waits for somebody."""
        await asyncio.gather(*(self.rooms[id].withdraw(player) for id in self.rooms_of(player)))

    async def on_player_deleted(self, player: Player, said: str) -> None:
        """Rooms hold nothing of a player but `player`, what is left of them; their connections are closed."""
        members = list(self._connected.get(player.id, ()))
        for member in members:
            member.player = player
        rooms = list(self.rooms.values())
        for first in range(0, len(rooms), ROOMS_AT_ONCE):
            some = rooms[first : first + ROOMS_AT_ONCE]
            here = [room for room in some if room.id in self.rooms]
            await asyncio.gather(*(room.on_player_deleted(PlayerDeleted(player, said)) for room in here))
        self._list_soon()

    def end_connections(self, player: str, reason: str) -> None:
        for member in list(self._connected.get(player, ())):
            member.end(reason)

    # Rooms

    def find(self, member: Member, room_id: str) -> Room | None:
        """The room, if this member may know of it."""
        room = self.rooms.get(room_id)
        return room if room is not None and room.visible_to(member) else None

    def by_code(self, code: str) -> Room | None:
        return self._codes.get(code)

    async def create(self, origin: Origin, request: Create) -> None:
        """Make a room; it answers with itself. Raises Refused."""
        creator = origin.member.player
        spec, rules = await self._spec(creator, request)
        if len(self.rooms) >= self._max_rooms:
            raise Refused("busy", f"The server already has {self._max_rooms} rooms; try again later.")
        try:
            number = await self._registry.next_room_number()
        except StoreUnavailable as error:
            raise Refused(
                "unavailable", "The server cannot store anything just now; it will recover by itself."
            ) from error
        code = secrets.token_urlsafe(16) if spec.kind == "invite" else None
        # Here, since another request of this player may have come in between.
        self._check_waiting(creator, spec.kind)
        if creator.id in self._deleted:
            raise Refused("not_now", "Your data is being deleted.")
        if len(self._made_by(creator)) >= ROOMS_A_PLAYER:
            raise Refused("not_now", f"You already have {ROOMS_A_PLAYER} rooms; play in those first.")
        session = Session(_new_room_id(), spec, rules, opened_ms=self._services.now_ms(), pace=self._pace)
        room = self._add(session, number, code)
        self._hold(room, {creator.id})
        created: Write = (Statement.ADD_ROOM, (number, room.id, encode_spec(spec), code, self._services.unix_ms()))
        room.first_writes = [created]
        room.start()
        room.open(origin)

    def restore(self, session: Session, number: int, code: str | None, kept: list[tuple[int, bytes]]) -> None:
        """Put a room back after a restart."""
        room = self._add(session, number, code)
        self.on_room_changed(room, True)
        room.start()
        room.resume(kept)

    def on_store_available(self, available: bool) -> None:
        for room in list(self.rooms.values()):
            room.post_input(StoreBack() if available else StoreDown())

    def on_room_changed(self, room: Room, listing: bool) -> None:
        """What a room tells of itself: `listing` where its seats or phase may have changed, not only who is there."""
        if listing:
            self._index(room)
        else:
            self._place(room)
        if self._subscribers:
            self._list_soon()

    def on_room_closed(self, room: Room) -> None:
        """A room's task has ended."""
        self.rooms.pop(room.id, None)
        self._waiting.pop(room.id, None)
        self._running.pop(room.id, None)
        if room.code is not None:
            self._codes.pop(room.code, None)
        for player in self._holders.pop(room, set()):
            self._remove_holder(player, room)
        if room.session.seq:
            closing = asyncio.ensure_future(
                self._services.commit([(Statement.CLOSE_ROOM, (self._services.unix_ms(), room.row_builder.number))])
            )
            # A room that could not be marked as closed is restored and closes again.
            closing.add_done_callback(lambda done: done.cancelled() or done.exception())
        self._list_soon()

    def _add(self, session: Session, number: int, code: str | None) -> Room:
        room = Room(session, RowBuilder(number, self._machine, self._software), code, self._services)
        self.rooms[room.id] = room
        if code is not None:
            self._codes[code] = room
        return room

    def _index(self, room: Room) -> None:
        session = room.session
        holders = {seat.id for seat in session.seats.values() if seat is not None and seat.bot is None}
        holders.add(session.spec.creator.id)
        if session.spec.target is not None:
            holders.add(session.spec.target)
        self._hold(room, holders)
        _keep(self._waiting, room, session.waiting)
        self._place(room)

    def _place(self, room: Room) -> None:
        """Games of invited people and of one screen are nobody else's business, and left ones would fill the list."""
        session = room.session
        shown = session.game.running and session.spec.kind not in ("invite", "self") and self._is_alive(room)
        _keep(self._running, room, shown)

    def _is_alive(self, room: Room) -> bool:
        """Whether something may happen in a running game: two bots play, or somebody who plays or watches is here."""
        if room.followed or room.session.spec.kind == "bots":
            return True
        return any(player in self._connected for player in self._holders[room])

    def _hold(self, room: Room, holders: set[str]) -> None:
        """These players have a part in the room, whether they follow it or not."""
        for player in holders - self._holders.get(room, set()):
            self._rooms_of.setdefault(player, set()).add(room)
            if not self.is_connected(player):
                room.post_input(Offline(player))
        self._holders[room] = holders

    def _remove_holder(self, player: str, room: Room) -> None:
        rooms = self._rooms_of.get(player)
        if rooms is not None:
            rooms.discard(room)
            if not rooms:
                del self._rooms_of[player]

    # What a request asks for

    async def _spec(self, creator: Player, request: Create) -> tuple[RoomSpec, Rules]:
        try:
            rules = find_rules(request.game)
        except UnknownGame as error:
            raise Refused("bad_game", str(error)) from None
        _check_form(request)
        clock = None
        if request.clock is not None:
            try:
                clock = check_clock(request.clock)
            except BadClock as error:
                raise Refused("bad_clock", str(error)) from None
        limit = _checked_limit(request.limit)
        kind = "bots" if request.bots is not None else request.opponent.kind if request.opponent is not None else "open"
        rated = bool(request.rated)
        start = _checked_start(rules, request.start or [])
        x, o, target = await self._seats(creator, request, kind, rules, limit)
        same = x is not None and o is not None and x.id == o.id
        if rated and (same or clock is None or start):
            raise Refused(
                "malformed", "A rated game needs two different players and a clock, and starts from the empty board."
            )
        spec = RoomSpec(
            game=rules.id,
            kind=kind,
            creator=creator,
            x=x,
            o=o,
            target=target,
            clock=clock,
            limit=limit,
            rated=rated,
            start=start,
            pace=request.pace,
        )
        return spec, rules

    async def _seats(
        self, creator: Player, request: Create, kind: str, rules: Rules, limit: BotLimit | None
    ) -> tuple[Seat | None, Seat | None, str | None]:
        """Who sits at x and o from the start, and the one player for whom the free seat is kept."""
        me = Seat(id=creator.id, name=creator.name, kind=creator.kind, present=True)
        if request.bots is not None:
            x = await self._bot_seat(request.bots.x, rules, limit)
            return x, await self._bot_seat(request.bots.o, rules, limit), None
        if kind == "self":
            return me, me, None
        other: Seat | None = None
        target: str | None = None
        opponent = request.opponent
        if opponent is not None and opponent.bot is not None:
            other = await self._bot_seat(opponent.bot, rules, limit)
        else:
            self._check_waiting(creator, kind)
        if opponent is not None and opponent.player is not None:
            target = await self._challenged(creator, opponent.player)
        side: Side = "o" if request.seat == "o" or (request.seat != "x" and secrets.randbelow(2)) else "x"
        return (me, other, target) if side == "x" else (other, me, target)

    async def _bot_seat(self, name: str, rules: Rules, limit: BotLimit | None) -> Seat:
        try:
            bot = find_bot(name)
        except UnknownBot as error:
            raise Refused("unknown_bot", str(error)) from None
        if not bot.plays(rules):
            raise Refused("bad_bot", f"{bot.name} does not play {rules.id}.")
        refusal = bot.takes(Limit(limit.move_ms, limit.nodes, limit.depth)) if limit is not None else None
        if refusal is not None:
            raise Refused("bad_bot", refusal)
        if self._registry.searches_full():
            raise Refused("busy", "All bots are busy and their queue is full; try again in a moment.")
        try:
            player = await self._registry.bot_player(bot)
        except StoreUnavailable as error:
            raise Refused(
                "unavailable", "The server cannot store anything just now; it will recover by itself."
            ) from error
        return Seat(id=player, name=bot.name, kind="bot", present=True, bot=bot.name)

    def _check_waiting(self, creator: Player, kind: str) -> None:
        """Bounds how many rooms of a player wait for somebody to sit down."""
        kinds: tuple[str, ...]
        if kind in SEEKING:
            kinds, most, what = SEEKING, SEEKS_A_PLAYER, "seeks and challenges"
        elif kind == "invite":
            kinds, most, what = ("invite",), INVITES_A_PLAYER, "invites"
        else:
            return
        waiting = sum(room.session.waiting and room.session.spec.kind in kinds for room in self._made_by(creator))
        if waiting >= most:
            raise Refused("not_now", f"You already have {most} {what}; abort one first.")

    def _made_by(self, creator: Player) -> list[Room]:
        rooms = self._rooms_of.get(creator.id, ())
        return [room for room in rooms if room.session.spec.creator.id == creator.id]

    async def _challenged(self, creator: Player, player: str) -> str:
        if player == creator.id:
            raise Refused("malformed", "To play against yourself, choose the opponent self.")
        if await self._registry.person(player) is None:
            raise Refused("not_found", "There is no such player to challenge.")
        return player

    # The list

    def subscribe(self, member: Member, on: bool, id: int | None) -> None:
        """Send the list now and on each change, or no more."""
        if on:
            self._subscribers[member] = None
        else:
            self._subscribers.pop(member, None)
        member.write(text_frame(encode(self._listing(member.player.id, *self._common(), id=id))))

    def _list_soon(self) -> None:
        if self._listing_timer is None and self._subscribers:
            self._listing_timer = asyncio.get_running_loop().call_later(LISTING_S, self._send_listing)

    def _send_listing(self) -> None:
        self._listing_timer = None
        common = self._common()
        shared: bytes | None = None
        for member in self._subscribers:
            if self._challenges(member.player.id):
                member.write(text_frame(encode(self._listing(member.player.id, *common))))
                continue
            shared = shared or text_frame(encode(self._listing("", *common)))
            member.write(shared)

    def _common(self) -> tuple[list[Seek], list[RunningRoom], list[Player]]:
        seeks = [
            seek_view(room.session) for room in islice(filter(_is_open, reversed(self._waiting.values())), LIST_LENGTH)
        ]
        running = [
            running_view(room.session, room.spectators, board=number < BOARDS_SHOWN)
            for number, room in enumerate(islice(reversed(self._running.values()), LIST_LENGTH))
        ]
        people = [next(iter(members)).player for members in islice(self._connected.values(), LIST_LENGTH)]
        return seeks, running, people

    def _challenges(self, player: str) -> list[Seek]:
        rooms = self._rooms_of.get(player)
        if not rooms:
            return []
        mine = [
            seek_view(room.session) for room in rooms if room.session.waiting and room.session.spec.target == player
        ]
        return mine[:LIST_LENGTH]

    def _listing(
        self, player: str, seeks: list[Seek], rooms: list[RunningRoom], people: list[Player], id: int | None = None
    ) -> LobbyMessage:
        return LobbyMessage(
            id=id,
            seeks=seeks,
            rooms=rooms,
            players=self.players,
            challenges=self._challenges(player),
            people=people,
        )


def checked_name(text: str) -> str:
    """A player's name as it is kept: NFC, trimmed. Raises Refused."""
    name = unicodedata.normalize("NFC", text).strip()
    if not 1 <= len(name) <= NAME_LENGTH:
        raise Refused("bad_name", f"A name has 1 to {NAME_LENGTH} characters; this one has {len(name)}.")
    if not _is_printable(name):
        raise Refused("bad_name", "A name may contain only printable characters.")
    return name


def _is_printable(name: str) -> bool:
    """Joiners, with which Persian, Indic scripts and families of emoji are spelt, belong between what they join."""
    return all(part.strip() and part.isprintable() for part in _JOINER.split(name))


def _check_form(request: Create) -> None:
    """Fields that do not go together are malformed."""
    opponent = request.opponent
    if request.bots is not None:
        if request.seat not in (None, "none") or opponent is not None:
            raise Refused("malformed", "bots fills both seats: use it with the seat none and without an opponent.")
        return
    if request.seat == "none":
        raise Refused("malformed", "The seat none needs bots, which play each other.")
    if opponent is None:
        return
    if (opponent.kind == "bot") != (opponent.bot is not None):
        raise Refused("malformed", "Only an opponent of kind bot has a bot, and it needs one.")
    if (opponent.kind == "player") != (opponent.player is not None):
        raise Refused("malformed", "Only an opponent of kind player has a player, and it needs one.")


def _checked_limit(limit: BotLimit | None) -> BotLimit | None:
    if limit is None:
        return None
    bounds = (
        ("move_ms", limit.move_ms, MOVE_LIMIT_MS),
        ("nodes", limit.nodes, NODE_LIMIT),
        ("depth", limit.depth, DEPTH_LIMIT),
    )
    given = [(name, value, most) for name, value, most in bounds if value is not None]
    if len(given) != 1:
        raise Refused("malformed", "A limit is exactly one of move_ms, nodes and depth.")
    name, value, most = given[0]
    if not 1 <= value <= most:
        raise Refused("bad_bot", f"The limit {name} must be 1 to {most}, not {value}.")
    return limit


def _checked_start(rules: Rules, start: list[str]) -> list[str]:
    position = rules.initial
    try:
        for text in start:
            position = position.play(rules.parse_move(text))
    except MalformedMove as error:
        raise Refused("malformed", f"The start is wrong: {error}") from None
    except IllegalMove as error:
        raise Refused("illegal_move", f"The start is wrong: {error}") from None
    if position.outcome is not None:
        raise Refused("illegal_move", "The game is already over after this start.")
    return list(start)


def _new_room_id() -> str:
    return secrets.token_hex(5)


def _keep(rooms: dict[str, Room], room: Room, here: bool) -> None:
    if here:
        rooms.setdefault(room.id, room)
    else:
        rooms.pop(room.id, None)


def _is_open(room: Room) -> bool:
    return room.session.spec.kind == "open"
