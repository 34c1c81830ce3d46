"""Whose deletion may have happened, what may differ because of it, and who is still named."""

from __future__ import annotations

import pytest

from server.wire import Moved, RoomEvent, Said, Seated
from server.wire.parts import Author, Seat
from tests.simulation.broken import Broken
from tests.simulation.forgotten import SHOWN_US, Forgotten


def said(text: str, name: str = "Ada") -> Said:
    return Said(by=Author(id="1", name=name), text=text)


def seated(name: str) -> Seated:
    return Seated(side="x", seat=Seat(id="1", name=name, kind="person", present=True))


def test_a_refusal_ends_the_doubt_once_nothing_else_is_asked() -> None:
    forgotten = Forgotten()
    forgotten.ask("1", 1)
    forgotten.ask("1", 1)
    forgotten.refuse("1")
    assert forgotten.may_be("1")
    forgotten.refuse("1")
    assert not forgotten.may_be("1")
    forgotten.refuse("1")


def test_a_greeting_ends_it_where_the_server_is_another() -> None:
    forgotten = Forgotten()
    forgotten.ask("1", 1)
    forgotten.known_still("1", 1)
    assert forgotten.may_be("1"), "the first server may delete them yet"
    forgotten.known_still("1", 2)
    assert not forgotten.may_be("1")


def test_what_is_acknowledged_is_for_good() -> None:
    forgotten = Forgotten()
    forgotten.confirm("1", "Ada", 0)
    forgotten.known_still("1", 2)
    forgotten.refuse("1")
    assert forgotten.may_be("1")
    assert forgotten.settling(0) == {"1"}
    assert forgotten.settling(SHOWN_US) == set()


@pytest.mark.parametrize(
    ("one", "other"), [(said("hello"), said("(deleted)", "deleted player 1")), (seated("Ada"), seated("-"))]
)
def test_events_may_differ_by_a_deletion_alone(one: RoomEvent, other: RoomEvent) -> None:
    forgotten = Forgotten()
    assert not forgotten.same(one, other)
    forgotten.ask("1", 1)
    assert forgotten.same(one, other)
    moved = Moved(ply=0, move="a1", by="x", think_ms=1, clock=None, to_move="o")
    assert not forgotten.same(one, moved)


def test_names_are_whole_words() -> None:
    forgotten = Forgotten()
    forgotten.confirm("1", "Ada", 5)
    assert forgotten.named_in('"name":"Ada 17"') == "Ada"
    assert forgotten.named_in('"name":"Ada1","code":"xAda-Ada"') is None
    assert forgotten.named_in("Ada", before_us=5) is None


def test_what_comes_long_after_a_deletion_names_nobody() -> None:
    forgotten = Forgotten()
    forgotten.check_shown(b"Ada", "Bob", 0)
    forgotten.confirm("1", "Ada", 0)
    forgotten.check_shown(b"Ada", "Bob", SHOWN_US)
    with pytest.raises(Broken, match=r"^forgotten: Bob is shown Ada, who was deleted"):
        forgotten.check_shown(b"Ada", "Bob", SHOWN_US + 1)
