"""Recorded games for tests of the terminal, and a server that keeps one."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec import structs

from client.sdk.records import RecordedGame, RecordedMove, RecordedPlayer
from client.terminal.seating import NewRoom
from engine.rules.position import other
from server.wire import ClockSettings, JudgedMove, Opponent, Side
from tests.support.terminal.fake_server import ME, FakeServer


def recorded(
    moves: str, *, game: str = "tictactoe", start: Sequence[str] = (), winner: Side | None = "x", name: str = "Bob"
) -> RecordedGame:
    """Ada's game; every move took half a second longer than the one before."""
    by: Side = "x" if len(start) % 2 == 0 else "o"
    made = []
    for ply, move in enumerate(moves.split()):
        made.append(RecordedMove(ply, move, by, 500 * ply, x_ms=60_000 - 500 * ply, o_ms=50_000))
        by = other(by)
    return RecordedGame(
        id=7,
        game=game,
        x=RecordedPlayer(ME.id, ME.name, "person"),
        o=RecordedPlayer("p2", name, "bot"),
        rated=True,
        start=list(start),
        clock=ClockSettings(initial_ms=60_000, increment_ms=0),
        started_ms=1_700_000_000_000,
        winner=winner,
        termination="line" if winner else None,
        plies=len(made),
        moves=made,
    )


WON = recorded("a1 b1 a2 b2 a3")
AFTER_TWO = NewRoom("tictactoe", Opponent(kind="bot", bot="level:3"), seat="x", start=("a1", "b1"))
"""Playing on after two moves of it."""
BLUNDER = JudgedMove(ply=1, verdict="lost", exact=True, value=-1, best=["b2", "a3"], could="drawn", win_in=-3)

ENGINES: dict[str, tuple[int, bytes]] = {
    "/api/bots?game=tictactoe": (
        200,
        b'[{"family":"Deep","title":"Deep","character":"Thinks.","engine":true},'
        b'{"family":"Old","title":"Old","character":"Remembers its game.","engine":true,"opening_plies":1}]',
    )
}
"""Pages of a server that has two engines of its own."""


def keeps(server: FakeServer) -> None:
    body = msgspec.json.encode(WON)
    listed = msgspec.json.encode({"games": [structs.replace(WON, moves=None)], "next": None})
    server.pages |= {"/api/games/1": (200, body), "/api/games/7": (200, body)}
    server.pages["/api/games?player=p1&limit=30"] = (200, listed)
