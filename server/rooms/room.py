"""A room at run time: one task that hears everything in order, carries out what its session asks, and one timer.

The session decides, the room acts: it has events committed before anyone sees them, and keeps its followers and the
last events for those who come back. Store and workers are passed in as functions, so rooms test with fakes.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, ClassVar

from engine.bots.player import Decision
from engine.stats.glicko import Rating
from server.play.effects import (
    Acknowledge,
    Close,
    Commit,
    Effect,
    Publish,
    RatedGame,
    Refuse,
    SequencedEvent,
    ShowMembers,
    ShowRoom,
    StopThinking,
    Think,
    with_ratings,
)
from server.play.history import RowBuilder, rate
from server.play.inputs import (
    CommitFailed,
    Committed,
    Input,
    MembersChanged,
    NotOpened,
    Opened,
    PlayerDeleted,
    PlayerRequest,
    Prepared,
    Restored,
    SearchDone,
    SearchFailed,
    SearchStarted,
    StoreBack,
    Tick,
    Ticket,
    Withdrawn,
)
from server.play.session import Session
from server.play.stored_events import public_body
from server.play.views import carries_legal, rating_view, room_view
from server.play.writes import StoreUnavailable, Write
from server.rooms.followers import Followers
from server.rooms.rating_book import RatingBook
from server.rooms.send_queue import Member, Origin, SendQueue, text_frame
from server.wire import (
    EVENTS_KEPT,
    Ack,
    Error,
    ErrorCode,
    Join,
    Moved,
    Player,
    Present,
    Ratings,
    RatingView,
    Rematch,
    Say,
    Seated,
    ServerReply,
    Thinking,
    encode,
    encode_event,
    envelope,
    with_legal,
)

log = logging.getLogger(__name__)

MAILBOX_LENGTH = 1000
"""Past that a request is `busy`."""
REPLAY_BYTES = 128 * 1024
"""Events longer than this in total are not replayed, since they might fill the queue; the whole room is shorter."""
COMMIT_RETRY_S = 1.0


@dataclass(frozen=True, slots=True)
class SearchReport:
    """Where a room hears of its search."""

    started: Callable[[], None]
    progressed: Callable[[int, int, float, tuple[int, ...]], None]
    finished: Callable[[Decision, int], None]
    failed: Callable[[str], None]


@dataclass(frozen=True, slots=True)
class RoomServices:
    """What rooms need of the world. `think` answers what stops the search, or None where no worker takes it."""

    now_ms: Callable[[], int]
    unix_ms: Callable[[], int]
    commit: Callable[[list[Write]], Awaitable[None]]
    """done after the commit; raises StoreUnavailable or Conflict"""
    can_commit: Callable[[], bool]
    """whether the store can commit as far as it knows"""
    new_ticket: Callable[[], Awaitable[Ticket]]
    ratings: RatingBook
    think: Callable[[str, Think, bool, SearchReport], Callable[[], None] | None]
    """game id, what to think about, whether anyone watches"""
    on_changed: Callable[[Room, bool], None]
    """the room's place in the lobby may have changed; True where seats or phase did"""
    on_closed: Callable[[Room], None]


class Room:
    """`session` may be read by anyone; everything else goes through the mailbox."""

    def __init__(self, session: Session, row_builder: RowBuilder, code: str | None, services: RoomServices) -> None:
        self.session = session
        self.row_builder = row_builder
        self.code = code
        self.first_writes: list[Write] = []
        """rows that go with the first commit: the room itself"""
        self._services = services
        self._mailbox: deque[tuple[Callable[..., Awaitable[None]], Any, int]] = deque()
        self._mail: asyncio.Future[None] | None = None
        """done when something comes into an empty mailbox"""
        self._send_queue = SendQueue()
        self._followers = Followers(session, self._send_queue)
        self._recent: deque[tuple[int, bytes]] = deque(maxlen=EVENTS_KEPT)
        self._payloads: list[bytes] = []
        """of the commit that is about to be published"""
        self._newly_seated: list[Seated] = []
        """of the commit that was published just now"""
        self._stop_search: Callable[[], None] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._timer_ms: int | None = None
        self._task: asyncio.Task[None] | None = None
        self._busy = False

    @property
    def id(self) -> str:
        return self.session.room

    @property
    def spectators(self) -> int:
        """Connections that follow without a seat."""
        return self._followers.spectators

    @property
    def idle(self) -> bool:
        return not self._busy and not self._mailbox

    @property
    def has_followers(self) -> bool:
        """Whether anybody looks, seated or not."""
        return bool(self._followers)

    def is_member(self, member: Member) -> bool:
        return member in self._followers

    def visible_to(self, member: Member) -> bool:
        """Without its code, an invite room is visible only to its seat holders and followers."""
        return self.code is None or member in self._followers or bool(self.session.sides(member.player.id))

    # What anyone may post

    def start(self) -> None:
        self._task = asyncio.get_running_loop().create_task(self._run(), name=f"room {self.id}")

    def stop(self) -> None:
        """End the task at once; what is committed stays."""
        if self._timer is not None:
            self._timer.cancel()
        self._followers.stop()
        if self._stop_search is not None:
            self._stop_search()
        if self._task is not None:
            self._task.cancel()

    def post_input(self, event: Input) -> None:
        """Something that happened by itself: never refused."""
        self._post(self._handle, event, self._services.now_ms())

    def open(self, origin: Origin) -> None:
        self._post(self._open, origin, self._services.now_ms())

    def restore(self, kept: list[tuple[int, bytes]]) -> None:
        """Go on after a restart, with the last event frames."""
        self._recent.extend(kept)
        self._post(self._handle, Restored(), self._services.now_ms())

    def post_request(self, asked: PlayerRequest, arrived_ms: int) -> None:
        """A request of a member or seat holder, stamped with its arrival."""
        if not self._is_busy_for(asked.origin):
            self._post(self._handle_request, asked, arrived_ms)

    def watch(self, origin: Origin) -> None:
        if not self._is_busy_for(origin):
            self._post(self._watch, origin, self._services.now_ms())

    def catch_up(self, origin: Origin, seq: int) -> None:
        if not self._is_busy_for(origin):
            self._post(self._catch_up, (origin, seq), self._services.now_ms())

    def leave(self, member: Member, origin: Origin | None = None) -> None:
        """The member's part is over; `origin` where it asked for that."""
        if origin is None or not self._is_busy_for(origin):
            self._post(self._leave, (member, origin), self._services.now_ms())

    def settled(self) -> asyncio.Future[None]:
        """Done when everything that was posted before is done."""
        return self._post_and_wait(None)

    def on_player_deleted(self, deleted: PlayerDeleted) -> asyncio.Future[None]:
        """Somebody's data was deleted: done when nothing of it is here."""
        return self._post_and_wait(deleted)

    def withdraw(self, player: str) -> asyncio.Future[None]:
        """Done when this player waits here no longer, or plays, or nothing can be stored."""
        return self._post_and_wait(Withdrawn(player))

    def _post_and_wait(self, event: PlayerDeleted | Withdrawn | None) -> asyncio.Future[None]:
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._post(self._handle_and_signal, (done, event), self._services.now_ms())
        return done

    def _is_busy_for(self, origin: Origin) -> bool:
        """Whether the mailbox is full; if so, the request is refused here."""
        full = len(self._mailbox) >= MAILBOX_LENGTH
        if full:
            origin.send(_error(origin, "busy", "This room is busy just now.", self.id))
        return full

    # The task

    def _post(self, work: Callable[..., Awaitable[None]], argument: Any, at_ms: int) -> None:
        self._mailbox.append((work, argument, at_ms))
        if self._mail is not None and not self._mail.done():
            self._mail.set_result(None)

    async def _run(self) -> None:
        loop = asyncio.get_running_loop()
        while not self.session.closed:
            if not self._mailbox:
                self._mail = loop.create_future()
                await self._mail
            work, argument, at_ms = self._mailbox.popleft()
            self._busy = True
            try:
                await work(argument, at_ms)
            except Exception:
                # One bad request must not end the room: it changed nothing unless it was committed.
                log.exception("room failed on an input", extra={"room": self.id})
            self._send_queue.flush()
            self._set_timer()
            self._busy = False
        self._services.on_closed(self)
        self._refuse_the_rest()
        self.stop()

    def _refuse_the_rest(self) -> None:
        """Answer the requests that arrived after the room ended."""
        while self._mailbox:
            argument = self._mailbox.popleft()[1]
            if isinstance(argument, tuple) and isinstance(argument[0], asyncio.Future):
                argument[0].set_result(None)
            origin = _origin(argument)
            if origin is not None:
                origin.send(_error(origin, "not_found", "There is no such room.", self.id))

    def _set_timer(self) -> None:
        """Set the timer, unless one is set that fires early enough: it will look again."""
        deadline_ms = self.session.deadline_ms()
        if deadline_ms is None or (self._timer_ms is not None and self._timer_ms <= deadline_ms):
            return
        if self._timer is not None:
            self._timer.cancel()
        delay_s = max(0, deadline_ms - self._services.now_ms()) / 1000
        self._timer_ms = deadline_ms
        self._timer = asyncio.get_running_loop().call_later(delay_s, self._on_timer)

    def _on_timer(self) -> None:
        self._timer = self._timer_ms = None
        self.post_input(Tick())

    async def _handle(self, event: Input, at_ms: int) -> None:
        await self._carry_out(self.session.handle(event, at_ms))

    async def _handle_request(self, asked: PlayerRequest, at_ms: int) -> None:
        request = asked.request
        if isinstance(request, Say) and not self.is_member(asked.origin.member):
            self._answer(
                asked.origin,
                _error(asked.origin, "not_seated", "Join or watch the room before you speak in it.", self.id),
            )
        elif not isinstance(request, Join | Rematch) or await self._prepare(asked.origin):
            await self._handle(asked, at_ms)

    async def _open(self, origin: Origin, at_ms: int) -> None:
        if await self._prepare(origin):
            await self._handle(Opened(origin), at_ms)
        if self.session.seq == 0:
            await self._handle(NotOpened(), at_ms)

    async def _prepare(self, origin: Origin) -> bool:
        """Whether the session may now seat players and start a game; if not, the request is refused here."""
        session = self.session
        try:
            ratings = await self._ratings(origin.member.player)
            ticket = session.ticket or await self._services.new_ticket()
        except StoreUnavailable:
            self._answer(origin, _error(origin, "unavailable", "The server cannot store anything just now.", self.id))
            return False
        await self._handle(Prepared(ticket, ratings), self._services.now_ms())
        return True

    async def _ratings(self, newcomer: Player) -> dict[str, RatingView]:
        """Of those who sit, will sit from the start, or may sit down now."""
        session = self.session
        seats = (*session.seats.values(), session.spec.x, session.spec.o)
        players = {newcomer.id, *(seat.id for seat in seats if seat is not None)}
        known = await self._services.ratings.known(session.rules.id, sorted(players))
        at_ms = self._services.unix_ms()
        return {player: rating_view(rating, at_ms) for player, rating in known.items()}

    async def _handle_and_signal(
        self, argument: tuple[asyncio.Future[None], PlayerDeleted | Withdrawn | None], at_ms: int
    ) -> None:
        done, event = argument
        try:
            if isinstance(event, PlayerDeleted):
                await self._handle_player_deleted(event, at_ms)
            elif event is not None:
                await self._handle(event, at_ms)
        finally:
            if not done.done():
                done.set_result(None)

    async def _handle_player_deleted(self, deleted: PlayerDeleted, at_ms: int) -> None:
        mark = b'"id":"%b"' % deleted.player.id.encode()
        if any(mark in payload for _, payload in self._recent):
            self._recent.clear()  # members who come back are sent the whole room
        await self._handle(deleted, at_ms)

    # Carrying out effects

    async def _carry_out(self, effects: list[Effect]) -> None:
        while True:
            commit: Commit | None = None
            for effect in effects:
                if type(effect) is Commit:
                    commit = effect  # always the last: nothing follows it before its answer
                else:
                    self._carry_out_one(effect)
            if self._newly_seated:
                self._followers.check_seats(self._newly_seated)
                self._newly_seated.clear()
            if commit is None:
                return
            self._send_queue.flush()
            effects = self.session.handle(await self._commit(commit), self._services.now_ms())

    def _carry_out_one(self, effect: Effect) -> None:
        try:
            self._CARRY[type(effect)](self, effect)
        except Exception:
            # The session waits for the commit that may follow, and members for the other effects.
            log.exception("room failed on an effect", extra={"room": self.id, "effect": type(effect).__name__})

    async def _commit(self, commit: Commit) -> Committed | CommitFailed:
        try:
            if commit.rates is None:
                return await self._commit_rows(commit.entries)
            async with self._services.ratings.held(commit.rates) as (x, o):
                return await self._commit_rows(commit.entries, (commit.rates, x, o))
        except Exception as error:
            log.warning("not committed", extra={"room": self.id, "error": repr(error)})
            if self._services.can_commit():
                # The store works and refused only this: wait a while, so that a fault does not become a busy loop.
                asyncio.get_running_loop().call_later(COMMIT_RETRY_S, self.post_input, StoreBack())
            return CommitFailed()

    async def _commit_rows(
        self, entries: tuple[SequencedEvent, ...], rated: tuple[RatedGame, Rating, Rating] | None = None
    ) -> Committed:
        """`rated` is a game that these entries end, and the ratings of X and O before it."""
        ts = self._services.unix_ms()
        writes = self.first_writes
        ratings: Ratings | None = None
        if rated is not None:
            ratings, rating_writes = rate(*rated, ts)
            entries = with_ratings(entries, ratings)
            writes = writes + rating_writes
        bodies = [encode_event(entry.event) for entry in entries]
        rows = self.row_builder.writes(self.session, entries, bodies, ts)
        # Before the commit: what is committed must be published, whatever else happens.
        payloads = [
            envelope(self.id, entry.seq, ts, public_body(entry.event, body, self.session.spec))
            for entry, body in zip(entries, bodies, strict=True)
        ]
        await self._services.commit(writes + rows if writes else rows)
        self.first_writes = []
        self._payloads = payloads
        return Committed(ts, ratings)

    def _publish(self, effect: Publish) -> None:
        listing_changed = False
        for entry, payload in zip(effect.entries, self._payloads, strict=True):
            self._recent.append((entry.seq, payload))
            self._broadcast(entry, payload)
            listing_changed = listing_changed or type(entry.event) is not Moved
            if type(entry.event) is Seated and self._followers:
                self._newly_seated.append(entry.event)
        self._services.on_changed(self, listing_changed)

    def _broadcast(self, entry: SequencedEvent, payload: bytes) -> None:
        frame = legal_frame = text_frame(payload)
        asked = self._asked_to_move() if entry.seq == self.session.game.turn_seq else None
        if asked is not None:
            legal_frame = text_frame(with_legal(payload, self.session.legal()))
        for member in self._followers:
            self._send_queue.put(member, legal_frame if member.player.id == asked else frame)

    def _asked_to_move(self) -> str | None:
        """The follower to be shown the legal moves with the event that made it their turn, if any."""
        session = self.session
        to_move = session.game.to_move
        seat = session.seats[to_move] if to_move is not None else None
        if (
            seat is None
            or seat.bot is not None
            or not carries_legal(session)
            or not self._followers.is_present(seat.id)
        ):
            return None
        return seat.id

    def _acknowledge(self, effect: Acknowledge) -> None:
        self._answer(effect.origin, Ack(id=effect.origin.id, room=self.id, seq=effect.seq))

    def _refuse(self, effect: Refuse) -> None:
        self._answer(effect.origin, _error(effect.origin, effect.code, effect.message, self.id))

    def _show_room(self, effect: ShowRoom) -> None:
        if effect.answer:
            self._add(effect.origin.member)
        self._show(effect.origin, answer=effect.answer)

    def _show_members(self, effect: ShowMembers) -> None:
        for member in self._followers:
            self._show(Origin(member, None), answer=False)

    def _show(self, origin: Origin, *, answer: bool) -> None:
        self._answer(
            origin,
            room_view(
                self.session,
                origin.member.player.id,
                code=self.code,
                is_present=self._followers.is_present,
                spectators=self.spectators,
                now_ms=self._services.now_ms(),
                ts=self._services.unix_ms(),
                id=origin.id if answer else None,
            ),
        )

    def _think(self, effect: Think) -> None:
        number = effect.search
        report = SearchReport(
            started=lambda: self.post_input(SearchStarted(number)),
            progressed=self._show_thinking,
            finished=lambda decision, think_ms: self._search_done(number, decision, think_ms),
            failed=lambda reason: self.post_input(SearchFailed(number, reason)),  # type: ignore[arg-type]
        )
        self._stop_search = self._services.think(self.session.rules.id, effect, bool(self._followers), report)
        if self._stop_search is None:
            self.post_input(SearchFailed(number, "busy"))

    def _search_done(self, number: int, decision: Decision, think_ms: int) -> None:
        self._stop_search = None
        self.post_input(SearchDone(number, decision, think_ms))

    def _show_thinking(self, nodes: int, depth: int, value: float, pv: tuple[int, ...]) -> None:
        if self.session.spec.rated:
            return  # it would show a player what the opponent's bot sees
        text = self.session.rules.format_move
        message = Thinking(room=self.id, nodes=nodes, depth=depth, value=value, pv=[text(cell) for cell in pv])
        self._followers.send(text_frame(encode(message)))
        self._send_queue.flush()

    def _stop_thinking(self, effect: StopThinking) -> None:
        if self._stop_search is not None:
            self._stop_search()
            self._stop_search = None

    def _close(self, effect: Close) -> None:
        for member in list(self._followers):
            self._remove(member)

    # Who follows

    async def _watch(self, origin: Origin, at_ms: int) -> None:
        self._add(origin.member)
        self._show(origin, answer=True)

    async def _catch_up(self, argument: tuple[Origin, int], at_ms: int) -> None:
        origin, seq = argument
        self._add(origin.member)
        oldest = self._recent[0][0] if self._recent else self.session.seq + 1
        missed = [(number, payload) for number, payload in self._recent if number > seq]
        too_long = sum(len(payload) for _, payload in missed) > REPLAY_BYTES
        if seq > self.session.seq or seq + 1 < oldest or too_long:
            self._show(origin, answer=True)
            return
        self._answer(origin, Ack(id=origin.id, room=self.id, seq=self.session.seq))
        is_asked = origin.member.player.id == self._asked_to_move()
        for number, payload in missed:
            if is_asked and number == self.session.game.turn_seq:
                payload = with_legal(payload, self.session.legal())
            self._send_queue.put(origin.member, text_frame(payload))
        self._show_absent(origin)

    def _show_absent(self, origin: Origin) -> None:
        """Presence is not an event, so a replay does not contain it."""
        for side, seat in self.session.seats.items():
            if seat is not None and seat.bot is None and not self._followers.is_present(seat.id):
                self._answer(origin, Present(room=self.id, side=side, present=False))

    async def _leave(self, argument: tuple[Member, Origin | None], at_ms: int) -> None:
        member, origin = argument
        self._remove(member)
        if origin is not None:
            self._answer(origin, Ack(id=origin.id, room=self.id, seq=self.session.seq))

    def _add(self, member: Member) -> None:
        if self._followers.add(member):
            member.following.add(self)
            self._members_changed()

    def _remove(self, member: Member) -> None:
        if self._followers.remove(member):
            member.following.discard(self)
            self._members_changed()

    def _members_changed(self) -> None:
        self.post_input(MembersChanged(len(self._followers)))
        if self.session.game.running:
            self._services.on_changed(self, False)

    def _answer(self, origin: Origin, message: ServerReply) -> None:
        self._send_queue.put(origin.member, text_frame(encode(message)))

    _CARRY: ClassVar[dict[type, Callable[[Room, Any], None]]] = {
        Publish: _publish,
        Acknowledge: _acknowledge,
        Refuse: _refuse,
        ShowRoom: _show_room,
        ShowMembers: _show_members,
        Think: _think,
        StopThinking: _stop_thinking,
        Close: _close,
    }


def _error(origin: Origin, code: ErrorCode, message: str, room: str) -> Error:
    return Error(id=origin.id, code=code, message=message, room=room)


def _origin(argument: Any) -> Origin | None:
    """The request that a mailbox entry answers, if any."""
    parts = argument if isinstance(argument, tuple) else (argument, getattr(argument, "origin", None))
    return next((part for part in parts if isinstance(part, Origin)), None)
