"""What a room says, and to whom: answers, events for all its followers, and what returning followers have missed."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Sequence

from engine.search.decision import win_in
from server.play.effects import SequencedEvent
from server.play.legal_json import legal_json
from server.play.session import Session
from server.play.views import carries_legal, room_view, viewer_side
from server.rooms.members import Member, Origin, SendQueue, text_frame
from server.rooms.room.followers import Followers
from server.rooms.room.services import RoomServices
from server.wire import (
    EVENTS_KEPT,
    Ack,
    Error,
    ErrorCode,
    Moved,
    Room,
    Seated,
    ServerReply,
    Thinking,
    encode,
    with_legal,
)

log = logging.getLogger(__name__)

REPLAY_BYTES = 128 * 1024
"""Events longer than this in total are not replayed, since they might fill the queue; the whole room is shorter."""


class RoomOutput:
    """Everything waits in `send_queue` until the room flushes it."""

    def __init__(self, session: Session, code: str | None, services: RoomServices) -> None:
        self.session = session
        self.send_queue = SendQueue()
        self.followers = Followers(session, self.send_queue, services.clock.now_ms)
        self.unanswered: Origin | None = None
        """the request that the room is handling, until it is answered"""
        self._code = code
        self._services = services
        self._recent: deque[tuple[int, bytes]] = deque(maxlen=EVENTS_KEPT)
        self._outdated = -1
        """who knows no event after this one is sent the whole room: they may know somebody who was deleted"""
        self.newly_seated: list[Seated] = []
        """of the commit that was published just now"""

    def adopt(self, session: Session, kept: list[tuple[int, bytes]]) -> None:
        """Report on this session from now on; its last events are `kept`."""
        self.session = self.followers.session = session
        self._recent = deque(kept, maxlen=EVENTS_KEPT)
        if not kept:
            self._outdated = session.seq
        self.newly_seated.clear()

    # To all

    def publish(self, entries: Sequence[SequencedEvent], payloads: Sequence[bytes]) -> bool:
        """Send events to all; whether there was more than a move."""
        more = False
        for entry, payload in zip(entries, payloads, strict=True):
            self._recent.append((entry.seq, payload))
            self._broadcast(entry, payload)
            if type(entry.event) is Seated and self.followers:
                self.newly_seated.append(entry.event)
            more = more or type(entry.event) is not Moved
        return more

    def check_seats(self) -> None:
        """Once those who were seated just now have been added to the followers."""
        self.followers.check_seats(self.newly_seated)
        self.newly_seated.clear()

    def _broadcast(self, entry: SequencedEvent, payload: bytes) -> None:
        frame = legal_frame = text_frame(payload)
        asked = self._asked_to_move() if entry.seq == self.session.game.turn_seq else None
        if asked is not None:
            legal_frame = text_frame(with_legal(payload, legal_json(self.session.game.position)))
        for member in self.followers:
            self.send_queue.put(member, legal_frame if member.player.id == asked else frame)

    def _asked_to_move(self) -> str | None:
        """The follower to be shown the legal moves with the event that made it their turn, if any."""
        session = self.session
        to_move = session.game.to_move
        seat = session.seats[to_move] if to_move is not None else None
        if seat is None or seat.bot is not None or not carries_legal(session) or not self.followers.is_present(seat.id):
            return None
        return seat.id

    def show_members(self) -> None:
        """One frame for all who have the same part in the room: for a thousand who watch, one each took 20 ms."""
        frames: dict[str | None, bytes] = {}
        for member in self.followers:
            part = viewer_side(self.session, member.player.id)
            if part not in frames:
                frames[part] = text_frame(encode(self._view(member)))
            self.send_queue.put(member, frames[part])

    def show_thinking(self, nodes: int, depth: int, value: float, pv: tuple[int, ...]) -> None:
        session = self.session
        if session.spec.rated:
            return  # it would show a player what the opponent's bot sees
        text = session.rules.format_move
        line = [text(cell) for cell in pv]
        message = Thinking(room=session.room, nodes=nodes, depth=depth, value=value, pv=line, win_in=win_in(value))
        self.followers.send(text_frame(encode(message)))
        self.send_queue.flush()

    def forget_events(self) -> None:
        """Somebody whom they name was deleted: members who come back are sent the whole room."""
        self._recent.clear()
        self._outdated = self.session.seq

    # To one

    def acknowledge(self, origin: Origin, seq: int) -> None:
        self.answer(origin, Ack(id=origin.id, room=self.session.room, seq=seq))

    def refuse(self, origin: Origin, code: ErrorCode, message: str) -> None:
        origin.member.count_error(code)
        self.answer(origin, Error(id=origin.id, code=code, message=message, room=self.session.room))

    def show(self, origin: Origin, *, answer: bool) -> None:
        room = self._view(origin.member, id=origin.id if answer else None)
        if answer:
            self.answer(origin, room)
        else:
            self.send_queue.put(origin.member, text_frame(encode(room)))

    def _view(self, member: Member, id: int | None = None) -> Room:
        self.followers.on_shown()
        return room_view(
            self.session,
            member.player.id,
            code=self._code,
            is_present=self.followers.is_present,
            spectators=self.followers.spectators,
            now_ms=self._services.clock.now_ms(),
            ts=self._services.clock.unix_ms(),
            id=id,
        )

    def catch_up(self, origin: Origin, seq: int) -> None:
        """Answer with what came after event `seq`, or with the whole room."""
        session = self.session
        oldest = self._recent[0][0] if self._recent else session.seq + 1
        missed = [(number, payload) for number, payload in self._recent if number > seq]
        too_long = sum(len(payload) for _, payload in missed) > REPLAY_BYTES
        if seq > session.seq or seq + 1 < oldest or seq <= self._outdated or too_long:
            self.show(origin, answer=True)
            return
        self.acknowledge(origin, session.seq)
        is_asked = origin.member.player.id == self._asked_to_move()
        for number, payload in missed:
            if is_asked and number == session.game.turn_seq:
                payload = with_legal(payload, legal_json(session.game.position))
            self.send_queue.put(origin.member, text_frame(payload))
        self._show_who_is_here(origin)

    def _show_who_is_here(self, origin: Origin) -> None:
        """Presence is not an event: a replay does not contain it, and it may have changed while nobody could say so."""
        member, followers = origin.member, self.followers
        for side, seat in self.session.seats.items():
            if seat is not None and seat.bot is None and seat.id != member.player.id:
                self.send_queue.put(member, followers.presence_frame(side, followers.is_present(seat.id)))
        followers.tell_spectators_again()

    def answer(self, origin: Origin, message: ServerReply) -> None:
        self.send_queue.put(origin.member, text_frame(encode(message)))
        if origin is self.unanswered:
            self.unanswered = None
