"""A lobby with somebody to meet in every way, for tests of the terminal."""

from __future__ import annotations

from server.wire import ClockSettings, ListedPlayer, Lobby, Player, RatingView, RunningRoom, Seek
from tests.support.terminal.fake_server import ME

BOB = ListedPlayer(
    id="p2", name="Bob\x1b[2J", kind="person", rating=RatingView(value=1490, deviation=200, provisional=True)
)
EVE = ListedPlayer(id="p3", name="Эве 名 ‮x", kind="bot")
MINE = ListedPlayer(id=ME.id, name=ME.name, kind="person")
BLITZ = ClockSettings(initial_ms=300_000, increment_ms=3_000)
OPEN = Seek(room="r2", game="gomoku", clock=BLITZ, rated=True, by=BOB, seat="x")
CHALLENGE = Seek(room="r3", game="qubic", clock=None, rated=False, by=EVE, seat="o")
OWN = Seek(room="r4", game="ultimate", clock=None, rated=False, by=MINE, seat="o")
RUNNING = RunningRoom(room="r5", game="tictactoe", x=BOB, o=EVE, plies=1, spectators=2)
PLAYING = RunningRoom(room="r6", game="newer:9", x=BOB, o=MINE, plies=4, spectators=0)
FULL = Lobby(
    seeks=[OPEN, OWN],
    rooms=[RUNNING, PLAYING],
    players=3,
    challenges=[CHALLENGE],
    people=[Player(id="p2", name="Bob", kind="person"), ME, Player(id="p3", name="Eve", kind="bot")],
)
