"""Every sequence of inputs up to a length, on the smallest board: what must hold after each of them.

States that nothing but the numbers of events tells apart are explored once. Sessions are not copied: each sequence is
played again from its beginning, so a state is what its inputs make it.
"""

from __future__ import annotations

from typing import Any

import pytest

from server.wire import Ended, Moved, Started, TakenBack
from tests.support.rooms.replay import check_replay
from tests.support.rooms.session_driver import bot_seat
from tests.support.rooms.session_steps import (
    A_BOT,
    A_SEEK,
    INCREMENT_MS,
    INITIAL_MS,
    PEOPLE,
    TROUBLES,
    Explored,
    Step,
)

ClockLeft = tuple[int, int]


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
