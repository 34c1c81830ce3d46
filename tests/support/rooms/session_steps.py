"""Steps that a session can take on the smallest board, by name, to be put together in every order."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from server.play.inputs import (
    MembersChanged,
    PlayerConnected,
    PlayerDisconnected,
    SearchFailed,
    SearchStarted,
    StoreBack,
    StoreDown,
)
from server.wire import ClockSettings, Join, Player, Rematch
from tests.support.rooms.session_driver import ANN, BOB, Driver

INCREMENT_MS = 1_000


INITIAL_MS = 10_000


CLOCK = ClockSettings(initial_ms=INITIAL_MS, increment_ms=INCREMENT_MS)


START = ["a1", "a2", "b1", "b2"]
"""X wins at once on c1, O on c2."""


Step = Callable[["Explored"], object]


class Explored(Driver):
    """A driver that knows when each event was committed, and whether the store ever failed."""

    def __init__(self, **spec: Any) -> None:
        self.times_ms: list[int] = []
        self.outage = False
        super().__init__(game="mnk:3,3,3", clock=CLOCK, start=START, **spec)

    def send(self, event: Any) -> Any:
        effects = super().send(event)
        self.times_ms += [self.now_ms] * (len(self.entries) - len(self.times_ms))
        return effects


def moves(player: Player, which: int) -> Step:
    """One of the free cells, or one that is taken where none is free."""
    return lambda room: room.move(player, (room.session.legal() or ["a1"])[which])


def acts(player: Player, action: str) -> Step:
    return lambda room: room.act(player, action)


def waits(ms: int) -> Step:
    return lambda room: room.wait(ms)


def store(works: bool) -> Step:
    def step(room: Explored) -> None:
        room.store_works = works
        room.outage = True
        room.send(StoreBack() if works else StoreDown())

    return step


def finds(which: int | None) -> Step:
    """The bot's search answers with a free cell, or with one that is taken."""

    def step(room: Explored) -> None:
        if room.thinking is not None:
            legal = room.session.legal() or ["a1"]
            room.decide(legal[min(which, len(legal) - 1)] if which is not None else "a1", think_ms=300)

    return step


def search(news: Literal["started", "busy", "crash"]) -> Step:
    def step(room: Explored) -> None:
        if room.thinking is not None:
            number = room.thinking.search
            room.send(SearchStarted(number) if news == "started" else SearchFailed(number, news))

    return step


PEOPLE: dict[str, Step] = {
    "Ann wins": moves(ANN, 0),
    "Ann moves": moves(ANN, -1),
    "Bob moves": moves(BOB, -1),
    "Ann resigns": acts(ANN, "resign"),
    "Bob aborts": acts(BOB, "abort"),
    "Ann offers a draw": acts(ANN, "offer_draw"),
    "Bob offers a draw": acts(BOB, "offer_draw"),
    "Bob declines it": acts(BOB, "decline_draw"),
    "Bob takes the draw": acts(BOB, "accept_draw"),
    "Ann asks for a takeback": acts(ANN, "offer_takeback"),
    "Bob grants it": acts(BOB, "accept_takeback"),
    "Ann wants a rematch": lambda room: room.ask(ANN, Rematch(room="room1")),
    "Bob wants a rematch": lambda room: room.ask(BOB, Rematch(room="room1")),
    "4 s pass": waits(4_000),
}


TROUBLES: dict[str, Step] = {
    "Ann wins": moves(ANN, 0),
    "Ann moves": moves(ANN, -1),
    "Bob moves": moves(BOB, -1),
    "Bob leaves": lambda room: room.send(PlayerDisconnected(BOB.id)),
    "Bob comes back": lambda room: room.send(PlayerConnected(BOB.id)),
    "Ann claims the win": acts(ANN, "claim_win"),
    "the store fails": store(False),
    "the store works": store(True),
    "Ann wants a rematch": lambda room: room.ask(ANN, Rematch(room="room1")),
    "nobody follows": lambda room: room.send(MembersChanged(0)),
    "4 s pass": waits(4_000),
    "10 min pass": waits(600_000),
}


A_BOT: dict[str, Step] = {
    "Ann moves": moves(ANN, -1),
    "Ann resigns": acts(ANN, "resign"),
    "Ann takes back": acts(ANN, "offer_takeback"),
    "Ann offers a draw": acts(ANN, "offer_draw"),
    "Ann wants a rematch": lambda room: room.ask(ANN, Rematch(room="room1")),
    "the search starts": search("started"),
    "the search finds a win": finds(1),
    "the search finds a move": finds(-1),
    "the search finds nonsense": finds(None),
    "no worker is free": search("busy"),
    "the worker dies": search("crash"),
    "the store fails": store(False),
    "the store works": store(True),
    "4 s pass": waits(4_000),
}


A_SEEK: dict[str, Step] = {
    "Bob joins": lambda room: room.ask(BOB, Join(room="room1")),
    "Ann joins": lambda room: room.ask(ANN, Join(room="room1")),
    "Ann aborts": acts(ANN, "abort"),
    "Ann moves": moves(ANN, -1),
    "Bob moves": moves(BOB, -1),
    "Ann leaves": lambda room: room.send(PlayerDisconnected(ANN.id)),
    "Ann comes back": lambda room: room.send(PlayerConnected(ANN.id)),
    "the store fails": store(False),
    "the store works": store(True),
    "60 s pass": waits(60_000),
}
