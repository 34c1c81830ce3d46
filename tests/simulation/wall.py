"""The server's clock on the wall, which may be wrong and jump, and when it said what."""

from __future__ import annotations

from server.db.connections import Batch
from tests.simulation.loop import SimulatedLoop
from tests.simulation.storage import added_events

UNIX_MS = 1_800_000_000_000
"""When every simulation begins."""


class Wall:
    """`unix_ms` is the true time, `said` what the clock says, which is wrong by `wrong_ms`."""

    def __init__(self, loop: SimulatedLoop) -> None:
        self._loop = loop
        self.wrong_ms = 0
        self._when: dict[int, int] = {}
        self._moments: dict[tuple[object, object, object], int] = {}

    @property
    def unix_ms(self) -> int:
        return UNIX_MS + self._loop.now_us // 1000

    def said(self) -> int:
        said = self.unix_ms + self.wrong_ms
        self._when[said] = self.unix_ms
        return said

    def when(self, said: int) -> int | None:
        """At which true time it said so last; None where it never did."""
        return self._when.get(said)

    def note(self, batch: Batch) -> None:
        """Events are about to be written: the time in each was said just before."""
        for number, seq, ts, *_ in added_events(batch):
            when = self.when(ts)
            if when is not None:
                self._moments[number, seq, ts] = when

    def moment(self, number: int, seq: int, ts: int) -> int | None:
        """The true time of an event; None where the clock never said what is in it."""
        return self._moments.get((number, seq, ts))
