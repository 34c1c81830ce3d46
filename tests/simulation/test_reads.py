"""What is wrong in an answer over HTTP, each found."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import pytest

from tests.simulation.broken import Broken
from tests.simulation.ledger import Ledger
from tests.simulation.loop import simulated_loop
from tests.simulation.reads import Read


def read(path: str, status: int, answer: Any, *, code: str | None = None, ill: bool = False) -> None:
    """As player 1, of a game that player 2 lost to a bot by resigning."""
    result = SimpleNamespace(winner="x", termination="resignation")
    seat = SimpleNamespace(id="2")
    known = SimpleNamespace(code=code, x=seat, o=None, result=result, moves=("a1",))
    world = SimpleNamespace(
        loop=simulated_loop("0"),
        ledger=Ledger(),
        games={"7": known},
        may_be_unavailable=ill,
        guard=lambda callback: callback(),
    )
    person = SimpleNamespace(world=world, id="1", token="secret", name="Ada")
    reading = Read(person, path, as_anybody=False)  # type: ignore[arg-type]
    reading.data_received(f"HTTP/1.1 {status} So\r\n\r\n{json.dumps(answer)}".encode())
    reading.eof_received()


GAME = {"winner": "x", "termination": "resignation", "moves": [{"move": "a1"}]}
PRIVATE = {"private": True, "x": {"id": "2"}, "o": {"id": "9"}}


def test_what_is_as_it_must_be() -> None:
    read("/api/games/7", 200, GAME)
    read("/api/games/7", 404, {}, code="c0de")
    read("/api/players/me", 200, {"id": "1"})
    read("/api/games", 200, {"games": [{"x": {"id": "2"}, "o": {"id": "9"}}]})
    read("/api/stats", 503, {}, ill=True)
    read("/readyz", 503, {})


@pytest.mark.parametrize(
    ("path", "status", "answer", "code"),
    [
        ("/api/games/7", 200, {**GAME, "moves": []}, None),
        ("/api/games/7", 200, {**GAME, "winner": "o"}, None),
        ("/api/games/7", 200, GAME, "c0de"),
        ("/api/games/7", 404, {}, None),
        ("/api/games", 200, {"games": [PRIVATE]}, None),
        ("/api/stats", 500, {}, None),
        ("/api/stats", 503, {}, None),
        ("/api/players/me", 401, {}, None),
        ("/api/players/me", 200, {"id": "3"}, None),
    ],
)
def test_what_must_not_be(path: str, status: int, answer: Any, code: str | None) -> None:
    with pytest.raises(Broken, match=r"^reads: Ada, who reads "):
        read(path, status, answer, code=code)
