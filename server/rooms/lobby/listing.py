"""The lobby's list: open seeks, running games and who is connected, sent to subscribers."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping
from itertools import islice
from typing import Final, TypeAlias

from server.play.views import running_view, seek_view
from server.rooms.members import MEMBERS_AT_ONCE, Member, text_frame, write
from server.rooms.room.room import Room
from server.wire import BOARDS_SHOWN, LIST_LENGTH, LobbyPart, Player, RunningRoom, Seek, encode
from server.wire import Lobby as LobbyMessage

LISTING_S = 1.0
"""A `lobby` goes out at most this often."""
_Common: TypeAlias = tuple[list[Seek], list[RunningRoom], list[Player]]
_NOTHING: Final[_Common] = ([], [], [])


class Listing:
    """`connected` and `rooms_of` are the lobby's, by player."""

    def __init__(
        self, connected: Mapping[str, Mapping[Member, None]], rooms_of: Mapping[str, Collection[Room]]
    ) -> None:
        self._connected = connected
        self._rooms_of = rooms_of
        self._waiting: dict[str, Room] = {}
        self._running: dict[str, Room] = {}
        """games that are listed, in the order in which they began or were last rejoined"""
        self._subscribers: dict[Member, None] = {}
        self._told_of_challenges: dict[Member, None] = {}
        """members that asked for challenges alone"""
        self._listing_timer: asyncio.TimerHandle | None = None
        self._late: dict[Member, None] = {}
        """subscribers who are not told of the last change yet"""
        self._late_due = False
        self._shown = _NOTHING
        self._shared = b""
        """the frame of that change for all who are not challenged"""

    def show_waiting(self, room: Room, shown: bool) -> None:
        changes = shown != (room.id in self._waiting)
        _keep(self._waiting, room, shown)
        if changes:
            self._tell_challenged(room)

    def show_running(self, room: Room, shown: bool) -> None:
        _keep(self._running, room, shown)

    def remove(self, room: Room) -> None:
        self.show_waiting(room, False)
        self.show_running(room, False)

    def unsubscribe(self, member: Member) -> None:
        self._subscribers.pop(member, None)
        self._late.pop(member, None)
        self._told_of_challenges.pop(member, None)

    def subscribe(self, member: Member, on: bool, id: int | None, only: LobbyPart | None = None) -> None:
        """Send the list, or only challenges, now and on each change, or no more."""
        self.unsubscribe(member)
        if on:
            (self._subscribers if only is None else self._told_of_challenges)[member] = None
        if only is None:
            member.write(text_frame(encode(self._listing(member.player.id, *self._common(), id=id))))
        else:
            member.write(self._challenges_frame(member.player.id, id))

    def send_soon(self) -> None:
        if self._listing_timer is None and self._subscribers:
            self._listing_timer = asyncio.get_running_loop().call_later(LISTING_S, self._send_listing)

    def _send_listing(self) -> None:
        self._listing_timer = None
        self._late.update(self._subscribers)  # who is late already comes first
        self._shown = self._common()
        self._shared = text_frame(encode(self._listing("", *self._shown)))
        if not self._late_due:
            self._send_some()

    def _send_some(self) -> None:
        """To a few members in each turn of the event loop: writing to thousands takes tens of milliseconds.

        Not by a `SendQueue`, which keeps every frame: of lists only the newest counts.
        """
        self._late_due = False
        for member in list(islice(self._late, MEMBERS_AT_ONCE)):
            del self._late[member]
            is_challenged = bool(self._challenges(member.player.id))
            own = text_frame(encode(self._listing(member.player.id, *self._shown))) if is_challenged else self._shared
            write(member, own)
        if self._late:
            self._late_due = True
            asyncio.get_running_loop().call_soon(self._send_some)
        else:
            self._shown, self._shared = _NOTHING, b""  # names may be deleted

    def _tell_challenged(self, room: Room) -> None:
        """At once, since these are few and wait for nothing else."""
        target = room.session.spec.target
        for member in self._connected.get(target, ()) if target is not None else ():
            if member in self._told_of_challenges:
                write(member, self._challenges_frame(member.player.id))

    def _challenges_frame(self, player: str, id: int | None = None) -> bytes:
        return text_frame(encode(self._listing(player, [], [], [], id=id, only="challenges")))

    def _common(self) -> _Common:
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
            seek_view(room.session) for room in rooms if room.id in self._waiting and room.session.spec.target == player
        ]
        return mine[:LIST_LENGTH]

    def _listing(
        self,
        player: str,
        seeks: list[Seek],
        rooms: list[RunningRoom],
        people: list[Player],
        *,
        id: int | None = None,
        only: LobbyPart | None = None,
    ) -> LobbyMessage:
        return LobbyMessage(
            id=id,
            seeks=seeks,
            rooms=rooms,
            players=len(self._connected),
            challenges=self._challenges(player),
            people=people,
            only=only,
        )


def _keep(rooms: dict[str, Room], room: Room, here: bool) -> None:
    if here:
        rooms.setdefault(room.id, room)
    else:
        rooms.pop(room.id, None)


def _is_open(room: Room) -> bool:
    return room.session.spec.kind == "open"
