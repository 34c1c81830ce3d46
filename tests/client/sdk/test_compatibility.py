"""Bots written for earlier versions: the addresses and names that they import, and the programs of their documentation.

`tests/data/before` has docs/bots.md and the public names of the old modules as they were before `client.sdk`.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Awaitable, Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from server.wire import Create, Hello, Move
from tests.support.terminal.fake_server import FakeRoom, fake_server

BEFORE = Path(__file__).parents[2] / "data" / "before"
NAMES: dict[str, list[str]] = json.loads((BEFORE / "public_names.json").read_text(encoding="utf-8"))
PROGRAMS = re.findall(r"```python\n(.*?)```", (BEFORE / "bots.md").read_text(encoding="utf-8"), re.DOTALL)

RENAMED = {
    "Committed": "SequencedEvent",
    "Gap": "MissedEvents",
    "NotUnderstood": "ProtocolError",
    "Refused": "RequestRefused",
    "State": "ConnectionState",
    "Unreachable": "ServerUnreachable",
    "Update": "RoomUpdate",
}


@pytest.mark.parametrize("address", NAMES)
def test_every_name_is_still_there(address: str) -> None:
    module = import_module(address)
    assert [name for name in NAMES[address] if not hasattr(module, name)] == []


@pytest.mark.parametrize("address", ["client.bot", "client.connection", "client.game_view"])
def test_a_renamed_class_is_the_same_class(address: str) -> None:
    module = import_module(address)
    for old, new in RENAMED.items():
        if old in NAMES[address]:
            assert getattr(module, old).__name__ == new


def test_there_are_two_documented_programs() -> None:
    assert len(PROGRAMS) == 2


async def test_the_documented_bot_still_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    async with fake_server() as server:
        server.replies = ["c3", "c2"]
        code = PROGRAMS[0].replace("http://127.0.0.1:8765", server.url)
        monkeypatch.setattr("random.choice", lambda moves: moves[0])
        await asyncio.to_thread(exec, compile(code, "bots.md", "exec"), {"__name__": "__main__"})
    assert server.requests(Hello)[0].name == "coin"
    assert [move.move for move in server.requests(Move)] == ["a1", "b1", "c1"]


async def test_the_documented_asyncio_bot_still_plays(capsys: pytest.CaptureFixture[str]) -> None:
    async with fake_server(FakeRoom(code="ABCDEF")) as server:
        server.replies = ["c3", "c2"]
        names: dict[str, Any] = {}
        exec(PROGRAMS[1].replace("http://127.0.0.1:8765", server.url), names)
        main: Callable[[], Awaitable[None]] = names["main"]
        await main()
    assert capsys.readouterr().out == "code: ABCDEF\n"
    opponent = server.requests(Create)[0].opponent
    assert opponent is not None
    assert opponent.kind == "invite"
    assert [move.move for move in server.requests(Move)] == ["a1", "b1", "c1"]
