"""How many rooms one person, and one address, may have at a time."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence

from server.db.play import SleepingRow
from server.play.rate_limit import share_of_address
from server.rooms.refused import Refused
from server.rooms.room import Room

SEEKS_A_PLAYER = 3
INVITES_A_PLAYER = 50
ROOMS_A_PLAYER = 1000
"""Rooms that one player made: awake ones, also those that are over and not closed yet, and sleeping ones."""
SEEKING = ("open", "player")
"""Kinds of rooms that are a seek or a challenge while they wait; an invite is neither."""
ROOMS_AN_ADDRESS = 20
"""So many rooms an address may have awake, however few places are left."""


def check_waiting(kind: str, made: Iterable[Room], asleep: Sequence[SleepingRow] = ()) -> None:
    """Bounds how many rooms of a player wait for somebody to sit down. Raises Refused."""
    kinds: tuple[str, ...]
    if kind in SEEKING:
        kinds, most, what = SEEKING, SEEKS_A_PLAYER, "seeks and challenges"
    elif kind == "invite":
        kinds, most, what = ("invite",), INVITES_A_PLAYER, "invites"
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
    """Unfinished rooms by the address from which they were made, sleeping ones among them.

    In memory alone: addresses are nobody's business once the server has ended, and rooms from before its start do not
    count. `limit` is how many one address may have, 0 for any number.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._address_of: dict[str, str] = {}
        self._unfinished: dict[str, set[str]] = {}

    def is_full(self, address: str) -> bool:
        return bool(self._limit) and len(self._unfinished.get(address, ())) >= self._limit

    def is_over_share(self, address: str, free: int, awake: Container[str]) -> bool:
        """Whether an address has more rooms awake than there are places left."""
        made, share = self._unfinished.get(address, ()), share_of_address(free, ROOMS_AN_ADDRESS)
        return bool(self._limit) and len(made) >= share and sum(id in awake for id in made) >= share

    def add(self, room: str, address: str) -> None:
        if address:
            self._address_of[room] = address
            self._unfinished.setdefault(address, set()).add(room)

    def set_finished(self, room: str, finished: bool) -> None:
        """A room whose game is over counts no longer, and again after a rematch."""
        address = self._address_of.get(room)
        if address is None:
            return
        if not finished:
            self._unfinished.setdefault(address, set()).add(room)
        elif address in self._unfinished:
            self._unfinished[address].discard(room)
            if not self._unfinished[address]:
                del self._unfinished[address]

    def remove(self, room: str) -> None:
        self.set_finished(room, True)
        self._address_of.pop(room, None)
