"""A room at run time: one task that hears everything in order, carries out what its session asks, and one timer.

The session decides, the room acts: it has events committed before anyone sees them, and keeps its followers and the
last events for those who come back. Store and workers are passed in as functions, so rooms test with fakes.

If anything fails on the way from a message to its answer, the room goes on from what is committed, as after a restart:
see `_recover`.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, ClassVar
from weakref import WeakMethod

from server.play.effects import (
    Acknowledge,
    Close,
    Commit,
    Effect,
    Publish,
    Refuse,
    ShowMembers,
    ShowPresence,
    ShowRoom,
    Sleep,
    StopThinking,
    Think,
)
from server.play.history import RowBuilder
from server.play.inputs import (
    Input,
    KeptAwake,
    MembersChanged,
    NotOpened,
    Opened,
    PlayerDeleted,
    PlayerRenamed,
    PlayerRequest,
    PutToSleep,
    Restored,
    Shut,
    Tick,
    Withdrawn,
)
from server.play.session import Session
from server.play.writes import StoreUnavailable, Write
from server.rooms.members import Member, Origin
from server.rooms.room.commits import Commits
from server.rooms.room.load import Loaded
from server.rooms.room.mailbox import Mail, Mailbox
from server.rooms.room.next_game import prepared
from server.rooms.room.output import RoomOutput
from server.rooms.room.quietly import quietly
from server.rooms.room.recovery import go_on, never_opened
from server.rooms.room.search import RoomSearch
from server.rooms.room.services import RoomServices, RoomWatcher
from server.rooms.room.sleepers import sleep_writes, wake_writes
from server.wire import Ended, Join, Rematch, Say

log = logging.getLogger(__name__)

NO_NEW_GAMES = "The server is about to restart. No new game can begin until then; running games go on."
TRIES = 2
"""How often a room tries to handle one and the same message before it goes on without it."""
MAILS_AT_ONCE = 16
"""A room handles this much of its mail before others get their turn: a thousand spectators may leave at once."""
RECOVERY_RETRY_S = 1.0
"""How long a room waits before it tries again, when it cannot be rebuilt or its timer fails each time."""


class Room:
    """`session` may be read by anyone; everything else goes through the mailbox."""

    def __init__(
        self, session: Session, row_builder: RowBuilder, code: str | None, services: RoomServices, lobby: RoomWatcher
    ) -> None:
        self.session = session
        self.code = code
        self._services = services
        self._lobby = lobby
        self._commits = Commits(row_builder, services, _held_by_nobody(self.post_input))
        self._output = RoomOutput(session, code, services)
        self._followers = self._output.followers
        self._mailbox = Mailbox(session.room)
        self._committing: Commit | None = None
        """the last that the mail in hand led to"""
        self._failures = 0
        """in a row"""
        self._search = RoomSearch(self._output, services, _held_by_nobody(self.post_input))
        self._timer: asyncio.TimerHandle | None = None
        self._timer_ms: int | None = None
        self._task: asyncio.Task[None] | None = None
        self._busy = False

    @property
    def id(self) -> str:
        return self.session.room

    @property
    def number(self) -> int:
        """The room's number in the database."""
        return self._commits.row_builder.number

    @property
    def spectators(self) -> int:
        """Connections that follow without a seat."""
        return self._followers.spectators

    @property
    def idle(self) -> bool:
        return not self._busy and not self._mailbox.mails

    @property
    def has_followers(self) -> bool:
        """Whether anybody looks, seated or not."""
        return bool(self._followers)

    @property
    def can_give_way(self) -> bool:
        """Whether the room may leave memory, so that others have its place."""
        if not self.idle or self._followers:
            return False
        return self.session.can_sleep or self.session.is_left(self._services.clock.now_ms())

    @property
    def sleeps_in_database(self) -> bool:
        """Whether it was woken and nothing has been committed since."""
        return self._commits.wakes

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
            self._timer = self._timer_ms = None
        self._followers.stop()
        self._search.end()
        if self._task is not None:
            self._task.cancel()

    def post_input(self, event: Input, *, begin: bool = True) -> None:
        """Something that happened by itself: never refused. Without `begin`, call `begin` soon."""
        self._mailbox.post(Mail(self._handle, event, self._services.clock.now_ms()), begin=begin)

    def begin(self) -> None:
        """Begin on what was posted."""
        self._mailbox.begin()

    def open(self, origin: Origin, first_writes: Sequence[Write] = ()) -> None:
        """Begin; `first_writes` go with the first commit."""
        self._commits.first_writes = list(first_writes)
        self._mailbox.post(Mail(self._open, origin, self._services.clock.now_ms(), origin))

    def restore(self, loaded: Loaded) -> None:
        """Go on after a restart with what is committed."""
        self._output.adopt(self.session, loaded.kept)
        self.post_input(Restored())
        self._post_changed(loaded)

    def wake(self, loaded: Loaded, away_since_ms: dict[str, int]) -> None:
        """Go on after having been asleep; `away_since_ms` has those of its people who are not connected."""
        self._commits.first_writes = wake_writes(self.number)
        self._output.adopt(self.session, loaded.kept)
        self.post_input(Restored(away_since_ms=away_since_ms))
        self._post_changed(loaded)

    def give_way(self) -> asyncio.Future[None]:
        """Done when the room has left memory, or could not."""
        return self._post_and_wait(self._handle, PutToSleep())

    def post_request(self, asked: PlayerRequest, arrived_ms: int) -> None:
        """A request of a member or seat holder, stamped with its arrival."""
        member = asked.origin.member
        gives_way = isinstance(asked.request, Say) and not self._has_seat(member)
        if not self._mailbox.is_busy_for(asked.origin, gives_way=gives_way):
            self._mailbox.post(Mail(self._handle_request, asked, arrived_ms, asked.origin, member, gives_way))

    def watch(self, origin: Origin) -> None:
        self._post_of(origin.member, self._watch, origin, origin)

    def catch_up(self, origin: Origin, seq: int) -> None:
        self._post_of(origin.member, self._catch_up, (origin, seq), origin)

    def leave(self, member: Member, origin: Origin | None = None) -> None:
        """The member's part is over; `origin` where it asked for that."""
        self._post_of(member, self._leave, (member, origin), origin)

    def settled(self) -> asyncio.Future[None]:
        """Done when everything that was posted before is done."""
        return self._post_and_wait(self._nothing, None)

    def on_player_deleted(self, deleted: PlayerDeleted) -> asyncio.Future[None]:
        """Somebody's data was deleted: done when nothing of it is here."""
        return self._post_and_wait(self._handle_player_deleted, deleted)

    def withdraw(self, player: str) -> asyncio.Future[None]:
        """Done when this player waits here no longer, or plays, or nothing can be stored."""
        return self._post_and_wait(self._handle, Withdrawn(player))

    def shut(self) -> asyncio.Future[None]:
        """The operator closes the room: done when it is closed, or nothing can be stored."""
        return self._post_and_wait(self._shut, None)

    def _post_and_wait(self, work: Callable[..., Awaitable[None]], argument: Any) -> asyncio.Future[None]:
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        # Behind all that is there, so that it finds nothing undone that was asked before.
        self._mailbox.post(Mail(work, argument, self._services.clock.now_ms(), done=done, gives_way=True))
        return done

    def _post_of(
        self, member: Member, work: Callable[..., Awaitable[None]], argument: Any, origin: Origin | None
    ) -> None:
        """Post that somebody comes or goes, which gives way if they have no seat."""
        gives_way = not self._has_seat(member)
        if origin is None or not self._mailbox.is_busy_for(origin, gives_way=gives_way):
            self._mailbox.post(Mail(work, argument, self._services.clock.now_ms(), origin, member, gives_way))

    def _has_seat(self, member: Member) -> bool:
        return bool(self.session.sides(member.player.id))

    # The task

    async def _run(self) -> None:
        loop = asyncio.get_running_loop()
        handled = 0
        while not (self.session.closed or self.session.asleep):
            if not self._mailbox.mails:
                self._mailbox.filled = loop.create_future()
                await self._mailbox.filled
                handled = 0
            elif handled == MAILS_AT_ONCE:
                await asyncio.sleep(0)
                handled = 0
            handled += 1
            mail = self._mailbox.mails.popleft()
            self._busy = True
            self._committing = None
            self._output.unanswered = mail.origin
            try:
                await mail.work(mail.argument, mail.at_ms)
                self._output.send_queue.flush()
                self._set_timer()
                self._failures = 0
                if mail.done is not None:
                    mail.signal()
            except Exception:
                log.exception("room failed and goes on from what is committed", extra={"room": self.id})
                await self._recover_quietly(mail)
            self._busy = False
        self._end()

    def _end(self) -> None:
        quietly(self._lobby.on_room_closed, self.id)
        self._mailbox.end("not_found", "There is no such room.")
        self.stop()

    def _set_timer(self) -> None:
        """Set the timer, unless one is set that fires early enough: it will look again."""
        deadline_ms = self.session.deadline_ms()
        if deadline_ms is None or (self._timer_ms is not None and self._timer_ms <= deadline_ms):
            return
        if self._timer is not None:
            self._timer.cancel()
        delay_s = max(0, deadline_ms - self._services.clock.now_ms()) / 1000
        self._timer_ms = deadline_ms
        self._timer = asyncio.get_running_loop().call_later(delay_s, self._on_timer)

    def _on_timer(self) -> None:
        self._timer = self._timer_ms = None
        self.post_input(Tick())

    # After a failure

    async def _recover_quietly(self, mail: Mail) -> None:
        try:
            await self._recover(mail)
        except Exception:
            # Whatever is left half done fails at the next message, which leads here again.
            log.exception("room failed while it recovered", extra={"room": self.id})

    async def _recover(self, mail: Mail) -> None:
        """Rebuild the room from what is committed, answer the request in hand, and try again what did not happen."""
        self._failures += 1
        self._search.end()
        while not await self._is_rebuilt():
            self._refuse_meanwhile(mail)
            await asyncio.sleep(RECOVERY_RETRY_S)
        quietly(self._lobby.on_room_changed, self.id, True)
        self._account_for(mail)
        quietly(self._output.show_members)
        self._output.send_queue.flush()
        self._set_timer_again()

    async def _is_rebuilt(self) -> bool:
        try:
            await self._rebuild()
        except Exception:
            log.exception("room cannot be rebuilt and tries again", extra={"room": self.id})
            return False
        return True

    async def _rebuild(self) -> None:
        """Put the session that the committed events make in the place of the one that failed."""
        failed, now_ms = self.session, self._services.clock.now_ms()
        loaded = await self._services.loader.by_number(self.number)
        if loaded is None:
            self._adopt(never_opened(failed, now_ms), [])
            return
        session = loaded.session
        self._commits.forget_room_row()
        can_commit = self._services.committer.available
        effects = go_on(failed, session, members=len(self._followers), can_commit=can_commit, now_ms=now_ms)
        self._adopt(session, loaded.kept)
        for effect in effects:
            if isinstance(effect, Think):
                self._search.ask(effect)
        self._post_changed(loaded)

    def _adopt(self, session: Session, kept: list[tuple[int, bytes]]) -> None:
        self.session = session
        self._output.adopt(session, kept)

    def _post_changed(self, loaded: Loaded) -> None:
        """What has happened to those who sit here without an event that says so."""
        for player in loaded.renamed:
            self.post_input(PlayerRenamed(player))
        for deleted in loaded.deleted:
            self.post_input(Withdrawn(deleted))

    def _account_for(self, mail: Mail) -> None:
        """Answer the request in hand with what is true of it."""
        commit, origin = self._committing, self._output.unanswered
        happened = commit is not None and commit.entries[-1].seq <= self.session.seq
        if origin is not None and happened and commit is not None and commit.answer is not None:
            if not quietly(self._CARRY[type(commit.answer)], self, commit.answer):
                self._output.acknowledge(origin, commit.entries[-1].seq)
        elif mail.tries + 1 < TRIES and (origin is not None or (mail.origin is None and not happened)):
            mail.tries += 1
            self._mailbox.put_back(mail)
            return
        elif origin is not None:
            self._output.refuse(
                origin, "unavailable", "The server failed on this and changed nothing; send it again in a moment."
            )
        if self.session.seq == 0:
            quietly(self._carry_out_all, self.session.handle(NotOpened(), mail.at_ms))
        mail.signal()

    def _refuse_meanwhile(self, mail: Mail) -> None:
        """Requests are not left without an answer while the room cannot be rebuilt."""
        unanswered, self._output.unanswered = self._output.unanswered, None
        if unanswered is not None:
            mail.tries = TRIES
            self._mailbox.refuse(
                unanswered,
                "unavailable",
                "The server failed on this and cannot tell yet whether it happened; resume the room in a moment.",
            )
        self._mailbox.refuse_requests(
            self._leave, "unavailable", "This room cannot be read just now; send this again in a moment."
        )

    def _set_timer_again(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._timer_ms = None
        if self._failures < TRIES and quietly(self._set_timer):
            return
        # Not at once, since it may be the timer that leads to the failure.
        self._timer_ms = self._services.clock.now_ms() + round(RECOVERY_RETRY_S * 1000)
        self._timer = asyncio.get_running_loop().call_later(RECOVERY_RETRY_S, self._on_timer)

    # Handling what came

    # Plain functions where nothing but the commit waits: each coroutine on the way would cost a move 0.5 µs.

    def _handle(self, event: Input, at_ms: int) -> Awaitable[None]:
        return self._carry_out(self.session.handle(event, at_ms))

    async def _nothing(self, argument: None, at_ms: int) -> None:
        pass

    def _handle_request(self, asked: PlayerRequest, at_ms: int) -> Awaitable[None]:
        request = type(asked.request)
        if request is Join or request is Rematch:
            return self._prepare_and_handle(asked, at_ms)
        if request is Say and not self.is_member(asked.origin.member):
            stranger = Refuse(asked.origin, "not_seated", "Join or watch the room before you speak in it.")
            return self._carry_out([stranger])
        return self._carry_out(self.session.handle(asked, at_ms))

    async def _prepare_and_handle(self, asked: PlayerRequest, at_ms: int) -> None:
        if self._lobby.draining and not (type(asked.request) is Join and self.session.sides(asked.player.id)):
            self._output.refuse(asked.origin, "shutting_down", NO_NEW_GAMES)
            return
        if await self._prepare(asked.origin):
            await self._carry_out(self.session.handle(asked, at_ms))

    async def _open(self, origin: Origin, at_ms: int) -> None:
        if await self._prepare(origin):
            await self._handle(Opened(origin), at_ms)
        if self.session.seq == 0:
            await self._handle(NotOpened(), at_ms)

    async def _prepare(self, origin: Origin) -> bool:
        """Whether the session may now seat players and start a game; if not, the request is refused here."""
        try:
            news = await prepared(self.session, origin.member.player, self._services)
        except StoreUnavailable:
            self._output.refuse(origin, "unavailable", "The server cannot store anything just now.")
            return False
        await self._handle(news, self._services.clock.now_ms())
        return True

    async def _shut(self, argument: None, at_ms: int) -> None:
        await self._handle(Shut(), at_ms)
        if not (self.session.closed or self.session.waiting or self.session.game.running):
            await self._handle(Shut(), at_ms)

    async def _handle_player_deleted(self, deleted: PlayerDeleted, at_ms: int) -> None:
        self._output.forget_events()
        await self._handle(deleted, at_ms)

    # Who follows

    async def _watch(self, origin: Origin, at_ms: int) -> None:
        self._add(origin.member)
        self._output.show(origin, answer=True)

    async def _catch_up(self, argument: tuple[Origin, int], at_ms: int) -> None:
        origin, seq = argument
        self._add(origin.member)
        self._output.catch_up(origin, seq)

    async def _leave(self, argument: tuple[Member, Origin | None], at_ms: int) -> None:
        member, origin = argument
        self._remove(member)
        if origin is not None:
            self._output.acknowledge(origin, self.session.seq)

    def _add(self, member: Member) -> None:
        if self._followers.add(member):
            member.following[self] = None
            self._members_changed()

    def _remove(self, member: Member) -> None:
        if self._followers.remove(member):
            member.following.pop(self, None)
            self._members_changed()

    def _members_changed(self) -> None:
        if len(self._followers) <= 1:  # its session asks only whether anybody is here
            self.post_input(MembersChanged(len(self._followers)))
        if self.session.game.running:
            self._lobby.on_room_changed(self.id, False)

    # Carrying out effects

    async def _carry_out(self, effects: list[Effect]) -> None:
        while True:
            commit = self._carry_out_all(effects)
            if commit is None:
                if self.session.asleep:
                    await self._fall_asleep()
                return
            self._output.send_queue.flush()
            self._committing = commit
            answer = await self._commits.commit(self.session, commit)
            effects = self.session.handle(answer, self._services.clock.now_ms())

    async def _fall_asleep(self) -> None:
        """Stay awake after all where somebody comes meanwhile, or where the database does not take it."""
        slept = self._commits.wakes
        if not slept:
            writes = sleep_writes(self.session, self.number, self._services.clock.unix_ms())
            # First of all: whatever comes of the commit, the next one says that the room is awake.
            self._commits.first_writes = wake_writes(self.number)
            try:
                await self._services.committer.write(writes)
                slept = True
            except Exception as error:
                log.warning("room cannot sleep", extra={"room": self.id, "error": repr(error)})
        if not slept or self._mailbox.mails or self._followers:
            self.session.handle(KeptAwake(), self._services.clock.now_ms())

    def _carry_out_all(self, effects: list[Effect]) -> Commit | None:
        """The commit among them, which is always the last: nothing follows it before its answer."""
        commit: Commit | None = None
        for effect in effects:
            if type(effect) is Commit:
                commit = effect
            else:
                self._CARRY[type(effect)](self, effect)
        if self._output.newly_seated:
            self._output.check_seats()
        return commit

    def _publish(self, effect: Publish) -> None:
        listing_changed = self._output.publish(effect.entries, self._commits.payloads)
        self._lobby.on_room_changed(self.id, listing_changed)
        if listing_changed and any(type(entry.event) is Ended for entry in effect.entries):
            self._services.thinking.end_game(self.session.game.seed)

    def _acknowledge(self, effect: Acknowledge) -> None:
        self._output.acknowledge(effect.origin, effect.seq)

    def _refuse(self, effect: Refuse) -> None:
        self._output.refuse(effect.origin, effect.code, effect.message)

    def _show_room(self, effect: ShowRoom) -> None:
        if effect.answer:
            self._add(effect.origin.member)
        self._output.show(effect.origin, answer=effect.answer)

    def _show_members(self, effect: ShowMembers) -> None:
        self._output.show_members()

    def _show_presence(self, effect: ShowPresence) -> None:
        self._followers.show_absence(effect.player)

    def _think(self, effect: Think) -> None:
        self._search.ask(effect)

    def _stop_thinking(self, effect: StopThinking) -> None:
        self._search.end()

    def _sleep(self, effect: Sleep) -> None:
        """See `_fall_asleep`, which waits for the database."""

    def _close(self, effect: Close) -> None:
        for member in list(self._followers):
            self._remove(member)

    _CARRY: ClassVar[dict[type, Callable[[Room, Any], None]]] = {
        Publish: _publish,
        Acknowledge: _acknowledge,
        Refuse: _refuse,
        ShowRoom: _show_room,
        ShowMembers: _show_members,
        ShowPresence: _show_presence,
        Think: _think,
        StopThinking: _stop_thinking,
        Sleep: _sleep,
        Close: _close,
    }


def _held_by_nobody(post: Callable[[Input], None]) -> Callable[[Input], None]:
    """A function that calls this method while its room exists, without keeping the room alive.

    A room in a reference cycle would stay in memory until Python looks for cycles among all objects, hours later.
    """
    method = WeakMethod(post)

    def post_if_there(event: Input) -> None:
        there = method()
        if there is not None:
            there(event)

    return post_if_there
