"""Every sequence of inputs up to a length, on the smallest board: what must hold after each of them.

States that nothing but the numbers of events tells apart are explored once. Sessions are not copied: each sequence is
played again from its beginning, so a state is what its inputs make it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import pytest

from server.play.inputs import (
    MembersChanged,
    PlayerConnected,
    PlayerDisconnected,
    SearchFailed,
    SearchStarted,
    StoreBack,
    StoreDown,
)
from server.wire import ClockSettings, Ended, Join, Moved, Player, Rematch, Started, TakenBack
from tests.support.replay import check_replay
from tests.support.session_driver import ANN, BOB, Driver, bot_seat

INCREMENT_MS = 1_000
INITIAL_MS = 10_000
CLOCK = ClockSettings(initial_ms=INITIAL_MS, increment_ms=INCREMENT_MS)
START = ["a1", "a2", "b1", "b2"]
"""X wins at once on c1, O on c2."""

Step = Callable[["Explored"], object]
ClockLeft = tuple[int, int]


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


@pytest.mark.parametrize(
    ("alphabet", "spec", "length"),
    [
        pytest.param(PEOPLE, {}, 5, id="two people"),
        pytest.param(TROUBLES, {}, 5, id="connections and the store"),
        pytest.param(A_BOT, {"o": bot_seat(), "kind": "bot"}, 5, id="a bot"),
        pytest.param(A_SEEK, {"o": None}, 6, id="a seek"),
        pytest.param({name: PEOPLE[name] for name in list(PEOPLE)[:6]}, {"rated": True}, 6, id="rated"),
    ],
)
def test_every_sequence_of_inputs(alphabet: dict[str, Step], spec: dict[str, Any], length: int) -> None:
    frontier: list[tuple[str, ...]] = [()]
    seen = {state(played((), alphabet, spec))}
    for _ in range(length):
        longer: list[tuple[str, ...]] = []
        for sequence in frontier:
            for name in alphabet:
                room = played((*sequence, name), alphabet, spec)
                if room is None:
                    continue  # the room is closed before the last input
                try:
                    check(room)
                except AssertionError as error:
                    raise AssertionError(f"after {', '.join((*sequence, name))}: {error}") from error
                found = state(room)
                if found not in seen:
                    seen.add(found)
                    longer.append((*sequence, name))
        frontier = longer
    assert len(seen) > 10 * length, "the alphabet does something"


def played(sequence: tuple[str, ...], alphabet: dict[str, Step], spec: dict[str, Any]) -> Any:
    room = Explored(**spec)
    for name in sequence:
        if room.session.closed:
            return None
        alphabet[name](room)
        room.wait(0)  # what is due by now
    return room


def state(room: Explored) -> tuple[object, ...]:
    """All that decides what may come next, times relative to now."""
    session, now_ms = room.session, room.now_ms
    game, clock, search = session.game, session.clock, session._search

    def past(at_ms: int | None) -> int | None:
        return None if at_ms is None else at_ms - now_ms

    return (
        room.store_works,
        room.outage,
        session.closed,
        session._down,
        past(session._empty_since_ms),
        past(session._think_at_ms),
        tuple((player, past(at_ms)) for player, at_ms in sorted(session.away_since_ms.items())),
        tuple((seat.id, seat.name) if seat is not None else None for seat in session.seats.values()),
        (game.serial, game.started, tuple(game.cells), tuple(game.lefts), str(game.result)),
        (tuple(game.offers), tuple(sorted(game.draws_asked)), tuple(sorted(game.verdicts.items()))),
        (clock.x_ms, clock.o_ms, clock.running, clock.spent_ms, past(clock.since_ms)),
        None if search is None else (search.side, search.ply, past(search.asked_ms)),
        search is not None and room.thinking is not None and room.thinking.search == search.number,
        tuple(type(entry.event) for entry in session._held.entries) if session._held is not None else None,
    )


# What must hold


def check(room: Explored) -> None:
    session = room.session
    assert session._pending is None, "the store has answered"
    assert [entry.seq for entry in room.entries] == list(range(1, len(room.entries) + 1)), "numbers without a gap"
    assert session.seq == len(room.entries)
    game = session.game
    assert len(game.cells) == len(game.texts) == len(game.seqs) == len(game.lefts) - 1 == len(game.positions) - 1
    check_results(room)
    check_clocks(room)
    check_replay(room)
    due_ms = session.deadline_ms()
    assert session.closed or due_ms is None or due_ms > room.now_ms, "what was due is done"


def check_results(room: Explored) -> None:
    """One result a game, and no move after it."""
    running = False
    for event in room.events:
        if isinstance(event, Started):
            assert not running, "one game at a time"
            running = True
        elif isinstance(event, Ended):
            assert running or not room.session.game.started, "a game ends once"
            running = False
        elif isinstance(event, Moved | TakenBack):
            assert running, "no move after the end"
    assert running == room.session.game.running


def check_clocks(room: Explored) -> None:
    """What a side lost is what its moves took, less the increments; nothing else takes or gives time."""
    before: list[ClockLeft] = []
    turn_ms = 0
    for event, at_ms in zip(room.events, room.times_ms, strict=True):
        clock = getattr(event, "clock", None)
        if clock is None:
            continue
        left = (clock.x_ms, clock.o_ms)
        assert min(left) >= 0
        if isinstance(event, Started):
            assert left == (INITIAL_MS, INITIAL_MS)
            before = [left]
        elif isinstance(event, Moved):
            x, o = before[event.ply]
            mine, theirs = (0, 1) if event.by == "x" else (1, 0)
            assert left[theirs] == (x, o)[theirs], "only the mover's time passes"
            gained = left[mine] - (x, o)[mine] + event.think_ms
            assert gained == INCREMENT_MS
            if not room.outage and event.search is None:
                assert event.think_ms == at_ms - turn_ms, "a move takes what passed since the turn began"
            before = [*before[: event.ply + 1], left]
        elif isinstance(event, TakenBack):
            assert left == before[event.ply], "a takeback gives its time back"
            before = before[: event.ply + 1]
        else:
            x, o = before[-1]
            assert left[0] <= x
            assert left[1] <= o
        turn_ms = at_ms
