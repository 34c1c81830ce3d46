"""Many games at once between people, against the server or the relay, played as fast as asked.

A table has two players. Whoever is to move sends the next move of a game made up beforehand when the event of the move
before has arrived; a pacer delays it if a rate is asked for.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial

from msgspec import Struct

from client.lab.bench.figures import quantile
from client.lab.bench.processes import Measured
from client.lab.bench.wire import BenchError, Frame, Wire, connect, greeted, many, text_frame
from engine.rules.registry import rules

CLOCK = {"initial_ms": 3_600_000, "increment_ms": 1000}
WHOLE_GAME = 10_000
"""More plies than any game has."""
STUCK_S = 120.0
TICK_S = 0.001
_BURST_S = 0.02
"""A pacer makes up for at most this much lost time."""
_MOVED = b'"e":"moved"'
_ACK = b'{"t":"ack"'
_MOVE = b'{"t":"move"'
_ERROR = b'{"t":"error"'

Moves = tuple[str, ...]


def long_game(game: str) -> Moves:
    """The moves of a game that fills the board, or the longest of several that nearly do."""
    source = random.Random(1)
    longest: Moves = ()
    for _ in range(30):
        found = _drawn_out(game, source)
        longest = max(longest, found, key=len)
        if len(longest) == rules(game).cells:
            break
    return longest


def _drawn_out(game: str, source: random.Random) -> Moves:
    """A game at random that ends only where it must."""
    position = rules(game).initial
    moves: list[str] = []
    while position.outcome is None:
        legal = list(position.legal_moves())
        source.shuffle(legal)
        following = position.play(legal[0])
        for cell in legal:
            following = position.play(cell)
            if following.outcome is None:
                break
        moves.append(rules(game).format_move(cell))
        position = following
    return tuple(moves)


class Pacer:
    """Lets moves go at `rate` a second; 0 as soon as they are ready."""

    def __init__(self, rate: float) -> None:
        self._rate = rate
        self._ready: deque[Callable[[], None]] = deque()
        self._due = 0.0
        self._timer: asyncio.TimerHandle | None = None

    def start(self) -> None:
        if self._rate:
            self._due = time.perf_counter()
            self._tick()

    def stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()

    def pass_on(self, send: Callable[[], None]) -> None:
        if self._rate:
            self._ready.append(send)
        else:
            send()

    def _tick(self) -> None:
        now = time.perf_counter()
        self._due = max(self._due, now - _BURST_S)
        while self._due <= now and self._ready:
            self._ready.popleft()()
            self._due += 1 / self._rate
        self._timer = asyncio.get_running_loop().call_later(TICK_S, self._tick)


class Played(Struct, frozen=True):
    """What a stretch of play took; `ack_s` in ascending order."""

    moves: int
    taken_s: float
    cpu_s: float
    ack_s: list[float]

    @property
    def cpu_us(self) -> float:
        """Processor time of one move."""
        return self.cpu_s / self.moves * 1e6

    @property
    def rate(self) -> float:
        return self.moves / self.taken_s

    def ack_ms(self, share: float) -> float:
        return quantile(self.ack_s, share) * 1000


class Round:
    """One stretch of play at many tables. `ack_s` are the times from a move to its acknowledgement."""

    def __init__(self, rate: float) -> None:
        self.pacer = Pacer(rate)
        self.ack_s: list[float] = []
        self.done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._frames_due = 0

    def begin(self, frames_due: int) -> None:
        """`done` completes after this many received frames."""
        self._frames_due = frames_due
        self.pacer.start()

    def heard(self) -> None:
        self._frames_due -= 1
        if not self._frames_due:
            self.done.set_result(None)

    def failed(self, payload: bytes) -> None:
        if not self.done.done():
            self.done.set_exception(BenchError(f"A move was refused: {payload.decode()[:200]}"))


class Table:
    """Two players and a game, after `played` of its moves."""

    def __init__(self, x: Wire, o: Wire, moves: Moves, room: str) -> None:
        self.wires = [x, o]
        self.moves = moves
        self.room = room
        self.serial = 1
        self.played = 0
        self._frames: list[Frame] = []
        self._heard = [0, 0]
        self._sent_at = [0.0, 0.0]
        self._until = 0
        self._round: Round
        self._deal()

    def play(self, round: Round, plies: int) -> int:
        """Play this many more plies, or to the end of the game; returns how many that will be."""
        self._round = round
        self._until = min(self.played + plies, len(self.moves))
        x, o = self.wires
        x.hear, o.hear = partial(self._hear, 0), partial(self._hear, 1)
        coming = self._until - self.played
        if coming:
            round.pacer.pass_on(self._send)
        return coming

    async def again(self) -> None:
        """A new game, sides swapped; at the relay just that."""
        if self.room:
            await asyncio.gather(*(wire.ask("rematch", room=self.room) for wire in self.wires))
        self.wires.reverse()
        self.serial += 1
        self._deal()

    def _deal(self) -> None:
        """Make the frames of a whole game beforehand, since making them is not to be measured."""
        head = f'{{"t":"move","room":"{self.room}","game":{self.serial},'
        self._frames = [
            text_frame(f'{head}"ply":{ply},"move":"{move}","id":{ply}}}'.encode())
            for ply, move in enumerate(self.moves)
        ]
        self.played = 0
        self._heard = [0, 0]

    def _send(self) -> None:
        ply = self.played
        self.played = ply + 1
        self._sent_at[ply & 1] = time.perf_counter()
        self.wires[ply & 1].send(self._frames[ply])

    def _hear(self, side: int, payload: bytes) -> None:
        round = self._round
        if payload.startswith(_ACK):
            round.ack_s.append(time.perf_counter() - self._sent_at[side])
        elif _MOVED in payload[:100] or payload.startswith(_MOVE):
            ply = self._heard[side]
            self._heard[side] = ply + 1
            if ply & 1 != side:
                if ply + 1 < self._until:
                    round.pacer.pass_on(self._send)
            elif not self.room:  # at the relay a move that comes back to its mover is the acknowledgement
                round.ack_s.append(time.perf_counter() - self._sent_at[side])
        else:
            if payload.startswith(_ERROR):
                round.failed(payload)
            return
        round.heard()


class Hall:
    """All tables at one of the two servers."""

    def __init__(self, measured: Measured, tables: list[Table], frames_a_move: int) -> None:
        self.measured = measured
        self.tables = tables
        self.frames_a_move = frames_a_move

    async def play(self, plies: int = WHOLE_GAME, rate: float = 0.0) -> Played:
        """Play this many more plies at every table, and return the cost. Finished games start again first."""
        await self.renew()
        round = Round(rate)
        cpu_s, begun = self.measured.cpu_s(), time.perf_counter()
        moves = sum(table.play(round, plies) for table in self.tables)
        round.begin(moves * self.frames_a_move)
        try:
            async with asyncio.timeout(STUCK_S + (moves / rate if rate else 0)):
                await round.done
        finally:
            round.pacer.stop()
        taken_s = time.perf_counter() - begun
        return Played(moves, taken_s, self.measured.cpu_s() - cpu_s, sorted(round.ack_s))

    async def renew(self) -> None:
        """New games where one is over."""
        await asyncio.gather(*(table.again() for table in self.tables if table.played == len(table.moves)))

    def close(self) -> None:
        for table in self.tables:
            for wire in table.wires:
                wire.close()


async def noughts_hall(measured: Measured, games: Sequence[tuple[str, Moves]]) -> Hall:
    """A table for each game, its players greeted and seated."""
    wires = await many(2 * len(games), lambda _: greeted(measured.port))

    async def seat(x: Wire, o: Wire, game: str, moves: Moves) -> Table:
        made = await x.ask("create", game=game, seat="x", opponent={"kind": "invite"}, clock=CLOCK)
        await o.ask("join", code=made["code"])
        return Table(x, o, moves, made["room"])

    pairs = zip(wires[::2], wires[1::2], games, strict=True)
    tables = await asyncio.gather(*(seat(x, o, game, moves) for x, o, (game, moves) in pairs))
    return Hall(measured, list(tables), frames_a_move=3)


async def relay_hall(measured: Measured, tables: int, moves: Moves, first: int = 0) -> Hall:
    """This many tables at the relay, numbered from `first`."""
    wires = await many(2 * tables, lambda number: connect(measured.port, f"/{first + number // 2}"))
    pairs = zip(wires[::2], wires[1::2], strict=True)
    return Hall(measured, [Table(x, o, moves, "") for x, o in pairs], frames_a_move=2)
