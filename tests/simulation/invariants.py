"""What must be true of a server, of its database and of all who use it. Whatever is not raises Broken."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from client.sdk.room_view import RoomView, room_view
from engine.rules.position import other
from engine.rules.registry import rules
from engine.stats.glicko import NEW
from server.db.connections import DatabaseConnection
from server.play import views
from server.play.game import Game
from server.play.history import rebuild
from server.play.rate_limit import counted_address
from server.play.room_spec import Pace, RoomSpec, decode_spec
from server.play.session import RATED_PLIES, UNRATED_ENDS, Session
from server.play.stored_events import SeededStart, decode_stored, public_body
from server.play.writes import DELETED_TEXT
from server.rooms.members import SEND_QUEUE_BYTES
from server.rooms.room.mailbox import MAILBOX_LENGTH
from server.rooms.room.room import Room
from server.wire import (
    ClockSettings,
    Ended,
    Moved,
    Offered,
    Player,
    RoomEvent,
    Said,
    Seated,
    Side,
    TakenBack,
    decode_event,
    encode_event,
)
from tests.simulation.broken import Broken
from tests.simulation.ledger import common
from tests.simulation.loop import process_of
from tests.simulation.wall import Wall
from tests.support.rooms.replay import CLOCK_NOT_DURABLE, NOT_DURABLE, fields

if TYPE_CHECKING:
    from tests.simulation.people import Tab
    from tests.simulation.world import World

LATE_MS = 3_000
"""A room's timer is no later."""
COMMIT_MS = 1_500
"""From the arrival of a move to its commit it takes no longer."""
SEARCH_WAITS_S = 240.0
CLOCK_MS = 1_500
"""What a clock may differ by that is looked at through the network."""
NOT_REPLAYED = {*NOT_DURABLE, "_pending", "_opened_ms", "handle", "game", "clock"}


# The database


@dataclass
class StoredRoom:
    """A room as the database has it."""

    number: int
    id: str
    spec: RoomSpec
    code: str | None
    is_awake: bool
    events: list[tuple[int, int, str]]
    """seq, Unix time, body"""

    def session(self) -> Session:
        events = [(seq, ts, body) for seq, ts, body in self.events]
        return rebuild(self.id, self.spec, rules(self.spec.game), events, opened_ms=0, pace=Pace())


class Stored:
    """All of the database that matters here. `texts` is every text in it, by table, once somebody was deleted."""

    def __init__(
        self, rooms: list[StoredRoom], tables: dict[str, list[tuple[Any, ...]]], texts: dict[str, str]
    ) -> None:
        self.rooms = {room.id: room for room in rooms}
        self.tables = tables
        self.texts = texts

    @property
    def deleted(self) -> set[int]:
        """People who were."""
        return {id for id, _, kind, hashed in self.tables["players"] if kind == "person" and hashed is None}


async def stored(world: World) -> Stored:
    connection = await world.disk.opener(Path("noughts.db"), writes=False, busy_timeout_s=1.0)
    try:
        events: dict[int, list[tuple[int, int, str]]] = defaultdict(list)
        for number, seq, ts, body in await connection.rows(
            "SELECT room_number, seq, ts, body FROM events ORDER BY room_number, seq"
        ):
            events[number].append((seq, ts, body))
        rooms = [
            StoredRoom(number, id, decode_spec(spec), code, closed is None and slept is None, events[number])
            for number, id, spec, code, closed, slept in await connection.rows(
                "SELECT number, id, spec, code, closed_ms, slept_ms FROM rooms ORDER BY number"
            )
        ]
        tables = {
            "games": "SELECT id, winner, termination, plies, rated, game, x_player, o_player FROM games",
            "moves": "SELECT game_id, ply, cell FROM moves ORDER BY game_id, ply",
            "changes": "SELECT game_id, player_id, before, rating, game FROM rating_changes JOIN games ON id = game_id",
            "ratings": "SELECT player_id, game, rating, games FROM ratings",
            "players": "SELECT id, name, kind, token_hash FROM players",
        }
        rows = {name: [tuple(row) for row in await connection.rows(sql)] for name, sql in tables.items()}
        return Stored(rooms, rows, await _texts(connection) if world.ledger.forgotten.done else {})
    finally:
        await connection.close()


async def _texts(connection: DatabaseConnection) -> dict[str, str]:
    names = [name for (name,) in await connection.rows("SELECT name FROM sqlite_master WHERE type = 'table'")]
    rows = {name: await connection.rows(f"SELECT * FROM {name}") for name in names}
    return {name: "\n".join(value for row in rows[name] for value in row if isinstance(value, str)) for name in names}


async def check_database(world: World) -> None:
    found = await stored(world)
    _check_acknowledged(world, found)
    for room in found.rooms.values():
        _check_history(world, room, found)
    _check_ratings(found)
    _check_forgotten(world, found)


def _check_acknowledged(world: World, found: Stored) -> None:
    forgotten = world.ledger.forgotten
    events: dict[tuple[str, int], tuple[int, RoomEvent]] = {}
    for room in found.rooms.values():
        for seq, ts, body in room.events:
            events[room.id, seq] = ts, decode_stored(body)
    for (id, seq), (seen_ms, seen) in world.ledger.seen.items():
        there = events.get((id, seq))
        if there is None:
            raise Broken("acknowledged", f"event {seq} of room {id} was seen, {seen!r}, and is not in the database")
        public = public_body(there[1], encode_event(there[1]), found.rooms[id].spec)
        event = common(decode_event(public))
        kept = there[0], encode_event(event)
        if kept != (seen_ms, seen) and (seen_ms != kept[0] or not forgotten.same(event, decode_event(seen))):
            raise Broken(
                "acknowledged", f"event {seq} of room {id} was seen as {seen_ms} {seen!r} and is kept as {kept}"
            )
    for (id, seq), (who, wanted) in world.ledger.acknowledged.items():
        there = events.get((id, seq))
        if there is None:
            raise Broken("acknowledged", f"event {seq} of room {id} was acknowledged to {who} and is not there")
        event = there[1]
        kind = event.__struct_config__.tag
        for field, value in wanted.items():
            if field == "text" and isinstance(event, Said) and forgotten.may_be(event.by.id):
                continue
            if (kind if field == "e" else getattr(event, field, None)) != value:
                raise Broken("acknowledged", f"{who} was told that event {seq} of room {id} is {wanted}: it is {event}")
    names = {id: name for id, name, _, _ in found.tables["players"]}
    for person in world.people:
        if person.id is None or person.id in forgotten.asked:
            continue
        if names.get(int(person.id)) not in person.names:
            raise Broken("acknowledged", f"{person.name} goes by {names.get(int(person.id))!r}, not {person.names}")


def _check_history(world: World, room: StoredRoom, found: Stored) -> None:
    seqs = [seq for seq, _, _ in room.events]
    if seqs != list(range(1, len(seqs) + 1)):
        raise Broken("order", f"the events of room {room.id} are numbered {seqs}")
    session = Session(room.id, room.spec, rules(room.spec.game), opened_ms=0)
    clock = ClockBook(world, room)
    over = False
    for seq, ts, body in room.events:
        event = decode_stored(body)
        plays_on = isinstance(event, Moved | Ended | TakenBack) or (isinstance(event, Offered) and event.what == "draw")
        if over and plays_on:
            raise Broken("one result", f"room {room.id} goes on after its end: event {seq} is {event}")
        over = isinstance(event, Ended) or (over and not isinstance(event, SeededStart))
        at_ms = world.wall.moment(room.number, seq, ts)
        if at_ms is None:
            raise Broken("clocks", f"event {seq} of room {room.id} has the time {ts}, which was never so")
        clock.see(session, at_ms, event)
        if isinstance(event, Ended):
            _check_end(session, event)
        if isinstance(event, SeededStart):
            _check_game(session.game, found)
        try:
            session.restore(seq, ts, event)
        except Exception as error:
            raise Broken("rules", f"event {seq} of room {room.id}, {event}, cannot follow: {error!r}") from error
        outcome = session.game.position.outcome
        if isinstance(event, Moved) and outcome is not None and seq == len(room.events):
            raise Broken("one result", f"room {room.id} has a finished position and no result")
    _check_game(session.game, found)


def _check_end(session: Session, event: Ended) -> None:
    game = session.game
    if event.termination == "aborted" and len(game.cells) >= 2:
        raise Broken("rules", f"room {session.room} was aborted after {len(game.cells)} plies")
    if event.termination == "agreement" and not any(what == "draw" for _, what in game.offers):
        raise Broken("rules", f"room {session.room} ended by agreement, and nobody had offered a draw")


def _check_game(game: Game, found: Stored) -> None:
    """The rows of a game say what its events say."""
    if game.id is None:
        return
    row = next((row for row in found.tables["games"] if row[0] == game.id), None)
    if row is None:
        raise Broken("one result", f"game {game.id} has no row")
    result = (game.result.winner, game.result.termination, len(game.cells)) if game.result else (None, None, None)
    if row[1:4] != result:
        raise Broken("one result", f"game {game.id} ended as {result}, but its row says {row[1:4]}")
    cells = [cell for game_id, _, cell in found.tables["moves"] if game_id == game.id]
    if cells != list(game.cells):
        raise Broken("rules", f"game {game.id} has the moves {game.cells}, but its rows say {cells}")


def _check_ratings(found: Stored) -> None:
    changes: dict[tuple[int, str], list[tuple[float, float]]] = defaultdict(list)
    per_game: Counter[int] = Counter()
    for game_id, player, before, after, game in found.tables["changes"]:
        changes[player, game].append((before, after))
        per_game[game_id] += 1
    for id, _, termination, plies, rated, _, *players in found.tables["games"]:
        counts = rated and termination is not None and termination not in UNRATED_ENDS and plies >= RATED_PLIES
        if per_game[id] != (len(set(players) - found.deleted) if counts else 0):
            raise Broken("ratings", f"game {id} ({termination}, rated {rated}) moved {per_game[id]} ratings")
    ratings = {(player, game): (rating, games) for player, game, rating, games in found.tables["ratings"]}
    for key, moved in changes.items():
        rating, games = ratings.get(key, (None, 0))
        if games != len(moved):
            raise Broken("ratings", f"player {key} has {games} rated games, but {len(moved)} changes")
        # Each change but the first begins where another one ended, and the last one ends at what the player has.
        if sorted([*(before for before, _ in moved), rating]) != sorted([NEW.rating, *(after for _, after in moved)]):
            raise Broken("ratings", f"the changes of player {key} make no chain to {rating}: {moved}")


def _check_forgotten(world: World, found: Stored) -> None:
    """Whoever is deleted is so wholly, and who was told so is."""
    forgotten, deleted = world.ledger.forgotten, found.deleted
    for id, name, _, _ in found.tables["players"]:
        if id in deleted and (not forgotten.may_be(str(id)) or name != deleted_name(id)):
            raise Broken("forgotten", f"player {id} has no token and the name {name!r}")
    for id in forgotten.done:
        if int(id) not in deleted:
            raise Broken("forgotten", f"player {id} was told that they are deleted, and has a token")
    for room in found.rooms.values():
        for seq, _, body in room.events:
            event = decode_stored(body)
            by = event.seat if isinstance(event, Seated) else event.by if isinstance(event, Said) else None
            if by is None or int(by.id) not in deleted:
                continue
            if by.name != deleted_name(by.id) or (isinstance(event, Said) and event.text != DELETED_TEXT):
                raise Broken("forgotten", f"event {seq} of room {room.id} is still {event}")
    for name in ("ratings", "changes"):
        column = 0 if name == "ratings" else 1
        left = [row for row in found.tables[name] if row[column] in deleted]
        if left:
            raise Broken("forgotten", f"of deleted players there are {name}: {left}")
    for name, text in found.texts.items():
        named = forgotten.named_in(text)
        if named is not None:
            raise Broken("forgotten", f"the name {named} is still in the table {name}")


def deleted_name(id: object) -> str:
    return f"deleted player {id}"


class ClockBook:
    """The clocks of a room's games, computed anew from its events."""

    def __init__(self, world: World, room: StoredRoom) -> None:
        self._world = world
        self._room = room
        self._settings: ClockSettings | None = room.spec.clock
        self._lefts: dict[Side, int] = {"x": 0, "o": 0}
        self._since_ms = 0
        self._history: list[dict[Side, int]] = []

    def see(self, session: Session, ts: int, event: RoomEvent) -> None:
        """Before the event is applied to the session. `ts` is the true time, whatever the clock on the wall said."""
        settings = self._settings
        if settings is None:
            return
        if isinstance(event, SeededStart):
            full_ms = settings.move_ms or settings.initial_ms or 0
            self._lefts = {"x": full_ms, "o": full_ms}
            self._since_ms = ts
            self._history = [dict(self._lefts)]
        elif isinstance(event, Moved):
            self._move(session, ts, event, settings)
        elif isinstance(event, TakenBack):
            del self._history[event.ply + 1 :]
            self._lefts = dict(self._history[-1])
            self._since_ms = ts
        elif isinstance(event, Ended) and event.termination == "flag":
            self._flag(session, ts, event)

    def _move(self, session: Session, ts: int, event: Moved, settings: ClockSettings) -> None:
        assert event.clock is not None
        told: dict[Side, int] = {"x": event.clock.x_ms, "o": event.clock.o_ms}
        side, where = event.by, f"move {event.ply + 1} of room {self._room.id}"
        waited_ms = ts - max(self._since_ms, *(at_ms for at_ms in self._world.starts if at_ms <= ts))
        if event.think_ms > waited_ms + 5:
            raise Broken("clocks", f"{where} took {event.think_ms} ms, but it came {waited_ms} ms after the one before")
        least_ms = waited_ms - self._world.troubled_ms(self._since_ms, ts) - COMMIT_MS
        restarted = any(self._since_ms <= at_ms <= ts for at_ms in self._world.starts)
        if not restarted and not session.is_bot(side) and event.think_ms < least_ms:
            raise Broken("clocks", f"{where} came after {waited_ms} ms, of which {event.think_ms} are charged")
        left_ms = max(0, self._lefts[side] - event.think_ms)
        wanted = settings.move_ms or left_ms + (settings.increment_ms or 0)
        if told[side] != wanted or told[other(side)] != self._lefts[other(side)]:
            raise Broken("clocks", f"{where}: {told} are left, of {self._lefts} after {event.think_ms} ms by {side}")
        self._lefts, self._since_ms = told, ts
        self._history.append(dict(told))

    def _flag(self, session: Session, ts: int, event: Ended) -> None:
        loser = other(event.winner) if event.winner is not None else None
        if loser is not None and not session.is_bot(loser) and ts - self._since_ms < self._lefts[loser] - 5:
            raise Broken("clocks", f"{loser} lost room {self._room.id} on time with {self._lefts[loser]} ms left")


# What a server that dies takes with it


def sessions(world: World) -> dict[str, Session]:
    """Those of the server that runs or ran last."""
    return {id: room.session for id, room in world.app._lobby.rooms.items()}


def check_restored(world: World, died: dict[str, Session], found: Stored, in_doubt: set[tuple[object, object]]) -> None:
    """What is in the database makes the sessions that died, and all that were awake are back. Events may be there that
    the session did not take for committed: those of a commit that was under way, or that failed and is `in_doubt`."""
    for id, session in died.items():
        if session.seq == 0 and id not in found.rooms:
            continue
        room = found.rooms.get(id)
        if room is None or not room.events:
            raise Broken("restored", f"room {id} had {session.seq} events and is not in the database")
        again = room.session()
        pending = session._pending.entries[-1].seq if session._pending is not None else session.seq
        if again.seq == session.seq:
            _remove(found.deleted, again)
            for settling in session, again:
                _remove(world.ledger.forgotten.settling(world.loop.now_us), settling)
            _check_same(session, again)
        elif again.seq != pending and not (
            again.seq > session.seq
            and in_doubt.issuperset((room.number, event[0]) for event in room.events[session.seq :])
        ):
            raise Broken("restored", f"room {id} died at event {session.seq} and is back at {again.seq}")
    back = sessions(world)
    for room in found.rooms.values():
        seeks = not any(isinstance(decode_stored(body), SeededStart) for _, _, body in room.events)
        if room.is_awake and room.events and room.id not in back and not seeks:
            raise Broken("restored", f"room {room.id} was awake and is not back")
        if room.id in back and back[room.id].seq < len(room.events):
            raise Broken("restored", f"room {room.id} has {len(room.events)} events and is back at {back[room.id].seq}")


def _remove(deleted: Iterable[object], session: Session) -> None:
    """As rooms drop what they hold of deleted players."""
    for id in deleted:
        session.remove_player(Player(id=str(id), name=deleted_name(id), kind="person"), DELETED_TEXT)


def _check_same(session: Session, again: Session) -> None:
    _same(f"room {session.room}", session, again, NOT_REPLAYED)
    _same(f"the game of room {session.room}", session.game, again.game, set())
    _same(f"the clock of room {session.room}", session.clock, again.clock, set(CLOCK_NOT_DURABLE))


def _same(name: str, thing: object, again: object, passed_over: set[str]) -> None:
    expected, found = fields(thing), fields(again)
    for field in expected.keys() - passed_over - {"handle"}:
        if found[field] != expected[field]:
            raise Broken("restored", f"{name} had {field} {expected[field]!r}, and comes back with {found[field]!r}")


# What people see


def check_views(world: World) -> None:
    """Once nothing happens any more, everybody sees what the server has."""
    lobby = world.app._lobby
    for person in world.people:
        for tab in person.tabs:
            if tab.forgotten_us is not None:
                continue
            _check_lobby(world, tab)
            named = world.ledger.forgotten.named_in(f"{tab.views} {tab.lobby}")
            if named is not None:
                raise Broken("forgotten", f"{person.name} still sees {named}, who was deleted")
            for id, view in tab.views.items():
                room = lobby.rooms.get(id)
                if room is None and not view.running:
                    continue  # a room that nobody plays in closes without a word
                if room is None:
                    raise Broken("views", f"{person.name} follows room {id}, which the server has not awake")
                _check_seats(world, room)
                shown = views.room_view(
                    room.session,
                    person.id or "",
                    code=room.code,
                    is_present=room._followers.is_present,
                    spectators=room.spectators,
                    now_ms=world.clock.now_ms(),
                    ts=world.clock.unix_ms(),
                )
                _check_view(person.name, view, room_view(shown, person.id), world.wall)


def _check_seats(world: World, room: Room) -> None:
    for seat in room.session.seats.values():
        if seat is not None and seat.id in world.ledger.forgotten.done and seat.rating is not None:
            raise Broken("forgotten", f"room {room.id} shows the rating of a deleted player: {seat}")


def _check_lobby(world: World, tab: Tab) -> None:
    """The last list that was sent is the present one."""
    listing = world.app._lobby._listing
    now = listing._listing(tab.person.id or "", *listing._common(), id=None)
    if tab.lobby is not None and replace(tab.lobby, id=None) != now:
        raise Broken("views", f"{tab.person.name} sees the lobby as {tab.lobby}, the server has {now}")


def _check_view(who: str, view: RoomView, server: RoomView, wall: Wall) -> None:
    for name in (
        "seq", "code", "serial", "start", "moves", "started", "result", "chat", "spectators", "rated", "game_id",
    ):  # fmt: skip
        mine, theirs = getattr(view, name), getattr(server, name)
        if mine != theirs:
            raise Broken("views", f"{who} sees {name} {mine!r} in room {view.room}, the server has {theirs!r}")
    if _offers(view) != _offers(server):
        raise Broken("views", f"{who} sees offers {view.offers} in room {view.room}, the server has {server.offers}")
    for side in ("x", "o"):
        mine, theirs = _seat(view, side), _seat(server, side)
        if mine != theirs:
            raise Broken("views", f"{who} sees {mine} at {side} in room {view.room}, the server has {theirs}")
        left, true = _left_ms(view, side, wall), _left_ms(server, side, wall)
        if left is not None and true is not None and abs(left - true) > CLOCK_MS and server.running:
            raise Broken("views", f"{who} sees {left} ms left for {side} in room {view.room}, the server has {true}")


def _left_ms(view: RoomView, side: Side, wall: Wall) -> int | None:
    """By the time that has passed since they were told, however the clock on the wall jumped."""
    told_ms = wall.when(view.clock_ts)
    return view.remaining_ms(side, view.clock_ts + wall.unix_ms - (told_ms if told_ms is not None else 0))


def _offers(view: RoomView) -> set[tuple[str, str]]:
    return {(offer.by, offer.what) for offer in view.offers}


def _seat(view: RoomView, side: Side) -> tuple[object, ...] | None:
    seat = view.seat(side)
    return None if seat is None else (seat.id, seat.name, seat.kind, seat.present, seat.bot, seat.rating)


# What the server holds in memory


def check_memory(world: World, *, nobody_is_here: bool = False) -> None:
    _check_rooms(world)
    _check_searches(world)
    _check_bounds(world)
    if nobody_is_here:
        _check_empty(world)


def _check_rooms(world: World) -> None:
    lobby, now_ms = world.app._lobby, world.clock.now_ms()
    for id, room in lobby.rooms.items():
        session = room.session
        if room._task is None or room._task.done():
            raise Broken("nobody waits", f"the task of room {id} is over, and the room is not")
        if len(room._mailbox.mails) > 2 * MAILBOX_LENGTH + 100:
            raise Broken("bounds", f"the mailbox of room {id} has {len(room._mailbox.mails)} mails")
        if not room.idle or world.may_be_unavailable:
            continue
        if session._pending is not None:
            raise Broken("nobody waits", f"room {id} rests while something is to be committed: {session._pending}")
        due_ms = session.deadline_ms()
        if due_ms is not None and now_ms - due_ms > LATE_MS:
            raise Broken("nobody waits", f"room {id} should have done something {now_ms - due_ms} ms ago")
        game = session.game
        if session.is_bot(game.to_move) and session._search is None and session._think_at_ms is None:
            raise Broken("nobody waits", f"a bot is to move in room {id} and does not think")
        if lobby._holders[room] != session.holders:
            raise Broken(
                "bounds", f"{lobby._holders[room]} have a part in room {id}, says the lobby: {session.holders}"
            )
    for player, rooms in lobby._rooms_of.items():
        for room in rooms:
            if player not in lobby._holders.get(room, ()):
                raise Broken("bounds", f"the lobby remembers room {room.id} for player {player}, who has no part in it")
    for code, room in lobby._codes.items():
        if lobby.rooms.get(room.id) is not room:
            raise Broken("bounds", f"code {code} leads to a room that is gone")


def _check_searches(world: World) -> None:
    workers = world.app._workers
    if workers._processes.idle and workers._queue.waiting(workers._is_ready, 1):
        raise Broken("fair shares", "a search waits while a worker is idle")
    if world.temper.most_at_once > 1:
        raise Broken("fair shares", "a position is searched twice at once")
    now_s = world.loop.time()
    waiting = {id(search): search for search in workers._queue}
    world.searches_since = {key: world.searches_since.get(key, now_s) for key in waiting}
    for key, since_s in world.searches_since.items():
        if now_s - since_s > SEARCH_WAITS_S:
            raise Broken("nobody waits", f"{waiting[key].job} has waited {now_s - since_s:.0f} s for a worker")


def _check_bounds(world: World) -> None:
    app = world.app
    sockets = len(app._listener.sockets)
    if app._gate.open != sockets:
        raise Broken("bounds", f"{app._gate.open} connections are counted, {sockets} are open")
    if len(app._lobby.rooms) > app.settings.max_rooms:
        raise Broken("bounds", f"{len(app._lobby.rooms)} rooms are awake, {app.settings.max_rooms} may be")
    tasks = sum(not task.done() for task in world.process.tasks)
    most = 2 * len(app._lobby.rooms) + 4 * sockets + 40
    if tasks > most:
        raise Broken("bounds", f"{tasks} tasks for {len(app._lobby.rooms)} rooms and {sockets} connections")
    for end in world.network.ends:
        if process_of(end.context) is world.process and end.get_write_buffer_size() > SEND_QUEUE_BYTES:
            raise Broken("bounds", f"{end.get_write_buffer_size()} bytes wait for a reader")


def _check_empty(world: World) -> None:
    """Everybody went long ago."""
    app = world.app
    lobby = app._lobby
    left = {
        "sockets": len(app._listener.sockets),
        "players": lobby._connected,
        "rooms": {id: room.session.spec.kind for id, room in lobby.rooms.items()},
        "holders": lobby._rooms_of,
        "limits": {player for player, (_, users) in app._context._by_player.items() if users},
        "pinged": len(app._listener._context.keepalive),
        "searches": app._workers.queued + app._workers.running,
        "subscribers": lobby._listing._subscribers,
        "counted": sum(app._gate._limiter.open_from(counted_address(person.address)) for person in world.people),
    }
    for name, there in left.items():
        if there:
            raise Broken("bounds", f"everybody went long ago, and there are {name}: {there}")
