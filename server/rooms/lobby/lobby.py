"""All rooms and all players who are connected: making rooms, finding them, and who has a part in which."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Collection, Coroutine, Iterator, Set
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal, Protocol

from server.db.play import SleepingRow
from server.limits_met import LimitsMet
from server.play.history import RowBuilder
from server.play.inputs import (
    Input,
    PlayerConnected,
    PlayerDeleted,
    PlayerDisconnected,
    PlayerRenamed,
    ServerEnding,
    StoreBack,
    StoreDown,
)
from server.play.room_spec import Pace, encode_spec
from server.play.session import Session
from server.play.views import held_view
from server.play.writes import Statement, StoreUnavailable, Write
from server.rooms.lobby.bounds import AddressRooms, check_made, check_waiting
from server.rooms.lobby.create_checks import BotQueue, CreateChecks, SeatablePlayers
from server.rooms.lobby.in_parts import InParts
from server.rooms.lobby.listing import Listing
from server.rooms.members import Member, Origin
from server.rooms.refused import Refused
from server.rooms.room.load import Loaded
from server.rooms.room.room import NO_NEW_GAMES, Room
from server.rooms.room.services import RoomServices
from server.rooms.room.sleepers import Sleepers, SleepingRows, close_writes, held_asleep
from server.wire import (
    Create,
    HeldRoom,
    LobbyPart,
    Player,
)

log = logging.getLogger(__name__)

ROOMS_AT_ONCE = 20
"""Rooms that begin on news of a player, of the store or of the end, or drop what they hold of a deleted player, before
others get their turn."""
NAMES_READ = 200
"""Rooms that are looked through for the name of a deleted player, before others get their turn."""
LOOKED_AT = 1000
"""Awake rooms that are looked at for one that nobody needs, when another needs its place."""


class RoomNumbers(SleepingRows, Protocol):
    async def next_id(self, kind: Literal["room"]) -> int:
        """A number that no other room has or had. Raises StoreUnavailable."""


@dataclass(eq=False, slots=True)
class _Read:
    """What has happened while a sleeping room was read, and waited for a place."""

    has_deletion: bool = False
    """Somebody was deleted whom the room may name."""
    slept: set[str] = field(default_factory=set)
    """Rooms that were awake meanwhile and fell asleep again: what was read of them may be old."""

    def is_old(self, room: str) -> bool:
        return self.has_deletion or room in self.slept


class Lobby:
    def __init__(
        self,
        services: RoomServices,
        store: RoomNumbers,
        players: SeatablePlayers,
        bots: BotQueue,
        limits: LimitsMet,
        *,
        pace: Pace,
        machine: str,
        software: str,
        max_rooms: int,
        address_rooms: int = 0,
    ) -> None:
        self.rooms: OrderedDict[str, Room] = OrderedDict()
        """No plain dict: taking the first again and again would take longer and longer."""
        self._services = services
        self._store = store
        self._limits = limits
        self._pace = pace
        self._machine = machine
        self._software = software
        self._max_rooms = max_rooms
        self._address_rooms = AddressRooms(address_rooms)
        self._sleepers = Sleepers(store, services.loader.by_number, lambda id: id in self.rooms)
        self._codes: dict[str, Room] = {}
        self._rooms_of: dict[str, dict[Room, None]] = {}
        self._holders: dict[Room, set[str]] = {}
        self._connected: dict[str, dict[Member, None]] = {}
        self._deleting: set[str] = set()
        """players who are being deleted, or were since the start"""
        self._deleted: set[str] = set()
        """those whose deletion is done"""
        self._reads: set[_Read] = set()
        """sleeping rooms that are being read"""
        self.endings = 0
        """how often connections were ended, by a ban or another token: whoever was greeted meanwhile is checked
        again"""
        self._renamed: dict[str, Player] = {}
        """players whose rooms are still to be told of their new name"""
        self._renaming: set[str] = set()
        """those of them whose rooms are being told"""
        self.draining = False
        """Whether games go on but none begins: the operator is about to stop the server."""
        self._parts = InParts(ROOMS_AT_ONCE)
        self._tasks: set[asyncio.Task[None]] = set()
        self._telling = asyncio.Lock()
        """held while rooms are told that the store is down or back"""
        self._listing = Listing(self._connected, self._rooms_of)
        self._checks = CreateChecks(players, bots, self._check_waiting, services.secrets)

    # Players

    @property
    def players(self) -> int:
        return len(self._connected)

    @property
    def members(self) -> list[Member]:
        """Every greeted connection."""
        return [member for members in self._connected.values() for member in members]

    def on_connect(self, member: Member) -> None:
        """A connection was greeted."""
        player = member.player.id
        connections = self._connected.setdefault(player, {})
        connections[member] = None
        if len(connections) == 1:
            self._tell_rooms_of(player, PlayerConnected(player))

    def on_disconnect(self, member: Member) -> None:
        """A greeted connection closed."""
        player = member.player.id
        self._listing.unsubscribe(member)
        connections = self._connected.get(player, {})
        connections.pop(member, None)
        if not connections:
            self._connected.pop(player, None)
            self._tell_rooms_of(player, PlayerDisconnected(player))
        # Last, so that those who stay are told at once from when the win may be claimed.
        self._parts.add(partial(followed.leave, member) for followed in member.following)

    def _tell_rooms_of(self, player: str, news: PlayerConnected | PlayerDisconnected) -> None:
        rooms = list(self._rooms_of.get(player, ()))
        self._tell(rooms, news)
        self._parts.add([*(partial(self._list_if_running, room) for room in rooms), self._listing.send_soon])

    def _tell(self, rooms: Collection[Room], news: Input) -> None:
        """Each room has the news before whatever it is asked next, but only a few at a time begin on them."""
        for room in rooms:
            room.post_input(news, begin=False)
        self._parts.add(room.begin for room in rooms)

    def on_rename(self, player: Player) -> None:
        """A player goes by another name from now on, also where they sit and on their other connections."""
        if player.id not in self._deleted:
            self._renamed[player.id] = player
            self._show_new_name(player.id)

    def _show_new_name(self, id: str) -> None:
        """Nobody is shown the new name of a player who is being deleted, unless that fails."""
        player = self._renamed.get(id)
        if player is None or id in self._deleting:
            return
        for member in self._connected.get(id, ()):
            member.player = player
        if id not in self._renaming:
            self._renaming.add(id)
            self._start_task(self._rename_in_rooms(id))
        self._listing.send_soon()

    async def _rename_in_rooms(self, id: str) -> None:
        """A few rooms at a time. If the name changes again meanwhile, all of them again, with the newest name."""
        while id in self._renamed and id not in self._deleting:
            player, rooms = self._renamed[id], list(self._rooms_of.get(id, ()))
            for first in range(0, len(rooms), ROOMS_AT_ONCE):
                if self._renamed.get(id) is not player or id in self._deleting:
                    break
                some = rooms[first : first + ROOMS_AT_ONCE]
                for room in some:
                    room.post_input(PlayerRenamed(player))
                await asyncio.gather(*(room.settled() for room in some))
            else:
                if self._renamed.get(id) is player:
                    del self._renamed[id]
        self._renaming.discard(id)

    def rooms_to_tell(self, player: str) -> int:
        """How many rooms are told when this player connects."""
        return 0 if player in self._connected else len(self._rooms_of.get(player, ()))

    def is_connected(self, player: str) -> bool:
        return player in self._connected

    def address_of(self, player: str) -> str:
        """The address of one of their connections, as limits count it; empty if they have none."""
        return next((member.address for member in self._connected.get(player, ())), "")

    def addresses_of(self, player: str) -> set[str]:
        """The addresses of all of their connections."""
        return {member.address for member in self._connected.get(player, ())}

    async def unfinished_rooms_of(self, player: str) -> list[str]:
        """Where a player holds a seat and the game waits or runs, sleeping rooms among them."""
        return [held.room for held in await self.held_rooms_of(player)]

    async def held_rooms_of(self, player: str) -> list[HeldRoom]:
        """The same, with what is played there."""
        before = [self.rooms[id] for id in self.rooms_of(player)]
        asleep = [held_asleep(row) for row in await self._sleepers.of(player) if row.seated]
        held = {one.room: one for one in asleep if one is not None}
        # One that fell asleep while the database was asked was awake before. Others closed.
        fallen_asleep = [room for room in before if room.session.asleep]
        awake = [self.rooms[id] for id in self.rooms_of(player)]
        held |= {room.id: held_view(room.session, player) for room in (*fallen_asleep, *awake)}
        return [held[id] for id in sorted(held)]

    def rooms_of(self, player: str) -> list[str]:
        """Their rooms that are awake."""
        return sorted(
            room.id
            for room in self._rooms_of.get(player, ())
            if room.session.sides(player) and (room.session.waiting or room.session.game.running)
        )

    async def plays(self, player: str) -> bool:
        """Whether a game of theirs runs."""
        asleep = any(row.seated and not row.waiting for row in await self._sleepers.of(player))
        return asleep or any(self.rooms[id].session.game.running for id in self.rooms_of(player))

    # Players who are deleted: see `server.rooms.players.deletion`

    def begin_deletion(self, player: str) -> bool:
        """Keep this player from beginning anything from now on; False if that was done already."""
        if player in self._deleting:
            return False
        self._deleting.add(player)
        return True

    def cancel_deletion(self, player: str) -> None:
        self._deleting.discard(player)
        self._show_new_name(player)

    def is_being_deleted(self, player: str) -> bool:
        """Or has been."""
        return player in self._deleting

    def is_deleted(self, player: str) -> bool:
        return player in self._deleted

    async def settle(self) -> None:
        """Until every room has done what it has been asked to."""
        await asyncio.gather(*(room.settled() for room in list(self.rooms.values()) if not room.idle))

    async def withdraw(self, player: str) -> None:
        """End whatever this player waits for: rooms where nobody has sat down yet, and their offers."""
        await self._close_sleeping([row for row in await self._sleepers.of(player) if row.waiting])
        await asyncio.gather(*(room.withdraw(player) for room in self._waited_in(player)))

    async def waits(self, player: str) -> bool:
        """Whether something of theirs waits for somebody else."""
        return any(row.waiting for row in await self._sleepers.of(player)) or bool(self._waited_in(player))

    def _waited_in(self, player: str) -> list[Room]:
        return [room for room in self._rooms_of.get(player, ()) if room.session.is_waited_in_by(player)]

    async def on_player_deleted(self, player: Player, said: str) -> None:
        """Rooms hold nothing of a player but `player`, what is left of them; their connections are closed."""
        for read in self._reads:
            read.has_deletion = True
        self._deleted.add(player.id)
        self._renamed.pop(player.id, None)
        members = list(self._connected.get(player.id, ()))
        for member in members:
            member.player = player
        rooms = await self._rooms_that_name(player.id)
        for first in range(0, len(rooms), ROOMS_AT_ONCE):
            some = rooms[first : first + ROOMS_AT_ONCE]
            await asyncio.gather(*(room.on_player_deleted(PlayerDeleted(player, said)) for room in some))
        self._listing.send_soon()

    async def _rooms_that_name(self, player: str) -> list[Room]:
        """Rooms that are awake: no other can begin to name a player who is being deleted."""
        rooms, found = list(self.rooms.values()), []
        for first in range(0, len(rooms), NAMES_READ):
            found += [room for room in rooms[first : first + NAMES_READ] if room.session.names(player)]
            await asyncio.sleep(0)
        return found

    def end_connections(self, player: str, reason: str) -> None:
        self.endings += 1
        for member in list(self._connected.get(player, ())):
            member.end(reason)

    def end_connections_from(self, addresses: Set[str], reason: str) -> None:
        """End the connections of everybody who comes from one of these."""
        self.endings += 1
        for member in self.members:
            if member.address in addresses:
                member.end(reason)

    def subscribe(self, member: Member, on: bool, id: int | None, only: LobbyPart | None = None) -> None:
        """Send the list, or only challenges, now and on each change, or no more."""
        self._listing.subscribe(member, on, id, only)

    # Rooms

    def find(self, member: Member, room_id: str) -> Room | None:
        """The room, if this member may know of it."""
        room = self.rooms.get(room_id)
        return room if room is not None and room.visible_to(member) else None

    def public_session(self, id: str) -> Session | None:
        """What goes on in a room that anybody may look into, if it is awake."""
        room = self.rooms.get(id)
        return room.session if room is not None and room.code is None else None

    def by_code(self, code: str) -> Room | None:
        return self._codes.get(code)

    async def create(self, origin: Origin, request: Create) -> None:
        """Make a room; it answers with itself. Raises Refused."""
        if self.draining:
            raise Refused("shutting_down", NO_NEW_GAMES)
        creator = origin.member.player
        spec, rules = await self._checks.spec(creator, request)
        address = origin.member.address
        try:
            asleep = await self._sleepers.of(creator.id)
            await self._make_place(address)
            number = await self._store.next_id("room")
        except StoreUnavailable as error:
            raise Refused(
                "unavailable", "The server cannot store anything just now; it will recover by itself."
            ) from error
        secrets = self._services.secrets
        code = secrets.token_urlsafe(16) if spec.kind == "invite" else None
        # Here, since another request of this player may have come in between.
        made = self._made_by(creator)
        check_waiting(spec.kind, made, asleep)
        if creator.id in self._deleting:
            raise Refused("not_now", "Your data is being deleted.")
        check_made(made, asleep)
        if self._address_rooms.is_full(address):
            self._limits.met("address_rooms", address)
            raise Refused("not_now", "Your address has too many unfinished games; end one first.")
        session = Session(secrets.token_hex(5), spec, rules, opened_ms=self._services.clock.now_ms(), pace=self._pace)
        room = self._add(session, number, code)
        self._address_rooms.add(room.id, address)
        self._set_holders(room, {creator.id})
        created: Write = (
            Statement.ADD_ROOM,
            (number, room.id, encode_spec(spec), code, self._services.clock.unix_ms()),
        )
        room.start()
        room.open(origin, [created])

    def restore(self, loaded: Loaded) -> None:
        """Put a room back after a restart."""
        room = self._add(loaded.session, loaded.number, loaded.code)
        self.on_room_changed(room.id, True)
        room.start()
        room.restore(loaded)

    async def wake(self, member: Member, id: str | None, code: str | None) -> Room | None:
        """The sleeping room with this id, or else with this code, if this member may know of it. Raises Refused."""
        while True:
            with self._reading() as read:
                loaded = await self._sleepers.load(id, code)
                if loaded is None or loaded.session.room in self.rooms:  # somebody else may have been first
                    found = self.by_code(code or "") if id is None else self.rooms.get(id)
                    return found if found is not None and (found.code == code or found.visible_to(member)) else None
                session = loaded.session
                if loaded.code not in (None, code) and not session.sides(member.player.id):
                    return None
                await self._make_place(member.address)
            if not read.is_old(session.room):
                break
        awake = self.rooms.get(session.room)
        if awake is not None:
            return awake
        return self._wake(loaded)

    @contextmanager
    def _reading(self) -> Iterator[_Read]:
        read = _Read()
        self._reads.add(read)
        try:
            yield read
        finally:
            self._reads.discard(read)

    def _wake(self, loaded: Loaded) -> Room:
        room = self._add(loaded.session, loaded.number, loaded.code)
        self.on_room_changed(room.id, True)
        now_ms = self._services.clock.now_ms()
        room.start()
        room.wake(loaded, {player: now_ms for player in loaded.session.holders if not self.is_connected(player)})
        return room

    async def _make_place(self, address: str) -> None:
        """If too many rooms are awake, one that nobody needs goes to sleep, or closes if it is over. Raises Refused.

        `address` is that of whoever needs the place.
        """
        for _ in range(min(LOOKED_AT, len(self.rooms))):
            if len(self.rooms) < self._max_rooms:
                break
            id = next(iter(self.rooms))
            self.rooms.move_to_end(id)  # those that were looked at last come last
            room = self.rooms[id]
            if room.can_give_way:
                await room.give_way()
        if len(self.rooms) >= self._max_rooms:
            self._limits.met("max_rooms", address)
            raise Refused("busy", f"All {self._max_rooms} rooms of the server are in use; try again later.")
        if self._address_rooms.is_over_share(address, self._max_rooms - len(self.rooms), self.rooms):
            self._limits.met("max_rooms", address)
            raise Refused("busy", "The server is nearly out of rooms and your address has many; end a game first.")

    @property
    def games_left(self) -> int:
        """Running games in which somebody is, or that two bots play."""
        return sum(room.session.game.running and self._is_alive(room) for room in self.rooms.values())

    async def close_room(self, id: str) -> bool:
        """Close a room, awake or asleep; False where there is none. Raises Refused and StoreUnavailable."""
        room = self.rooms.get(id)
        if room is None:
            with self._reading() as read:
                loaded = await self._sleepers.load(id, None)
            room = self.rooms.get(id)  # somebody else may have woken it
            if room is None and read.is_old(id):
                return await self.close_room(id)
            if room is None and loaded is not None:
                room = self._wake(loaded)
        if room is None:
            return False
        await room.shut()
        if not room.session.closed:
            raise Refused("unavailable", "The server cannot store anything just now; the room closes once it can.")
        return True

    async def close_expired(self) -> None:
        """Close the sleeping invites that nobody has taken up in time. Raises StoreUnavailable."""
        while expired := await self._sleepers.expired(self._services.clock.unix_ms()):
            await self._close_sleeping(expired)

    async def _close_sleeping(self, rows: list[SleepingRow]) -> None:
        now_ms = self._services.clock.unix_ms()
        writes = [write for row in rows for write in close_writes(row.number, now_ms, sleeps=True)]
        if writes:
            await self._services.committer.write(writes)
        for row in rows:
            self._address_rooms.remove(row.id)

    def on_store_available(self, available: bool) -> None:
        self._start_task(self._tell_of_store(StoreBack() if available else StoreDown()))

    async def _tell_of_store(self, news: StoreBack | StoreDown) -> None:
        """Every room, a few at a time; one piece of news reaches all of them before the next begins."""
        async with self._telling:
            rooms = list(self.rooms.values())
            for first in range(0, len(rooms), ROOMS_AT_ONCE):
                for room in rooms[first : first + ROOMS_AT_ONCE]:
                    room.post_input(news)
                await asyncio.sleep(0)

    def _start_task(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def on_ending(self) -> None:
        """The server ends, and has begun to refuse what people ask for."""
        self._tell(self.rooms.values(), ServerEnding())

    def on_room_changed(self, id: str, listing: bool) -> None:
        """A room has changed: `listing` where its seats or phase may have, not only its followers."""
        room = self.rooms[id]
        if listing:
            self._address_rooms.set_finished(id, room.session.game.result is not None)
            self._index(room)
        else:
            self._list_if_running(room)
        self._listing.send_soon()

    def on_room_closed(self, id: str) -> None:
        """A room's task has ended: it is over, or asleep."""
        room = self.rooms.pop(id)
        self._listing.remove(room)
        if room.code is not None:
            self._codes.pop(room.code, None)
        for player in self._holders.pop(room, set()):
            self._remove_holder(player, room)
        if room.session.asleep:
            for read in self._reads:
                read.slept.add(id)
        else:
            self._address_rooms.remove(id)
        if room.session.seq and not room.session.asleep:
            writes = close_writes(room.number, self._services.clock.unix_ms(), sleeps=room.sleeps_in_database)
            closing = asyncio.ensure_future(self._services.committer.write(writes))
            # A room that could not be marked as closed is restored and closes again.
            closing.add_done_callback(lambda done: done.cancelled() or done.exception())
        self._listing.send_soon()

    def _add(self, session: Session, number: int, code: str | None) -> Room:
        room = Room(session, RowBuilder(number, self._machine, self._software), code, self._services, self)
        self.rooms[room.id] = room
        if code is not None:
            self._codes[code] = room
        return room

    def _index(self, room: Room) -> None:
        session = room.session
        self._set_holders(room, session.holders)
        self._listing.show_waiting(room, session.waiting)
        self._list_if_running(room)

    def _list_if_running(self, room: Room) -> None:
        """Private games and games on one screen are not listed, nor are games that everybody has left."""
        if room not in self._holders:
            return  # it has closed meanwhile
        session = room.session
        shown = session.game.running and session.spec.kind not in ("invite", "self") and self._is_alive(room)
        self._listing.show_running(room, shown)

    def _is_alive(self, room: Room) -> bool:
        """Whether something may happen in a running game: two bots play, or somebody who plays or watches is here."""
        if room.has_followers or room.session.spec.kind == "bots":
            return True
        return any(player in self._connected for player in self._holders[room])

    def _set_holders(self, room: Room, holders: set[str]) -> None:
        """These players have a part in the room, whether they follow it or not."""
        for player in sorted(holders - self._holders.get(room, set())):
            self._rooms_of.setdefault(player, {})[room] = None
            if not self.is_connected(player):
                room.post_input(PlayerDisconnected(player))
        self._holders[room] = holders

    def _remove_holder(self, player: str, room: Room) -> None:
        rooms = self._rooms_of.get(player)
        if rooms is not None:
            rooms.pop(room, None)
            if not rooms:
                del self._rooms_of[player]

    def _check_waiting(self, creator: Player, kind: str) -> None:
        check_waiting(kind, self._made_by(creator))

    def _made_by(self, creator: Player) -> list[Room]:
        rooms = self._rooms_of.get(creator.id, ())
        return [room for room in rooms if room.session.spec.creator.id == creator.id]
