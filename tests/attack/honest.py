"""People who play all the time while a server is attacked: how long their moves take to be acknowledged."""

from __future__ import annotations

import asyncio

from client.lab.bench.figures import quantile
from client.lab.bench.server.tables import CLOCK, Hall, Table, long_game
from client.lab.bench.wire import Wire, connect
from tests.attack.target import Target

GAME = "qubic"
PAIRS = 5
RATE = 100.0
"""Moves a second of all pairs."""
_PLIES = 8
"""Of each pair between two looks at the time."""


class Honest:
    """Some pairs, each person from an address of their own where there are many."""

    def __init__(self, target: Target, hall: Hall) -> None:
        self._target = target
        self._hall = hall
        self.games = 0

    @classmethod
    async def seated(cls, target: Target, pairs: int = PAIRS) -> Honest:
        moves = long_game(GAME)

        async def person(number: int) -> Wire:
            source = f"127.1.0.{number + 1}" if target.has_many_sources else None
            wire = await connect(target.port, host=target.host, source=source)
            await wire.ask("hello", v=1, name=f"Honest {number}")
            return wire

        async def table(number: int) -> Table:
            x, o = await person(2 * number), await person(2 * number + 1)
            room = (await x.ask("create", game=GAME, seat="x", clock=CLOCK))["room"]
            await o.ask("join", room=room)
            return Table(x, o, moves, room)

        tables = await asyncio.gather(*(table(number) for number in range(pairs)))
        return cls(target, Hall(target, list(tables), frames_a_move=3))  # type: ignore[arg-type]

    async def play(self, seconds: float, rate: float = RATE) -> list[float]:
        """For this long, and what each move took to be acknowledged, in seconds. Raises BenchError for a refusal."""
        loop = asyncio.get_running_loop()
        ends, found = loop.time() + seconds, []
        while loop.time() < ends:
            found += (await self._hall.play(_PLIES, rate)).ack_s
            self.games += sum(table.played == len(table.moves) for table in self._hall.tables)
        return found

    def close(self) -> None:
        self._hall.close()


def p99_ms(ack_s: list[float]) -> float:
    return quantile(sorted(ack_s), 0.99) * 1000
