"""How many rooms one person, and one address, may have at a time."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence

from server.db.play import SleepingRow
from server.play.rate_limit import share_of_address
from server.rooms.refused import Refused
from server.rooms.room.room import Room

SEEKS_A_PLAYER = 3
INVITES_A_PLAYER = 50
ROOMS_A_PLAYER = 1000
"""Rooms that one player made: awake ones, also those that are over and not closed yet, and sleeping ones."""
SEEKING = ("open", "player")
"""Kinds of rooms that are a seek or a challenge while they wait; an invite is neither."""
ROOMS_AN_ADDRESS = 20
"""An address may always have this many rooms awake, however few places are left."""


def check_waiting(kind: str, made: Iterable[Room], asleep: Sequence[SleepingRow] = ()) -> None:
    """Bounds how many rooms of a player wait for somebody to sit down. Raises Refused."""
    kinds: tuple[str, ...]
    if kind in SEEKING:
        kinds, most, what = SEEKING, SEEKS_A_PLAYER, "open games and challenges"
    elif kind == "invite":
        kinds, most, what = ("invite",), INVITES_A_PLAYER, "invitations"
    else:
        return
    waiting = sum(room.session.waiting and room.session.spec.kind in kinds for room in made)
    if kind == "invite":
        waiting += sum(row.made and row.waiting for row in asleep)
    if waiting >= most:
        raise Refused("not_now", f"You already have {most} {what}; abort one first.")


def check_made(made: Sequence[Room], asleep: Sequence[SleepingRow]) -> None:
    """Raises Refused."""
    if len(made) + sum(row.made for row in asleep) >= ROOMS_A_PLAYER:
        raise Refused("not_now", f"You already have {ROOMS_A_PLAYER} rooms; play in those first.")


class AddressRooms:
    """Rooms by the address from which they were made, sleeping ones among them, and which of them are unfinished.

    Only in memory, since addresses are not kept beyond the server's end; rooms from before its start do not count.
    `limit` is how many one address may have, 0 for any number.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._address_of: dict[str, str] = {}
        self._made: dict[str, set[str]] = {}
        self._unfinished: dict[str, set[str]] = {}

    def is_full(self, address: str) -> bool:
        return bool(self._limit) and len(self._unfinished.get(address, ())) >= self._limit

    def is_over_share(self, address: str, free: int, awake: Container[str]) -> bool:
        """Whether an address has more rooms awake than there are places left, counting those whose game is over."""
        made, share = self._made.get(address, ()), share_of_address(free, ROOMS_AN_ADDRESS)
        return bool(self._limit) and len(made) >= share and sum(id in awake for id in made) >= share

    def add(self, room: str, address: str) -> None:
        if address:
            self._address_of[room] = address
            self._made.setdefault(address, set()).add(room)
            self._unfinished.setdefault(address, set()).add(room)

    def set_finished(self, room: str, finished: bool) -> None:
        """A room whose game is over no longer counts as unfinished; after a rematch it does again."""
        address = self._address_of.get(room)
        if address is not None and finished:
            _discard(self._unfinished, address, room)
        elif address is not None:
            self._unfinished.setdefault(address, set()).add(room)

    def remove(self, room: str) -> None:
        address = self._address_of.pop(room, None)
        if address is not None:
            _discard(self._unfinished, address, room)
            _discard(self._made, address, room)


def _discard(rooms: dict[str, set[str]], address: str, room: str) -> None:
    """Forget an address that has no rooms."""
    there = rooms.get(address, set())
    there.discard(room)
    if not there:
        rooms.pop(address, None)
