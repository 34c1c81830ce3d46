"""What people find wrong, each by one message that the server must never send."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.simulation.broken import Broken
from tests.simulation.frames import TEXT, framed
from tests.simulation.ledger import Ledger
from tests.simulation.loop import simulated_loop
from tests.simulation.people import Person, Tab, WrongMove

ADA = {"id": "1", "name": "Ada", "kind": "person"}
BOB = {"id": "2", "name": "Bob", "kind": "person"}
UPGRADED = b"HTTP/1.1 101 Switching Protocols\r\n\r\n"


class Line:
    """To a server that is silent."""

    def __init__(self) -> None:
        self.sent = b""
        self.closed = False

    def write(self, data: bytes) -> None:
        self.sent += data

    def is_closing(self) -> bool:
        return self.closed

    def close(self) -> None:
        self.closed = True


class Place:
    """As much of a world as one person needs; `may_be_unavailable` says that the disk is ill."""

    seed = 0

    def __init__(self) -> None:
        self.loop = simulated_loop("0")
        self.ledger = Ledger()
        self.may_be_unavailable = False
        self.restarts = 1
        self.known: list[str] = []

    def followed(self, view: Any) -> None:
        self.known.append(view.room)

    def guard(self, callback: Callable[..., object], *arguments: Any) -> None:
        callback(*arguments)


class Visit:
    """Ada, greeted on one tab, without habits."""

    def __init__(self) -> None:
        self.place = Place()
        self.ada = Person(self.place, 0, "Ada")  # type: ignore[arg-type]
        self.ada.habits = False
        self.tab = Tab(self.ada)
        self.line = Line()
        self.tab.transport = self.line  # type: ignore[assignment]
        self.tab.data_received(UPGRADED)
        self.hear(t="welcome", id=1, v=1, player=ADA, token="secret", rooms=[])
        self.ada.tabs.append(self.tab)
        self.line.sent = b""

    def hear(self, **message: Any) -> None:
        self.tab._receive(json.dumps(message).encode())

    def ask(self, **message: Any) -> int:
        """Its number."""
        self.tab.ask(**message)
        return self.tab._numbers


def test_who_is_greeted_keeps_the_token_and_can_ask() -> None:
    visit = Visit()
    assert (visit.ada.id, visit.ada.token) == ("1", "secret")
    assert visit.ada.tab is visit.tab
    visit.ask(t="ping", ts=3)
    assert visit.line.sent == framed(TEXT, b'{"t": "ping", "ts": 3, "id": 2}')
    visit.hear(t="pong", id=2, ts=3, server_ms=0)
    assert not visit.tab.asked


@pytest.mark.parametrize(
    ("message", "broken"),
    [
        ({"t": "pong", "id": 99, "ts": 0, "server_ms": 0}, "protocol: Ada is answered"),
        ({"t": "pong", "id": 2, "ts": 0, "server_ms": 0}, "protocol: Ada asked"),
        ({"t": "nonsense"}, "protocol: Ada cannot read"),
        ({"t": "error", "id": 2, "code": "malformed", "message": "no"}, "protocol: Ada asked"),
        ({"t": "error", "id": 2, "code": "unavailable", "message": "no"}, "nobody waits: Ada asked"),
        ({"t": "spectators", "room": "r", "count": 2}, "order: Ada is sent"),
        (
            {"t": "event", "room": "r", "seq": 1, "ts": 5, "e": "said", "by": {"id": "2", "name": "Bob"}, "text": "hi"},
            "order: Ada is sent",
        ),
    ],
)
def test_a_wrong_answer_to_a_say(message: dict[str, Any], broken: str) -> None:
    visit = Visit()
    visit.ask(t="say", room="r", text="hello")
    with pytest.raises(Broken, match=f"^{broken}"):
        visit.hear(**message)


def test_a_move_that_may_be_nonsense_may_be_refused_and_an_ill_disk_may_refuse() -> None:
    visit = Visit()
    id = visit.ask(t="move", room="r", game=1, ply=0, move=WrongMove("zz"))
    visit.hear(t="error", id=id, code="malformed", message="no such move")
    visit.place.may_be_unavailable = True
    visit.hear(t="error", id=visit.ask(t="say", room="r", text="a"), code="unavailable", message="the disk is full")


def test_a_legal_move_may_not_be_refused() -> None:
    visit = Visit()
    visit.tab.ask(visit.ada._moved("r", 3), t="move", room="r", game=1, ply=0, move="a1")
    with pytest.raises(Broken, match=r"^rules: Ada's legal move in room r is refused"):
        visit.hear(t="error", id=2, code="illegal_move", message="taken")


def test_a_tab_that_opens_while_its_person_is_forgotten_is_somebody_new() -> None:
    visit = Visit()
    late, line = Tab(visit.ada), Line()
    late.transport = line  # type: ignore[assignment]
    visit.ada.tabs.append(late)
    visit.ada.forget()
    visit.hear(t="ack", id=2)
    assert visit.tab.forgotten_us is not None
    late.data_received(UPGRADED)
    late._receive(json.dumps({"t": "welcome", "id": 1, "v": 1, "player": BOB, "token": "new", "rooms": []}).encode())
    assert (visit.ada.id, visit.ada.token) == ("2", "new")
    assert visit.ada.tab is late


def test_a_token_stays_that_of_its_player() -> None:
    visit = Visit()
    visit.tab._hello()
    with pytest.raises(Broken, match=r"^acknowledged: Ada's token is now that of player 2"):
        visit.hear(t="welcome", id=2, v=1, player={**ADA, "id": "2"}, rooms=[])
    visit.tab._hello()
    with pytest.raises(Broken, match=r"^acknowledged: Ada's token is unknown"):
        visit.hear(t="error", id=3, code="unauthorised", message="nobody")


def test_what_was_acknowledged_is_remembered() -> None:
    visit = Visit()
    visit.hear(t="ack", id=visit.ask(t="say", room="r", text="hello"), seq=4)
    assert visit.place.ledger.acknowledged == {("r", 4): ("Ada", {"e": "said", "text": "hello"})}


def test_an_answer_is_no_older_than_what_anybody_knew_before_it_was_asked() -> None:
    visit = Visit()
    visit.place.ledger.know("r", 9)
    id = visit.ask(t="say", room="r", text="hello")
    with pytest.raises(Broken, match=r"^acknowledged: Ada asked .* when event 9 was known, and is answered 8"):
        visit.hear(t="ack", id=id, seq=8)
