"""One websocket connection as the server's programs see it: requests to the lobby and rooms, answers.

A message is handled where the network hands it over, without a task in between: most become an entry in a room's
mailbox, stamped with their arrival. Only a greeting, a new room, a review and a deletion wait for the database; what
arrives meanwhile queues. Bytes and frames are the socket's, which a connection knows as its `Wire`.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine
from math import ceil
from typing import Any, ClassVar, Protocol, TypeAlias

from websockets.frames import CloseCode

from server.play.inputs import PlayerRequest
from server.play.rate_limit import TokenBucket
from server.play.writes import StoreUnavailable
from server.rooms.connection_context import ConnectionContext
from server.rooms.members import Followed, Origin, text_frame
from server.rooms.players.deletion import delete_player
from server.rooms.players.player_names import checked_name
from server.rooms.players.players import token_hash
from server.rooms.refused import Refused
from server.wire import (
    FORM_ERRORS,
    VERSION,
    Ack,
    Act,
    BadFrame,
    CancelReview,
    ClientMessage,
    Create,
    Error,
    ErrorCode,
    Forget,
    HeldRoom,
    Hello,
    Join,
    Kind,
    Leave,
    LobbyRequest,
    Move,
    Ping,
    Player,
    Pong,
    RefusedField,
    Rematch,
    Resume,
    ReviewRequest,
    Say,
    Watch,
    Welcome,
    encode,
    parse,
)

log = logging.getLogger(__name__)

BACKLOG_FRAMES = 200
"""Frames that may queue while a greeting or a new room is handled."""
FORM_ERRORS_ALLOWED = 10
FORM_ERRORS_MS = 10_000
WELCOME_S = 10.0


_COSTS: dict[type, float] = {LobbyRequest: 10.0, Create: 10.0}
"""These messages take this many times as long as others, and count as that many."""
_CREATE_MS, _GREET_MS, _NEW_PLAYER_MS, _LIST_MS, _REVIEW_MS, _DELETE_MS = 3.0, 0.5, 1.0, 1.0, 1.0, 5.0
"""Milliseconds of the event loop that these take."""
_TOLD_MS = 0.04
"""The same for telling a room that its player has come, and later that they have gone."""
_RESTARTING = "The server is restarting; come back in a moment."
_BEING_DELETED = "This player's data is being deleted."
_ForRoom: TypeAlias = Move | Act | Rematch | Say | Join | Watch | Leave | Resume


class Wire(Protocol):
    """What a connection knows of its socket."""

    address: str
    """as limits count it"""

    @property
    def open(self) -> bool: ...

    def write(self, frames: bytes) -> None:
        """Send one or several frames; never blocks, never raises."""

    def close(self, code: CloseCode, reason: str) -> None:
        """Say goodbye, after what was written."""


class Connection:
    """A connection and, once greeted, a `Member` of rooms."""

    def __init__(self, wire: Wire, context: ConnectionContext) -> None:
        self._wire = wire
        self._context = context
        self._loop = asyncio.get_running_loop()
        self._bucket = TokenBucket(context.limits.connection_rate, context.limits.connection_burst, context.now_ms())
        self._player_bucket: TokenBucket | None = None
        self._player: Player | None = None
        self.address = wire.address
        self._task: asyncio.Task[None] | None = None
        self._backlog: deque[tuple[ClientMessage, int]] | None = None
        self._form_errors: deque[int] | None = None
        self._welcome_due: asyncio.TimerHandle | None = self._loop.call_later(WELCOME_S, self._not_greeted)
        self.following: dict[Followed, None] = {}
        context.metrics.connections += 1

    # As rooms and the lobby know it

    @property
    def player(self) -> Player:
        assert self._player is not None, "not greeted yet"
        return self._player

    @player.setter
    def player(self, player: Player) -> None:
        self._player = player

    @property
    def open(self) -> bool:
        return self._wire.open

    def write(self, frames: bytes) -> None:
        self._wire.write(frames)

    def end(self, reason: str) -> None:
        self._wire.close(CloseCode.NORMAL_CLOSURE, reason)

    def count_error(self, code: ErrorCode) -> None:
        self._context.metrics.errors[code] += 1

    # As its socket knows it

    @property
    def name(self) -> str | None:
        """The player's id, for logs."""
        return self._player.id if self._player is not None else None

    def take(self, cost: float) -> bool:
        """Whether a frame that is not a message, and counts as `cost` messages, is within the limits."""
        return self._bucket.take(self._context.now_ms(), cost)

    def receive(self, data: bytes | bytearray) -> bool:
        """Handle a message; False where it was refused for being too fast."""
        context = self._context
        now_ms = context.now_ms()
        if not self._wire.open:
            return True
        context.metrics.messages += 1
        try:
            request = parse(data, greeted=self._player is not None or self._task is not None)
        except BadFrame as error:
            if error.code in FORM_ERRORS or self._bucket.take(now_ms):
                self._refuse_form(error)
                return True
            return self._refuse_fast(error.id, "Too many messages: slow down and say hello.")
        cost = _COSTS.get(type(request), 1.0)
        if not self._bucket.take(now_ms, cost) or (self._player_bucket and not self._player_bucket.take(now_ms, cost)):
            return self._refuse_fast(request.id, "Too many messages: slow down and send this one again.")
        if self._task is None or self._goes_ahead(request):
            self._dispatch(request, now_ms)
        elif self._backlog is None:
            self._backlog = deque([(request, now_ms)])
        elif len(self._backlog) < BACKLOG_FRAMES:
            self._backlog.append((request, now_ms))
        else:
            return self._refuse_fast(request.id, "Too many messages while an earlier one is being handled.")
        return True

    def receive_binary(self) -> None:
        if self._wire.open:
            self._refuse_form(BadFrame("malformed", "Messages must be text frames, not binary ones."))

    def on_closed(self) -> None:
        """The socket is gone."""
        context = self._context
        context.metrics.connections -= 1
        self._stop_waiting()
        if self._task is not None:
            self._task.cancel()
            self._task = self._backlog = None  # a finished task keeps everything that it used alive
        if self._player is not None:
            context.release(self._player.id)
            context.lobby.on_disconnect(self)

    # Its life

    def _not_greeted(self) -> None:
        if self._player is None:
            self._wire.close(CloseCode.POLICY_VIOLATION, "no hello within 10 s")

    def _stop_waiting(self) -> None:
        if self._welcome_due is not None:
            self._welcome_due.cancel()
            self._welcome_due = None

    def _goes_ahead(self, request: ClientMessage) -> bool:
        """Whether a request need not wait for earlier ones: a move need not, since its clock runs, unless they name its
        room."""
        if type(request) is not Move or self._player is None:
            return False
        if self._context.lobby.is_being_deleted(self._player.id):
            return False  # by a request before this one, which may be refused since this game runs
        if any(getattr(earlier, "room", None) == request.room for earlier, _ in self._backlog or ()):
            return False
        return self._context.lobby.find(self, request.room) is not None

    def _dispatch(self, request: ClientMessage, arrived_ms: int) -> None:
        if self._context.closing:
            self._refuse(request.id, "shutting_down", _RESTARTING)
        elif self._player is None and type(request) is not Hello:
            self._refuse(request.id, "unauthorised", "Say hello first.")
        elif self._player is not None and self._context.lobby.is_being_deleted(self._player.id):
            self._refuse(request.id, "not_now", _BEING_DELETED)
        else:
            self._HANDLERS[type(request)](self, request, arrived_ms)

    def _run_in_task(self, work: Coroutine[Any, Any, None], id: int | None) -> None:
        """Run a request that waits for the database, and then what arrived meanwhile, in order."""
        self._task = self._loop.create_task(self._run_then_backlog(work, id))
        self._task.add_done_callback(lambda _: work.close())  # it never begins if the connection closes at once

    async def _run_then_backlog(self, work: Awaitable[None], id: int | None) -> None:
        try:
            await work
        except Refused as refusal:
            self._refuse(id, refusal.code, refusal.message, refusal.field)
        except StoreUnavailable:
            self._refuse(id, "unavailable", "The server cannot store anything just now; it will recover by itself.")
        except Exception:
            # The requests queued after this one must not wait forever.
            log.exception("a request failed")
            self._refuse(id, "unavailable", "The server could not do this; nothing was changed.")
        self._task = None
        while self._backlog and self._task is None:
            self._dispatch(*self._backlog.popleft())

    # Requests

    def _hello(self, hello: Hello, arrived_ms: int) -> None:
        if hello.v != VERSION:
            self._refuse(hello.id, "unsupported_version", f"This server speaks version {VERSION}.")
        elif self._player is None:
            self._run_in_task(self._greet(hello), hello.id)
        elif hello.name is None or hello.token is not None or hello.kind not in (None, self._player.kind):
            self._refuse_form(BadFrame("malformed", "A second hello can only change the name.", hello.id))
        else:
            self._run_in_task(self._rename(hello, hello.name), hello.id)

    async def _greet(self, hello: Hello) -> None:
        await self._turn(_GREET_MS)
        lobby = self._context.lobby
        endings = lobby.endings
        name = checked_name(hello.name) if hello.name is not None else None
        self._check_ban(self._context.bans.address_sentence(self.address))
        token: str | None = None
        if hello.token is not None:
            player = await self._known_player(hello.token, hello.kind, name)
        else:
            player, token = await self._new_player(hello.kind or "person", name)
        told = lobby.rooms_to_tell(player.id)
        if told:
            await self._turn(_TOLD_MS * told)
        held = await lobby.held_rooms_of(player.id) if token is None else []
        await self._check_endings_since(endings, player, hello.token)
        if lobby.is_deleted(player.id):
            raise Refused("unauthorised", "This player was deleted; say hello without a token to become a new one.")
        if lobby.is_being_deleted(player.id):
            # The deletion may fail: whoever was told `unauthorised` would have thrown the token away.
            raise Refused("busy", "This player's data is being deleted; come back in a moment.")
        if not self.open:
            return
        self._stop_waiting()
        self._player = player
        self._player_bucket = self._context.player_bucket(player.id)
        lobby.on_connect(self)
        self._send(_welcome(hello, player, held, token))
        self._context.announcements.greet(self)

    async def _known_player(self, token: str, kind: Kind | None, name: str | None) -> Player:
        """Whose token it is, by that name from now on if one is given."""
        known = await self._context.identity.by_token(token_hash(token))
        if known is None:
            raise _nobodys_token()
        if kind not in (None, known.kind):
            raise Refused("malformed", f"This token belongs to a {known.kind}; the kind cannot change.")
        self._check_ban(self._context.bans.sentence(known.id))
        if name is None or name == known.name:
            return known
        self._context.new_names.check(name)
        self._check_renames(known)
        player = await self._context.identity.rename(known, name)
        self._context.lobby.on_rename(player)
        return player

    async def _new_player(self, kind: Kind, name: str | None) -> tuple[Player, str]:
        """With the token; without a name, one is made up."""
        if name is not None:
            self._context.new_names.check(name)
        wait_ms = self._context.new_players.wait_ms(self.address, self._context.now_ms())
        if wait_ms:
            self._context.metrics.limits.met("address_players", self.address)
            raise _too_many("Too many new players from your address", wait_ms)
        await self._turn(_NEW_PLAYER_MS)
        secrets = self._context.secrets
        token = secrets.token_urlsafe(32)
        name = name or ("Guest" if kind == "person" else "Bot") + f" {secrets.randbelow(9000) + 1000}"
        return await self._context.identity.add(name, kind, token_hash(token)), token

    async def _check_endings_since(self, endings: int, player: Player, token: str | None) -> None:
        """A player who was banned, or given another token, during the greeting had no connection yet that could be
        ended."""
        lobby = self._context.lobby
        while endings != lobby.endings:
            endings = lobby.endings
            self._check_ban(self._context.bans.address_sentence(self.address))
            self._check_ban(self._context.bans.sentence(player.id))
            is_known = token is None or await self._context.identity.by_token(token_hash(token)) is not None
            if not (is_known or lobby.is_deleted(player.id)):
                raise _nobodys_token()

    def _check_ban(self, sentence: str | None) -> None:
        """Raises Refused, but not as `unauthorised`: a page would then forget its token, which is good again after the
        ban."""
        if sentence is not None:
            raise Refused("not_now", sentence)

    async def _rename(self, hello: Hello, name: str) -> None:
        await self._turn(_GREET_MS)
        self._check_renames(self.player)
        name = checked_name(name)
        if name != self.player.name:
            self._context.new_names.check(name)
        self._player = await self._context.identity.rename(self.player, name)
        self._context.lobby.on_rename(self._player)
        held = await self._context.lobby.held_rooms_of(self.player.id)
        self._send(_welcome(hello, self.player, held))

    def _check_renames(self, player: Player) -> None:
        """Each goes to all who share a room with the player. Raises Refused."""
        wait_ms = self._context.renames.wait_ms(player.id, self._context.now_ms())
        if wait_ms:
            self._context.metrics.limits.met("renames", self.address)
            raise _too_many("You change your name too often", wait_ms)

    def _create(self, create: Create, arrived_ms: int) -> None:
        self._run_in_task(self._create_in_turn(create), create.id)

    async def _create_in_turn(self, create: Create) -> None:
        await self._turn(_CREATE_MS)
        await self._context.lobby.create(Origin(self, create.id), create)

    async def _turn(self, cost: float) -> None:
        """Where many ask for this at once, each waits for its turn."""
        await self._context.fair_queue.turn(self.address, cost)

    def _post_request(self, request: Move | Act | Rematch | Say, arrived_ms: int) -> None:
        room = self._context.lobby.find(self, request.room)
        if room is None:
            self._wake(request, self._post_request, arrived_ms)
        else:
            room.post_request(PlayerRequest(Origin(self, request.id), self.player, request), arrived_ms)

    def _say(self, say: Say, arrived_ms: int) -> None:
        room = self._context.lobby.find(self, say.room)
        is_seated = room is not None and bool(room.session.sides(self.player.id))
        over = self._context.chat.refusal(
            self.player.id, self.address, say.room, is_seated=is_seated, now_ms=arrived_ms
        )
        if over is not None:
            self._context.metrics.limits.met(over.limit, self.address)
            self._refuse(say.id, "too_fast", over.sentence)
        else:
            self._post_request(say, arrived_ms)

    def _join(self, join: Join, arrived_ms: int) -> None:
        if (join.room is None) == (join.code is None):
            self._refuse_form(BadFrame("malformed", "To join, give either a room or a code.", join.id))
            return
        lobby = self._context.lobby
        room = lobby.by_code(join.code) if join.code is not None else lobby.find(self, join.room or "")
        if room is None:
            self._wake(join, self._join, arrived_ms)
        else:
            room.post_request(PlayerRequest(Origin(self, join.id), self.player, join), arrived_ms)

    def _watch(self, watch: Watch, arrived_ms: int) -> None:
        room = self._context.lobby.find(self, watch.room)
        if room is None and watch.code is not None:
            invited = self._context.lobby.by_code(watch.code)
            room = invited if invited is not None and invited.id == watch.room else None
        if room is None:
            self._wake(watch, self._watch, arrived_ms)
        else:
            room.watch(Origin(self, watch.id))

    def _leave(self, leave: Leave, arrived_ms: int) -> None:
        room = self._context.lobby.find(self, leave.room)
        if room is None:
            self._wake(leave, self._leave, arrived_ms)
        else:
            room.leave(self, Origin(self, leave.id))

    def _resume(self, resume: Resume, arrived_ms: int) -> None:
        room = self._context.lobby.find(self, resume.room)
        if room is None:
            self._wake(resume, self._resume, arrived_ms)
        else:
            room.catch_up(Origin(self, resume.id), resume.seq)

    def _wake(self, request: _ForRoom, handle: Callable[[Any, int], None], arrived_ms: int) -> None:
        """Handle a request for a room that is not in memory, since it may be asleep: wake it first."""
        self._run_in_task(self._wake_in_task(request, handle, arrived_ms), request.id)

    async def _wake_in_task(self, request: _ForRoom, handle: Callable[[Any, int], None], arrived_ms: int) -> None:
        code = request.code if isinstance(request, Join | Watch) else None
        if await self._context.lobby.wake(self, request.room, code) is None:
            raise Refused("not_found", "There is no such room." if request.room else "No room has this code.")
        if self._context.lobby.is_being_deleted(self.player.id):  # the deletion knew nothing of this room
            raise Refused("not_now", _BEING_DELETED)
        if self._context.closing:
            raise Refused("shutting_down", _RESTARTING)
        handle(request, arrived_ms)

    def _lobby(self, request: LobbyRequest, arrived_ms: int) -> None:
        self._run_in_task(self._list_in_turn(request), request.id)

    async def _list_in_turn(self, request: LobbyRequest) -> None:
        await self._turn(_LIST_MS)
        self._context.lobby.subscribe(self, request.on, request.id, request.only)

    def _review(self, request: ReviewRequest, arrived_ms: int) -> None:
        self._run_in_task(self._review_in_turn(request), request.id)

    async def _review_in_turn(self, request: ReviewRequest) -> None:
        await self._turn(_REVIEW_MS)
        await self._context.reviews.ask(Origin(self, request.id), request.game)

    def _cancel_review(self, request: CancelReview, arrived_ms: int) -> None:
        self._context.reviews.cancel(Origin(self, request.id), request.game)

    def _request_deletion(self, request: Forget, arrived_ms: int) -> None:
        self._run_in_task(self._delete_player_in_task(request), request.id)

    async def _delete_player_in_task(self, request: Forget) -> None:
        # In a task, so that it finishes even if this connection goes away.
        deletion = self._loop.create_task(self._delete(request))
        self._context.deletions.add(deletion)
        deletion.add_done_callback(self._context.deletions.discard)
        await asyncio.shield(deletion)

    async def _delete(self, request: Forget) -> None:
        await self._turn(_DELETE_MS)
        player = self.player.id
        await delete_player(self._context.lobby, self.player, self._context.identity)
        self._send(Ack(id=request.id))
        self._context.lobby.end_connections(player, "this player is deleted")

    def _ping(self, ping: Ping, arrived_ms: int) -> None:
        self._send(Pong(id=ping.id, ts=ping.ts, server_ms=self._context.unix_ms()))

    # Frames out

    def _send(self, message: Welcome | Ack | Pong | Error) -> None:
        self.write(text_frame(encode(message)))

    def _refuse(self, id: int | None, code: ErrorCode, message: str, field: RefusedField | None = None) -> None:
        self.count_error(code)
        self._send(Error(id=id, code=code, message=message, field=field))

    def _refuse_fast(self, id: int | None, message: str) -> bool:
        self._context.metrics.limits.met("connection_rate", self.address)
        self._refuse(id, "too_fast", message)
        return False

    def _refuse_form(self, error: BadFrame) -> None:
        field = RefusedField(name=error.field) if error.field is not None else None
        self._refuse(error.id, error.code, error.message, field)
        if error.code not in FORM_ERRORS:
            return
        now_ms = self._context.now_ms()
        if self._form_errors is None:
            self._form_errors = deque(maxlen=FORM_ERRORS_ALLOWED)
        self._form_errors.append(now_ms)
        if len(self._form_errors) == FORM_ERRORS_ALLOWED and now_ms - self._form_errors[0] <= FORM_ERRORS_MS:
            self._wire.close(CloseCode.POLICY_VIOLATION, "too many malformed messages")

    _HANDLERS: ClassVar[dict[type, Callable[[Connection, Any, int], None]]] = {
        Hello: _hello,
        Create: _create,
        Join: _join,
        Watch: _watch,
        Leave: _leave,
        Move: _post_request,
        Act: _post_request,
        Rematch: _post_request,
        Say: _say,
        Resume: _resume,
        LobbyRequest: _lobby,
        ReviewRequest: _review,
        CancelReview: _cancel_review,
        Forget: _request_deletion,
        Ping: _ping,
    }


def _nobodys_token() -> Refused:
    return Refused("unauthorised", "Nobody has this token; say hello without one to become a new player.")


def _too_many(what: str, wait_ms: int) -> Refused:
    return Refused("too_fast", f"{what}: try again in {ceil(wait_ms / 1000)} s.")


def _welcome(hello: Hello, player: Player, held: list[HeldRoom], token: str | None = None) -> Welcome:
    rooms = [room.room for room in held]
    return Welcome(id=hello.id, v=VERSION, player=player, token=token, rooms=rooms, held=held or None)
