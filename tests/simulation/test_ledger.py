"""What was seen by one must be the same to others."""

from __future__ import annotations

import pytest

from client.sdk.room_view import SequencedEvent
from server.wire import Moved, RoomEvent, Said
from server.wire.parts import Author
from tests.simulation.broken import Broken
from tests.simulation.ledger import Ledger


def event(seq: int, what: RoomEvent, ts: int = 5) -> SequencedEvent:
    return SequencedEvent(room="r", seq=seq, ts=ts, event=what)


def said(text: str) -> Said:
    return Said(by=Author(id="1", name="Ada"), text=text)


def moved(legal: list[str] | None) -> Moved:
    return Moved(ply=0, move="a1", by="x", think_ms=1, clock=None, to_move="o", legal=legal)


def test_who_sees_another_event_under_the_same_number_is_a_finding() -> None:
    ledger = Ledger()
    ledger.see(event(1, said("hello")), "Ada")
    ledger.see(event(1, said("hello")), "Bob")
    with pytest.raises(Broken, match="one history: event 1 of room r"):
        ledger.see(event(1, said("good bye")), "Cleo")
    with pytest.raises(Broken, match="one history"):
        ledger.see(event(1, said("hello"), ts=6), "Cleo")


def test_the_legal_moves_are_for_one_alone() -> None:
    ledger = Ledger()
    ledger.see(event(4, moved(["b2"])), "Ada")
    ledger.see(event(4, moved(None)), "Bob")
    assert ledger.top == {"r": 4}


def test_the_last_event_that_anybody_knows_only_grows() -> None:
    ledger = Ledger()
    ledger.acknowledge("r", 7, "Ada", e="said")
    ledger.know("r", 3)
    assert ledger.top == {"r": 7}
