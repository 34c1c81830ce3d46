"""A room as those see it who play in it, wait in it or watch it."""

from __future__ import annotations

from client.sdk import RoomView
from client.sdk.room_view import SequencedEvent, room_view
from server.wire import Offered, OfferKind, RoomEvent, Side
from tests.support.terminal.fake_server import ME, SERVER_MS, FakeRoom

VIEW = room_view(FakeRoom().room, ME.id)
O_VIEW = room_view(FakeRoom(you="o").room, ME.id)
SPECTATOR = room_view(FakeRoom().room, None)
WAITING = room_view(FakeRoom(opponent=None).room, ME.id)


def after(view: RoomView, event: RoomEvent) -> RoomView:
    return view.apply(SequencedEvent(room="r1", seq=view.seq + 1, ts=SERVER_MS, event=event))


def offered(what: OfferKind, by: Side = "o") -> RoomView:
    return after(VIEW, Offered(by=by, what=what))
