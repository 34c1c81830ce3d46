"""What a session knows, field by field, held against the session that its committed events make."""

from __future__ import annotations

from typing import Any

from server.play.history import rebuild
from server.play.session import Session
from server.wire import encode_event
from tests.support.rooms.session_driver import Driver

NOT_DURABLE = {
    "ticket": "read from the database before each use",
    "ratings": "read from the database before each use",
    "pace": "a setting of the server",
    "closed": "in the row of the room; who is closed is not rebuilt",
    "asleep": "whoever is rebuilt is awake",
    "away_since_ms": "who is connected just now",
    "_empty_since_ms": "who follows just now",
    "_down": "whether the store works just now",
    "_ending": "whether the server ends just now",
    "_held": "not committed yet",
    "_search": "a search that runs is asked for again",
    "_searches": "numbers searches, which are asked for again",
    "_think_at_ms": "when the next search is asked for",
    "_clock_resumes_ms": "clocks wait for their side after a restart alone",
}
"""Fields that no event contains, and why they need none."""
CLOCK_NOT_DURABLE = {
    "since_ms": "a side has what it had left at the last commit, and its time passes from when it is back",
    "spent_ms": "so a turn begins anew",
}


def fields(thing: object) -> dict[str, Any]:
    """All attributes of an object, whether it has slots or a dictionary."""
    slots = {name for base in type(thing).__mro__ for name in getattr(base, "__slots__", ())}
    known = {name: getattr(thing, name) for name in slots if hasattr(thing, name)}
    return known | getattr(thing, "__dict__", {})


def replayed(room: Driver) -> Session:
    """The session that a driver's committed events make."""
    session = room.session
    return rebuild(
        "room1",
        room.spec,
        session.rules,
        [(entry.seq, ts, encode_event(entry.event)) for entry, ts in zip(room.entries, room.stamps, strict=True)],
        opened_ms=session._opened_ms,
        pace=session.pace,
    )


def check_replay(room: Driver) -> None:
    """Every field is the same but for those that need not be."""
    check_same(room.session, replayed(room))


def check_same(session: Session, again: Session) -> None:
    passed_over = set(NOT_DURABLE) | {"handle", "game", "clock"}
    _check("session", session, again, passed_over)
    _check("game", session.game, again.game, set())
    _check("clock", session.clock, again.clock, set(CLOCK_NOT_DURABLE))


def _check(name: str, thing: object, again: object, passed_over: set[str]) -> None:
    expected, found = fields(thing), fields(again)
    assert expected.keys() - {"handle"} == found.keys() - {"handle"}
    for field in expected.keys() - passed_over:
        assert found[field] == expected[field], f"{name}.{field} is {found[field]!r}, not {expected[field]!r}"
